package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/mcptest/check"
	"github.com/legwork-mcp/legwork/internal/mcptest/suite"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// probed is a target, and how to talk to it.
type probed struct {
	target wire.Target
	talk   wire.Options
}

// instead is what is done in place of a check; nil when nothing is.
func (c *checkCmd) instead() (func(context.Context, *app, probed) error, error) {
	switch {
	case c.Suite != "":
		s, err := readFile(c.Suite, suite.Parse)
		if err != nil {
			return nil, err
		}
		c.named = s.Target()
		return func(ctx context.Context, a *app, p probed) error { return c.runSuite(ctx, a, suiteRun{s, p}) }, nil
	case c.Compare != "":
		before, err := readFile(c.Compare, suite.ParseSurface)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, a *app, p probed) error {
			return c.connected(ctx, p, func(ctx context.Context, conn *wire.Conn) error { return c.compare(ctx, a, conn, before) })
		}, nil
	case c.Snapshot != "":
		return func(ctx context.Context, a *app, p probed) error {
			return c.connected(ctx, p, func(ctx context.Context, conn *wire.Conn) error { return c.snapshot(ctx, a, conn) })
		}, nil
	case c.Record != "":
		return func(ctx context.Context, a *app, p probed) error {
			return c.connected(ctx, p, func(ctx context.Context, conn *wire.Conn) error { return c.record(ctx, a, recording{conn, p.target}) })
		}, nil
	}
	return nil, nil
}

// readFile reads a file that a person names.
func readFile[T any](file string, parse func([]byte) (T, error)) (T, error) {
	var none T
	raw, err := os.ReadFile(file)
	if err != nil {
		return none, fault.New(fault.Invalid, "not_readable", "The file "+file+" cannot be read.", "Name a file that is there.").WithCause(err)
	}
	v, err := parse(raw)
	if err != nil {
		return none, fault.New(fault.Invalid, "invalid_file", fmt.Sprintf("The file %s cannot be used: %v.", file, err), "Correct the file, or record it again.")
	}
	return v, nil
}

// suiteRun is a suite with what it is run against.
type suiteRun struct {
	suite *suite.Suite
	probed
}

// runSuite runs a suite.
func (c *checkCmd) runSuite(ctx context.Context, a *app, r suiteRun) error {
	o := suite.Options{Target: r.target, Wire: r.talk, Timeout: c.Timeout}
	if c.JSON {
		o.Progress = func(s suite.StepResult) { _ = suite.WriteStep(a.std.Err, s) } // the result has it too
	}
	result, err := suite.Run(ctx, r.suite, o)
	var failed error
	if c.JUnit != "" {
		failed = writeTo(c.JUnit, result.WriteJUnit)
	}
	writing := cmp.Or(a.printEither(c.JSON, result, result.WriteText), failed)
	switch {
	case writing != nil:
		return writing
	case err != nil:
		return quietly(fault.ExitTimeout)
	case !result.Connected:
		return quietly(fault.ExitUnavailable)
	case !result.Passed:
		return quietly(fault.ExitFailed)
	}
	return nil
}

// printEither prints JSON, or what people read.
func (a *app) printEither(asJSON bool, v any, text func(io.Writer) error) error {
	if asJSON {
		return a.printJSON(v)
	}
	return text(a.std.Out)
}

// connected does something on a connection of its own.
func (c *checkCmd) connected(ctx context.Context, p probed, do func(context.Context, *wire.Conn) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	conn, err := wire.Connect(ctx, p.target, p.talk)
	if err != nil {
		return fault.New(fault.Unavailable, "connection_failed", "The server cannot be reached: "+told(err)+".", "Check the address or the command; 'legwork check' without this flag says more.")
	}
	defer conn.Close()
	return do(ctx, conn)
}

// told is why a server cannot be reached, without the secrets that it repeats.
func told(err error) string {
	var failed *wire.ConnectError
	if errors.As(err, &failed) {
		return string(failed.Redact([]byte(err.Error())))
	}
	return err.Error()
}

// snapshot writes down what a server offers.
func (c *checkCmd) snapshot(ctx context.Context, a *app, conn *wire.Conn) error {
	s, err := suite.Snapshot(ctx, conn)
	if err != nil {
		return unread(conn, err)
	}
	text, err := s.JSON()
	if err != nil {
		return err
	}
	if err := writeTo(c.Snapshot, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.std.Out, "%d tools, %d resources and %d prompts are in %s. Run --compare with it after a change.\n", len(s.Tools), len(s.Resources), len(s.Prompts), c.Snapshot)
	return err
}

func unread(conn *wire.Conn, err error) error {
	said := string(conn.Redact([]byte(err.Error())))
	return fault.New(fault.Failed, "no_snapshot", "What the server offers cannot be read: "+said+".", "Run 'legwork check' without this flag: it says what is wrong with the lists.")
}

// compare tells what became of a surface.
func (c *checkCmd) compare(ctx context.Context, a *app, conn *wire.Conn, before *suite.Surface) error {
	now, err := suite.Snapshot(ctx, conn)
	if err != nil {
		return unread(conn, err)
	}
	changes := suite.Diff(before, now)
	out := struct {
		Verdict suite.Verdict  `json:"verdict"`
		Changes []suite.Change `json:"changes"`
	}{suite.Worst(changes), slices.Concat([]suite.Change{}, changes)}
	if err := a.printEither(c.JSON, out, func(w io.Writer) error { return suite.WriteChanges(w, changes) }); err != nil {
		return err
	}
	if out.Verdict == suite.Breaking {
		return quietly(fault.ExitFailed)
	}
	return nil
}

// recording is a connection to a target.
type recording struct {
	conn   *wire.Conn
	target wire.Target
}

// record uses what a server offers, as far as it says that nothing changes, and writes
// that down.
func (c *checkCmd) record(ctx context.Context, a *app, r recording) error {
	conn := r.conn
	name := conn.Server().Name
	if name == "" {
		name = "server"
	}
	missing, err := explore(ctx, conn, c.allows)
	if err != nil {
		return unread(conn, err)
	}
	s, err := suite.Record(name, conn.Transcript(0, 0))
	if err != nil {
		return unread(conn, err)
	}
	s.Server = &suite.Server{URL: r.target.URL, Command: r.target.Command, Era: string(conn.Era())}
	text, err := s.YAML()
	if err != nil {
		return err
	}
	if err := writeTo(c.Record, func(w io.Writer) error { _, err := w.Write(conn.Redact(text)); return err }); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(a.std.Out, "%d steps are in %s. Edit what you expect, and run it with --suite.\n", len(s.Steps), c.Record); err != nil {
		return err
	}
	if len(missing) > 0 {
		said := string(conn.Redact([]byte(strings.Join(missing, "\n"))))
		return fault.New(fault.Failed, "not_recorded", "What had no answer is not in it:\n"+said, "Run 'legwork check' without this flag: it says what is wrong. Then record again.")
	}
	return nil
}

// allows reports whether somebody said that a tool may be called.
func (c *checkCmd) allows(tool string) bool {
	return c.AllowAll || slices.Contains(c.AllowTool, tool)
}

// someOf is how many tools, resources and prompts are used for a recording.
const someOf = 20

// explore lists everything, calls tools that may be called, reads resources and gets
// prompts that need no argument. What the server refuses is recorded too; missing is what
// it did not answer, and that there is no more when it is gone.
func explore(ctx context.Context, conn *wire.Conn, allows func(string) bool) (missing []string, err error) {
	offered := map[string][]json.RawMessage{}
	for _, l := range [][2]string{{"tools/list", "tools"}, {"resources/list", "resources"}, {"prompts/list", "prompts"}} {
		if len(conn.Capability(l[1])) == 0 {
			continue
		}
		got, err := conn.List(ctx, l[0], nil, wire.CallOptions{})
		if err != nil {
			return nil, err
		}
		offered[l[1]] = got.Items[:min(len(got.Items), someOf)]
	}
	ask := func(name, method string, params map[string]any) {
		if gone(conn) {
			return
		}
		var failed *wire.Error
		if _, err := conn.Call(ctx, method, params, wire.CallOptions{HandUp: true}); errors.As(err, &failed) {
			missing = append(missing, fmt.Sprintf("%q, %s", name, failed.Error()))
		}
		if gone(conn) {
			missing = append(missing, "and what comes after it: the server was gone")
		}
	}
	for _, raw := range offered["tools"] {
		if name, arguments, ok := callable(raw, allows); ok {
			ask(name, "tools/call", map[string]any{"name": name, "arguments": arguments})
		}
	}
	for _, raw := range offered["resources"] {
		var r struct{ URI string }
		if json.Unmarshal(raw, &r) == nil && r.URI != "" {
			ask(r.URI, "resources/read", map[string]any{"uri": r.URI})
		}
	}
	for _, raw := range offered["prompts"] {
		var p struct {
			Name      string
			Arguments []struct{ Required bool }
		}
		needs := func(a struct{ Required bool }) bool { return a.Required }
		if json.Unmarshal(raw, &p) == nil && p.Name != "" && !slices.ContainsFunc(p.Arguments, needs) {
			ask(p.Name, "prompts/get", map[string]any{"name": p.Name})
		}
	}
	return missing, ctx.Err()
}

// gone reports whether a connection has ended.
func gone(conn *wire.Conn) bool {
	select {
	case <-conn.Dead():
		return true
	default:
		return false
	}
}

// callable is a tool that may be called, with arguments that its schema allows.
func callable(raw json.RawMessage, allows func(string) bool) (string, json.RawMessage, bool) {
	var t struct {
		Name        string
		InputSchema json.RawMessage
		Annotations struct{ ReadOnlyHint, DestructiveHint any }
	}
	if json.Unmarshal(raw, &t) != nil || t.Name == "" {
		return "", nil, false
	}
	safe := t.Annotations.ReadOnlyHint == true && t.Annotations.DestructiveHint != true
	if !safe && !allows(t.Name) {
		return "", nil, false
	}
	arguments, err := check.Generate(t.InputSchema)
	return t.Name, arguments, err == nil
}
