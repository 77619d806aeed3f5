package report

import (
	"encoding/csv"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// TestPagesInPartAreNoCleanResult: a page whose audit failed is an error in JUnit, and a
// site of such pages is not the best one of the leaderboard.
func TestPagesInPartAreNoCleanResult(t *testing.T) {
	w, err := results.Create(t.TempDir(), results.DefaultConfig(), start, results.Scan{})
	must(t, err)
	for url, states := range map[string][]string{
		"https://heavy.example/": {results.PagePartial, results.PagePartial}, "https://mixed.example/": {results.PageScanned, results.PagePartial}, "https://good.example/": {results.PageScanned},
	} {
		site := results.Site{Organisation: "Org", URL: url}
		for n, state := range states {
			page := url + string(rune('a'+n))
			o := results.PageOutcome{Site: site, URL: page, State: state}
			if state == results.PagePartial {
				o.Reason, o.Detail = "failed", "axe_core_audit at small (too heavy)"
			} else {
				must(t, w.Axe(view(site, page, "", small), results.Axe{Violations: []results.Finding{faultAt("image-alt", "img")}}))
			}
			must(t, w.Page(o))
		}
		must(t, w.SiteEnds(results.SiteOutcome{Site: site, Pages: len(states)}))
	}
	must(t, w.Finish(results.StateComplete, start))
	rep := build(t, w.Dir())
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(encode(t, rep, "leaderboard")), "\ufeff"))).ReadAll()
	must(t, err)
	var got []string
	for _, r := range rows[1:] {
		got = append(got, strings.Join([]string{r[0], r[2], r[4], r[7], r[16]}, " "))
	}
	if d := cmp.Diff([]string{
		"1 https://mixed.example/ 2 0.50 1 page was scanned in part only", "2 https://good.example/ 1 1.00 ", " https://heavy.example/ 2 0.00 2 pages were scanned in part only",
	}, got); d != "" {
		t.Error(d)
	}
	var s junitSuites
	must(t, xml.Unmarshal(encode(t, rep, "junit"), &s))
	for _, one := range s.Suites {
		part := strings.HasPrefix(one.Name, "https://heavy") || one.Name == "https://mixed.example/b"
		if (one.Errors == 1) != part || part && (one.Tests != 1 || one.Cases[0].Error.Text != "axe_core_audit at small (too heavy)") {
			t.Errorf("%s: %+v", one.Name, one)
		}
	}
	if s.Errors != 3 {
		t.Errorf("%d errors", s.Errors)
	}
}
