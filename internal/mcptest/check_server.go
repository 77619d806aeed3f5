package mcptest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/mcptest/check"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var checkServer = tool.New(tool.Spec{
	Name: "check_server", Title: "Check a whole server",
	Description: "Checks a server on connections of its own: reads all it offers, lints it, calls what is marked read-only with made arguments, sends what no client should. " +
		"Findings: the worst first, with evidence and fix.",
	// Tools that are allowed by name may do anything.
	Effect: tool.Destroy, OpenWorld: true, Scope: scopeRun, Rate: rateConnect, Cost: 10, Timeout: 6 * time.Minute, Reword: asSpecified,
	Outline: []string{"verdict", "errors", "warnings", "findings", "report"},
	Examples: []tool.Example{
		{Name: "local", Args: CheckIn{URL: "legwork stdio runner"}},
		{Name: "next", Args: CheckIn{Report: "r1", Offset: 25}},
		{Name: "page", Args: CheckIn{Report: "r1", Format: "html"}},
	},
}, (*Server).check)

// CheckIn is what to check, or which report of an earlier check to show.
type CheckIn struct {
	URL        string   `json:"url,omitempty" jsonschema:"as for connect_to_server"`
	Token      string   `json:"token,omitempty"`
	Connection string   `json:"connection,omitempty" jsonschema:"instead of url: check what this connection leads to"`
	Era        string   `json:"era,omitempty" enum:"auto,legacy,modern"`
	AllowTools []string `json:"allow_tools,omitempty" jsonschema:"call these too, although not marked read-only"`
	NoProbes   bool     `json:"no_probes,omitempty"`
	Official   bool     `json:"conformance,omitempty" jsonschema:"the official suite too; needs Node"`
	TimeoutMS  int      `json:"timeout_ms,omitempty" minimum:"1000" maximum:"300000" default:"120000"`
	Report     string   `json:"report,omitempty" jsonschema:"show this one again instead of checking"`
	Offset     int      `json:"offset,omitempty" minimum:"0" jsonschema:"of the findings"`
	Format     string   `json:"format,omitempty" enum:"html,junit,text" jsonschema:"the whole as a document"`
}

// CheckOut is what a check found.
type CheckOut struct {
	Success     bool            `json:"success" jsonschema:"there is a report; verdict and errors say how the server did"`
	Verdict     string          `json:"verdict"`
	Report      string          `json:"report" jsonschema:"to see the rest, or another format"`
	ServerURL   string          `json:"server_url"`
	Connected   bool            `json:"connected"`
	Errors      int             `json:"errors"`
	Warnings    int             `json:"warnings"`
	Notes       int             `json:"notes"`
	Tools       int             `json:"tools"`
	ToolTokens  int             `json:"tool_tokens" jsonschema:"what tools/list costs a model, estimated"`
	Called      []string        `json:"tools_called"`
	NotCalled   []string        `json:"tools_not_called" jsonschema:"nothing marks them as read-only"`
	Latency     *check.Latency  `json:"latency,omitempty"`
	Steps       []check.Step    `json:"steps"`
	Findings    []check.Finding `json:"findings"`
	Next        int             `json:"next_offset,omitempty"`
	Interrupted string          `json:"interrupted,omitempty" jsonschema:"why the check did not reach its end"`
	Document    string          `json:"document,omitempty"`
	Metadata    Metadata        `json:"metadata"`
}

// Text is what a model reads.
func (o CheckOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s Report %s of %s.", o.Verdict, o.Report, o.ServerURL)
	if o.Document != "" {
		return b.String() + "\n" + marked(o.Document)
	}
	if len(o.NotCalled) > 0 {
		fmt.Fprintf(&b, " %d tools were not called: name them in allow_tools if they may be.", len(o.NotCalled))
	}
	if o.Next > 0 {
		fmt.Fprintf(&b, " There are more findings: offset %d.", o.Next)
	}
	var seen strings.Builder
	for _, s := range o.Steps {
		fmt.Fprintf(&seen, "%s %s: %s\n", s.Status, s.Name, s.Detail)
	}
	for _, f := range o.Findings {
		fmt.Fprintf(&seen, "%s [%s] %s", f.Severity, f.Rule, f.Title)
		if at := strings.TrimSpace(f.Subject + " " + f.Pointer); at != "" {
			seen.WriteString(" at " + at)
		}
		if f.Evidence != "" {
			seen.WriteString("; saw " + f.Evidence)
		}
		fmt.Fprintf(&seen, "; fix: %s (%s)\n", f.Fix, f.Clause)
	}
	return b.String() + "\n" + marked(strings.TrimSuffix(seen.String(), "\n"))
}

// Failed is false: a server with faults is a check that succeeded.
func (o CheckOut) Failed() bool { return false }

func (s *Server) check(ctx context.Context, in CheckIn) (CheckOut, error) {
	k := &call{s: s, ctx: ctx, started: s.clock()}
	owner := keyOf(ctx, "").owner
	if in.Report != "" {
		kept, ok := s.reports.get(owner, in.Report)
		if !ok {
			return CheckOut{}, k.fail(failure{
				typ: errInvalidArguments, message: "There is no report " + line(in.Report, 40) + ".",
				suggestion: "Check again: only the newest reports are kept.", details: map[string]any{"reports": s.reports.names(owner)},
			})
		}
		return k.checked(kept, in)
	}
	t, err := s.checkTarget(k, in)
	if err != nil {
		return CheckOut{}, err
	}
	suite, err := s.suite(k, t, in)
	if err != nil {
		return CheckOut{}, err
	}
	done, err := s.reports.begin(owner)
	if err != nil {
		return CheckOut{}, k.fail(failure{typ: errConnectionFailed, subtype: subLimit, message: err.Error(), suggestion: "Wait for the check that runs."})
	}
	defer done()
	kept, err := s.examine(k, t, in)
	if err == nil && suite != nil && kept.report.Connected && kept.report.Interrupted == "" {
		if err := Conform(ctx, suite, t.URL, kept.report); err != nil {
			kept.report.Interrupted = "the conformance suite did not come to its end"
			s.log.WarnContext(ctx, "the conformance suite failed", "error", err.Error())
		}
	}
	if err != nil {
		return CheckOut{}, err
	}
	kept.name = s.reports.keep(owner, kept)
	return k.checked(kept, in)
}

// checkTarget is what to check: a server of its own, or that of a connection.
func (s *Server) checkTarget(k *call, in CheckIn) (target, error) {
	if in.URL == "" {
		c, done := s.table.use(keyOf(k.ctx, in.Connection))
		defer done()
		if c == nil {
			return target{}, k.notConnected(in.Connection)
		}
		return c.target, nil
	}
	t, err := s.targetOf(k.ctx, ConnectIn{URL: in.URL, Token: in.Token})
	switch {
	case err == nil && in.Connection != "":
		err = bad("url and connection are given; a check has one of them.")
	case err == nil:
		err = cmp.Or(s.allowed(t), usableKey(keyOf(k.ctx, "")))
	}
	if err != nil {
		return t, k.notConnectable(t, err)
	}
	return t, nil
}

// examine runs a check.
func (s *Server) examine(k *call, t target, in CheckIn) (kept, error) {
	o := check.Options{
		AllowTools: in.AllowTools, NoProbes: in.NoProbes, Timeout: time.Duration(in.TimeoutMS) * time.Millisecond,
		Wire: wire.Options{
			Era: wire.Era(in.Era), Environ: s.o.Environ, Secrets: t.secrets, Logger: s.log, Now: s.clock,
			ClientInfo: object([]member{{"name", quoted("legwork-mcptest")}, {"version", quoted(s.o.Version)}}),
		},
	}
	if t.URL != "" {
		release, err := s.o.Reach(t.URL, &o.Wire)
		if err != nil {
			return kept{}, k.notConnectable(t, err)
		}
		defer release()
	}
	if t.login != nil {
		o.Wire.Authorize, o.Hide = t.login.Authorize, t.login.Hide
	}
	n := 0.0
	o.Progress = func(step check.Step) {
		n++
		tool.Progress(k.ctx, n, 0, string(step.Status)+" "+step.Name)
	}
	report, err := check.Check(k.ctx, t.Target, o)
	report.Target = t.shown // references instead of secrets
	if t.login != nil {
		AddLogin(report, t.login.Trace())
	}
	out := kept{report: report}
	switch {
	case k.ctx.Err() != nil:
		return out, k.ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		report.Interrupted = fmt.Sprintf("its time of %d ms was over", in.TimeoutMS)
	case err != nil:
		return out, fmt.Errorf("check a server: %w", err)
	}
	return out, nil
}

// mostFindings is how many findings one answer has.
const mostFindings = 25

// checked makes the answer from a report.
func (k *call) checked(kept kept, in CheckIn) (CheckOut, error) {
	r := kept.report
	out := CheckOut{
		Success: true, Verdict: r.Verdict(), Report: kept.name, ServerURL: r.Target, Connected: r.Connected,
		Errors: r.Count(check.Error), Warnings: r.Count(check.Warning), Notes: r.Count(check.Info),
		Tools: r.Tools, ToolTokens: r.ToolTokens, Called: lines(r.Called), NotCalled: lines(r.NotCalled), Latency: r.Latency,
		Steps: r.Steps, Findings: []check.Finding{}, Interrupted: r.Interrupted, Metadata: k.metadata(),
	}
	if in.Format != "" {
		document, err := written(r, in.Format)
		if err != nil {
			return out, err
		}
		if len(document) > mostDocument {
			return out, fault.New(fault.Failed, "too_large", fmt.Sprintf("The report has %d bytes as %s, more than an answer takes.", len(document), in.Format),
				"Read its findings by offset, or run 'legwork check', which writes files.")
		}
		out.Document, out.Steps = document, []check.Step{}
		return out, nil
	}
	from := min(in.Offset, len(r.Findings))
	to := min(from+mostFindings, len(r.Findings))
	out.Findings = r.Findings[from:to:to]
	if to < len(r.Findings) {
		out.Next = to
	}
	if from > 0 {
		out.Steps = []check.Step{} // they stand beside the first findings
	}
	return out, nil
}

// mostDocument is the most bytes of a report that is written out: both faces of an
// answer have it, and the budget is for both.
const mostDocument = 300 << 10

// written is a report as a document.
func written(r *check.Report, format string) (string, error) {
	var b strings.Builder
	write := map[string]func() error{
		"html":  func() error { return r.WriteHTML(&b) },
		"junit": func() error { return r.WriteJUnit(&b) },
		"text":  func() error { return r.WriteText(&b) },
	}[format]
	if err := write(); err != nil {
		return "", fmt.Errorf("write a report: %w", err)
	}
	return b.String(), nil
}

// lines are names of the server, each on one line.
func lines(names []string) []string {
	out := []string{}
	for _, n := range names[:min(len(names), 200)] {
		out = append(out, line(n, 100))
	}
	return out
}
