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
	g := page.Group{
		Add:  page.Target{Selector: f.AddButtonSelector, Type: "auto", Frame: f.Frame},
		Save: page.Target{Selector: f.SaveButtonSelector, Type: "auto", Frame: f.Frame},
		Row:  page.Target{Selector: f.RowSelector, Frame: f.Frame},
	}
	before := map[string]bool{}
	for _, c := range w.inv.Controls {
		before[ident(c)] = true
	}
	got, err := w.page.AddRow(ctx, g, n, groupAnswers(f, row))
	found := w.about(FoundSelector, &item{id: f.FieldID, label: f.Label})
	found.Selector, found.Breaks = f.AddButtonSelector, true
	if err != nil {
		if ctx.Err() != nil {
			return false, err
		}
		found.Message = "row " + itoa(n+1) + " could not be added: " + printable(clip(err.Error(), 300))
		w.drift.add(found)
		return false, nil
	}
	for _, o := range got {
		if !o.State.OK() && o.State != page.StateHidden {
			found.FieldID, found.Selector, found.Fails = f.FieldID+"."+o.ID, o.Used, failsNothing
			found.Message = fmt.Sprintf("in row %d it is %s", n+1, strings.ReplaceAll(string(o.State), "_", " "))
			w.drift.add(found)
			return false, nil
		}
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
