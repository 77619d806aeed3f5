package engine

import (
	"encoding/json"
	"testing"

	"github.com/legwork-mcp/legwork/internal/cwac/crawl"
)

// Spread is tested apart: its order cannot be seen from outside when several sites
// are scanned at once.
var Spread = spread

// NewMeter gives the estimate of progress without a scan.
var NewMeter = newMeter

// Page counts a page.
func (m *meter) Page() { m.page() }

// Site ends a site.
func (m *meter) Site(pages, most int) { m.site(pages, most) }

// Read is the meter's read.
var Read = (*meter).read

// Lent are the names of the cookies that the requests beside the browser get.
func Lent(t *testing.T, login, site string) []string {
	t.Helper()
	l, err := parseLogin(json.RawMessage(login))
	if err != nil {
		t.Fatal(err)
	}
	o := crawl.Options{Site: site}
	l.lend(&o)
	var names []string
	for _, c := range o.Cookies {
		names = append(names, c.Name)
	}
	return names
}
