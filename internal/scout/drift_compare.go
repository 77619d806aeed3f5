package scout

import (
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
)

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
