package mcptest

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/mcptest/check"
	"github.com/legwork-mcp/legwork/internal/mcptest/official"
)

// TestAddConformance: failures that count are errors, others warnings, and a server
// without the fixtures of the suite is not blamed for that.
func TestAddConformance(t *testing.T) {
	outcome := &official.Outcome{Revision: "2026-07-28", Scenarios: []official.Scenario{
		{Name: "ping", Checks: []official.Check{
			{ID: "p1", Name: "Ping", Description: "answers", Status: official.Success},
			{ID: "p2", Name: "Ping\x1b[2J", Description: "answers", Status: official.Failure, Error: "silence\u202e", References: []official.Reference{{ID: "S", URL: "https://s/"}}},
			{ID: "p3", Name: "Ping", Description: "is quick", Status: official.Advice},
			{ID: "p4", Name: "Ping", Description: "was not tried", Status: "SKIPPED"},
		}},
		{Name: "http-header-validation", Unscored: "pending", Checks: []official.Check{{ID: "h", Name: "H", Status: official.Failure}}},
		{Name: "tools-call-image", Checks: []official.Check{{ID: "i", Name: "I", Status: official.Failure}}},
	}}
	for name, tt := range map[string]struct {
		tools []string
		want  []string
		step  string
	}{
		"an ordinary server": {[]string{"add"}, []string{"error conformance ping", "error other there", "warning conformance ping", "warning conformance http-header-validation (pending)"}, "1 failed, 2 are advice or do not count; 1 scenarios"},
		"a ready server":     {[]string{"add", official.Fixture}, []string{"error conformance ping", "error conformance tools-call-image", "error other there", "warning conformance ping", "warning conformance http-header-validation (pending)"}, "2 failed, 2 are advice or do not count; 0 scenarios"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &check.Report{NotCalled: tt.tools, Findings: []check.Finding{{Rule: "tool-name", Severity: check.Error, Subject: "there"}}}
			r.Findings[0].Rule = "died"
			AddConformance(r, outcome, time.Now(), 2*time.Second)
			var got []string
			for _, f := range r.Findings {
				if f.Rule == "died" {
					f.Rule = "other"
				}
				got = append(got, string(f.Severity)+" "+f.Rule+" "+f.Subject)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("the findings differ (-want +got):\n%s", diff)
			}
			step, first := r.Steps[0], r.Findings[0]
			if step.Status != check.Failed || step.Millis != 2000 || !strings.Contains(step.Detail, tt.step) {
				t.Errorf("the step is %+v", step)
			}
			if strings.ContainsAny(first.Title+first.Evidence, "\x1b\u202e") || !strings.Contains(first.Clause.String(), "https://s/") || !strings.Contains(first.Fix, "--scenario ping") {
				t.Errorf("the first finding is %+v", first)
			}
		})
	}
}
