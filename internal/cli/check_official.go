package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/mcptest"
	"github.com/legwork-mcp/legwork/internal/mcptest/check"
	"github.com/legwork-mcp/legwork/internal/mcptest/official"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// conformable refuses to run the suite where it cannot go.
func (c *checkCmd) conformable(t wire.Target) error {
	if !c.Conformance || t.URL != "" && c.Login == "" && len(c.Header) == 0 {
		return nil
	}
	return fault.New(fault.Invalid, "invalid_conformance", "The conformance suite is for an address, and sends no headers and no tokens.", "Leave --conformance out, or check a server that lets everybody in.")
}

// official runs the conformance suite against the server of a check, for the revisions
// that it speaks, and adds what was found to the report.
func (c *checkCmd) official(ctx context.Context, a *app, address string, r *check.Report) error {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	place := official.Place{Dir: cmp.Or(c.ConformanceDir, filepath.Join(cfg.DataDir, "conformance")), Environ: a.std.Environ}
	suite, err := official.Find(ctx, place)
	if errors.Is(err, official.ErrNoSuite) {
		fmt.Fprintf(a.std.Err, "installing the conformance suite %s into %s\n", official.Version, place.Dir)
		if err = official.Install(ctx, place); err == nil {
			suite, err = official.Find(ctx, place)
		}
	}
	if err != nil {
		return noSuite(err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	before := len(r.Steps)
	if err := mcptest.Conform(ctx, suite, address, r); err != nil {
		return fault.New(fault.Failed, "conformance_failed", "The conformance suite did not come to its end.", "Run it by hand to see why.").WithCause(err)
	}
	for _, step := range r.Steps[before:] {
		_ = check.WriteStep(a.std.Err, step) // the report has it too
	}
	return nil
}

// noSuite says what is missing.
func noSuite(err error) error {
	what := fault.New(fault.Unavailable, "conformance_unavailable", "The conformance suite cannot be had.", "Install it by hand: npm install --prefix DIR @modelcontextprotocol/conformance@"+official.Version+", then name DIR with --conformance-dir.").WithCause(err)
	if errors.Is(err, official.ErrNoNode) {
		what = fault.New(fault.Unavailable, "node_missing", "The conformance suite needs Node 22 or newer.", "Install it from nodejs.org, or leave --conformance out.").WithCause(err)
	}
	return what
}
