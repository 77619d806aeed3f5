package cli

import (
	"fmt"
	"text/tabwriter"
)

type configCmd struct {
	JSON bool `name:"json" help:"Print JSON, with every variable that sets a setting."`
}

// Help says how to change what is printed.
func (configCmd) Help() string {
	return "A setting NAME is set as LEGWORK_NAME in the environment, in capitals, with --set NAME=VALUE, or in the settings file."
}

// Run prints the settings in force.
func (c configCmd) Run(a *app) error {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(cfg.Describe())
	}
	w := tabwriter.NewWriter(a.std.Out, 0, 4, 2, ' ', 0)
	for _, s := range cfg.Describe() {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, s.Value, s.Origin, s.Doc)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, n := range cfg.Notes() {
		fmt.Fprintln(a.std.Err, "note:", n)
	}
	return nil
}
