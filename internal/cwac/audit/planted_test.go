//go:build linux

package audit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
)

// wanted are the faults of a page that axe can find with these options.
func wanted(p planted.Page, o audit.AxeOptions) map[string]int {
	want := map[string]int{}
	for _, f := range append(p.Faults, more[p.Name]...) {
		if f.Rule == planted.RuleReflow || f.Rule == planted.RuleFocus || f.Best && !o.BestPractice || f.Framed && !o.Frames || f.Hidden && !o.ClosedRoots {
			continue
		}
		want[f.Rule] += f.Nodes
	}
	return want
}

// more are true faults of the planted pages that nobody planted: aria-level is not
// a number, two frames hold the same landmark, the banner is in no landmark.
var more = map[string][]planted.Fault{
	"aria":   {{Rule: "aria-valid-attr-value", Nodes: 1}},
	"iframe": {{Rule: "landmark-unique", Nodes: 1, Best: true, Framed: true}},
	"cookie": {{Rule: "region", Nodes: 1, Best: true}},
}

func TestAxeFindsWhatIsPlanted(t *testing.T) {
	t.Parallel()
	address := plantedSite(t)
	o := audit.AxeOptions{Frames: true, ClosedRoots: true, BestPractice: true}
	tab := open(t, pool(browser.EngineHeadlessShell)) // one for all pages, as the engine does
	found := 0
	for _, p := range planted.Pages() {
		page := load(t, tab, address+"/"+p.Name+".html")
		if _, err := page.OpenDetails(patience(t)); err != nil {
			t.Fatal(err)
		}
		got, err := page.Axe(patience(t), o)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		want := wanted(p, o)
		if diff := cmp.Diff(want, rules(got.Violations)); diff != "" {
			t.Errorf("%s: faults differ (-want +got):\n%s", p.Name, diff)
		}
		for _, n := range want {
			found += n
		}
		if len(got.Notes) > 0 {
			t.Errorf("%s: notes are %v", p.Name, got.Notes)
		}
	}
	if found != 48 {
		t.Errorf("%d faults", found)
	}
}
