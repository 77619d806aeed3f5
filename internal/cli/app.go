package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/config"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// app is one command line: its streams, flags and settings.
type app struct {
	std       Streams
	globals   Globals
	overrides map[string]string // settings that a command's own flags decide
	server    bool              // a server logs its calls, a command only warns
	logJSON   bool
}

// override lets a command's flag decide a setting; empty leaves it.
func (a *app) override(name, value string) {
	if value == "" {
		return
	}
	if a.overrides == nil {
		a.overrides = map[string]string{}
	}
	a.overrides[name] = value
}

// settings loads the configuration with this command line's overrides.
func (a *app) settings() (*config.Config, error) {
	over := maps.Clone(a.globals.Set)
	if over == nil {
		over = map[string]string{}
	}
	if a.globals.AllowPrivate {
		over["allow_private"] = "true"
	}
	if a.globals.LogLevel != "" {
		over["log_level"] = a.globals.LogLevel
	}
	maps.Copy(over, a.overrides)
	return config.Load(config.Inputs{
		Environ: a.std.Environ, File: a.globals.ConfigFile, Overrides: over, ReadFile: os.ReadFile,
	})
}

// printJSON prints v for programs and people: indented, nothing escaped.
func (a *app) printJSON(v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := a.std.Out.Write(b.Bytes())
	return err
}

// printResult prints a tool's result and settles the exit code.
func (a *app) printResult(res *mcp.CallToolResult, whole bool) error {
	if whole {
		if err := a.printJSON(res); err != nil {
			return err
		}
	} else {
		for _, c := range res.Content {
			switch c := c.(type) {
			case *mcp.TextContent:
				fmt.Fprintln(a.std.Out, c.Text)
			case *mcp.ImageContent:
				fmt.Fprintf(a.std.Out, "(picture, %s, %d bytes)\n", c.MIMEType, len(c.Data))
			}
		}
	}
	if res.IsError {
		return quiet(fault.ExitFailed)
	}
	return nil
}
