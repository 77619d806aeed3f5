package cli_test

import (
	"slices"
	"strings"
	"testing"
)

// onFirefox has the program run forms in Firefox.
const onFirefox = "LEGWORK_BROWSER_ENGINE=firefox"

// TestEveryBranchOnFirefox is TestEveryBranch with another engine: by default the
// hand-written data sets and a sample of the generated ones, and all of them as
// often as LEGWORK_SOAK_REPEAT says.
func TestEveryBranchOnFirefox(t *testing.T) {
	t.Parallel()
	sets := datasets(t)
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, onFirefox)
	todo, n := sets, repeats(t)
	if n == 0 {
		todo, n = share(sets, 0), 1
	}
	atOnce(2, slices.Repeat(todo, n), func(set dataset) {
		if diff := runSet(t, client, site, set); diff != "" {
			t.Errorf("%s/%s: %s", set.wizard, set.name, diff)
		}
	})
}

func TestDemoOnFirefox(t *testing.T) {
	t.Parallel()
	cmd := command(t, nil, "demo", "--engine", "firefox")
	cmd.Dir = t.TempDir()
	stdout, stderr, code := output(t, cmd)
	if code != 0 || !strings.Contains(stdout, "ok   the answer read is the answer the site computed") {
		t.Errorf("exit %d\n%s\n%s", code, stdout, stderr)
	}
}
