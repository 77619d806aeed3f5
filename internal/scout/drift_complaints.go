package scout

import (
	"context"
	"slices"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// complaints takes in what the form says is missing or wrong, and fills the page
// in again with it. It reports whether there was anything to change.
func (s *survey) complaints(ctx context.Context, p *wizard.Page, blamed map[*known]string) (bool, error) {
	w := &onPage{survey: s, p: p, whole: true}
	items := itemsOf(p)
	l, err := s.locate(ctx, items)
	if err != nil {
		return false, err
	}
	w.pairs = match(l, items, w.due)
	changed := false
	for k, text := range blamed {
		if q := w.pairOf(l, k); q != nil {
			changed = w.complaint(q, k, text) || changed
		} else {
			changed = w.newlyNeeded(k) || changed
		}
	}
	if !changed {
		return false, nil
	}
	s.settle()
	return true, s.work(ctx, p)
}

// complaint is what the form says about a question of the wizard. It reports
// whether there is another answer to give.
func (w *onPage) complaint(q *pair, k *known, text string) bool {
	if w.tried[q.item.id] {
		w.tried[q.item.id] = false // it does insist, as the wizard has it
		return true
	}
	f := w.about(FoundRefused, q.item)
	f.Is, f.Breaks = printable(clip(text, 200)), true
	f.Message = "the form refuses the example: " + quoted(text)
	_, given := w.answers[q.item.field.FieldID]
	if !given && w.expects(w.p, q.item) {
		f.Kind, f.Required = FoundRequired, true
		f.Was, f.Is = "optional", "required"
		f.Message = "the form demands it: " + quoted(text) + "; the wizard has it as optional"
		q.item.field.Required = true
	}
	w.drift.add(f)
	v := w.otherExample(q.item, k.control)
	if v == nil {
		return false
	}
	w.take(q.item, v)
	return true
}

// pairOf is the item that a question of the page is.
func (w *onPage) pairOf(l located, k *known) *pair {
	for _, q := range w.pairs {
		if q.spot >= 0 && ident(*l.spots[q.spot].control) == k.ident {
			return q
		}
	}
	return nil
}

// newlyNeeded notes a question that the wizard does not have and the form
// demands. It reports whether that was not known before.
func (w *onPage) newlyNeeded(k *known) bool {
	at := slices.IndexFunc(w.inv.Controls, func(c page.Control) bool { return ident(c) == k.ident })
	a := w.addition(k.control, max(at, 0))
	if a.field.Required {
		return false
	}
	a.field.Required = true
	return true
}
