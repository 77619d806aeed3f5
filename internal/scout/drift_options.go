package scout

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// mendOptions makes the options of every choice those that the page has: their
// own selectors first, then those that are gone, new or called otherwise.
func (w *onPage) mendOptions(ctx context.Context, l located) error {
	for _, q := range w.pairs {
		if q.spot < 0 || len(q.item.traits.Options) == 0 || !w.expects(w.p, q.item) {
			continue
		}
		s := l.spots[q.spot]
		if err := w.optionWays(ctx, q.item, s); err != nil {
			return err
		}
		options, whole := w.offered(s)
		if !whole {
			continue
		}
		if err := w.confirm(ctx, q.item, s, &options); err != nil {
			return err
		}
		w.options(q.item, s, options)
	}
	return nil
}

// optionWays checks the selectors that options have of their own.
func (w *onPage) optionWays(ctx context.Context, it *item, s spotted) error {
	var targets []page.Target
	var of []int
	for i, o := range it.traits.Options {
		if o.Selector != "" {
			targets, of = append(targets, page.Target{Selector: o.Selector, Frame: it.frame}), append(of, i)
		}
	}
	if len(targets) == 0 {
		return nil
	}
	seen, err := w.page.Survey(ctx, targets)
	if err != nil {
		return err
	}
	for n, i := range of {
		o := &it.traits.Options[i]
		at := slices.IndexFunc(s.options(), func(c page.ControlOption) bool { return sameOption(*o, c) })
		if at < 0 {
			continue // it is gone
		}
		is := s.options()[at]
		if seen[n].Visible && !w.leadsElsewhere(*o, s.options(), is) || is.Selector == "" {
			continue
		}
		f := w.about(FoundSelector, it)
		f.Option, f.Selector, f.Fails, f.Breaks = o.Value, o.Selector, failsNothing, false
		if seen[n].Present {
			f.Fails = failsHidden
		}
		if seen[n].Visible {
			f.Fails = failsOther
		}
		f.Works = &Works{Selector: is.Selector, From: fromPage, Score: stability(is.Selector, spotted{control: &page.Control{}})}
		f.Message = fmt.Sprintf("option %s: %s %s%s", quoted(o.Value), quoted(o.Selector), failure(f.Fails, ""), f.Works.words())
		w.drift.add(f)
		o.Selector = is.Selector
	}
	return nil
}

// leadsElsewhere tells whether the selector of an option is now that of another
// option.
func (w *onPage) leadsElsewhere(o wizard.Option, options []page.ControlOption, own page.ControlOption) bool {
	return slices.ContainsFunc(options, func(c page.ControlOption) bool {
		return c.Selector == o.Selector && c.Selector != "" && c.Selector != own.Selector
	})
}

// options compares what a choice offers with what the wizard knows.
func (w *onPage) options(it *item, s spotted, now []page.ControlOption) {
	name := ident(*s.control)
	if _, ok := w.first[name]; !ok {
		w.first[name] = now
	}
	dependent := it.field.Notes != "" && strings.Contains(it.field.Notes, dependentWords) || len(w.first[name]) != len(now)
	was := it.traits.Options
	var kept []wizard.Option
	for _, o := range was {
		at := slices.IndexFunc(now, func(c page.ControlOption) bool { return sameOption(o, c) })
		switch {
		case at >= 0:
			w.renamed(it, &o, now[at])
			kept = append(kept, o)
		case dependent:
			kept = append(kept, o)
		default:
			f := w.about(FoundNoOption, it)
			f.Option, f.Was, f.Breaks = o.Value, orElse(o.Label, o.Value), true
			f.Message = "the option " + quoted(orElse(o.Label, o.Value)) + " is gone"
			w.drift.add(f)
		}
	}
	for i, c := range choosable(now) {
		if slices.ContainsFunc(was, func(o wizard.Option) bool { return sameOption(o, c) }) {
			continue
		}
		o := wizard.Option{Value: printable(optionValue(c)), Label: printable(c.Label), Selector: c.Selector}
		if slices.ContainsFunc(kept, func(k wizard.Option) bool { return k.Value == o.Value }) {
			continue
		}
		f := w.about(FoundOption, it)
		f.Option, f.Is = o.Value, orElse(o.Label, o.Value)
		f.Message = "there is a new option " + quoted(orElse(o.Label, o.Value))
		w.drift.add(f)
		kept = slices.Insert(kept, min(i, len(kept)), o)
	}
	if len(kept) > 0 {
		it.traits.Options = kept
		w.reselect(it)
	}
}

// renamed tells of an option that says something else than before.
func (w *onPage) renamed(it *item, o *wizard.Option, c page.ControlOption) {
	if o.Label == "" || c.Label == "" || letters(o.Label) == letters(c.Label) {
		return
	}
	f := w.about(FoundLabel, it)
	f.Option, f.Was, f.Is = o.Value, o.Label, printable(c.Label)
	f.Message = fmt.Sprintf("the option %s is called %s now, not %s", quoted(o.Value), quoted(c.Label), quoted(o.Label))
	w.drift.add(f)
	o.Label = printable(c.Label)
}

// reselect gives a choice another answer when its own is gone.
func (w *onPage) reselect(it *item) {
	offered := func(v any) bool {
		return slices.ContainsFunc(it.traits.Options, func(o wizard.Option) bool { return o.Value == fmt.Sprint(v) })
	}
	id := it.field.FieldID
	if it.traits != &it.field.Traits || it.fieldType == "checkbox" && !it.traits.Multiple {
		return
	}
	switch v := w.data[id].(type) {
	case nil:
	case []any:
		if slices.ContainsFunc(v, func(x any) bool { return !offered(x) }) {
			w.data[id] = []any{it.traits.Options[0].Value}
		}
	default:
		if !offered(v) {
			w.data[id] = it.traits.Options[0].Value
		}
	}
	w.settle()
	example, _ := exampleValue(it.field.ExampleValue).(string)
	if example != "" && !it.traits.Multiple && !offered(example) {
		it.field.ExampleValue = exampleJSON(it.traits.Options[0].Value)
	}
}

// dependentWords is how a discovery notes that options follow from another answer.
const dependentWords = "options follow from another answer"
