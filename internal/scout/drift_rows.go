package scout

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// rows enters the example rows of repeatable groups, one group at a time.
func (w *onPage) rows(ctx context.Context) (bool, error) {
	for i := range w.p.Fields {
		f := &w.p.Fields[i]
		if !f.Repeatable || w.rowed[f.FieldID] || !f.VisibleWhen.Holds(w.answers) {
			continue
		}
		w.rowed[f.FieldID] = true
		items, _ := w.answers[f.FieldID].([]any)
		w.found[f.FieldID] = true
		for n, row := range items {
			if ok, err := w.row(ctx, f, n, row); err != nil || !ok {
				return true, err
			}
		}
		if len(items) > 0 {
			return true, nil
		}
	}
	return false, nil
}

func (w *onPage) row(ctx context.Context, f *wizard.Field, n int, row any) (bool, error) {
	o := &opened{field: f, n: n, values: row, before: w.inv.Controls, buttons: map[string]bool{}}
	before := map[string]bool{}
	for _, c := range w.inv.Controls {
		before[ident(c)] = true
	}
	for _, b := range w.inv.Buttons {
		o.buttons[b.Selector] = true
	}
	ok, err := w.enterRow(ctx, o)
	if err != nil || !ok {
		return false, err
	}
	if err := w.look(ctx); err != nil {
		return false, err
	}
	for _, c := range w.inv.Controls {
		if !before[ident(c)] {
			w.asks[ident(c)] = true // of the rows
		}
	}
	return true, nil
}

// enterRow enters a row, and mends what is in the way as far as it can be found.
// It tells of what cannot.
func (w *onPage) enterRow(ctx context.Context, o *opened) (bool, error) {
	f, err := o.field, error(nil)
	if _, err = w.mendButton(ctx, o, false); err != nil {
		return false, err
	}
	if err := w.standing(ctx, o); err != nil {
		return false, err
	}
	o.got, err = w.page.AddRow(ctx, groupOf(f), o.n, groupAnswers(f, o.values))
	if err == nil && len(o.failing()) > 0 {
		mended, mending := w.mendRow(ctx, o)
		if mending != nil {
			return false, mending
		}
		if mended {
			o.got, err = w.goOn(ctx, o)
		}
	}
	if err != nil && ctx.Err() == nil {
		mended, mending := w.mendButton(ctx, o, true)
		if mending != nil {
			return false, mending
		}
		if mended {
			o.got, err = w.goOn(ctx, o)
		}
	}
	if err != nil && ctx.Err() != nil {
		return false, err
	}
	return w.tellRow(o, err), nil
}

// tellRow tells of what is wrong with a row, and reports whether nothing is.
func (w *onPage) tellRow(o *opened, err error) bool {
	f := o.field
	found := w.about(FoundSelector, &item{id: f.FieldID, label: f.Label})
	found.Selector, found.Breaks = f.AddButtonSelector, true
	if err != nil {
		found.Message = "row " + itoa(o.n+1) + " could not be added: " + printable(clip(err.Error(), 300))
		w.drift.add(found)
		return false
	}
	for _, x := range o.got {
		if !x.State.OK() && x.State != page.StateHidden {
			found.FieldID, found.Selector, found.Fails = f.FieldID+"."+x.ID, x.Used, failsNothing
			found.Message = fmt.Sprintf("in row %d it is %s", o.n+1, strings.ReplaceAll(string(x.State), "_", " "))
			w.drift.add(found)
			return false
		}
	}
	return true
}

// goOn fills in and keeps a row that is open already.
func (w *onPage) goOn(ctx context.Context, o *opened) ([]page.Outcome, error) {
	g := groupOf(o.field)
	g.Add, g.Row = page.Target{Frame: o.field.Frame}, page.Target{}
	return w.page.AddRow(ctx, g, o.n, groupAnswers(o.field, o.values))
}

// groupOf are the buttons of a group, and what proves a row.
func groupOf(f *wizard.Field) page.Group {
	return page.Group{
		Add:  page.Target{Selector: f.AddButtonSelector, Type: "auto", Frame: f.Frame},
		Save: page.Target{Selector: f.SaveButtonSelector, Type: "auto", Frame: f.Frame},
		Row:  page.Target{Selector: f.RowSelector, Frame: f.Frame},
	}
}

// inRows tells whether a control is one of an open row.
func (w *onPage) inRows(c page.Control) bool {
	for i := range w.p.Fields {
		f := &w.p.Fields[i]
		for j := range f.SubFields {
			if f.Repeatable && slices.ContainsFunc(c.Ways, func(x page.Way) bool { return ofRow(f, j, x.Selector) }) {
				return true
			}
		}
	}
	return false
}

// ofRow tells whether a selector leads to sub-field j of one of the rows that
// stand on the page at least.
func ofRow(f *wizard.Field, j int, selector string) bool {
	for n := range max(1, f.MinInstances) {
		if selector == page.OfRow(f.SubFields[j].Selector, n) {
			return true
		}
	}
	return false
}

// rowButtons weighs the buttons that open rows: a page may ask nothing else.
func (s *survey) rowButtons(ctx context.Context, pages []*wizard.Page) (map[*wizard.Page]float64, error) {
	var targets []page.Target
	var of []*wizard.Page
	for _, p := range pages {
		for _, f := range p.Fields {
			if f.Repeatable && f.AddButtonSelector != "" {
				targets, of = append(targets, page.Target{Selector: f.AddButtonSelector, Frame: f.Frame}), append(of, p)
			}
		}
	}
	out := map[*wizard.Page]float64{}
	if len(targets) == 0 {
		return out, nil
	}
	seen, err := s.page.Survey(ctx, targets)
	for i, sight := range seen {
		if sight.Visible {
			out[of[i]] = 0.5
		}
	}
	return out, err
}
