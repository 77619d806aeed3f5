package scout

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// Repair is a wizard that fits its form again, for a person to look at.
type Repair struct {
	Wizard *wizard.Wizard `json:"-"`
	// Contract is nil when it follows from the wizard.
	Contract *wizard.Contract `json:"-"`
	// Changes is what was changed in the wizard.
	Changes []wizard.Change `json:"changes"`
	// Remarks are what a person should look at: what was made up, and what could
	// not be repaired.
	Remarks []string `json:"remarks"`
	// Proofs are the replays of the repaired wizard; Proven is true when all held.
	Proofs []Proof `json:"proofs"`
	Proven bool    `json:"proven"`
}

// Repair makes a new wizard of what a check has found, and replays it. The check
// must have gone through all branches: what no branch came by stays as it is.
func (c Checker) Repair(ctx context.Context, e *wizard.Entry, d *Drift) (*Repair, error) {
	if c.Prover == nil {
		return nil, fault.New(fault.Unsupported, "not_supported", "A repaired wizard cannot be replayed here.", "Use 'legwork wizards check --repair'.")
	}
	w, err := copyWizard(d.mended)
	if err != nil {
		return nil, fmt.Errorf("the repaired wizard of %s: %w", e.Wizard.WizardID, err)
	}
	out := &Repair{Wizard: w, Remarks: []string{}}
	out.Changes = wizard.Diff(e.Wizard, w)
	out.Remarks = append(out.Remarks, remarksOn(d)...)
	if len(out.Changes) == 0 {
		return out, nil
	}
	w.Practice = w.Practice || e.Practice // its answers do not become official
	if err := w.Check(); err != nil {
		return nil, fmt.Errorf("the repaired wizard of %s: %w", w.WizardID, err)
	}
	if out.Contract, err = e.Contract.For(w); err != nil || len(out.Contract.Mismatches()) > len(e.Contract.Mismatches()) {
		out.Contract = nil
		out.Remarks = append(out.Remarks, "the data schema was written by hand and no longer fits: the new version has one that is generated from the wizard")
	}
	if err := w.MarkRepaired(wizard.Repaired{Of: e.Hash, At: d.at, Remarks: out.Remarks}); err != nil {
		return nil, err
	}
	if d.MayAct != "" {
		out.Remarks = append(out.Remarks, "not replayed: "+d.MayAct)
		return out, nil
	}
	out.Proofs, err = prove(ctx, c.Prover, proving{w, false, func(format string, args ...any) {
		if c.Progress != nil {
			c.Progress(fmt.Sprintf(format, args...))
		}
	}})
	if err != nil {
		return nil, err
	}
	out.Proven = proven(out.Proofs)
	return out, nil
}

// remarksOn are what a person should look at in a repaired wizard.
func remarksOn(d *Drift) []string {
	var out []string
	for _, f := range d.Findings {
		switch f.Kind {
		case FoundField, FoundPage:
			out = append(out, f.String()+": drafted, with an invented example")
		case FoundGone:
			if d.mended.Field(f.FieldID) != nil {
				out = append(out, f.String()+": left as it is, because other parts of the wizard refer to it")
			}
		case FoundHidden, FoundRefused, FoundNotPassed, FoundNoPage:
			out = append(out, f.String())
		case FoundSelector:
			if f.Works == nil {
				out = append(out, f.String()+": not repaired")
			}
		}
	}
	for _, u := range d.Unreached {
		out = append(out, "not looked at: "+u)
	}
	return out
}
