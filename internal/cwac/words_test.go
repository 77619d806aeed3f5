package cwac

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// TestWordsOfAnswers: nothing in them is empty or said twice, and what was not looked
// at has its reason in words.
func TestWordsOfAnswers(t *testing.T) {
	b := newBench(t)
	c := results.DefaultConfig()
	w, err := results.Create(filepath.Join(b.dir, "results"), c, time.Now(), results.Scan{Plugins: []string{results.AuditAxe, results.AuditCrawl, results.AuditPDF, results.AuditScreenshot}})
	if err != nil {
		t.Fatal(err)
	}
	s := results.Site{Organisation: "o", URL: benchSite, Sector: "s"}
	seen := func(path string, id int) results.View {
		return results.View{Site: s, BaseURL: s.URL, URL: s.URL + path, PageID: id}
	}
	inFrame := func(selector string) results.Finding { // the same document in two frames
		return results.Finding{Audit: results.AuditAxe, Rule: "image-alt", Impact: "critical", Help: "Images need alt", HTML: "<img>", Target: "/html/body/img", Selector: selector, Frame: s.URL + "frame", Count: 1}
	}
	about := func(audit, rule, address string) []results.Finding {
		return []results.Finding{{Audit: audit, Rule: rule, Impact: "serious", Help: "Must " + rule, HTML: address, Target: address, Count: 1}}
	}
	page := seen("p", 1)
	page.Viewport = c.Viewports[0]
	untested := results.Note{Audit: results.AuditAxe, Kind: "frame_untested", Text: "A frame was not tested: it does not answer.", Where: "https://ad.example/"}
	for _, err := range []error{
		w.Axe(page, results.Axe{Violations: []results.Finding{inFrame("#a | img"), inFrame("#b | img")}, Rules: []string{"image-alt"}}),
		w.Screenshot(page, blank(320, 450)),
		w.Issues(results.AuditCrawl, seen("p", 1), about(results.AuditCrawl, "broken-link", s.URL+"gone"), []string{"broken-link"}),
		w.Issues(results.AuditPDF, seen("a.pdf", 2), about(results.AuditPDF, "pdf-lang", s.URL+"a.pdf"), []string{"pdf-lang"}),
		w.Page(results.PageOutcome{Site: s, URL: s.URL + "p", State: results.PageScanned, Status: 200, PageID: 1, Notes: []results.Note{untested}}),
		w.Page(results.PageOutcome{Site: s, URL: s.URL + "a.pdf", State: results.PageSkipped, Reason: "document", Status: 200, PageID: 2}),
		w.Page(results.PageOutcome{Site: s, URL: s.URL + "gone", State: results.PageSkipped, Reason: "status", Status: 404}),
		w.Page(results.PageOutcome{Site: s, URL: s.URL + "old", Final: s.URL + "p", State: results.PageSkipped, Reason: "redirect", Status: 200}),
		w.Page(results.PageOutcome{Site: s, URL: s.URL + "away", Final: s.URL + "gone", State: results.PageSkipped, Reason: "redirect", Status: 200}),
		w.SiteEnds(results.SiteOutcome{Site: s, Pages: 1}),
		w.Finish(results.StateComplete, time.Now()),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		tool string
		args map[string]any
		want []string
	}{
		{"cwac_get_page", map[string]any{"url": s.URL + "p"}, []string{
			"3 faults; page scanned. The picture", "critical image-alt at small: Images need alt | #a | img | <img>\n", "critical image-alt at small: Images need alt | #b | img | <img>\n",
			"- serious broken-link: Must broken-link | https://site.example/gone\n",
		}},
		{"cwac_get_page", map[string]any{"url": s.URL + "gone"}, []string{"0 faults; page skipped (an error status). There is no picture: the page was not scanned.\n"}},
		{"cwac_get_page", map[string]any{"url": s.URL + "old"}, []string{"3 faults; page scanned. The picture", "note: https://site.example/old leads here.\n"}},
		{"cwac_get_page", map[string]any{"url": s.URL + "away"}, []string{"0 faults; page skipped (leads to another address that is listed itself). There is no picture"}},
		{"cwac_get_results", map[string]any{"audit_type": results.AuditPDF}, []string{"- serious pdf-lang | https://site.example/a.pdf\n"}},
		{"cwac_get_results", map[string]any{"group_by": "rule", "rule": "pdf-lang"}, []string{" | e.g. https://site.example/a.pdf\n"}},
		{"cwac_get_summary", map[string]any{}, []string{
			"- a part of 1 page: A frame was not tested: it does not answer, such as https://site.example/p\n",
			"- 1 skipped (a document, not a page, and checked as one), such as https://site.example/a.pdf\n",
		}},
	} {
		c.args["scan_id"] = w.Name()
		a := b.good(c.tool, c.args)
		for _, want := range c.want {
			if !strings.Contains(a.text, want) {
				t.Errorf("%s %v does not say %q:\n%s", c.tool, c.args, want, a.text)
			}
		}
	}
	rep := b.good("cwac_generate_report", map[string]any{"scan_id": w.Name(), "formats": []string{" MD"}, "content": "md"})
	if files, _ := rep.data["report_files"].([]any); len(files) != 3 || !strings.HasSuffix(files[2].(string), "/report.md") || !strings.Contains(rep.text, "4 issues") || strings.Contains(rep.text, "warning") {
		t.Errorf("the report: %s", rep.text)
	}
	start := b.good("cwac_scan", map[string]any{"urls": []string{benchSite}, "max_links_per_domain": 1})
	b.untilEnd(start.word("scan_id"))
	if !strings.Contains(start.text, "at most 1 page per URL") {
		t.Errorf("a scan of one page: %s", start.text)
	}
}
