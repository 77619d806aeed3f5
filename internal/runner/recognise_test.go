package runner

import (
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// TestSettles looks at every sight that a form of three pages can give: when the
// page that comes next is taken without a look at the others, a look at them would
// have found no better one.
func TestSettles(t *testing.T) {
	pages := []*wizard.Page{
		{PageNumber: 2, PageTitle: "Money", URLPattern: "https://form.test/money", Fields: make([]wizard.Field, 2)},
		{PageNumber: 3, PageTitle: "Home", URLPattern: "https://form.test/home", Fields: make([]wizard.Field, 1)},
		{PageNumber: 4, PageTitle: "Review", URLPattern: "https://form.test/review"},
	}
	var cands []candidate
	n := 0
	for _, p := range pages {
		cands = append(cands, candidate{page: p, bonus: plannedBonus, first: n, fields: len(p.Fields)})
		n += len(p.Fields) + 1
	}
	settled := 0
	for _, at := range []page.Place{
		{URL: "https://form.test/money", Heading: "Money"},
		{URL: "https://form.test/home", Heading: "Home"},
		{URL: "https://form.test/money", Heading: "Review"},
		{URL: "https://form.test/all", Heading: "A form"},
	} {
		for bits := range 1 << n {
			seen := make([]page.Sight, n)
			for i := range seen {
				seen[i].Visible = bits>>i&1 == 1
			}
			if !cands[0].settles(seen[:cands[0].size()], cands[1:], at) {
				continue
			}
			settled++
			for _, c := range cands[1:] {
				if got, best := c.score(seen, at), cands[0].score(seen, at); got > best {
					t.Errorf("%+v %06b: page %d has %d, the page that was taken %d", at, bits, c.page.PageNumber, got, best)
				}
			}
		}
	}
	if settled == 0 {
		t.Error("nothing is ever settled")
	}
	whole := []page.Sight{{Visible: true}, {Visible: true}, {Visible: true}}
	if !cands[0].settles(whole, cands[1:], page.Place{URL: "https://form.test/money", Heading: "Money"}) {
		t.Error("a page with its fields, its button, its address and its heading is not enough")
	}
	if cands[0].settles(whole, cands[1:], page.Place{URL: "https://form.test/home", Heading: "Home"}) {
		t.Error("another page's address and heading are no reason to look at it")
	}
}
