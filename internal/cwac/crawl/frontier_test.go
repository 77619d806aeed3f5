package crawl

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
)

// TestPlantedSite: the same pages in the same order, however often and with however
// many workers, and a reason for everything else.
func TestPlantedSite(t *testing.T) {
	base, _ := serve(t, planted.New())
	o := usual(base)
	first := walk(t, o, 1)
	want := []string{"/ scanned"}
	for _, p := range planted.Pages() {
		state := " scanned"
		if p.Name == "index" {
			state = " skipped duplicate_of /"
		}
		want = append(want, "/"+p.Name+".html"+state)
	}
	want = append(want,
		"/old skipped redirect /about.html",
		"/gone.html skipped status",
		"/files/report.pdf skipped document",
		"mailto:a@example.org skipped unsupported_scheme",
		"https://example.org/ skipped out_of_scope",
		"/private/secret.html skipped robots",
		"/download skipped not_html",
		"/nohead.html scanned",
		"/about.html?utm_source=x skipped duplicate_of /about.html",
		"/ABOUT.html skipped status",
		"/orphan.html scanned",
	)
	if diff := cmp.Diff(want, rows(first, base)); diff != "" {
		t.Fatalf("ledger (-want +got):\n%s", diff)
	}
	for i := range 10 {
		again := walk(t, o, 1+i%3)
		if diff := cmp.Diff(first.Ledger(), again.Ledger()); diff != "" {
			t.Fatalf("run %d with %d workers differs (-first +this):\n%s", i, 1+i%3, diff)
		}
	}
}

// TestPlantedSiteUnfolded: without folding, the pages are those that CWAC scans.
func TestPlantedSiteUnfolded(t *testing.T) {
	base, _ := serve(t, planted.New())
	o := usual(base)
	o.Fold = false
	var got []string
	for _, e := range walk(t, o, 2).Ledger() {
		if e.State == StateScanned {
			got = append(got, strings.TrimPrefix(e.URL, base))
		}
	}
	var want []string
	for _, p := range planted.Pages() {
		want = append(want, "/"+p.Name+".html")
	}
	want = append(append([]string{"/"}, want...), "/nohead.html", "/about.html?utm_source=x", "/orphan.html")
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 24 {
		t.Errorf("%d pages (-want +got):\n%s", len(got), diff)
	}
}
