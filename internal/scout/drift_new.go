package scout

import (
	"context"
	"fmt"
	"slices"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// demanded notes the questions that the wizard does not have and answers those
// that the page says it needs.
func (w *onPage) demanded(ctx context.Context) (bool, error) {
	var answers []page.Answer
	foreign := map[*page.Control]bool{}
	if slices.ContainsFunc(w.inv.Controls, w.unknownControl) {
		l := located{spots: spotsOf(w.inv)}
		other, err := w.foreign(ctx, l)
		if err != nil {
			return false, err
		}
		for i, s := range l.spots {
			foreign[s.control] = foreign[s.control] || other[i]
		}
	}
	for i, c := range w.inv.Controls {
		if !w.unknownControl(c) || foreign[&w.inv.Controls[i]] {
			continue
		}
		a := w.addition(c, i)
		if w.given[a.field.FieldID] || !a.field.Required || !empty(c) || c.Kind == page.KindCheckbox && c.Set != "" {
			continue
		}
		if list := candidates(c, w.now()); len(list) > 0 {
			w.given[a.field.FieldID] = true
			answers = append(answers, page.Answer{Input: input(c, a.field.FieldID), Value: list[0]})
		}
	}
	if len(answers) == 0 {
		return false, nil
	}
	_, err := w.page.Set(ctx, answers)
	return true, err
}

// unknownControl tells whether a control is a question that the wizard does not
// have.
func (w *onPage) unknownControl(c page.Control) bool {
	return asked(c) && !w.asks[ident(c)] && !w.inRows(c)
}

// addition is the new question that a control is, drafted as a field once.
func (w *onPage) addition(c page.Control, at int) *addition {
	name := ident(c)
	for i := range w.added {
		if w.added[i].page == w.p.PageNumber && ident(w.added[i].control) == name {
			return &w.added[i]
		}
	}
	id := uniqueID(baseID(c), c, w.graph.taken)
	w.graph.taken[id] = true
	var example any
	if list := candidates(c, w.now()); len(list) > 0 {
		example = list[0]
	}
	if c.Kind == page.KindCheckbox {
		example = c.Required
	}
	w.added = append(w.added, addition{page: w.p.PageNumber, after: w.before(at), control: c, field: fieldOf(c, id, example)})
	return &w.added[len(w.added)-1]
}

// before is the last field of the wizard that comes before a control.
func (w *onPage) before(at int) string {
	for j := at - 1; j >= 0; j-- {
		for _, q := range w.pairs {
			if q.spot >= 0 && q.item.field != nil && w.identAt(q) == ident(w.inv.Controls[j]) {
				return q.item.field.FieldID
			}
		}
	}
	return ""
}

// identAt is the control of a pair by name; the spots follow the inventory.
func (w *onPage) identAt(q *pair) string {
	l := spotsOf(w.inv)
	if q.spot >= len(l) {
		return ""
	}
	return ident(*l[q.spot].control)
}

// cleaned is a drafted field without characters that are not to be seen. A
// selector that has some is left out, so that it still leads to what it names.
func cleaned(f wizard.Field) wizard.Field {
	f.Label, f.Description, f.Notes = printable(f.Label), printable(f.Description), newWords
	f.SelectorAlternatives = slices.DeleteFunc(f.SelectorAlternatives, func(s string) bool { return printable(s) != s })
	if printable(f.Selector) != f.Selector && len(f.SelectorAlternatives) > 0 {
		f.Selector, f.SelectorAlternatives = f.SelectorAlternatives[0], f.SelectorAlternatives[1:]
	}
	for i := range f.Options {
		f.Options[i].Value, f.Options[i].Label = printable(f.Options[i].Value), printable(f.Options[i].Label)
	}
	return f
}

// finding tells of a question that the wizard does not have.
func (a addition) finding(p *wizard.Page) Finding {
	f := Finding{
		Kind: FoundField, Page: a.page, FieldID: a.field.FieldID, Label: printable(a.field.Label), Is: string(a.control.Kind),
		Required: a.field.Required, Breaks: a.field.Required, Works: &Works{Selector: a.field.Selector, From: fromPage, Score: stability(a.field.Selector, spotted{control: &a.control}), Frame: a.field.Frame},
	}
	if p != nil {
		f.Title = printable(p.PageTitle)
	}
	need := "optional"
	if a.field.Required {
		need = "required"
	}
	f.Message = fmt.Sprintf("the page asks %s (%s, %s, %s), which the wizard does not have", quoted(a.field.Label), a.control.Kind, need, a.field.Selector)
	return f
}

// newWords mark a field that was drafted from the page.
const newWords = "New on the form, drafted from the page: check the label, the kind and the example."

// addition is a question that the wizard does not have.
type addition struct {
	page    int
	after   string // the field before it
	control page.Control
	field   wizard.Field
}
