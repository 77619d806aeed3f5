package cwac

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

type args = map[string]any

func allOff() args {
	out := args{}
	for _, name := range results.Audits() {
		out[name] = false
	}
	return out
}

// TestErrorTexts: those of the specification, word for word, and what is refused
// beside it.
func TestErrorTexts(t *testing.T) {
	b := newBench(t)
	done, running := b.scanned("done"), b.started("slow")
	gone := b.scanned("gone")
	x, err := b.find(localContext(t), gone)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(x.dir); err != nil {
		t.Fatal(err)
	}
	nobody := "00000000-0000-4000-8000-000000000000"
	tests := []struct {
		tool string
		args args
		want string
	}{
		{"cwac_scan", args{"urls": []string{}}, "At least one URL is required"},
		{"cwac_scan", args{"urls": []string{"not a url"}}, "Invalid URL: not a url"},
		{"cwac_scan", args{"urls": []string{benchSite, "file:///etc/passwd"}}, "Invalid URL: file:///etc/passwd"},
		{"cwac_scan", args{"urls": []string{"https://me:wo@rd@site.example/a@b"}}, "Invalid URL: https://***@site.example/a@b"},
		{"cwac_scan", args{"urls": []string{"javascript:alert(1)"}}, "Invalid URL: javascript:alert(1)"},
		{"cwac_scan", args{"urls": []string{"https://ann:secret@site.example/"}}, "must not hold a user name or a password"},
		{"cwac_scan", args{"urls": []string{"https:///path"}}, "It names no host"},
		{"cwac_scan", args{"urls": []string{"https://site.example/" + strings.Repeat("x", 3000)}}, "longer than 2000 bytes"},
		{"cwac_scan", args{"urls": slices.Repeat([]string{benchSite}, 201)}, "more than 200 URLs"},
		{"cwac_scan", args{"urls": []string{benchSite}, "plugins": args{"axe_core_adit": true}}, "Did you mean axe_core_audit?"},
		{"cwac_scan", args{"urls": []string{benchSite}, "plugins": args{"../../evil": true}}, "There is no plugin"},
		{"cwac_scan", args{"urls": []string{benchSite}, "plugins": allOff()}, "No audit is switched on"},
		{"cwac_scan", args{"urls": []string{benchSite}, "viewport_sizes": args{"width": 10, "height": 10}}, "Widths are 200 to 4000"},
		{"cwac_scan", args{"urls": []string{benchSite}, "viewport_sizes": args{"../x": args{"width": 800, "height": 600}}}, "Names are letters, digits and _"},
		{"cwac_scan", args{"urls": []string{benchSite}, "viewport_sizes": args{"width": "wide", "height": 10}}, "whole numbers"},
		{"cwac_scan_status", args{"scan_id": nobody}, "No scan found with ID: " + nobody},
		{"cwac_get_results", args{"scan_id": nobody}, "No scan found with ID: " + nobody},
		{"cwac_get_summary", args{"scan_id": nobody}, "No scan found with ID: " + nobody},
		{"cwac_generate_report", args{"scan_id": nobody}, "No scan found with ID: " + nobody},
		{"cwac_cancel_scan", args{"scan_id": nobody}, "No scan found with ID: " + nobody},
		{"cwac_get_page", args{"scan_id": nobody, "url": benchSite}, "No scan found with ID: " + nobody},
		{"cwac_compare_scans", args{"scan_id": done, "old_scan_id": nobody}, "No scan found with ID: " + nobody},
		{"cwac_get_results", args{"scan_id": running}, "Scan is still running. Check status first."},
		{"cwac_get_summary", args{"scan_id": running}, "Scan is still running. Check status first."},
		{"cwac_generate_report", args{"scan_id": running}, "Scan is still running. Check status first."},
		{"cwac_compare_scans", args{"scan_id": done, "old_scan_id": running}, "Scan is still running. Check status first."},
		{"cwac_get_results", args{"scan_id": gone}, "Results directory not found for scan: " + gone},
		{"cwac_get_results", args{"scan_id": done, "audit_type": "speed_audit"}, "No results file for audit type: speed_audit"},
		{"cwac_get_results", args{"scan_id": done, "audit_type": "../config"}, "No results file for audit type: ../config"},
		{"cwac_get_results", args{"scan_id": done, "cursor": "x"}, "not one of an earlier answer"},
		{"cwac_get_page", args{"scan_id": done, "url": benchSite + "p11"}, "Did you mean " + benchSite + "p1?"},
		{"cwac_generate_report", args{"scan_id": done, "formats": []string{"docx"}}, "There is no report format"},
		{"cwac_generate_report", args{"scan_id": done, "content": "../x"}, "There is no report format"},
	}
	for _, tt := range tests {
		t.Run(tt.tool+" "+tt.want, func(t *testing.T) {
			if a := b.call(tt.tool, tt.args); !a.failed || !strings.Contains(a.text, tt.want) || a.bytes > 4000 {
				t.Errorf("%v: failed %v, %d bytes: %s", tt.args, a.failed, a.bytes, a.text)
			}
		})
	}
}

// TestScansOfOthers: nobody learns of anybody else's, by no way.
func TestScansOfOthers(t *testing.T) {
	b := newBench(t)
	mine := b.scanned("mine")
	other := auth.Principal{Issuer: ann.Issuer, Subject: "bob", Scopes: ann.Scopes}
	hers := b.callAs(ann, "cwac_scan", args{"urls": []string{benchSite}, "audit_name": "hers"}).word("scan_id")
	b.untilEnd(hers)
	folder := filepath.Base(b.callAs(ann, "cwac_scan_status", args{"scan_id": hers}).word("results_dir"))
	byHand := filepath.Join(b.dir, "results", "2026-02-20_09-15-00_by_hand")
	if err := os.MkdirAll(byHand, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{
		hers, folder, "2026-02-20_09-15-00_by_hand", mine[:8], "", ".", "..", "../registry", "results", strings.ToUpper(hers), hers + ".state", "*", mine + "\x00",
	} {
		for _, name := range []string{"cwac_scan_status", "cwac_get_results", "cwac_get_summary", "cwac_generate_report", "cwac_cancel_scan"} {
			if a := b.callAs(other, name, args{"scan_id": id}); !a.failed || a.word("error_type") != "scan_not_found" {
				t.Errorf("%s of %q says %s", name, id, a.text)
			}
		}
	}
	if a := b.callAs(other, "cwac_list_scans", args{}); a.number("total_scans") != 0 || strings.Contains(a.text, hers) {
		t.Errorf("bob's list: %s", a.text)
	}
	if a := b.callAs(ann, "cwac_list_scans", args{}); a.number("total_scans") != 1 || !strings.Contains(a.text, hers) {
		t.Errorf("ann's list: %s", a.text)
	}
	if a := b.good("cwac_list_scans", args{}); a.number("total_scans") != 2 || !strings.Contains(a.text, "2026-02-20_09-15-00_by_hand") || strings.Contains(a.text, hers) {
		t.Errorf("the local list: %s", a.text)
	}
	if a := b.call("cwac_get_results", args{"scan_id": hers}); !a.failed {
		t.Errorf("the local user reads hers: %s", a.text)
	}
}

// TestFoldersOfTheCommandLine: results that no tool started can be read and compared
// with by the user of this machine, whichever CWAC wrote them.
func TestFoldersOfTheCommandLine(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"contract-a", "contract-c-default-plugins"} {
		copyTo := filepath.Join(b.dir, "results", "2026-02-20_09-15-00_"+strings.ReplaceAll(name, "-", "_"))
		if err := os.CopyFS(copyTo, os.DirFS(filepath.Join("results", "testdata", name))); err != nil {
			t.Fatal(err)
		}
	}
	id := "2026-02-20_09-15-00_contract_c_default_plugins"
	sum := b.good("cwac_get_summary", args{"scan_id": id})
	if sum.number("total_issues") != 81 || sum.number("unique_issues") != 41 || sum.word("engine") != results.EngineCWAC || sum.bytes > 4<<10 {
		t.Errorf("the summary, %d bytes: %s", sum.bytes, sum.text)
	}
	if a := b.good("cwac_get_results", args{"scan_id": id, "audit_type": results.AuditAxe, "impact": "critical"}); a.number("total_results") == 0 || strings.Contains(a.text, "No issues found") {
		t.Errorf("the results: %s", a.text)
	}
	if a := b.good("cwac_get_results", args{"scan_id": id, "audit_type": results.AuditLanguage}); a.number("total_results") == 0 || !strings.Contains(a.text, "flesch_kincaid_gl=11.692") {
		t.Errorf("the figures of texts: %s", a.text)
	}
	c := b.good("cwac_compare_scans", args{"scan_id": id, "old_scan_id": "2026-02-20_09-15-00_contract_a"})
	if c.number("remaining_issues") == 0 || c.bytes > answerBudget {
		t.Errorf("the comparison: %s", c.text)
	}
}

// TestFolderWithoutItsListOfSites: that CWAC's list is missing from a copy, or that a
// site has not ended, does not mean that nothing was scanned.
func TestFolderWithoutItsListOfSites(t *testing.T) {
	b := newBench(t)
	dir := filepath.Join(b.dir, "results", "copied")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("results", "testdata", "contract-c-default-plugins"))); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"pages_scanned.csv", "audit_log.csv", "progress.csv"} {
		if err := os.Remove(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
		a := b.good("cwac_scan_status", args{"scan_id": "copied"})
		sum := b.good("cwac_get_summary", args{"scan_id": "copied"})
		if a.number("pages_scanned") != sum.number("urls_scanned") || a.number("pages_scanned") != 24 || strings.Contains(a.text+sum.text, "Nothing was scanned") || strings.Contains(sum.text, "took an unknown time") != (file == "progress.csv") {
			t.Errorf("without %s: %s\n%s", file, a.text, sum.text)
		}
	}
}

// TestHostileText: what a site writes stays between the marks and cannot end them.
func TestHostileText(t *testing.T) {
	b := newBench(t)
	id := b.scanned("hostile")
	for name, a := range map[string]answer{
		"results": b.good("cwac_get_results", args{"scan_id": id}),
		"groups":  b.good("cwac_get_results", args{"scan_id": id, "group_by": "issue"}),
		"page":    b.good("cwac_get_page", args{"scan_id": id, "url": benchSite + "p1"}),
		"compare": b.good("cwac_compare_scans", args{"scan_id": id, "old_scan_id": id}),
	} {
		if like := regexp.MustCompile(`(?i)<[\s/]*page_content`).FindAllString(a.text, -1); len(like) != 2 || !strings.Contains(a.text, openMark) || !strings.Contains(a.text, closeMark) {
			t.Errorf("%s: the marks are not there once: %s", name, a.text)
			continue
		}
		outside := a.text[:strings.Index(a.text, openMark)] + a.text[strings.Index(a.text, closeMark):]
		if strings.Contains(outside, "SYSTEM") || strings.Contains(a.text, "\u202e") {
			t.Errorf("%s: a site speaks for itself: %s", name, a.text)
		}
	}
}

// TestAuditNames: no name gets out of its place.
func TestAuditNames(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"../../etc/x", "=cmd|'/c calc'!A1", "a\nb,c", `"}{`, strings.Repeat("long", 100), "..", "日本語", "-rf"} {
		id := b.scanned(name)
		a := b.good("cwac_scan_status", args{"scan_id": id})
		dir := strings.TrimSuffix(a.word("results_dir"), "/")
		if a.word("status") != "complete" || filepath.Dir(dir) != filepath.Join(b.dir, "results") || !strings.HasSuffix(dir, "_"+id[:8]) {
			t.Errorf("%q: %s in %s", name, a.word("status"), dir)
		}
	}
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains([]string{"config", "base_urls", "results", "registry"}, e.Name()) {
			t.Errorf("there is a %s", e.Name())
		}
	}
}

func TestLimits(t *testing.T) {
	b := newBench(t, func(o *Options) { o.Settings.MaxScans, o.Settings.PerCaller, o.Settings.MaxPages = 3, 2, 100 })
	first, second := b.started("slow 1"), b.started("slow 2")
	a := b.call("cwac_scan", args{"urls": []string{benchSite}})
	if a.word("error_type") != "too_many_scans" || !strings.Contains(a.text, first) || !strings.Contains(a.text, second) {
		t.Errorf("the third of one caller: %s", a.text)
	}
	third := b.callAs(ann, "cwac_scan", args{"urls": []string{benchSite}, "audit_name": "slow 3", "max_links_per_domain": 1000})
	if third.failed || third.number("max_links_per_domain") != 100 || !strings.Contains(third.text, "100 pages at once at most") {
		t.Errorf("another caller's first: %s", third.text)
	}
	a = b.callAs(auth.Principal{Issuer: "x", Subject: "bob"}, "cwac_scan", args{"urls": []string{benchSite}})
	if a.word("error_type") != "too_many_scans" || strings.Contains(a.text, first) {
		t.Errorf("the fourth of all: %s", a.text)
	}
	b.good("cwac_cancel_scan", args{"scan_id": first})
	if a := b.call("cwac_scan", args{"urls": []string{benchSite}, "audit_name": "slow 4"}); a.failed {
		t.Errorf("after one was cancelled: %s", a.text)
	}
}

// TestSizes: the whole work of an agent on a site of 50 pages fits in a small part of
// its context, and so does every single answer.
func TestSizes(t *testing.T) {
	b := newBench(t)
	old := b.scanned("big")
	id := b.scanned("big fixed")
	total := 0
	take := func(limit int, name string, a args) answer {
		t.Helper()
		got := b.good(name, a)
		if got.bytes > limit {
			t.Errorf("%s %v takes %d bytes, more than %d", name, a, got.bytes, limit)
		}
		total += got.bytes
		return got
	}
	take(4<<10, "cwac_scan_status", args{"scan_id": id})
	sum := take(4<<10, "cwac_get_summary", args{"scan_id": old})
	if sum.number("total_issues") != 200 || sum.number("unique_issues") != 100 || sum.number("pages_affected") != 50 {
		t.Errorf("the summary: %s", sum.text)
	}
	take(4<<10, "cwac_get_results", args{"scan_id": old, "group_by": "rule"})
	take(answerBudget, "cwac_compare_scans", args{"scan_id": id, "old_scan_id": old})
	take(4<<10, "cwac_generate_report", args{"scan_id": id, "formats": []string{"markdown"}})
	page := take(answerBudget, "cwac_get_results", args{"scan_id": old, "audit_type": results.AuditAxe})
	if total > 60<<10 {
		t.Errorf("all answers together take %d bytes", total)
	}
	seen, pages := page.number("returned_results"), 1
	for page.word("next_cursor") != "" {
		page = b.good("cwac_get_results", args{"scan_id": old, "audit_type": results.AuditAxe, "cursor": page.word("next_cursor")})
		if page.bytes > answerBudget {
			t.Errorf("page %d takes %d bytes", pages, page.bytes)
		}
		seen += page.number("returned_results")
		pages++
	}
	if seen != 200 {
		t.Errorf("%d results on %d pages, want 200", seen, pages)
	}
	if a := b.good("cwac_get_results", args{"scan_id": old, "limit": 7}); a.number("returned_results") != 7 || a.word("next_cursor") != "7" {
		t.Errorf("with a limit: %s", a.text)
	}
	c := b.good("cwac_compare_scans", args{"scan_id": id, "old_scan_id": old})
	if c.number("new_issues") != 0 || c.number("fixed_issues") != 50 || c.number("remaining_issues") != 50 {
		t.Errorf("the comparison: %s", c.text)
	}
}

// TestTidy: what earlier servers left is swept away, and nothing else.
func TestTidy(t *testing.T) {
	b := newBench(t)
	id := b.scanned("old")
	dir := strings.TrimSuffix(b.good("cwac_scan_status", args{"scan_id": id}).word("results_dir"), "/")
	mine := filepath.Join(b.dir, "config", "mine.json")
	stale := filepath.Join(b.dir, "config", "mcp_00000000.json")
	fresh := filepath.Join(b.dir, "config", "mcp_11111111.json")
	named := filepath.Join(b.dir, "config", "mcp_settings.json")
	now := b.clock()
	for _, name := range []string{mine, stale, fresh, named} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if name != fresh {
			if err := os.Chtimes(name, now, now.Add(-2*abandoned)); err != nil {
				t.Fatal(err)
			}
		}
	}
	o := b.o
	o.Settings.Retention = abandoned
	later := time.Duration(0)
	o.Clock = func() time.Time { return time.Now().Add(later) }
	next := &bench{t, b.dir, New(o)}
	if a := next.good("cwac_list_scans", args{}); a.number("total_scans") != 1 {
		t.Errorf("within the retention: %s", a.text)
	}
	for name, want := range map[string]bool{mine: true, named: true, stale: false, fresh: true, dir: true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	later = 2 * abandoned // the server has run all the time
	if a := next.good("cwac_list_scans", args{}); a.number("total_scans") != 0 {
		t.Errorf("past the retention: %s", a.text)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Error("its results are still there")
	}
}

// TestStatesOfFolders: a scan of a terminal is no complete one because no tool started
// it: its own record counts.
func TestStatesOfFolders(t *testing.T) {
	b := newBench(t)
	for _, tt := range []struct {
		name, state, want string
		age               time.Duration
	}{
		{"well", results.StateComplete, statusComplete, 0}, {"stopped", results.StateCancelled, statusCancelled, 0}, {"failed", results.StateFailed, statusFailed, 0},
		{"going_on", results.StateRunning, statusRunning, 0}, {"cut_off", results.StateRunning, statusFailed, 2 * silence},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := results.DefaultConfig()
			c.AuditName = tt.name
			w, err := results.Create(filepath.Join(b.dir, "results"), c, time.Now().Add(-tt.age), results.Scan{})
			if err != nil {
				t.Fatal(err)
			}
			if tt.state != results.StateRunning {
				if err := w.Finish(tt.state, time.Now()); err != nil {
					t.Fatal(err)
				}
			}
			id := args{"scan_id": w.Name()}
			a := b.good("cwac_scan_status", id)
			if a.word("status") != tt.want || (a.word("cause") != "") != (tt.want == statusFailed || tt.want == statusCancelled) {
				t.Errorf("the status: %s", a.text)
			}
			if tt.want == statusRunning {
				if a := b.call("cwac_cancel_scan", id); !strings.Contains(a.text, "not started by a tool") {
					t.Errorf("its end: %s", a.text)
				}
				return
			}
			if a := b.good("cwac_get_summary", id); strings.Contains(a.text, "results until then") != (tt.want != statusComplete) {
				t.Errorf("the summary: %s", a.text)
			}
		})
	}
}

// TestOnePictureAtATime: many calls at once must not take the memory of as many
// pictures.
func TestOnePictureAtATime(t *testing.T) {
	b := newBench(t)
	in := PageIn{ScanID: b.scanned("pictures"), URL: benchSite + "p1"}
	b.painting <- struct{}{}
	ctx, cancel := context.WithCancel(localContext(t))
	cancel()
	if _, err := b.getPage(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("a second picture is opened beside the first: %v", err)
	}
	<-b.painting
	func() {
		defer func() { _ = recover() }() // as who calls the tools does
		_, _ = b.painted(localContext(t), func() []PageFault { panic("a picture that nobody can read") })
	}()
	if len(b.painting) != 0 {
		t.Error("a call that panicked keeps all others from their pictures")
		<-b.painting
	}
	if out, err := b.getPage(localContext(t), in); err != nil || out.State != results.PageScanned {
		t.Errorf("%+v, %v", out, err)
	}
}
