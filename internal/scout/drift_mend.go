package scout

import (
	"fmt"
	"slices"
)

// mend tells of a selector that failed and takes the one that works.
func (w *onPage) mend(q *pair, s spotted) {
	it := q.item
	works := &Works{Selector: wayOf(s).Selector, From: fromPage, Frame: s.control.Frame}
	if q.how == byOther {
		works.Selector, works.From, works.Number = it.selectors()[q.number], fromAlternative, q.number
	}
	works.Score = stability(works.Selector, s)
	failed := ""
	if list := it.selectors(); len(list) > 0 {
		failed = list[0]
	} else if len(it.parts) > 0 {
		failed = *it.parts[0].selector
	}
	f := w.about(FoundSelector, it)
	f.Selector, f.Fails, f.Works, f.Passed, f.Breaks = failed, q.fails, works, q.passed, q.how == byPage
	if slices.Equal(s.control.Frame, it.frame) {
		works.Frame = nil
	}
	f.Message = fmt.Sprintf("%s %s%s", quoted(failed), failure(q.fails, foundWords(q.found)), works.words())
	for _, why := range q.passed {
		f.Message += "; " + printable(why)
	}
	w.drift.add(f)
	w.point(it, s, works.Selector)
}

func foundWords(found []string) string {
	if len(found) == 0 {
		return ""
	}
	return " (" + printable(list(found, 3)) + ")"
}

// point makes an item lead to a spot: by one selector first, then by the page's
// others.
func (w *onPage) point(it *item, s spotted, selector string) {
	if len(it.parts) > 0 {
		for i := range s.control.Parts {
			part := &s.control.Parts[i]
			for _, own := range it.parts {
				if own.part == part.Part {
					*own.selector = part.Selector
				}
			}
		}
		it.field.Frame = s.control.Frame
		if it.field.Selector != "" {
			it.field.Selector = s.control.Selector
		}
		return
	}
	*it.selector = selector
	if it.alternatives != nil {
		*it.alternatives = nil
		for _, other := range s.ways() {
			if other.Selector != selector && printable(other.Selector) == other.Selector && len(*it.alternatives) < maxOthers {
				*it.alternatives = append(*it.alternatives, other.Selector)
			}
		}
	}
	it.traits.Frame = s.control.Frame
}

// about is a finding on an item of the page.
func (s *survey) about(kind string, it *item) Finding {
	f := Finding{Kind: kind, FieldID: it.id, Label: printable(it.label)}
	if s.current != nil {
		f.Page, f.Title = s.current.PageNumber, printable(s.current.PageTitle)
	}
	return f
}
