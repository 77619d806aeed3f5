package mcptest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/legwork-mcp/legwork/internal/mcptest/check"
	"github.com/legwork-mcp/legwork/internal/mcptest/official"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// eraOfRevision is in which era the suite speaks for a revision.
var eraOfRevision = map[string]wire.Era{wire.Version20251125: wire.EraLegacy, wire.Version20260728: wire.EraModern}

// Conform runs the official suite against the server of a report, for the revisions that
// the server speaks, and adds what was found to the report.
func Conform(ctx context.Context, suite *official.Suite, address string, r *check.Report) error {
	for _, revision := range official.Revisions() {
		if !slices.Contains(r.Eras, string(eraOfRevision[revision])) {
			continue
		}
		dir, err := os.MkdirTemp("", "legwork-conformance-")
		if err != nil {
			return fmt.Errorf("run the conformance suite: %w", err)
		}
		out, err := suite.Run(ctx, official.Run{URL: address, Revision: revision, Dir: dir})
		if removing := os.RemoveAll(dir); err == nil && removing != nil {
			err = fmt.Errorf("remove what the conformance suite wrote: %w", removing)
		}
		if err != nil {
			return err
		}
		AddConformance(r, out)
	}
	return nil
}

// AddConformance puts what the official suite found into the report of a check, as a
// step and a finding for each check that failed. At a server that was not made ready for
// the suite, what needs its fixtures is left out.
func AddConformance(r *check.Report, o *official.Outcome) {
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
		Name: "conformance", Status: check.Passed, Started: o.Started, Millis: o.Took.Milliseconds(),
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

// suite is the official suite for a check that wants it. It runs as the user of this
// process, so that it is hers alone.
func (s *Server) suite(k *call, t target, in CheckIn) (*official.Suite, error) {
	if !in.Official {
		return nil, nil
	}
	f := failure{typ: errInvalidArguments, suggestion: "Leave conformance out."}
	switch {
	case !s.o.Commands || !tool.Caller(k.ctx).IsLocal() || s.o.Suite.Dir == "":
		f.message = "This server does not run the conformance suite."
		return nil, k.fail(f)
	case t.URL == "" || len(t.Headers) > 0 || t.login != nil:
		f.message = "The conformance suite is for an address, and sends no headers and no tokens."
		return nil, k.fail(f)
	}
	found, err := official.Find(k.ctx, s.o.Suite)
	switch {
	case errors.Is(err, official.ErrNoNode):
		f.typ, f.message, f.suggestion = errConnectionFailed, "The conformance suite needs Node 22 or newer, and there is none.", "Install Node, or leave conformance out."
	case errors.Is(err, official.ErrNoSuite):
		f.typ, f.message, f.suggestion = errConnectionFailed, "The conformance suite is not installed.", "Have the user run 'legwork check --conformance ADDRESS' once, which installs it, or leave conformance out."
	case err != nil:
		return nil, fmt.Errorf("look for the conformance suite: %w", err)
	default:
		return found, nil
	}
	return nil, k.fail(f)
}
