package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

func TestOneFaultAtTwoViewportsIsOneIssue(t *testing.T) {
	both := []results.Viewport{small, medium}
	pages := map[string][]results.Finding{
		"/":  {faultAt("image-alt", "img"), faultAt("image-alt", "img.only-small", "small"), faultAt("label", "input", "medium")},
		"/b": {faultAt("image-alt", "img")},
	}
	rep := build(t, scan{base: "https://site.example", viewports: both, rules: []string{"image-alt", "label"}, pages: pages}.folder(t))
	if d := cmp.Diff(Counts{Instances: 6, Issues: 4, Pages: 2, Groups: 3, Templates: 1}, rep.Totals); d != "" {
		t.Error(d)
	}
	got := map[string]string{}
	for _, r := range rep.Rules {
		for _, g := range r.Groups {
			got[g.Example.Selector] = fmt.Sprint(g.Counts, g.Example.Viewports)
		}
	}
	if d := cmp.Diff(map[string]string{"img": "{4 2 2 1 1} [small medium]", "img.only-small": "{1 1 1 1 0} [small]", "input": "{1 1 1 1 0} [medium]"}, got); d != "" {
		t.Error(d)
	}
}

func TestTheSameSelectorInAFrameIsAnotherIssue(t *testing.T) {
	inside := faultAt("image-alt", "img")
	inside.Frame = "https://frame.example/"
	rep := build(t, scan{base: "https://site.example", viewports: []results.Viewport{small}, pages: map[string][]results.Finding{"/": {faultAt("image-alt", "img"), inside}}}.folder(t))
	if rep.Totals.Issues != 2 {
		t.Errorf("%d issues", rep.Totals.Issues)
	}
}

func TestWhatNeedsReviewIsInNoCount(t *testing.T) {
	rep := build(t, nativeFolder(t))
	// 3 contrast faults and an overflow, and the hostile ones
	if want := 4 + len(hostile); rep.Totals.Issues != want {
		t.Errorf("%d issues, want %d", rep.Totals.Issues, want)
	}
	var link *Rule
	for _, r := range rep.Review {
		if r.ID == "link-in-text-block" {
			link = r
		}
	}
	if link == nil || link.Counts.Issues != 3 || link.Question != "Can one tell this link from the text around it without seeing colour?" {
		t.Errorf("the question is %+v", link)
	}
	for _, p := range rep.Pages {
		if p.URL == "https://site.example/" && (p.Review != 1 || p.Counts.Issues != 1) {
			t.Errorf("the page has %+v", p)
		}
	}
}

// A fault that was found where a redirect led to is of the page that was asked for,
// and the address of a page that was not scanned is no scanned page.
func TestPagesOfFindings(t *testing.T) {
	w, err := results.Create(t.TempDir(), results.DefaultConfig(), start, results.Scan{})
	must(t, err)
	site := results.Site{URL: "https://site.example/"}
	must(t,
		w.Page(results.PageOutcome{Site: site, URL: "https://site.example/", Final: "https://site.example/en", State: results.PageScanned}),
		w.Page(results.PageOutcome{Site: site, URL: "https://site.example/lost", State: results.PageFailed, Reason: "status", Status: 404}),
		w.Axe(view(site, "https://site.example/en", "", small), results.Axe{Violations: []results.Finding{faultAt("image-alt", "img")}}),
		w.Axe(view(site, "https://site.example/", "", medium), results.Axe{Violations: []results.Finding{faultAt("image-alt", "img")}}),
		w.Issues(results.AuditCrawl, view(site, "https://site.example/lost", "", results.Viewport{}), []results.Finding{faultAt("broken", "a")}, nil),
		w.Finish(results.StateComplete, start))
	rep := build(t, w.Dir())
	got := map[string]string{}
	for _, p := range rep.Pages {
		got[p.URL] = fmt.Sprint(p.State, p.Counts.Issues)
	}
	if d := cmp.Diff(map[string]string{"https://site.example/": "scanned1", "https://site.example/lost": "failed1"}, got); d != "" {
		t.Error(d)
	}
	if h := rep.Headline(); h != "2 issues on 1 of 1 page and in 1 document, 2 of them critical or serious." {
		t.Error(h)
	}
	if rep.Totals.Issues != 2 || rep.Totals.Pages != 2 {
		t.Errorf("the totals are %+v", rep.Totals)
	}
	if rep.Scan.Scanned != 1 || rep.Scan.Known != 2 || rep.Sites[0].Scanned != 1 {
		t.Errorf("%d of %d scanned, of the site %d", rep.Scan.Scanned, rep.Scan.Known, rep.Sites[0].Scanned)
	}
}

// A file is no page: the pages with faults are never more than those that were scanned.
func TestDocumentsAreNoPages(t *testing.T) {
	w, err := results.Create(t.TempDir(), results.DefaultConfig(), start, results.Scan{})
	must(t, err)
	site := results.Site{URL: "https://site.example/"}
	file := view(site, "https://site.example/a.pdf", "Annual report", results.Viewport{})
	must(t,
		w.Page(results.PageOutcome{Site: site, URL: "https://site.example/", State: results.PageScanned}),
		w.Page(results.PageOutcome{Site: site, URL: "https://site.example/a.pdf", State: results.PageSkipped, Reason: "document", PageID: 2}),
		w.Page(results.PageOutcome{Site: site, URL: "https://site.example/b.doc", State: results.PageSkipped, Reason: "document"}),
		w.Axe(view(site, "https://site.example/", "", small), results.Axe{Violations: []results.Finding{faultAt("image-alt", "img")}}),
		w.Issues(results.AuditPDF, file, []results.Finding{faultAt("pdf-lang", "")}, nil),
		w.Finish(results.StateComplete, start))
	rep := build(t, w.Dir())
	if h := rep.Headline(); rep.PagesAffected() != 1 || rep.Scan.Scanned != 1 || rep.Beside != 1 || !strings.HasPrefix(h, "2 issues on 1 of 1 page and in 1 document, ") {
		t.Errorf("%s: totals %+v, facts %+v", h, rep.Totals, rep.Scan)
	}
	if got, want := rep.ledger(), "1 of 3 known addresses were scanned. The others: 1 skipped (a document, not a page, and checked as one), 1 skipped (a document, not a page)."; got != want {
		t.Errorf("the ledger says %q", got)
	}
}

// An address that was not scanned says where it leads, or what was wrong with it.
func TestExampleOfWhatWasNotScanned(t *testing.T) {
	const site = "https://site.example"
	for _, c := range []struct {
		reason string
		one    UnscannedAddress
		want   string
	}{
		{"redirect", UnscannedAddress{URL: site + "/account", Detail: site + "/signin?next=1", Status: 200}, " (to /signin?next=1)"},
		{"redirected_out", UnscannedAddress{URL: site + "/away", Detail: "https://other.example/", Status: 200}, " (to https://other.example/)"},
		{"redirect", UnscannedAddress{URL: site + "/%zz", Detail: site, Status: 200}, " (to https://site.example)"},
		{"header_check_failed", UnscannedAddress{URL: site + "/loop", Detail: "too many redirects", Status: 302}, " (too many redirects)"},
		{"failed", UnscannedAddress{URL: site + "/crash", Detail: "The page crashed.", Status: 200}, " (The page crashed)"},
		{"status", UnscannedAddress{URL: site + "/gone", Detail: "Not Found", Status: 404}, " (answered 404)"},
		{"robots", UnscannedAddress{URL: site + "/private", Detail: "/private"}, ""},
	} {
		if got := (Unscanned{Reason: c.reason, Examples: []UnscannedAddress{c.one}}).Example(); got != c.one.URL+c.want {
			t.Errorf("%s: %s", c.reason, got)
		}
	}
}

func TestClip(t *testing.T) {
	for text, want := range map[string]string{"": "", "abcdefgh": "abcdefgh", "abcdefghi": "abcdefgh…", "abcdefgä": "abcdefg…", strings.Repeat("ä", 5): "ääää…"} {
		if got := clip(text, 8); got != want {
			t.Errorf("%q became %q", text, got)
		}
	}
}
