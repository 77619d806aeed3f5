package engine_test

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// issue is what CWAC and this engine must agree on.
type issue struct{ path, width, rule, id string }

// reference reads what CWAC found: the views it looked at, and its issues with how
// often.
func reference(t *testing.T, name string) (views map[issue]bool, issues map[issue]int) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	views, issues = map[issue]bool{}, map[issue]int{}
	for _, r := range rows[1:] {
		views[issue{path: r[0], width: r[1]}] = true
		if n, err := strconv.Atoi(r[4]); r[2] != "" && err == nil {
			issues[issue{r[0], r[1], r[2], r[3]}] = n
		}
	}
	return views, issues
}

// found reads what this engine found.
func found(t *testing.T, read *results.Results) map[issue]int {
	t.Helper()
	issues := map[issue]int{}
	for f, err := range read.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		if f.Audit == results.AuditAxe && !f.Review {
			issues[issue{strings.TrimPrefix(f.View.URL, "http://"+bench), strconv.Itoa(f.View.Viewport.Width), f.Rule, f.IssueID}] += f.Count
		}
	}
	return issues
}

// scanned are the paths of the pages that were scanned, sorted.
func scanned(t *testing.T, read *results.Results) []string {
	t.Helper()
	var paths []string
	for p, err := range read.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if p.State == results.PageScanned {
			paths = append(paths, strings.TrimPrefix(p.URL, "http://"+bench))
		}
	}
	slices.Sort(paths)
	return paths
}

// TestParityOfADefaultScan: a crawl finds every issue that CWAC finds, at the same
// pages and viewports and with the same identity, and nothing else but what comes
// two seconds after a page.
func TestParityOfADefaultScan(t *testing.T) {
	t.Parallel()
	views, want := reference(t, "cwac_default.csv")
	o := options(t, serve(t, planted.New()), "http://"+bench+"/")
	only(&o.Config, results.DefaultConfig().Plugins.Enabled()...)
	out, read := scan(t, o)
	got := found(t, read)
	for at := range want {
		if got[at] != want[at] {
			t.Errorf("%+v: CWAC has %d, this engine %d", at, want[at], got[at])
		}
	}
	for at := range got {
		late := at.path == "/spa.html" && at.rule == "button-name"
		if want[at] == 0 && !late && at.path != "/spa-only.html" {
			t.Errorf("%+v: only this engine has it", at)
		}
	}
	pages := map[string]bool{"/spa-only.html": true} // linked to two seconds after its page
	for v := range views {
		pages[v.path] = true
	}
	expected := make([]string, 0, len(pages))
	for p := range pages {
		expected = append(expected, p)
	}
	slices.Sort(expected)
	if diff := cmp.Diff(expected, scanned(t, read)); diff != "" {
		t.Errorf("pages (-CWAC and late ones +this engine):\n%s", diff)
	}
	if out.State != results.StateComplete || out.Pages != len(expected) {
		t.Errorf("the scan is %s with %d pages of %d", out.State, out.Pages, len(expected))
	}
}

// TestParityOfAVisit: single pages, with best practices.
func TestParityOfAVisit(t *testing.T) {
	t.Parallel()
	_, want := reference(t, "cwac_all.csv")
	var urls []string
	for _, p := range []string{"focus", "overflow", "about", "forms", "viewport", "headings"} {
		urls = append(urls, "http://"+bench+"/"+p+".html")
	}
	o := options(t, serve(t, planted.New()), append(urls, "http://"+bench+"/gone.html")...)
	o.Config.MaxLinksPerDomain = 1
	o.Config.Plugins.Named(results.AuditAxe).BestPractice = true
	_, read := scan(t, o)
	if diff := cmp.Diff(want, found(t, read), cmp.AllowUnexported(issue{})); diff != "" {
		t.Errorf("issues (-CWAC +this engine):\n%s", diff)
	}
}
