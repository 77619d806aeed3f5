package scout

import (
	"slices"
)

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
