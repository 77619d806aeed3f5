//go:build linux

package audit_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// referenceBase is the base URL of the run that the reference is from: it is a part
// of every issue id.
const referenceBase = "http://127.0.0.1:8765/"

// reference reads what CWAC reported, by page and viewport, in its order.
func reference(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/reference.tsv")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		if len(cells) == 3 {
			out[cells[0]+" "+cells[1]] = append(out[cells[0]+" "+cells[1]], cells[2])
		}
	}
	return out
}

// With the options and the windows of CWAC the same faults come out, with the same
// ids, targets and order. More is found only where CWAC does not wait for the page.
func TestAxeAgreesWithCWAC(t *testing.T) {
	t.Parallel()
	want := reference(t)
	address := plantedSite(t)
	tab := open(t, pool(browser.EngineChromium))
	compared := 0
	for _, p := range planted.Pages() {
		page := load(t, tab, address+"/"+p.Name+".html")
		if _, err := page.OpenDetails(patience(t)); err != nil {
			t.Fatal(err)
		}
		for _, v := range []results.Viewport{small, {Name: "medium", Width: 1280, Height: 800}} {
			if err := tab.Resize(patience(t), audit.Inner(v, false)); err != nil {
				t.Fatal(err)
			}
			got, err := page.Axe(patience(t), audit.AxeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var have []string
			for _, f := range got.Violations {
				if p.Name == "spa" && f.Rule == "button-name" {
					continue
				}
				have = append(have, strings.Join([]string{f.Rule, results.IssueID(referenceBase, f.Rule, f.HTML, v), f.Target}, "\t"))
			}
			if diff := cmp.Diff(want[p.Name+" "+v.Name], have); diff != "" {
				t.Errorf("%s, %s (-CWAC +here):\n%s", p.Name, v.Name, diff)
			}
			compared += len(have)
			if noted := kinds(got.Notes)["closed_shadow_root"] == 1; noted != (p.Name == "shadow") {
				t.Errorf("%s: notes are %v", p.Name, got.Notes)
			}
		}
	}
	if compared != 80 {
		t.Errorf("%d faults were compared", compared)
	}
}
