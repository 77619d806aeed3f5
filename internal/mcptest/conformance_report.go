package mcptest

import (
	"fmt"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/check"
	"github.com/legwork-mcp/legwork/internal/mcptest/official"
)

// AddConformance puts what the official suite found into the report of a check, as a
// step and a finding for each check that failed. At a server that was not made ready for
// the suite, what needs its fixtures is left out.
func AddConformance(r *check.Report, o *official.Outcome, began time.Time, took time.Duration) {
	ready := slices.Contains(r.Called, official.Fixture) || slices.Contains(r.NotCalled, official.Fixture)
	passed, failed, advice, unfit := 0, 0, 0, map[string]bool{}
	for _, s := range o.Scenarios {
		for _, c := range s.Checks {
			if !ready && !s.Judges(c) {
				unfit[s.Name] = true
				continue
			}
			f := conformanceFinding(o.Revision, s, c)
			switch {
			case c.Status == official.Success:
				passed++
				continue
			case c.Status == official.Failure && s.Unscored == "":
				f.Severity = check.Error
				failed++
			case c.Status == official.Failure, c.Status == official.Advice:
				f.Severity = check.Warning
				advice++
			default:
				continue
			}
			r.Add(f)
		}
	}
	step := check.Step{
		Name: "conformance", Status: check.Passed, Started: began, Millis: took.Milliseconds(),
		Detail: fmt.Sprintf("%s: %d checks passed, %d failed, %d are advice or do not count; %d scenarios need fixtures that the server does not have", o.Revision, passed, failed, advice, len(unfit)),
	}
	switch {
	case failed > 0:
		step.Status = check.Failed
	case advice > 0:
		step.Status = check.Warned
	}
	r.Steps = append(r.Steps, step)
}

// conformanceFinding is a check of the suite as a finding.
func conformanceFinding(revision string, s official.Scenario, c official.Check) check.Finding {
	f := check.Finding{
		Rule: "conformance", Title: c.Name + ": " + c.Description, Subject: s.Name, Pointer: "", Evidence: c.Error,
		Clause: check.Clause{Document: "MCP conformance suite " + official.Version, Section: c.ID, Revision: revision},
		Fix:    fmt.Sprintf("Run the scenario by itself: npx @modelcontextprotocol/conformance@%s server --url URL --spec-version %s --scenario %s --verbose", official.Version, revision, line(s.Name, 80)),
	}
	if s.Unscored != "" {
		f.Subject += " (" + s.Unscored + ")"
	}
	if len(c.References) > 0 {
		f.Clause.Document, f.Clause.Section = "MCP conformance suite "+official.Version+", "+line(c.ID, 100), line(c.References[0].ID+" "+c.References[0].URL, 300)
	}
	return f
}
