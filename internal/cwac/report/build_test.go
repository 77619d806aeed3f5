package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// build reports on a folder of results.
func build(t *testing.T, dir string) *Report {
	t.Helper()
	r, err := results.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := Build(r)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

const samples = "../results/testdata/"

// The figures are those of the dossier of the samples: 80 axe faults on 48 views, 40
// when the two viewports are merged; rows of audits that judge nothing are no issues.
func TestCountsOfTheSamples(t *testing.T) {
	type figures struct {
		Totals, Axe    Counts
		Scanned, Known int
		Impact         map[string]int
	}
	bench := figures{
		Totals: Counts{Instances: 81, Issues: 41, Pages: 16, Groups: 40}, Axe: Counts{Instances: 80, Issues: 40, Pages: 15, Groups: 39},
		Scanned: 24, Known: 26, Impact: map[string]int{Critical: 18, Serious: 21, Moderate: 1, Minor: 0, Unknown: 1},
	}
	for folder, want := range map[string]figures{
		"contract-a":                 bench,
		"contract-c-default-plugins": bench,
		"contract-c-all-plugins": {
			Totals: Counts{Instances: 19, Issues: 10, Pages: 4, Groups: 10}, Axe: Counts{Instances: 18, Issues: 9, Pages: 3, Groups: 9},
			Scanned: 6, Known: 7, Impact: map[string]int{Critical: 4, Serious: 2, Moderate: 2, Minor: 1, Unknown: 1},
		},
	} {
		rep := build(t, samples+folder)
		got := figures{Totals: rep.Totals, Scanned: rep.Scan.Scanned, Known: rep.Scan.Known, Impact: map[string]int{}}
		for _, a := range rep.ByAudit {
			if a.Name == results.AuditAxe {
				got.Axe = a.Counts
			}
		}
		sum := 0
		for _, i := range rep.ByImpact {
			got.Impact[i.Name] = i.Issues
			sum += i.Issues
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", folder, d)
		}
		if sum != rep.Totals.Issues {
			t.Errorf("%s: the impacts sum up to %d of %d issues", folder, sum, rep.Totals.Issues)
		}
	}
}

func TestRulesAreInTheOrderInWhichToLookAtThem(t *testing.T) {
	var got []string
	for _, r := range build(t, samples+"contract-c-all-plugins").Rules {
		got = append(got, r.Impact+" "+r.ID)
	}
	want := []string{
		"critical label", "critical button-name", "critical select-name", "serious autocomplete-valid", "serious marquee",
		"moderate meta-viewport", "moderate heading-order", "minor empty-heading", "unknown reflow",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestLedgerOfWhatWasNotScanned(t *testing.T) {
	w, err := results.Create(t.TempDir(), results.DefaultConfig(), start, results.Scan{Notes: []results.Note{{Kind: "sitemap", Text: "on another host", Where: "https://other.example/"}}})
	must(t, err)
	for i := range maxExamples + 3 {
		must(t, w.Page(results.PageOutcome{URL: fmt.Sprintf("https://site.example/%02d", i), Parent: "https://site.example/", State: results.PageSkipped, Reason: "robots", Detail: "Disallow: /"}))
	}
	must(t, w.Page(results.PageOutcome{URL: "https://site.example/", State: results.PageScanned}),
		w.Page(results.PageOutcome{URL: "https://site.example/x", State: results.PageFailed, Reason: "some_new_reason", Status: 500}),
		w.Page(results.PageOutcome{URL: "https://site.example/y", State: "waiting"}), w.Finish(results.StateCancelled, start))
	rep := build(t, w.Dir())
	if got, want := rep.ledger(), "1 of 26 known addresses were scanned. The others: 23 skipped (robots.txt forbids it), 1 failed (some new reason), 1 waiting."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	robots := rep.Unscanned[0]
	if d := cmp.Diff(UnscannedAddress{URL: "https://site.example/00", Parent: "https://site.example/", Detail: "Disallow: /"}, robots.Examples[0]); d != "" || len(robots.Examples) != maxExamples {
		t.Errorf("%d examples, the first %s", len(robots.Examples), d)
	}
	if d := cmp.Diff([]string{"The scan was cancelled: it did not see all pages.", "https://other.example/: on another host"}, rep.Notes); d != "" {
		t.Error(d)
	}
}

func TestReading(t *testing.T) {
	var native []Reading
	for _, r := range build(t, nativeFolder(t)).Reading {
		if r.Grade > 9 {
			native = append(native, r)
		}
	}
	want := Reading{URL: "https://site.example/", Title: "Home", Grade: 14.2, SMOG: 13.1, Sentences: 30, Hardest: []string{"A sentence that is hard to read."}}
	if len(native) != 3 { // a page once, not once a viewport
		t.Fatalf("%d pages: %+v", len(native), native)
	}
	if d := cmp.Diff(want, native[0]); d != "" {
		t.Error(d)
	}
	cwac := build(t, samples+"contract-c-all-plugins").Reading
	if d := cmp.Diff([]Reading{{URL: "http://127.0.0.1:8765/about.html", Title: "Bench - about", Grade: 11.692, SMOG: 12.7, Sentences: 57}}, cwac); d != "" {
		t.Error(d)
	}
}

func TestNotesOfManyPlacesAreOne(t *testing.T) {
	notes := []results.Note{{Text: "Broken.", Where: "/a"}, {Text: "Bare."}, {Text: "Broken.", Where: "/b"}, {Text: "Alone.", Where: "/c"}, {Text: "Broken.", Where: "/d"}, {Text: "Alone.", Where: "/c"}}
	if d := cmp.Diff([]string{"/a and 2 more: Broken.", "Bare.", "/c: Alone."}, together(notes)); d != "" {
		t.Error(d)
	}
}

// What the audits could not look at is told once for all pages, not only beside each.
func TestWhatWasNotLookedAt(t *testing.T) {
	w, err := results.Create(t.TempDir(), results.DefaultConfig(), start, results.Scan{})
	must(t, err)
	note := func(kind, text, where string) results.Note {
		return results.Note{Audit: results.AuditAxe, Kind: kind, Text: text, Where: where}
	}
	silent, hung := note("frame_untested", "A frame was not tested: it does not answer.", "https://ad.example/1"), note("frame_untested", "A frame was not tested: it does not answer.", "https://ad.example/2")
	for name, notes := range map[string][]results.Note{"a": {silent, hung, note("not_english", "Not English.", "")}, "b": {silent}, "c": {note("rule_error", "The rule x failed.", "")}} {
		must(t, w.Page(results.PageOutcome{URL: "https://site.example/" + name, State: results.PageScanned, Notes: notes}))
	}
	for i := range 9 {
		must(t, w.Page(results.PageOutcome{URL: "https://site.example/d", State: results.PageScanned, Notes: []results.Note{note("time_limit", strings.Repeat("x", i+1), "")}}))
	}
	must(t, w.Finish(results.StateComplete, start))
	got := build(t, w.Dir()).Notes
	slices.Sort(got)
	if len(got) != maxUntested || !strings.HasSuffix(got[0], " and 1 more: A frame was not tested: it does not answer.") || got[1] != "https://site.example/c: The rule x failed." {
		t.Errorf("the notes are %q", got)
	}
}

// A page whose audits did not end has no fault that is known: the summary must not
// read like that of a clean page.
func TestPagesInPart(t *testing.T) {
	w, err := results.Create(t.TempDir(), results.DefaultConfig(), start, results.Scan{})
	must(t, err)
	must(t, w.Page(results.PageOutcome{URL: "https://site.example/", State: results.PagePartial, Reason: "failed", Detail: "axe_core_audit at small (too heavy)"}), w.Finish(results.StateComplete, start))
	rep := build(t, w.Dir())
	if got := rep.InPart(); got != "1 page was scanned in part only: some of their audits failed or ran out of time (on https://site.example/: axe_core_audit at small (too heavy))." || !slices.Contains(rep.Notes, got) {
		t.Errorf("it says %q, and the notes are %q", got, rep.Notes)
	}
	if got := (&Report{Pages: []*Page{{State: results.PageScanned}}}).InPart(); got != "" {
		t.Error(got)
	}
}
