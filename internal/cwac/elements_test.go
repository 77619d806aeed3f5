package cwac

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// TestElementsThatWereListed: what element_audit recorded is counted in the summary, and
// given by the tools for rows and for one page; it is no fault anywhere.
func TestElementsThatWereListed(t *testing.T) {
	b := newBench(t)
	config := results.DefaultConfig()
	w, err := results.Create(filepath.Join(b.dir, "results"), config, time.Now(), results.Scan{})
	if err != nil {
		t.Fatal(err)
	}
	s := results.Site{Organisation: "Org", URL: benchSite}
	must := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	long := "<video src=a.mp4 title='" + strings.Repeat("x", 300) + hostileText + "'>"
	for n, markup := range [][]string{{long, "<iframe>", "<iframe>"}, {"<audio>"}} {
		address := fmt.Sprintf("%sp%d", benchSite, n+1)
		for _, v := range config.Viewports {
			view := results.View{Site: s, BaseURL: s.URL, URL: address, Viewport: v, PageID: n + 1}
			must(w.Axe(view, results.Axe{}), w.Elements(view, markup))
		}
		must(w.Page(results.PageOutcome{Site: s, URL: address, State: results.PageScanned, PageID: n + 1}))
	}
	must(w.SiteEnds(results.SiteOutcome{Site: s, Pages: 2}), w.Finish(results.StateComplete, time.Now()))

	sum := b.good("cwac_get_summary", args{"scan_id": w.Name()})
	if diff := cmp.Diff(map[string]any{"element_audit": 8.0}, sum.data["records_by_audit_type"]); diff != "" || sum.number("total_issues") != 0 || !strings.Contains(sum.text, "recorded, no faults: element_audit 8") {
		t.Errorf("the summary (-want +got):\n%s%s", diff, sum.text)
	}
	page := b.good("cwac_get_page", args{"scan_id": w.Name(), "url": benchSite + "p1"})
	list, _ := page.data["elements"].([]any)
	if len(list) != 2 || page.number("total_faults") != 0 || strings.Count(page.text, closeMark) != 1 {
		t.Fatalf("the page has %v: %s", list, page.text)
	}
	both := []any{"small", "medium"}
	if diff := cmp.Diff(map[string]any{"html": "<iframe>", "count": 2.0, "viewports": both}, list[1]); diff != "" {
		t.Errorf("the second element (-want +got):\n%s", diff)
	}
	if first, _ := list[0].(map[string]any); !strings.HasPrefix(first["html"].(string), long[:300]) {
		t.Errorf("the first is %v", first)
	}
	rows := b.good("cwac_get_results", args{"scan_id": w.Name(), "audit_type": results.AuditElement, "url": "p1"})
	first, _ := rows.data["results"].([]any)[0].(map[string]any)
	values, _ := first["values"].(map[string]any)
	if html, _ := values["element_html"].(string); rows.number("total_results") != 6 || !strings.HasPrefix(html, long[:300]) {
		t.Errorf("the rows: %s", rows.text)
	}
	a := b.call("cwac_get_results", args{"scan_id": w.Name(), "audit_type": results.AuditElement, "group_by": "rule"})
	if !a.failed || a.word("error_type") != "not_grouped" {
		t.Errorf("grouped: %s", a.text)
	}
}

// TestManyElementsOfAPage: the answer stays small, and says where the others are.
func TestManyElementsOfAPage(t *testing.T) {
	w, err := results.Create(t.TempDir(), results.DefaultConfig(), time.Now(), results.Scan{})
	if err != nil {
		t.Fatal(err)
	}
	v := results.View{URL: benchSite, PageID: 1, Viewport: results.Viewport{Name: "small", Width: 320, Height: 450}}
	var markup []string
	for n := range maxPageElements + 7 {
		markup = append(markup, fmt.Sprintf("<a id=e%d>", n))
	}
	if err := w.Elements(v, append(markup, markup...)); err != nil {
		t.Fatal(err)
	}
	r, err := results.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	var out PageOut
	if err := out.elements(r, results.PageOutcome{URL: benchSite}); err != nil {
		t.Fatal(err)
	}
	if len(out.Elements) != maxPageElements || out.Elements[0].Count != 2 || len(out.Notes) != 1 || !strings.HasPrefix(out.Notes[0], "7 more elements are listed") {
		t.Errorf("%d elements, notes %q", len(out.Elements), out.Notes)
	}
}
