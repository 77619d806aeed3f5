package cli_test

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/runner"
)

// soon is how many milliseconds a page may take to be told that no program goes
// past it.
const soon = 5000

// TestBlockedPagesAreToldSoon: a page that blocks programs, or asks for a person,
// is reported within seconds: nothing is waited for and nothing is tried again.
func TestBlockedPagesAreToldSoon(t *testing.T) {
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_PRACTICE_WIDGETS=1")
	seen := map[string]int{}
	for _, c := range widgetCases(t) {
		typ := c.Expect.ErrorType
		if !strings.HasPrefix(c.wizard, "f19") || typ != runner.TypeBlocked && typ != runner.TypeHuman {
			continue
		}
		a, _, err := execute(t, client, c.wizard, c.Data, map[string]any{"return_screenshots": false})
		if err != nil || a.ErrorType != typ {
			t.Errorf("%s: %v\n%s", c.wizard, err, a.Text())
		}
		if a.ExecutionTimeMS >= soon {
			t.Errorf("%s is told after %d ms", c.wizard, a.ExecutionTimeMS)
		}
		seen[typ]++
	}
	if seen[runner.TypeBlocked] < 2 || seen[runner.TypeHuman] < 3 {
		t.Errorf("tried only %v", seen)
	}
}
