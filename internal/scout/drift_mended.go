package scout

import (
	"slices"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// mendEntry leaves out the clicks of the way in that lead nowhere any more: the
// form is there without the first of them, so also without the rest.
func (s *survey) mendEntry() {
	n := s.needless - 1
	if n < 0 {
		return
	}
	if s.wizard.StartAction != nil {
		if n == 0 {
			s.wizard.StartAction, s.wizard.EntrySteps = nil, nil
			return
		}
		n--
	}
	s.wizard.EntrySteps = s.wizard.EntrySteps[:n]
}

// mendPages writes into the mended wizard what belongs to whole pages: fields
// and pages that are new or gone.
func (s *survey) mendPages() {
	s.mendEntry()
	for id := range s.missing {
		f := s.missing[id]
		if s.found[id] || f.Kind == FoundHidden || s.needed(id) {
			continue
		}
		for i := range s.wizard.Pages {
			p := &s.wizard.Pages[i]
			p.Fields = slices.DeleteFunc(p.Fields, func(x wizard.Field) bool { return x.FieldID == id })
		}
	}
	for _, a := range s.added {
		if p := s.wizard.Page(a.page); p != nil {
			f := cleaned(a.field)
			at := slices.IndexFunc(p.Fields, func(x wizard.Field) bool { return x.FieldID == a.after }) + 1
			p.Fields = slices.Insert(p.Fields, at, f)
		}
	}
	for n := range s.gone {
		if p := s.wizard.Page(n); p != nil && !s.came[n] && !slices.ContainsFunc(p.Fields, func(f wizard.Field) bool { return s.needed(f.FieldID) }) {
			s.wizard.Pages = slices.DeleteFunc(s.wizard.Pages, func(q wizard.Page) bool { return q.PageNumber == n })
		}
	}
	s.insertPages()
	for i, p := range s.wizard.OrderedPages() {
		p.PageNumber = i + 1
	}
	s.wizard.TotalPages = len(s.wizard.Pages)
}

// needed tells whether a condition of the wizard, or a group, refers to a field.
func (s *survey) needed(id string) bool {
	if s.wizard.Field(id) == nil {
		return true // an input of a group
	}
	for i := range s.wizard.Pages {
		p := &s.wizard.Pages[i]
		if names(p.VisibleWhen, id) {
			return true
		}
		for j := range p.Fields {
			f := &p.Fields[j]
			if f.FieldID != id && (names(f.VisibleWhen, id) || names(f.RequiredWhen, id)) {
				return true
			}
			if slices.ContainsFunc(f.Options, func(o wizard.Option) bool { return names(o.AvailableWhen, id) }) {
				return true
			}
			for k := range f.SubFields {
				if names(f.SubFields[k].VisibleWhen, id) || names(f.SubFields[k].RequiredWhen, id) {
					return true
				}
			}
		}
	}
	return false
}

// names tells whether a condition is about a field.
func names(c *wizard.Condition, id string) bool {
	if c == nil {
		return false
	}
	if c.FieldID == id || names(c.Not, id) {
		return true
	}
	in := func(x wizard.Condition) bool { return names(&x, id) }
	return slices.ContainsFunc(c.All, in) || slices.ContainsFunc(c.Any, in)
}
