package scout

import (
	"strings"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// origin compares where the page is with where the wizard says that it was: a form
// that has moved may be another body's by now, and what is entered goes there.
// A page of which the wizard keeps no address is not compared.
func (s *survey) origin(p *wizard.Page) {
	if !strings.Contains(p.URLPattern, "://") {
		return
	}
	was, is := originOf(p.URLPattern), originOf(s.place.URL)
	if was == is {
		return
	}
	s.drift.add(Finding{
		Kind: FoundOrigin, Page: p.PageNumber, Title: printable(p.PageTitle), Was: was, Is: printable(is),
		Message: "the page is at " + quoted(is) + " now, not at " + quoted(was) + ": see to whom it belongs before real data is entered",
	})
	p.URLPattern = withoutQuery(s.place.URL)
}
