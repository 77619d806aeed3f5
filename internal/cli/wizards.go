package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

type wizardsCmd struct {
	List   wizardsListCmd   `cmd:"" default:"1" help:"List the wizards."`
	Show   wizardsShowCmd   `cmd:"" help:"Show a wizard's pages, contract and example."`
	Check  wizardsCheckCmd  `cmd:"" help:"Compare wizards with their forms as they are today, up to the last submit; --repair drafts a new version."`
	Diff   wizardsDiffCmd   `cmd:"" help:"Compare two wizards, or a wizard with an earlier version."`
	Accept wizardsAcceptCmd `cmd:"" help:"Let the version that check --repair has drafted run."`
}

type wizardsListCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run lists the store.
func (c wizardsListCmd) Run(a *app) error {
	kit, err := a.open()
	if err != nil {
		return err
	}
	entries, broken := kit.store.List()
	if c.JSON {
		out := []map[string]any{}
		for _, e := range entries {
			out = append(out, map[string]any{
				"wizard_id": e.Wizard.WizardID, "name": e.Wizard.Name, "url": e.Wizard.URL,
				"total_pages": len(e.Wizard.Pages), "practice": e.Practice, "version": e.Hash,
			})
		}
		return a.printJSON(map[string]any{"wizards": out, "broken": append([]wizard.Broken{}, broken...)})
	}
	w := tabwriter.NewWriter(a.std.Out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "WIZARD\tPAGES\tNAME\t")
	for _, e := range entries {
		kind := ""
		if e.Practice {
			kind = "practice, not official"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", e.Wizard.WizardID, len(e.Wizard.Pages), oneLine(e.Wizard.Name), kind)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, b := range broken {
		fmt.Fprintln(a.std.Err, harmless("unusable: "+b.Error()))
	}
	fmt.Fprintf(a.std.Out, "Your own wizards go into %s\n", filepath.Join(kit.cfg.WizardsDir, "wizard-structures"))
	return nil
}

type wizardsShowCmd struct {
	Wizard  string `arg:"" help:"A wizard's id, or the path of a wizard file."`
	Schema  bool   `help:"Print the contract (JSON Schema) only."`
	Example bool   `help:"Print example data only: a start for --data."`
	JSON    bool   `name:"json" help:"Print the wizard file."`
}

// Run shows one wizard.
func (c wizardsShowCmd) Run(a *app) error {
	kit, err := a.open()
	if err != nil {
		return err
	}
	e, err := kit.wizard(c.Wizard)
	if err != nil {
		return err
	}
	switch {
	case c.Example:
		return a.printJSON(e.Contract.Example())
	case c.Schema:
		return a.printJSON(e.Contract.Schema)
	case c.JSON:
		raw, err := e.Wizard.Marshal()
		if err != nil {
			return err
		}
		return a.printJSON(json.RawMessage(raw))
	}
	a.outline(e)
	fmt.Fprintln(a.std.Out, "\n* required when it is asked\n\nExample data (--example prints it alone):")
	return a.printJSON(e.Contract.Example())
}

// outline prints pages and fields for a person.
func (a *app) outline(e *wizard.Entry) {
	w := e.Wizard
	a.say("%s: %s\n%s\nversion %s", w.WizardID, oneLine(w.Name), oneLine(w.URL), e.Hash)
	for _, p := range w.OrderedPages() {
		a.say("\nPage %d: %s", p.PageNumber, oneLine(p.PageTitle+when(p.VisibleWhen)))
		for i := range p.Fields {
			f := &p.Fields[i]
			mark := " "
			if f.Required {
				mark = "*"
			}
			a.say("  %s %-28s %-9s %s", mark, f.FieldID, f.FieldType, oneLine(f.Label+when(f.VisibleWhen)))
		}
	}
}

func when(c *wizard.Condition) string {
	if c == nil {
		return ""
	}
	return "  [when " + c.String() + "]"
}

type wizardsDiffCmd struct {
	Old string `arg:"" help:"A wizard's id or file."`
	New string `arg:"" optional:"" help:"Another id or file. Without it: OLD against its version before."`
}

// Run prints the changes; differences end with exit code 1.
func (c wizardsDiffCmd) Run(a *app) error {
	kit, err := a.open()
	if err != nil {
		return err
	}
	was, is, err := c.pair(kit)
	if err != nil {
		return err
	}
	changes := wizard.Diff(was, is)
	for _, d := range changes {
		a.say("%-8s %s: %s -> %s", d.Kind, d.Path, d.From, d.To)
	}
	if len(changes) > 0 {
		return quiet(fault.ExitFailed)
	}
	fmt.Fprintln(a.std.Out, "no differences")
	return nil
}
