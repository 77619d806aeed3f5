package cwac

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// TestAPageWithVeryManyFaults: they are all counted, and the worst of them are listed
// wherever they are.
func TestAPageWithVeryManyFaults(t *testing.T) {
	b := newBench(t)
	config := results.DefaultConfig()
	w, err := results.Create(filepath.Join(b.dir, "results"), config, time.Now(), results.Scan{})
	if err != nil {
		t.Fatal(err)
	}
	const many = maxPageFaults + 200
	var faults []results.Finding
	for n := range many {
		faults = append(faults, results.Finding{Rule: "region", Impact: "moderate", Selector: fmt.Sprintf("#e%d", n)})
	}
	faults = append(faults, results.Finding{Rule: "label", Impact: "critical", Selector: "#last"})
	for _, v := range config.Viewports {
		if err := w.Axe(results.View{URL: benchSite, Viewport: v, PageID: 1}, results.Axe{Violations: slices.Clone(faults)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{w.Page(results.PageOutcome{URL: benchSite, State: results.PageScanned, PageID: 1}), w.Finish(results.StateComplete, time.Now())} {
		if err != nil {
			t.Fatal(err)
		}
	}
	page := b.good("cwac_get_page", args{"scan_id": w.Name(), "url": benchSite})
	first, _ := page.data["faults"].([]any)[0].(map[string]any)
	if page.number("total_faults") != many+1 || first["rule_id"] != "label" || len(first["viewports"].([]any)) != 2 {
		t.Errorf("%d faults, the first is %v", page.number("total_faults"), first)
	}
	r, err := results.Open(w.Dir())
	if err != nil {
		t.Fatal(err)
	}
	held, total, err := faultsOf(r, results.PageOutcome{URL: benchSite}, true)
	if err != nil || len(held) != maxPageFaults || total != many+1 {
		t.Errorf("%d of %d are held, %v", len(held), total, err)
	}
}

// TestPagesThatDifferByASlash: an address finds the page that has it, and the other one
// only when there is no such page.
func TestPagesThatDifferByASlash(t *testing.T) {
	b := newBench(t)
	w, err := results.Create(filepath.Join(b.dir, "results"), results.DefaultConfig(), time.Now(), results.Scan{})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		w.Page(results.PageOutcome{URL: benchSite + "a", State: results.PageScanned, PageID: 1}), w.Page(results.PageOutcome{URL: benchSite + "a/", State: results.PageScanned, PageID: 2}),
		w.Page(results.PageOutcome{URL: benchSite + "b", State: results.PageSkipped, Reason: "limit"}), w.Page(results.PageOutcome{URL: benchSite + "b/", State: results.PageScanned, PageID: 3}),
		w.Finish(results.StateComplete, time.Now()),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for asked, want := range map[string]string{"a": "a", "a/": "a/", " b": "b/", "b/": "b/"} {
		address := benchSite + asked
		if asked[0] == ' ' {
			address = " " + benchSite + asked[1:]
		}
		if got := b.good("cwac_get_page", args{"scan_id": w.Name(), "url": address}).word("url"); got != benchSite+want {
			t.Errorf("%q finds %s", address, got)
		}
	}
}

// TestAPageInPart: the answer says which audit failed, and not that the page could not be
// loaded.
func TestAPageInPart(t *testing.T) {
	b := newBench(t)
	w, err := results.Create(filepath.Join(b.dir, "results"), results.DefaultConfig(), time.Now(), results.Scan{})
	if err != nil {
		t.Fatal(err)
	}
	page := results.PageOutcome{URL: benchSite, State: results.PagePartial, Reason: "failed", Detail: "axe_core_audit at small (too heavy " + hostileText + ")", PageID: 1}
	for _, err := range []error{w.Page(page), w.Finish(results.StateComplete, time.Now())} {
		if err != nil {
			t.Fatal(err)
		}
	}
	a := b.good("cwac_get_page", args{"scan_id": w.Name(), "url": benchSite})
	before, inside, _ := strings.Cut(a.text, openMark+"\n")
	if strings.Contains(before, "could not load") || !strings.Contains(inside, "note: Not all of it was looked at: axe_core_audit at small (too heavy") || strings.Count(a.text, closeMark) != 1 {
		t.Errorf("it says %s", a.text)
	}
	sum := b.good("cwac_get_summary", args{"scan_id": w.Name()})
	before, inside, _ = strings.Cut(sum.text, openMark+"\n")
	if !strings.Contains(before, "1 page was scanned in part only") || strings.Contains(before, "too heavy") || !strings.Contains(inside, "a part of "+benchSite+": axe_core_audit at small (too heavy") {
		t.Errorf("the summary says %s", sum.text)
	}
}
