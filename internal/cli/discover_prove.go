package cli

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/runner"
	"github.com/legwork-mcp/legwork/internal/scout"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// replayer proves drafts with the runner's own engine.
type replayer struct {
	kit    *kit
	prefix string // of the path: whether a person typed the address
}

// Prove runs a draft once, up to the last submit unless that is allowed too.
func (r replayer) Prove(ctx context.Context, w *wizard.Wizard, data json.RawMessage, submit bool) (scout.Proof, error) {
	c, err := wizard.NewContract(w)
	if err != nil {
		return scout.Proof{}, err
	}
	entry := unsaved(w.URL, r.prefix)
	entry.Wizard, entry.Contract, entry.Hash = w, c, w.Hash()
	answer, err := r.kit.runner.Execute(ctx, entry, data, runner.Job{Opts: runner.RunOptions{StopBeforeSubmit: !submit, Timeout: 2 * time.Minute}})
	if err != nil {
		return scout.Proof{}, err
	}
	problem := answer.Error
	for _, v := range answer.ValidationErrors {
		problem += "; " + strings.TrimPrefix(v.Field+": ", ": ") + v.Message
	}
	proof := scout.Proof{
		OK: exitOf(answer) == fault.ExitOK, Pages: answer.PagesCompleted, Problem: problem, Type: answer.ErrorType,
		Page: answer.PageNumber, FieldID: answer.FieldID,
	}
	if seen := answer.Reading; seen != nil && answer.Success && submit {
		proof.Shown = &scout.Shown{Heading: seen.Heading}
		for _, p := range seen.Pairs {
			proof.Shown.Pairs = append(proof.Shown.Pairs, scout.Pair{Label: p.Label, Text: p.Value})
		}
	}
	return proof, nil
}
