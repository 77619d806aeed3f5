package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/scout"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// discovery is the outcome as --json prints it.
type discovery struct {
	WizardID  string         `json:"wizard_id"`
	Name      string         `json:"name"`
	Proven    bool           `json:"proven"`
	Pages     int            `json:"pages"`
	Fields    int            `json:"fields"`
	Structure string         `json:"structure"`
	Schema    string         `json:"schema"`
	Review    string         `json:"review"`
	Saved     string         `json:"saved_version,omitempty"`
	Proofs    []scout.Proof  `json:"proofs"`
	Coverage  scout.Coverage `json:"coverage"`
	Remarks   []string       `json:"remarks"`
	// local: the form is on this machine, which wizards of the folder may not reach unasked.
	local bool
}

// keep writes the files, saves a proven wizard into the store and says what there is.
func (c discoverCmd) keep(a *app, k *kit, found *scout.Discovery) error {
	w := found.Wizard
	dir := c.Out
	if dir == "" {
		dir = k.discoveries(w.WizardID)
		if err := makeOut(dir); err != nil {
			return err
		}
	}
	structure, err := w.Marshal()
	if err != nil {
		return err
	}
	review, err := scout.Review(found)
	if err != nil {
		return err
	}
	out := discovery{
		WizardID: w.WizardID, Name: w.Name, Proven: found.Proven, Pages: len(w.Pages), Proofs: found.Proofs, Coverage: found.Coverage,
		Remarks: append([]string{}, found.Remarks...), Structure: filepath.Join(dir, w.WizardID+".json"),
		Schema: filepath.Join(dir, w.WizardID+"-schema.json"), Review: filepath.Join(dir, "review.html"),
		local: onThisMachine(c.URL),
	}
	for _, p := range w.Pages {
		out.Fields += len(p.Fields)
	}
	for name, data := range map[string][]byte{out.Structure: structure, out.Schema: append(slices.Clone([]byte(found.Contract.Schema)), '\n'), out.Review: review} {
		if err := writeFile(name, data, 0o600); err != nil {
			return notKept(err)
		}
	}
	if found.Proven {
		if out.Saved, err = k.store.Save(w, nil); err != nil && !errors.Is(err, wizard.ErrReadOnly) {
			return notKept(err)
		}
	}
	if c.JSON {
		if err := a.printJSON(out); err != nil {
			return err
		}
	} else {
		out.print(a)
	}
	if !found.Proven {
		return quietly(fault.ExitFailed)
	}
	return nil
}

// discoveries is the folder of what was found out about a wizard's form.
func (k *kit) discoveries(id string) string {
	return filepath.Join(filepath.Dir(k.cfg.WizardsDir), "discoveries", id)
}

func (d discovery) print(a *app) {
	fmt.Fprintf(a.std.Out, "%s: %s, %s\n", printable(d.Name), count(d.Pages, "page"), count(d.Fields, "field"))
	for _, p := range d.Proofs {
		if !p.OK {
			fmt.Fprintf(a.std.Out, "NOT PROVEN: the replay ended on page %d: %s\n", p.Page, printable(p.Problem))
		}
	}
	if d.Proven {
		flag := ""
		if d.local {
			flag = " --allow-private"
		}
		fmt.Fprintf(a.std.Out, "proven: %s replayed; saved as %s\nrun it:  legwork run %s --data FILE%s  (legwork wizards show %s --example > FILE)\n", count(len(d.Proofs), "branch"), d.WizardID, d.WizardID, flag, d.WizardID)
	} else {
		fmt.Fprintln(a.std.Out, "the draft is kept, but not saved as a wizard")
	}
	for _, r := range d.Remarks {
		fmt.Fprintln(a.std.Out, "check:  ", printable(r))
	}
	fmt.Fprintf(a.std.Out, "review:   %s\nfiles:    %s\n          %s\n", d.Review, d.Structure, d.Schema)
}

func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "ss"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
