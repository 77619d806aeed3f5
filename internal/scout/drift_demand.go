package scout

import (
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// demand compares whether an answer must be given.
func (w *onPage) demand(q *pair, spots []spotted) {
	it, c := q.item, spots[q.spot].control
	if it.traits != &it.field.Traits || it.field.ExclusiveGroup != "" || c.Set != "" {
		return
	}
	was := it.field.Required || it.field.RequiredWhen != nil && it.field.RequiredWhen.Holds(w.answers)
	if !c.Required || was {
		return
	}
	f := w.about(FoundRequired, it)
	f.Was, f.Is, f.Required, f.Breaks = "optional", "required", true, true
	f.Message = "it must be answered now; the wizard has it as optional"
	w.drift.add(f)
	it.field.Required, it.field.RequiredWhen = true, nil
}

// doubtful tells whether the page no longer demands a question of the wizard, by
// its marks: it marks every other one that the wizard demands. Marks do not tell
// everything, so the page is tried without an answer, once.
func (w *onPage) doubtful(q *pair, spots []spotted) bool {
	if _, tried := w.tried[q.item.id]; tried || q.spot < 0 || !q.item.field.Required || q.item.traits != &q.item.field.Traits || w.submits(w.p) || w.needed(q.item.id) {
		return false
	}
	c := spots[q.spot].control
	if c.Required || !empty(*c) || c.Kind == page.KindCheckbox || q.item.field.ExclusiveGroup != "" {
		return false
	}
	if c.Optional {
		return true
	}
	others := 0
	for _, o := range w.pairs {
		if o == q || o.spot < 0 || !o.item.field.Required || o.item.traits != &o.item.field.Traits {
			continue
		}
		other := spots[o.spot].control
		if !other.Required || other.RequiredBy != "attribute" && other.RequiredBy != "aria" {
			return false
		}
		others++
	}
	return others > 0
}

// letGo tells of the questions that were left open when the page was left.
func (s *survey) letGo(p *wizard.Page) {
	for _, it := range itemsOf(p) {
		if open, tried := s.tried[it.id]; !tried || !open {
			continue
		}
		s.tried[it.id] = false
		f := s.about(FoundRequired, it)
		f.Was, f.Is = "required", "optional"
		f.Message = "it need not be answered now: the page was left without; the wizard demands it"
		s.drift.add(f)
		it.field.Required = false
	}
}
