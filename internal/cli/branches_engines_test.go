package cli_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// otherEngines are those that are compared with Chromium.
var otherEngines = []string{"firefox", "webkit"}

// on is the setting that has the program run forms in an engine.
func on(engine string) string { return "LEGWORK_BROWSER_ENGINE=" + engine }

// TestEveryBranchOnOtherEngines is TestEveryBranch in Firefox and in WebKit: all data
// sets as often as LEGWORK_SOAK_REPEAT says, four at a time, and without it one of each
// wizard, two at a time: each process that these engines start costs a second of the
// machine.
func TestEveryBranchOnOtherEngines(t *testing.T) {
	t.Parallel()
	sets := datasets(t)
	todo, most := slices.Repeat(sets, repeats(t)), 4
	if len(todo) == 0 {
		todo, most = oneOfEach(sets), 2
	}
	for _, engine := range otherEngines {
		t.Run(engine, func(t *testing.T) {
			site := startPractice(t)
			client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, on(engine))
			counted := count{What: whatBranches, Engine: engine}
			atOnce(most, todo, func(set dataset) {
				diff := runSet(t, client, site, set)
				counted.add(diff == "")
				if diff != "" {
					t.Errorf("%s/%s: %s", set.wizard, set.name, diff)
				}
			})
			counted.keep(t)
		})
	}
}

// oneOfEach leaves the last set of each wizard, which is written by hand.
func oneOfEach(sets []dataset) []dataset {
	last := map[string]dataset{}
	for _, s := range sets {
		last[s.wizard] = s
	}
	var out []dataset
	for _, s := range sets {
		if last[s.wizard].name == s.name {
			out = append(out, s)
		}
	}
	return out
}

// TestDiscoveryOnOtherEngines: what is found of a practice form does not depend on the
// engine that looked, to the last letter. By default it is the form that is the
// quickest, in Firefox, and all four in both when LEGWORK_SOAK_REPEAT asks for more.
func TestDiscoveryOnOtherEngines(t *testing.T) {
	t.Parallel()
	known := shipped(t)
	ids, engines := sortedIDs(known), otherEngines
	if repeats(t) == 0 {
		ids, engines = []string{quickSite}, engines[:1]
	}
	for _, id := range ids {
		t.Run(id, func(t *testing.T) {
			site := startPractice(t)
			find := func(engine string) (*wizard.Wizard, string) {
				dir := t.TempDir()
				return discovered(t, []string{"LEGWORK_PRACTICE_ADDR=" + site.addr, "FEDERALSCOUT_WIZARDS_DIR=" + dir, on(engine)}, dir, known[id])
			}
			want, row := find("chromium-headless-shell")
			for _, engine := range engines {
				got, its := find(engine)
				diff := cmp.Diff(undated(plain(t, want)), undated(plain(t, got)))
				counted := count{What: whatDrafts, Engine: engine, Part: id}
				counted.add(diff == "")
				counted.keep(t)
				if diff != "" {
					t.Errorf("%s finds something else (-chromium +%s):\n%s", engine, engine, diff)
				}
				if its != row {
					t.Logf("with other passes and page loads: %s in Chromium, %s in %s", row, its, engine)
				}
			}
		})
	}
}

// undated drops when the form was discovered, and in how many passes: one that came to
// nothing on a busy machine is made again.
func undated(w any) any {
	if m, ok := w.(map[string]any); ok {
		delete(m, "discovered_at")
		if how, ok := m["discovery"].(map[string]any); ok {
			delete(how, "passes")
		}
	}
	return w
}
