package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

type toolsCmd struct {
	JSON bool `name:"json" help:"Print the definitions as clients receive them."`
}

// Run lists the tools.
func (c toolsCmd) Run(a *app) error {
	kit, err := a.open()
	if err != nil {
		return err
	}
	if c.JSON {
		var defs []any
		for _, t := range kit.tools() {
			defs = append(defs, t.Definition())
		}
		return a.printJSON(map[string]any{"tools": defs})
	}
	w := tabwriter.NewWriter(a.std.Out, 0, 4, 2, ' ', 0)
	for _, t := range kit.tools() {
		first, _, _ := strings.Cut(t.Spec.Description, ". ")
		fmt.Fprintf(w, "%s\t%s\t%s\n", t.Spec.Name, t.Spec.Effect, first)
	}
	return w.Flush()
}

type toolCmd struct {
	Call toolCallCmd `cmd:"" help:"Call a tool with JSON arguments and print its result."`
}

type toolCallCmd struct {
	Name string `arg:"" help:"Name of the tool."`
	Args string `arg:"" optional:"" default:"{}" placeholder:"JSON|@FILE|-" help:"Arguments as a JSON object, @FILE to read them from a file, or - for standard input."`
	JSON bool   `name:"json" help:"Print the whole result instead of its text."`
}

// Run calls the tool under the same policy as a client's call.
func (c toolCallCmd) Run(ctx context.Context, a *app) error {
	args, err := c.arguments(a)
	if err != nil {
		return err
	}
	kit, err := a.open()
	if err != nil {
		return err
	}
	defer kit.close(ctx)
	for _, t := range kit.tools() {
		if t.Spec.Name != c.Name {
			continue
		}
		ctx = tool.WithCaller(ctx, auth.Local())
		return a.printResult(t.Call(ctx, kit.toolPolicy(), args), c.JSON)
	}
	return fault.New(fault.NotFound, "unknown_tool", "There is no tool "+c.Name+".", "See 'legwork tools'.")
}

// arguments are those on the command line, or in the file that it names.
func (c toolCallCmd) arguments(a *app) (json.RawMessage, error) {
	if file, ok := strings.CutPrefix(c.Args, "@"); ok {
		return a.readData(file)
	}
	if c.Args == "-" {
		return a.readData("-")
	}
	return json.RawMessage(c.Args), nil
}
