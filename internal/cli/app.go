package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/config"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/runner"
)

// app is one command line: its streams, flags and settings.
type app struct {
	std       Streams
	globals   Globals
	overrides map[string]string // settings that a command's own flags decide
	server    bool              // a server logs its calls, a command only warns
	hosted    bool              // it answers over HTTP, perhaps several callers
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
	_, err := io.WriteString(a.std.Out, asciiControls(b.String()))
	return err
}

// asciiControls writes what a terminal obeys, inside the strings of a JSON text, as
// escapes that mean the same: it may have words of a page or of a stranger's file.
func asciiControls(text string) string {
	if !strings.ContainsFunc(text, obeyed) {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		if !obeyed(c) {
			b.WriteRune(c)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, c) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

func obeyed(c rune) bool {
	return c != '\n' && c != '\t' && (unicode.IsControl(c) || unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp))
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
				fmt.Fprintln(a.std.Out, printable(c.Text))
			case *mcp.ImageContent:
				fmt.Fprintf(a.std.Out, "(picture, %s, %d bytes)\n", c.MIMEType, len(c.Data))
			}
		}
	}
	return quietly(exitOfResult(res))
}

// exits are the exit codes of a tool's failures, by error_type.
var exits = map[string]int{
	"invalid_arguments": fault.ExitInvalid, "invalid_user_data": fault.ExitInvalid, "invalid_wizard_id": fault.ExitInvalid,
	"invalid_options": fault.ExitInvalid, runner.StatusMissingData: fault.ExitInvalid, runner.StatusValidationError: fault.ExitInvalid,
	"wizard_not_found": fault.ExitNotFound, "run_not_found": fault.ExitNotFound,
	runner.TypeNavigation: fault.ExitUnavailable, "browser_unavailable": fault.ExitUnavailable,
	runner.TypeOrigin: fault.ExitDenied, runner.TypeTimeout: fault.ExitTimeout, runner.TypeCancelled: fault.ExitTimeout,
}

// exitOfResult is the exit code for a tool's result, the same as that of the
// command for the same failure. Data that does not validate is a finding.
func exitOfResult(res *mcp.CallToolResult) int {
	var said struct {
		ErrorType string `json:"error_type"`
		Valid     *bool  `json:"valid"`
	}
	if raw, err := json.Marshal(res.StructuredContent); err == nil {
		_ = json.Unmarshal(raw, &said) // what is not said stays empty
	}
	switch {
	case res.IsError && exits[said.ErrorType] != 0:
		return exits[said.ErrorType]
	case res.IsError, said.Valid != nil && !*said.Valid:
		return fault.ExitFailed
	}
	return fault.ExitOK
}
