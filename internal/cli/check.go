package cli

import (
	"bytes"
	"cmp"
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
	Target    []string `arg:"" optional:"" name:"target" help:"Address of an MCP server, or -- and a command that starts one over stdio."`
	AllowTool []string `placeholder:"NAME" sep:"none" help:"Call this tool too, although nothing marks it as read-only; may be repeated."`
	AllowAll  bool     `help:"Call every tool, also those that change or destroy."`
	NoProbes  bool     `help:"Send nothing that no client should send."`
	Era       string   `default:"auto" enum:"auto,legacy,modern" help:"The wire: ${enum}."`
	Header    []string `placeholder:"NAME=VALUE" sep:"none" help:"Header of each request, or NAME=@FILE; may be repeated."`
	Env       []string `placeholder:"NAME=VALUE" sep:"none" help:"Variable of the command's environment, or NAME=@FILE; may be repeated."`
	loginFlags
	Conformance    bool   `help:"Run the official conformance suite too: needs Node 22, and npm for the first time."`
	ConformanceDir string `type:"path" placeholder:"DIR" help:"Folder in which the suite is or will be installed. Default: in the data folder."`

	Timeout time.Duration `default:"5m" help:"Maximum time (${default})."`
	JSON    bool          `name:"json" help:"Print the report as JSON."`
	JUnit   string        `name:"junit" type:"path" placeholder:"FILE" help:"Write the report as JUnit XML too."`
	HTML    string        `name:"html" type:"path" placeholder:"FILE" help:"Write the report as a page too."`

	Suite    string `type:"path" placeholder:"FILE" xor:"instead" help:"Run this suite instead; without a target, against the server that it names."`
	Record   string `type:"path" placeholder:"FILE" xor:"instead" help:"Use what the server offers instead, and write it down as a suite."`
	Snapshot string `type:"path" placeholder:"FILE" xor:"instead" help:"Write down what the server offers instead."`
	Compare  string `type:"path" placeholder:"FILE" xor:"instead" help:"Compare what the server offers with a snapshot instead; breaking changes fail."`

	named wire.Target // what the suite names
}

// Help says what decides the exit code.
func (checkCmd) Help() string {
	return `Exit codes: 0 no finding of severity error; 1 findings of severity error; 4 the server cannot be reached; 6 out of time. Only tools that say readOnlyHint are called. With --suite and --compare the codes are the same: 1 when an expectation does not hold, or a change breaks clients. An address of this machine may be checked when it is typed as localhost or a loopback address; every other private one needs --allow-private.`
}

// Run checks one server.
func (c *checkCmd) Run(ctx context.Context, a *app) error {
	unhurried()
	instead, err := c.instead()
	if err != nil {
		return err
	}
	target, err := c.target()
	if err != nil {
		return err
	}
	if err := c.sensible(target); err != nil {
		return err
	}
	if err := c.conformable(target); err != nil {
		return err
	}
	talk, release, err := a.wireOptions(target, c.Era)
	if err != nil {
		return err
	}
	defer release()
	o := check.Options{
		AllowTools: c.AllowTool, AllowAll: c.AllowAll, NoProbes: c.NoProbes, Timeout: c.Timeout, Wire: talk,
		Progress: func(s check.Step) { _ = check.WriteStep(a.std.Err, s) }, // the report has it too
	}
	login, loggedOut, err := c.login(ctx, a, target, &o)
	if err != nil {
		return err
	}
	defer loggedOut()
	if instead != nil {
		return instead(ctx, a, probed{target, o.Wire})
	}
	report, err := check.Check(ctx, target, o)
	if login != nil {
		mcptest.AddLogin(report, login.Trace())
	}
	var unfinished error // what the check itself found is told all the same
	if c.Conformance && err == nil && report.Connected {
		unfinished = c.official(ctx, a, target.URL, report)
	}
	if writing := c.write(a, report); writing != nil {
		return writing
	}
	switch {
	case unfinished != nil:
		return unfinished
	case err != nil:
		return quietly(fault.ExitTimeout)
	case !report.Connected:
		return quietly(fault.ExitUnavailable)
	case report.Count(check.Error) > 0:
		return quietly(fault.ExitFailed)
	}
	return nil
}

// wireOptions say how to talk to a target. An address gets a guarded client, which release
// closes.
func (a *app) wireOptions(target wire.Target, era string) (o wire.Options, release func(), err error) {
	cfg, err := a.settings()
	if err != nil {
		return o, nil, err
	}
	o = wire.Options{Era: wire.Era(era), Environ: a.std.Environ}
	if target.URL == "" {
		return o, func() {}, nil
	}
	policy := browser.Policy{AllowPrivate: cfg.AllowPrivate}
	if onThisMachine(target.URL) {
		policy.AllowOrigins = []string{origin(target.URL)}
	}
	transport, err := policy.Transport()
	if err != nil {
		return o, nil, fmt.Errorf("guard the check: %w", err)
	}
	o.HTTPClient = &http.Client{Transport: transport}
	return o, transport.CloseIdleConnections, nil
}

// write shows a report and keeps what was asked for. It is shown also when a file cannot be
// written: it may have taken minutes.
func (c *checkCmd) write(a *app, report *check.Report) error {
	var failed error
	if c.JUnit != "" {
		failed = writeTo(c.JUnit, report.WriteJUnit)
	}
	if c.HTML != "" {
		failed = cmp.Or(writeTo(c.HTML, report.WriteHTML), failed)
	}
	return cmp.Or(a.printEither(c.JSON, report, report.WriteText), failed)
}

// writeTo writes a report to a file, as a whole or not at all.
func writeTo(file string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	keep := writeFile
	if !regular(file) {
		keep = os.WriteFile
	}
	if err := keep(file, b.Bytes(), private); err != nil {
		return notWritable(file, err)
	}
	return nil
}

// target reads what is to be checked.
func (c *checkCmd) target() (wire.Target, error) {
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
	if len(words) == 0 && c.named.URL == "" && len(c.named.Command) == 0 {
		return t, wrong
	}
	if len(words) == 0 {
		t.URL, t.Command = c.named.URL, c.named.Command
		return t, nil
	}
	if why := address(words[0]); why != "" {
		wrong.Message = why
		return t, wrong
	}
	if u, err := url.Parse(words[0]); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		switch {
		case u.User != nil:
			return t, fault.New(fault.Invalid, "invalid_target", "The address has a user or a password in it, which others see.", "Send them with --header Authorization=@FILE.")
		case len(words) > 1 || u.Host == "":
			wrong.Message = "What is to be checked is no single address."
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
