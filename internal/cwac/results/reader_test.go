package results

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// counts are what a folder holds, all of it read.
type counts struct {
	issues, rows, unique, views int
}

func axeCounts(t *testing.T, r *Results) counts {
	t.Helper()
	var c counts
	merged := map[[4]string]map[string]int{}
	for f, err := range r.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		if f.Audit != AuditAxe {
			continue
		}
		c.rows++
		c.issues += f.Count
		key := [4]string{f.View.URL, f.Rule, f.HTML, f.Target}
		if merged[key] == nil {
			merged[key] = map[string]int{}
		}
		merged[key][f.View.Viewport.Name] += f.Count
	}
	for _, byViewport := range merged {
		most := 0
		for _, n := range byViewport {
			most = max(most, n)
		}
		c.unique += most
	}
	seen := map[string]bool{}
	for record, err := range r.Records(AuditAxe + ".csv") {
		if err != nil {
			t.Fatal(err)
		}
		seen[record.Get("audit_id")] = true
	}
	c.views = len(seen)
	return c
}

func TestReaderCountsTheFoldersOfCWAC(t *testing.T) {
	for folder, want := range map[string]counts{
		"contract-a":                 {80, 80, 40, 48},
		"contract-c-default-plugins": {80, 80, 40, 48},
		"contract-c-all-plugins":     {18, 18, 9, 12},
	} {
		r, err := Open("testdata/" + folder)
		if err != nil {
			t.Fatal(err)
		}
		if got := axeCounts(t, r); got != want {
			t.Errorf("%s: got %+v, want %+v", folder, got, want)
		}
	}
}

func TestReaderTellsTheContracts(t *testing.T) {
	local := func(text string) time.Time {
		start, err := time.ParseInLocation(stampLayout, text, time.Local)
		if err != nil {
			t.Fatal(err)
		}
		return start
	}
	type facts struct {
		Contract, AuditName string
		Start               time.Time
		Audits              []string
		Unknown, Problems   []string
	}
	for folder, want := range map[string]facts{
		"contract-a":                 {ContractA, "bench_feb26", local("2026-11-27_20-42-48"), []string{AuditAxe, AuditLanguage, AuditReflow}, nil, nil},
		"contract-c-default-plugins": {ContractC, "bench_default", local("2026-11-27_20-38-33"), []string{AuditAxe, AuditLanguage, AuditReflow, AuditTitle}, nil, nil},
		"contract-c-all-plugins":     {ContractC, "all_plugins", local("2026-11-27_20-47-01"), []string{AuditAxe, AuditLanguage, AuditReflow, AuditTitle, AuditScreenshot, AuditElement}, nil, nil},
		"contract-c-focus-only":      {ContractC, "focus_only", local("2026-11-27_20-51-57"), []string{AuditFocus}, nil, nil},
		"contract-c-odd-urls":        {ContractC, "odd", local("2026-11-27_21-21-51"), []string{AuditTitle}, nil, nil},
	} {
		r, err := Open("testdata/" + folder)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, facts{r.Contract, r.AuditName, r.Start, r.Audits, r.Unknown, r.Problems}); diff != "" {
			t.Errorf("%s:\n%s", folder, diff)
		}
	}
	r, err := Open("testdata/contract-b")
	if err != nil || r.Contract != ContractB {
		t.Errorf("got %v, %v", r, err)
	}
}

func TestReaderReadsWholeFindings(t *testing.T) {
	r, err := Open("testdata/contract-c-all-plugins")
	if err != nil {
		t.Fatal(err)
	}
	var first, overflow *Finding
	for f, err := range r.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = &f
		}
		if f.Audit == AuditReflow {
			overflow = &f
		}
	}
	page := func(org, name, title string, id int) View {
		// the audit file has scheme and host only; the base URL is from the log
		return View{
			Site:    Site{Organisation: org, URL: "http://127.0.0.1:8765/" + name, Sector: map[string]string{"Org A": "S1", "Org B": "S2"}[org]},
			BaseURL: "http://127.0.0.1:8765", Title: title, URL: "http://127.0.0.1:8765/" + name, PageID: id, Viewport: Viewport{"small", 320, 450},
		}
	}
	want := &Finding{
		View: page("Org B", "forms.html", "Bench - forms", 4), Audit: AuditAxe, Rule: "autocomplete-valid", Impact: "serious",
		Help:        "autocomplete attribute must be used correctly",
		Description: "Ensure the autocomplete attribute is correct and suitable for the form field",
		HelpURL:     "https://dequeuniversity.com/rules/axe/4.13/autocomplete-valid?application=axeAPI",
		HTML:        `<input autocomplete="not-a-token" name="e">`, Target: "//main[@id='main']/form/label/input",
		Tags:    []string{"cat.forms", "wcag21aa", "wcag135", "EN-301-549", "EN-9.1.3.5", "ACT", "RGAAv4", "RGAA-11.13.1"},
		IssueID: IssueID("http://127.0.0.1:8765/forms.html", "autocomplete-valid", `<input autocomplete="not-a-token" name="e">`, Viewport{"small", 320, 450}),
		Count:   1,
	}
	want.Fingerprint = Fingerprint(*want)
	if diff := cmp.Diff(want, first); diff != "" {
		t.Error(diff)
	}
	if overflow == nil || overflow.Rule != RuleReflow || overflow.Count != 1 || overflow.Data["overflow_px"] != 100 || cmp.Diff(page("Org A", "overflow.html", "Bench - overflow", 2), overflow.View) != "" {
		t.Errorf("got %+v", overflow)
	}
}

func TestReaderPutsPagesTogether(t *testing.T) {
	r, err := Open("testdata/contract-c-odd-urls")
	if err != nil {
		t.Fatal(err)
	}
	var pages []PageOutcome
	for p, err := range r.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	about, space := "http://127.0.0.1:8765/about.html", "http://127.0.0.1:8765/with%20space.html"
	want := []PageOutcome{
		{Site: Site{"Dup", about, "S"}, URL: about, State: PageScanned, PageID: 1, Title: "Bench - about"},
		{Site: Site{URL: space}, URL: "http://127.0.0.1:8765/with%2520space.html", Parent: space, State: PageSkipped, Reason: "status", Status: 404},
	}
	if diff := cmp.Diff(want, pages); diff != "" {
		t.Error(diff)
	}
	sites, err := r.Sites()
	wantSites := []SiteOutcome{
		{Site: Site{"Redirecting", "http://127.0.0.1:8765/old", "S"}}, {Site: Site{"Encoded", space, "S"}},
		{Site: Site{"Dup", about, "S"}, Pages: 1}, {Site: Site{"Dup2", about, "S"}},
	}
	if diff := cmp.Diff(wantSites, sites); diff != "" || err != nil {
		t.Error(diff, err)
	}
	p, ok := r.Progress()
	if !ok || p.Done != 1 || p.Total != 2 || p.Percent != 50 || p.Speed <= 0 {
		t.Errorf("got %+v, %v", p, ok)
	}
}

// A page that a firewall kept, and one on which every audit failed, are not scanned.
func TestReaderTellsBlockedPages(t *testing.T) {
	row := func(page string) string { return "O,https://a.example/," + page + ",S\r\n" }
	dir := folder(t, map[string]string{
		"audit_log.csv":   bom + listColumns[fileAuditLog] + crlf + row("a") + row("b") + row("c"),
		"anti_bot.csv":    bom + listColumns[fileAntiBot] + crlf + "O,a.example,b,Imperva,x\r\n",
		"title_audit.csv": bom + columnsCommon + crlf + "O,S,T,https://a.example/,a,x,7_small,7\r\n",
	})
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for p, err := range r.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		got[p.URL] = p.State
	}
	if diff := cmp.Diff(map[string]string{"a": PageScanned, "b": PageBlocked, "c": PageFailed}, got); diff != "" {
		t.Error(diff)
	}
}

// What is written is read again while the scan runs, and after it.
func TestReaderReadsARunningScan(t *testing.T) {
	w := newWriter(t, nil)
	outcome := PageOutcome{
		Site: view(1).Site, URL: view(1).URL, Source: "seed", State: PagePartial, Reason: "time_limit", Status: 200, PageID: 1, Title: "A",
		Notes: []Note{{AuditAxe, "frame_untested", "It never answered.", "https://b.example/"}},
	}
	finding := Finding{
		Rule: "color-contrast", Impact: "serious", HTML: strings.Repeat("<p>", 60), Target: "//p", Selector: "main > p", Summary: "Fix it",
		Tags: []string{"wcag2aa"}, Box: &Box{1, 2, 3, 4}, Data: map[string]any{"ratio": 1.5}, Frame: "https://b.example/",
	}
	err := errors.Join(
		w.Axe(view(1), Axe{Violations: []Finding{finding}, Review: []Finding{finding}, Rules: []string{"color-contrast", "label"}}),
		w.Language(view(1), Language{FleschKincaid: 11.6917, Sentences: 57, Hardest: []string{"Long."}}),
		w.Measure(Measure{View: view(1), Audit: AuditSEO, Values: map[string]any{"h1": 2.0}}),
		w.Page(outcome), w.PageBegins(view(1).Site, view(1).URL),
		w.Progress(Progress{Time: began, Done: 1, Total: 4, Speed: 0.5, Percent: 25, Elapsed: 65 * time.Minute, Remaining: time.Minute}),
		w.Screenshot(view(1), []byte("png")),
	)
	if err != nil {
		t.Fatal(err)
	}
	want := w.settle(finding, AuditAxe, view(1))
	for _, state := range []string{StateRunning, StateCancelled} {
		if state != StateRunning {
			if err := w.Finish(state, began.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}
		r, err := Open(w.Dir())
		if err != nil {
			t.Fatal(err)
		}
		got, review := collect(t, r.Findings()), collect(t, r.NeedsReview())
		if diff := cmp.Diff([]Finding{want}, got); diff != "" {
			t.Errorf("%s: %s", state, diff)
		}
		if len(review) != 1 || !review[0].Review || review[0].Summary != "Fix it" {
			t.Errorf("%s: needs review: %+v", state, review)
		}
		if diff := cmp.Diff([]PageOutcome{outcome}, collect(t, r.Pages())); diff != "" {
			t.Errorf("%s: %s", state, diff)
		}
		if m := collect(t, r.Measures()); len(m) != 2 || m[0].Values["flesch_kincaid_gl"] != 11.6917 || m[1].Audit != AuditSEO || m[1].Values["h1"] != 2.0 {
			t.Errorf("%s: measures: %+v", state, m)
		}
		p, ok := r.Progress()
		if !ok || p.Done != 1 || !p.Time.Equal(began) || p.Elapsed != 65*time.Minute {
			t.Errorf("%s: progress: %+v", state, p)
		}
		if png, err := r.Picture("1_small"); err != nil || string(png) != "png" {
			t.Errorf("%s: picture: %q, %v", state, png, err)
		}
		if r.Scan.State != state || r.AuditName != "a_test" || !r.Start.Equal(began) || r.Engine != EngineLegwork || len(r.Unknown)+len(r.Others)+len(r.Problems) > 0 {
			t.Errorf("%s: %+v", state, r)
		}
	}
	counts := w.Scan().Counts
	if counts.Findings != 1 || counts.Review != 1 || counts.Issues[AuditAxe] != 1 || counts.Pages[PagePartial] != 1 || counts.Views != 1 {
		t.Errorf("counts: %+v", counts)
	}
	if diff := cmp.Diff(map[string][]string{AuditAxe: {"color-contrast", "label"}}, w.Scan().Rules); diff != "" {
		t.Error(diff)
	}
	fromRows(t, w, want)
}

// fromRows reads the same findings when the native record is lost.
func fromRows(t *testing.T, w *Writer, want Finding) {
	t.Helper()
	if err := os.Remove(filepath.Join(w.Dir(), FileFindings)); err != nil {
		t.Fatal(err)
	}
	r, err := Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	got, review := collect(t, r.Findings()), collect(t, r.NeedsReview())
	if len(got) != 1 || len(review) != 1 {
		t.Fatalf("findings %v, review %v", got, review)
	}
	want.HTML, want.Selector, want.Summary, want.Box, want.Data, want.Frame = want.HTML[:htmlPrefix], "", "", nil, nil, ""
	want.Fingerprint = Fingerprint(want)
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Error(diff)
	}
	if !review[0].Review || review[0].Summary != "Fix it" || review[0].Rule != want.Rule {
		t.Errorf("review: %+v", review[0])
	}
}

func collect[T any](t *testing.T, all iter.Seq2[T, error]) []T {
	t.Helper()
	var items []T
	for v, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, v)
	}
	return items
}

// TestTheRecordOfVeryManySites can be read: as many as the base URL files may name.
func TestTheRecordOfVeryManySites(t *testing.T) {
	w := newWriter(t, nil)
	err := w.Update(func(s *Scan) {
		for n := range maxSites {
			s.Sites = append(s.Sites, SiteOutcome{
				Site:   Site{Organisation: fmt.Sprintf("An organisation with a name, %d", n), URL: fmt.Sprintf("https://www.organisation-%d.govt.example/services/", n), Sector: "Local government"},
				Reason: "robots.txt got no usable answer, and then nothing may be scanned: the connection was refused",
			})
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if sites, err := r.Sites(); err != nil || len(sites) != maxSites || r.Engine != EngineLegwork {
		t.Errorf("%d sites of engine %s, %v, problems %v", len(sites), r.Engine, err, r.Problems)
	}
}
