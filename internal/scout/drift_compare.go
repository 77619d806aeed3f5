package scout

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// opened reads the options of the choices that show them only when they are
// opened, once for each, where the wizard lists options to compare with.
func (w *onPage) opened(ctx context.Context, l located) error {
	for _, q := range w.pairs {
		if q.spot < 0 || len(q.item.traits.Options) == 0 || !w.expects(w.p, q.item) {
			continue
		}
		c := l.spots[q.spot].control
		if c.OptionsKnown || !asked(*c) || c.Kind != page.KindSelect && c.Kind != page.KindTypeahead {
			continue
		}
		name := ident(*c)
		if _, done := w.listed[name]; !done {
			options, complete, err := w.page.Choices(ctx, *c, maxChoices)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			w.listed[name] = listing{options, complete && err == nil}
		}
	}
	return nil
}

// offered are the options of a question as far as the whole list is known.
func (w *onPage) offered(s spotted) ([]page.ControlOption, bool) {
	c := s.control
	if s.part == nil && !c.OptionsKnown && (c.Kind == page.KindSelect || c.Kind == page.KindTypeahead) {
		got := w.listed[ident(*c)]
		return got.list, got.complete && len(got.list) > 0
	}
	list := s.options()
	return list, len(list) > 0 && (s.part != nil || c.OptionsTotal <= len(list))
}

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

// heading compares the title of the page. Whether that of a wizard that was
// written by hand is the page's own is seen from its other pages.
func (w *onPage) heading() {
	is := titleOfPlace(w.place)
	if w.sameHeading(w.p) || slices.ContainsFunc(w.inv.Headings, func(h string) bool { return letters(h) == letters(w.p.PageTitle) }) {
		w.copied = true
		return
	}
	if letters(is) == "" || !w.strict && alikeWords(w.p.PageTitle, is, w.place.Title) {
		return
	}
	w.headed = append(w.headed, Finding{
		Kind: FoundHeading, Page: w.p.PageNumber, Title: printable(w.p.PageTitle), Was: w.p.PageTitle, Is: printable(is),
		Message: "the page is headed " + quoted(is) + " now, not " + quoted(w.p.PageTitle),
	})
}

// headings tells of the titles that changed, if the wizard's are the pages' own.
func (s *survey) headings() {
	for _, f := range s.headed {
		if p := s.wizard.Page(f.Page); p != nil && (s.strict || s.copied) {
			s.drift.add(f)
			p.PageTitle = f.Is
		}
	}
}

// judge compares every question of the filled page with the wizard, and tells of
// those that are not there.
func (w *onPage) judge() {
	spots := spotsOf(w.inv)
	for _, q := range w.pairs {
		expected := w.expects(w.p, q.item)
		switch {
		case !q.there() && expected:
			w.absent(q)
		case q.spot < 0 || !expected || q.spot >= len(spots):
		default:
			delete(w.missing, q.item.id)
			w.label(q.item, spots[q.spot])
			w.demand(q, spots)
			told := w.widget(q.item, spots[q.spot]) || w.limits(q.item, spots[q.spot])
			if f, ok := w.refused[q.item.id]; ok && !told {
				w.drift.add(f)
			}
		}
	}
}

// absent notes a question that the answers ask for and the page does not show.
func (w *onPage) absent(q *pair) {
	if q.fails == failsHidden && !w.was.Conditional() {
		w.found[q.item.id] = true
		w.drift.unreached("%s on page %d is not shown for these answers; the wizard does not say when it is", q.item.id, w.p.PageNumber)
		return
	}
	f := w.about(FoundGone, q.item)
	if list := q.item.selectors(); len(list) > 0 {
		f.Selector = list[0]
	}
	f.Fails, f.Passed, f.Breaks = q.fails, q.passed, true
	f.Message = fmt.Sprintf("%s is not on the page any more: %s %s, and nothing else is surely the same", quoted(q.item.label), quoted(f.Selector), failure(q.fails, foundWords(q.found)))
	if q.fails == failsHidden {
		f.Kind = FoundHidden
		f.Message = fmt.Sprintf("%s is on the page, but not shown: %s %s", quoted(q.item.label), quoted(f.Selector), failure(q.fails, ""))
	}
	for _, why := range q.passed {
		f.Message += "; " + printable(why)
	}
	w.missing[q.item.id] = f
}

// label compares the words of a question. Those of a wizard that was written by
// hand need not be the page's own: then only other words count.
func (w *onPage) label(it *item, s spotted) {
	c := s.control
	for _, name := range []string{s.label(), c.Label, c.Group, c.Group + " " + c.Label, c.Label + " " + c.Group, c.Group + ": " + c.Label} {
		if letters(plainLabel(name)) == letters(plainLabel(it.label)) {
			return
		}
	}
	if !w.strict && alikeWords(it.label, c.Label, c.Group, c.Hint, c.Section, s.label(), c.Placeholder, c.Name, c.ID, w.place.Heading) {
		return
	}
	if letters(s.label()) == "" {
		return
	}
	f := w.about(FoundLabel, it)
	f.Was, f.Is = it.label, printable(s.label())
	f.Message = fmt.Sprintf("it is called %s now, not %s", quoted(s.label()), quoted(it.label))
	w.drift.add(f)
	if it.traits == &it.field.Traits {
		it.field.Label = f.Is
	}
}

// alikeWords tells whether most of the words of a label are among others.
func alikeWords(label string, others ...string) bool {
	mine, theirs := wordsOf(label), wordsOf(strings.NewReplacer("_", " ", "-", " ").Replace(strings.Join(others, " ")))
	common := 0
	for word := range mine {
		if theirs[word] {
			common++
		}
	}
	return len(mine) == 0 || 2*common >= len(mine)
}

// widget compares how the question is answered.
func (w *onPage) widget(it *item, s spotted) bool {
	is := s.kind()
	if kindLikeness(it.kind(), is) == 2 || it.fieldType == "group" && it.parts == nil {
		return false
	}
	typed := func(k page.Kind) bool {
		switch k {
		case page.KindText, page.KindNumber, page.KindTextarea, page.KindSearch, page.KindDate, page.KindRichText:
			return true
		}
		return false
	}
	if typed(it.kind()) && typed(is) || kindLikeness(it.kind(), is) == 1 && !w.strict {
		return false
	}
	f := w.about(FoundKind, it)
	f.Was, f.Is = string(it.kind()), string(is)
	f.Breaks = kindLikeness(it.kind(), is) == 0
	f.Message = fmt.Sprintf("it is a %s now, not a %s", is, it.kind())
	w.drift.add(f)
	if it.traits != &it.field.Traits || s.part != nil || it.parts != nil || len(s.control.Parts) > 0 {
		return true
	}
	fresh := fieldOf(*s.control, it.id, exampleFor(*s.control, it.field, w.now()))
	it.field.FieldType, it.field.Interaction, it.field.Format = fresh.FieldType, fresh.Interaction, fresh.Format
	if len(fresh.Options) > 0 {
		it.field.Options = fresh.Options
	} else if is != page.KindTypeahead {
		it.field.Options = nil
	}
	it.field.ExampleValue = fresh.ExampleValue
	return true
}

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

// limits compares what values the page takes: those that both name, and for a
// wizard that was drafted from the page also those that only one does.
func (w *onPage) limits(it *item, s spotted) bool {
	if it.traits != &it.field.Traits || it.parts != nil || len(it.traits.Options) > 0 || s.part != nil {
		return false
	}
	fresh := fieldOf(*s.control, it.id, nil)
	if fresh.FieldType != it.fieldType || fresh.Format != it.traits.Format {
		return false
	}
	var said []string
	note := func(what, was, is string, take func()) {
		if was != is && (w.strict || was != "" && is != "") {
			said = append(said, fmt.Sprintf("%s %s, was %s", what, orElse(is, "none"), orElse(was, "none")))
			take()
		}
	}
	t, n := it.traits, fresh.Traits
	note("least length", intWord(t.MinLength), intWord(n.MinLength), func() { t.MinLength = n.MinLength })
	note("greatest length", intWord(t.MaxLength), intWord(n.MaxLength), func() { t.MaxLength = n.MaxLength })
	note("least value", floatWord(t.Minimum), floatWord(n.Minimum), func() { t.Minimum = n.Minimum })
	note("greatest value", floatWord(t.Maximum), floatWord(n.Maximum), func() { t.Maximum = n.Maximum })
	note("pattern", t.Pattern, n.Pattern, func() { t.Pattern = n.Pattern })
	if len(said) == 0 {
		return false
	}
	f := w.about(FoundLimits, it)
	f.Is = strings.Join(said, "; ")
	_, f.Breaks = w.refused[it.id]
	f.Message = "it takes other values now: " + printable(f.Is)
	w.drift.add(f)
	it.field.ExampleValue = exampleJSON(exampleFor(*s.control, it.field, w.now()))
	return true
}

func intWord(n *int) string {
	if n == nil {
		return ""
	}
	return itoa(*n)
}

func floatWord(n *float64) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}
