package scout

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// Prover runs a wizard with the engine that will run it for people.
type Prover interface {
	Prove(ctx context.Context, w *wizard.Wizard, data json.RawMessage, submit bool) (Proof, error)
}

// Proof is how one replay ended.
type Proof struct {
	// OK: every page that the data leads to was filled in and left.
	OK bool `json:"ok"`
	// Pages that were proved to be left, or filled in where the run stopped.
	Pages int `json:"pages"`
	// Problem says what failed, in words, and where.
	Problem string `json:"problem,omitempty"`
	Type    string `json:"error_type,omitempty"`
	Page    int    `json:"page_number,omitempty"`
	FieldID string `json:"field_id,omitempty"`
	// Shown is the answer, if the replay got so far.
	Shown *Shown `json:"-"`
}

// maxReplays bounds how many branches one proof goes through.
const maxReplays = 12

// proving is what to prove, and how far it may go.
type proving struct {
	wizard *wizard.Wizard
	submit bool
	report func(string, ...any)
}

// prove replays a draft with generated data, one set for each branch as far as
// the bound allows. The first that fails ends it. What the replays have shown of
// the answer becomes part of the draft.
func prove(ctx context.Context, p Prover, r proving) ([]Proof, error) {
	w, submit, report := r.wizard, r.submit, r.report
	c, err := wizard.NewContract(w)
	if err != nil {
		return nil, err
	}
	sets := spread(c.DataSets(), maxReplays)
	if len(sets) == 0 {
		sets = []map[string]any{c.Example()}
	}
	var out []Proof
	for i, set := range sets {
		raw, err := json.Marshal(set)
		if err != nil {
			return out, fmt.Errorf("prove %s: %w", w.WizardID, err)
		}
		report("replaying branch %d of %d", i+1, len(sets))
		proof, err := p.Prove(ctx, w, raw, submit)
		if err != nil {
			if ctx.Err() != nil {
				return out, err
			}
			f := fault.From(err)
			proof = Proof{Problem: f.Message, Type: f.Type}
		}
		out = append(out, proof)
		if !proof.OK {
			break
		}
	}
	learnAnswer(w, sets, out)
	return out, nil
}

// spread takes n of a list, evenly.
func spread[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	var out []T
	for i := range n {
		out = append(out, list[i*len(list)/n])
	}
	return out
}

// proven reports whether every replay held, and there was one.
func proven(proofs []Proof) bool {
	return len(proofs) > 0 && !slices.ContainsFunc(proofs, func(p Proof) bool { return !p.OK })
}
