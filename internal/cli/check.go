package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/mcptest"
	"github.com/legwork-mcp/legwork/internal/mcptest/check"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

type checkCmd struct {
	Target    []string `arg:"" name:"target" help:"Address of an MCP server, or -- and a command that starts one over stdio."`
	AllowTool []string `placeholder:"NAME" sep:"none" help:"Call this tool too, although nothing marks it as read-only; may be repeated."`
	AllowAll  bool     `help:"Call every tool, also those that change or destroy."`
	NoProbes  bool     `help:"Send nothing that no client should send."`
	Era       string   `default:"auto" enum:"auto,legacy,modern" help:"The wire: ${enum}."`
	Header    []string `placeholder:"NAME=VALUE" sep:"none" help:"Header of each request, or NAME=@FILE; may be repeated."`
	Env       []string `placeholder:"NAME=VALUE" sep:"none" help:"Variable of the command's environment, or NAME=@FILE; may be repeated."`
	loginFlags
	Timeout time.Duration `default:"5m" help:"Maximum time (${default})."`
	JSON    bool          `name:"json" help:"Print the report as JSON."`
	JUnit   string        `name:"junit" type:"path" placeholder:"FILE" help:"Write the report as JUnit XML too."`
	HTML    string        `name:"html" type:"path" placeholder:"FILE" help:"Write the report as a page too."`
}

// Help says what decides the exit code.
func (checkCmd) Help() string {
	return `Exit codes: 0 no finding of severity error; 1 findings of severity error; 4 the server cannot be reached; 6 out of time. Only tools that say readOnlyHint are called. An address of this machine may be checked when it is typed as localhost or a loopback address; every other private one needs --allow-private.`
}

// Run checks one server.
func (c checkCmd) Run(ctx context.Context, a *app) error {
	target, err := c.target()
	if err != nil {
		return err
	}
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	o := check.Options{
		AllowTools: c.AllowTool, AllowAll: c.AllowAll, NoProbes: c.NoProbes, Timeout: c.Timeout,
		Wire:     wire.Options{Era: wire.Era(c.Era), Environ: a.std.Environ},
		Progress: func(s check.Step) { _ = check.WriteStep(a.std.Err, s) }, // the report has it too
	}
	if target.URL != "" {
		policy := browser.Policy{AllowPrivate: cfg.AllowPrivate}
		if onThisMachine(target.URL) {
			policy.AllowOrigins = []string{origin(target.URL)}
		}
		transport, err := policy.Transport()
		if err != nil {
			return fmt.Errorf("guard the check: %w", err)
		}
		defer transport.CloseIdleConnections()
		o.Wire.HTTPClient = &http.Client{Transport: transport}
	}
	login, release, err := c.login(ctx, a, target, &o)
	if err != nil {
		return err
	}
	defer release()
	report, err := check.Check(ctx, target, o)
	if login != nil {
		mcptest.AddLogin(report, login.Trace())
	}
	if writing := c.write(a, report); writing != nil {
		return writing
	}
	switch {
	case err != nil:
		return quietly(fault.ExitTimeout)
	case !report.Connected:
		return quietly(fault.ExitUnavailable)
	case report.Count(check.Error) > 0:
		return quietly(fault.ExitFailed)
	}
	return nil
}

// write shows a report and keeps what was asked for.
func (c checkCmd) write(a *app, report *check.Report) error {
	for file, write := range map[string]func(io.Writer) error{c.JUnit: report.WriteJUnit, c.HTML: report.WriteHTML} {
		if file == "" {
			continue
		}
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			return fault.New(fault.Invalid, "not_writable", "The report cannot be written to "+file+".", "Name a file in a folder that exists.").WithCause(err)
		}
	}
	if c.JSON {
		return a.printJSON(report)
	}
	return report.WriteText(a.std.Out)
}

// target reads what is to be checked.
func (c checkCmd) target() (wire.Target, error) {
	var t wire.Target
	var err error
	words := c.Target
	if t.Env, err = pairs("env", c.Env); err != nil {
		return t, err
	}
	headers, err := pairs("header", c.Header)
	if err != nil {
		return t, err
	}
	t.Headers = http.Header{}
	for k, v := range headers {
		t.Headers.Set(k, v)
	}
	wrong := fault.New(fault.Invalid, "invalid_target", "There is nothing to check.", "Give one address that begins with https:// or http://, or -- and a command.")
	if len(words) == 0 {
		return t, wrong
	}
	if u, err := url.Parse(words[0]); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		if len(words) > 1 || u.Host == "" || u.User != nil {
			return t, wrong
		}
		t.URL = words[0]
		return t, nil
	}
	t.Command = words
	return t, nil
}

// pairs reads NAME=VALUE, with the value in a file when it begins with @.
func pairs(flag string, given []string) (map[string]string, error) {
	out := map[string]string{}
	for _, g := range given {
		name, value, ok := strings.Cut(g, "=")
		if !ok || name == "" {
			return nil, fault.New(fault.Invalid, "invalid_"+flag, "--"+flag+" is no NAME=VALUE.", "Write --"+flag+" NAME=VALUE or NAME=@FILE.")
		}
		if file, ok := strings.CutPrefix(value, "@"); ok {
			raw, err := os.ReadFile(file)
			if err != nil {
				return nil, fault.New(fault.Invalid, "invalid_"+flag, "The file of --"+flag+" "+name+" cannot be read.", "Name a file that holds the value.")
			}
			value = strings.TrimSpace(string(raw))
		}
		out[name] = value
	}
	return out, nil
}
