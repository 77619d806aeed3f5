package scout

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// opened is a row of the example that is being entered.
type opened struct {
	field   *wizard.Field
	n       int // counted from 0
	values  any
	before  []page.Control
	buttons map[string]bool
	got     []page.Outcome
}

// failing are the sub-fields that the row did not take.
func (o *opened) failing() map[string]page.Outcome {
	out := map[string]page.Outcome{}
	for _, x := range o.got {
		if !x.State.OK() && x.State != page.StateHidden {
			out[x.ID] = x
		}
	}
	return out
}

// mendRow looks in an open row for what its sub-fields lead to now. It reports
// whether every one that failed was found, and is told and mended.
func (w *onPage) mendRow(ctx context.Context, o *opened) (bool, error) {
	if err := w.look(ctx); err != nil {
		return false, err
	}
	whole := w.inv
	defer func() { w.inv = whole }()
	w.inv = page.Inventory{Controls: w.ofRow(o)}
	failing := o.failing()
	items := o.items(failing)
	l, err := w.locate(ctx, items)
	if err != nil {
		return false, err
	}
	for _, q := range match(l, items, func(*item) bool { return true }) {
		if q.how != byPage && q.how != byOther {
			return false, nil
		}
		j := slices.IndexFunc(o.field.SubFields, func(s wizard.SubField) bool { return o.field.FieldID+"."+s.FieldID == q.item.id })
		w.pointInRow(o, j, l.spots[q.spot], failing[o.field.SubFields[j].FieldID])
	}
	return true, nil
}

// standing looks at a row that may stand on the page already: where some of its
// inputs are there and others are not, those are looked for before anything is
// opened.
func (w *onPage) standing(ctx context.Context, o *opened) error {
	var targets []page.Target
	var of []*wizard.SubField
	for i := range o.field.SubFields {
		s := &o.field.SubFields[i]
		own := page.OfRow(s.Selector, o.n)
		if s.VisibleWhen == nil && (o.n == 0 || own != s.Selector) { // any other leads to the rows before it
			targets, of = append(targets, page.Target{Selector: own, Frame: inFrame(s.Frame, o.field.Frame)}), append(of, s)
		}
	}
	seen, err := w.page.Survey(ctx, targets)
	if err != nil || !slices.ContainsFunc(seen, func(s page.Sight) bool { return s.Present }) || !slices.ContainsFunc(seen, func(s page.Sight) bool { return !s.Present }) {
		return err
	}
	for i, s := range seen {
		state := page.StateNotFound
		if s.Present {
			state = page.StateAlready
		}
		o.got = append(o.got, page.Outcome{ID: of[i].FieldID, State: state, Used: targets[i].Selector})
	}
	_, err = w.mendRow(ctx, o)
	return err
}

// ofRow are the questions of the row: those that came with it, or, in a row that
// stood there, those that are no others of the wizard. What the row took is left
// out.
func (w *onPage) ofRow(o *opened) []page.Control {
	list := surplus(o.before, w.inv.Controls)
	if len(list) == 0 {
		for _, c := range w.inv.Controls {
			if asked(c) && !w.asks[ident(c)] {
				list = append(list, c)
			}
		}
	}
	return slices.DeleteFunc(list, func(c page.Control) bool {
		return slices.ContainsFunc(o.got, func(x page.Outcome) bool {
			return x.State.OK() && (slices.ContainsFunc(c.Ways, func(way page.Way) bool { return way.Selector == x.Used }) ||
				slices.ContainsFunc(c.Options, func(o page.ControlOption) bool { return o.Selector == x.Used }))
		})
	})
}

// items are the sub-fields that failed, with the selectors of this row.
func (o *opened) items(failing map[string]page.Outcome) []*item {
	var out []*item
	for _, it := range partItems(o.field) {
		if _, ok := failing[strings.TrimPrefix(it.id, o.field.FieldID+".")]; !ok {
			continue
		}
		own, traits := page.OfRow(*it.selector, o.n), *it.traits
		traits.Options = slices.Clone(traits.Options)
		for i := range traits.Options {
			traits.Options[i].Selector = page.OfRow(traits.Options[i].Selector, o.n)
		}
		it.selector, it.traits = &own, &traits
		out = append(out, it)
	}
	return out
}

// pointInRow tells of a sub-field that was found and makes it lead there, in every
// row.
func (w *onPage) pointInRow(o *opened, j int, s spotted, was page.Outcome) {
	sub := &o.field.SubFields[j]
	way := wayOf(s)
	works := ofEveryRow(way.Selector, sub.Selector, o.n)
	f := w.about(FoundSelector, &item{id: o.field.FieldID + "." + sub.FieldID, label: sub.Title()})
	f.Selector, f.Fails, f.Breaks = sub.Selector, failsNothing, true
	if was.State == page.StateAmbiguous {
		f.Fails = failsSeveral
	}
	f.Works = &Works{Selector: works, From: fromPage, Score: stability(way.Selector, s)}
	f.Message = fmt.Sprintf("in row %d %s %s%s", o.n+1, quoted(sub.Selector), failure(f.Fails, ""), f.Works.words())
	w.drift.add(f)
	sub.Selector = works
	for i := range sub.Options {
		option := &sub.Options[i]
		option.Selector = "" // by its value or its label
		for _, x := range s.options() {
			if optionValue(x) == option.Value || x.Label == option.Label {
				option.Selector = ofEveryRow(x.Selector, sub.Selector, o.n)
			}
		}
	}
}

// ofEveryRow puts the mark for the number of a row into a selector of row n, where
// the selector that it takes the place of has one and the number stands in it once.
func ofEveryRow(selector, old string, n int) string {
	for mark, number := range map[string]int{"{index}": n, "{number}": n + 1} {
		if !strings.Contains(old, mark) {
			continue
		}
		at := regexp.MustCompile(`(^|[^0-9])`+strconv.Itoa(number)+`($|[^0-9])`).FindAllStringSubmatchIndex(selector, -1)
		if len(at) == 1 {
			return selector[:at[0][3]] + mark + selector[at[0][4]:]
		}
	}
	return selector
}

// mendButton looks for the button of a group that is not where the wizard has it:
// the only one on the page with words for it that no other group has. It reports
// whether there is one, and tells of it.
func (w *onPage) mendButton(ctx context.Context, o *opened, save bool) (bool, error) {
	selector, role, what := &o.field.AddButtonSelector, roleAdd, "the button that adds a row"
	if save {
		selector, role, what = &o.field.SaveButtonSelector, roleSave, "the button that saves a row"
	}
	if *selector == "" {
		return false, nil
	}
	seen, err := w.page.Survey(ctx, []page.Target{{Selector: page.OfRow(*selector, o.n), Type: "auto", Frame: o.field.Frame}})
	if err != nil || seen[0].Visible {
		return false, err
	}
	if err := w.look(ctx); err != nil {
		return false, err
	}
	var found []page.Press
	for _, b := range w.inv.Buttons {
		if roleOf(b) == role && b.Enabled && slices.Equal(b.Frame, o.field.Frame) && !w.ofOthers(o.field, b) && (!save || !o.buttons[b.Selector]) {
			found = append(found, b)
		}
	}
	if len(found) != 1 {
		return false, nil
	}
	f := w.about(FoundSelector, &item{id: o.field.FieldID, label: o.field.Label})
	f.Selector, f.Fails, f.Breaks = *selector, failsNothing, true
	f.Works = &Works{Selector: found[0].Selector, From: fromPage, Score: found[0].Ways[0].Score}
	f.Message = fmt.Sprintf("%s: %s %s%s", what, quoted(*selector), failure(failsNothing, ""), f.Works.words())
	w.drift.add(f)
	if o.field.Selector == *selector {
		o.field.Selector = found[0].Selector
	}
	*selector = found[0].Selector
	return true, nil
}

// ofOthers tells whether a button belongs to another group of the page.
func (w *onPage) ofOthers(f *wizard.Field, b page.Press) bool {
	return slices.ContainsFunc(w.p.Fields, func(o wizard.Field) bool {
		return o.FieldID != f.FieldID && o.Repeatable && slices.ContainsFunc(b.Ways, func(x page.Way) bool { return x.Selector == o.AddButtonSelector || x.Selector == o.SaveButtonSelector })
	})
}
