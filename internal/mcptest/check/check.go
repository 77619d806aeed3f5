package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// Options say how far a check goes. The zero value is read-only and bounded.
type Options struct {
	// Wire says how to talk; an address needs its HTTPClient.
	Wire wire.Options
	// AllowTools are the tools that may be called although nothing marks them as
	// read-only. AllowAll allows every one.
	AllowTools []string
	AllowAll   bool
	// NoProbes leaves out what no client should send.
	NoProbes bool
	// Timeout bounds the check as a whole; 0 is 5 minutes. StepTimeout bounds each of
	// its steps; 0 is 60 s. CallTimeout bounds each call; 0 is 15 s.
	Timeout, StepTimeout, CallTimeout time.Duration
	// Calls is how many cheap calls measure latency and leaks; 0 is 50.
	Calls int
	// Hide takes more secrets out of what is shown, such as those of a login. Nil is none.
	Hide func(string) string
	// Progress is told of each step when it has ended. It must not block.
	Progress func(Step)
}

func (o Options) filled() Options {
	def := func(d *time.Duration, to time.Duration) {
		if *d <= 0 {
			*d = to
		}
	}
	def(&o.Timeout, 5*time.Minute)
	def(&o.StepTimeout, time.Minute)
	def(&o.CallTimeout, 15*time.Second)
	if o.Calls <= 0 {
		o.Calls = 50
	}
	if o.Progress == nil {
		o.Progress = func(Step) {}
	}
	if o.Wire.Now == nil {
		o.Wire.Now = time.Now
	}
	o.Wire.CallTimeout = o.CallTimeout
	if o.Wire.ConnectTimeout <= 0 || o.Wire.ConnectTimeout > o.StepTimeout {
		o.Wire.ConnectTimeout = min(30*time.Second, o.StepTimeout)
	}
	return o
}

// run is one check.
type run struct {
	target wire.Target
	o      Options
	report *Report
	conn   *wire.Conn
	mu     sync.Mutex // of the findings

	observations int  // how many of the connection were judged
	provoked     bool // answers to what is no message are in the place of others
	impatient    bool // calls were given up that may be answered later
	pingless     bool // ping is not answered
	repeated     bool // a call was made twice
	unasked      bool // what is not announced must not be asked for
	exitShown    bool // a finding tells of the end of the process

	deaths int             // how often the server was gone and came back
	fatal  map[string]bool // the tools whose call it did not survive
	deadly bool            // whether it did not survive a completion
	gone   string          // after what it was gone for good
	kept   map[string]int  // how many of a kind of thing were asked

	tools, resources, templates, prompts []item

	slow   timed // the quickest of the tools that take long
	quick  timed // one that answered, for the other era
	answer any   // of it
}

// Check checks a server. Its report is never nil: it has what was found until the
// check ended. The error is that of a check that was cancelled or ran out of its time;
// a server that cannot be reached is a finding.
func Check(ctx context.Context, t wire.Target, o Options) (*Report, error) {
	o = o.filled()
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	r := &run{target: t, o: o, report: &Report{Target: t.URL, Started: o.Wire.Now(), Findings: []Finding{}, Steps: []Step{}}}
	if t.URL == "" {
		r.report.Target = t.CommandLine()
	}
	defer func() {
		if r.conn != nil { // a step panicked
			r.conn.Close()
		}
	}()
	r.climb(ctx)
	if r.conn != nil {
		r.offer(ctx)
		r.step(ctx, "tools", r.callTools)
		r.step(ctx, "resources", r.readResources)
		r.step(ctx, "prompts", r.getPrompts)
		r.step(ctx, "latency", r.measure)
		r.step(ctx, "load", r.load)
		r.step(ctx, "cancellation", r.cancel)
		r.step(ctx, "tasks", r.tasks)
		if !o.NoProbes {
			r.step(ctx, "probes", r.probe)
			if t.URL != "" && r.conn.Transport() == wire.HTTPTransport {
				r.step(ctx, "http probes", r.probeHTTP)
			}
		}
		r.close(ctx)
		r.step(ctx, "eras", r.compareEras)
	}
	r.report.order()
	r.report.Millis = o.Wire.Now().Sub(r.report.Started).Milliseconds()
	if err := context.Cause(ctx); err != nil {
		r.report.Interrupted = "it was given up"
		if errors.Is(err, context.DeadlineExceeded) {
			r.report.Interrupted = "its time was over"
		}
		return r.report, fmt.Errorf("check %s: %w", r.report.Target, err)
	}
	return r.report, nil
}

// outcome is what a step says of itself.
type outcome struct {
	detail, next string
	skipped      bool
}

func skip(why string) outcome { return outcome{detail: why, skipped: true} }

// step runs one step within its time, and judges it by the findings that it made.
func (r *run) step(ctx context.Context, name string, do func(context.Context) outcome) {
	r.took(r.judged(ctx, name, do))
}

// took notes a step that has ended.
func (r *run) took(s Step) {
	r.report.Steps = append(r.report.Steps, s)
	r.o.Progress(s)
}

// judged runs a step.
func (r *run) judged(ctx context.Context, name string, do func(context.Context) outcome) Step {
	began := r.o.Wire.Now()
	errs, warns := r.report.Count(Error), r.report.Count(Warning)
	var out outcome
	switch {
	case ctx.Err() != nil:
		out = skip("the time of the check was over")
	case r.conn != nil && r.gone != "":
		out = skip("the server was gone after " + r.gone)
	case r.conn != nil && r.dead():
		out = skip("the connection had ended")
	default:
		within, cancel := context.WithTimeout(ctx, r.o.StepTimeout)
		out = do(within)
		if within.Err() != nil && ctx.Err() == nil {
			out.detail += fmt.Sprintf(" (stopped after %s)", r.o.StepTimeout)
		}
		cancel()
		if r.conn != nil {
			r.observed(r.conn.Observations())
		}
		r.provoked = false
	}
	s := Step{Name: name, Status: Passed, Detail: visible(r.hush(out.detail), 300), Next: out.next, Started: began, Millis: r.o.Wire.Now().Sub(began).Milliseconds()}
	switch {
	case out.skipped:
		s.Status = Skipped
	case r.report.Count(Error) > errs:
		s.Status = Failed
	case r.report.Count(Warning) > warns:
		s.Status = Warned
	}
	return s
}

func (r *run) dead() bool {
	select {
	case <-r.conn.Dead():
		return true
	default:
		return false
	}
}

// list is a kind of list and the capability that announces it.
type list struct{ method, capability string }

// offer reads the lists and lints them.
func (r *run) offer(ctx context.Context) {
	o := Offer{Modern: r.conn.Era() == wire.EraModern}
	r.step(ctx, "lists", func(ctx context.Context) outcome {
		o.Tools = r.read(ctx, list{"tools/list", "tools"})
		o.Resources = r.read(ctx, list{"resources/list", "resources"})
		o.Templates = r.read(ctx, list{"resources/templates/list", "resources"})
		o.Prompts = r.read(ctx, list{"prompts/list", "prompts"})
		r.report.Tools, r.report.Resources, r.report.Templates, r.report.Prompts = len(o.Tools), len(o.Resources), len(o.Templates), len(o.Prompts)
		return outcome{detail: many(len(o.Tools), "tool") + ", " + many(len(o.Resources), "resource") + ", " + many(len(o.Templates), "template") + ", " + many(len(o.Prompts), "prompt")}
	})
	r.step(ctx, "lint", func(ctx context.Context) outcome {
		r.lint(ctx, o)
		return outcome{detail: fmt.Sprintf("tools/list costs a model about %d tokens", r.report.ToolTokens)}
	})
}

// read reads a list. One that is not announced is asked for too, to compare what is
// offered with what is announced.
func (r *run) read(ctx context.Context, l list) []json.RawMessage {
	announced := len(r.conn.Capability(l.capability)) > 0
	if !announced && r.unasked {
		return nil
	}
	got, err := r.conn.List(ctx, l.method, nil, wire.CallOptions{Timeout: r.o.CallTimeout})
	at := spot{subject: l.method}
	var rpc *wire.RPCError
	switch {
	case err == nil:
	case r.diedListing(ctx, l, err):
	case !announced, l.method == "resources/templates/list" && errors.As(err, &rpc) && rpc.Code == wire.CodeMethodNotFound:
		return nil // templates are part of resources, and not each server has them
	case timedOut(err):
		r.add("list-timeout", spot{l.method, "", err})
	case r.explained(ctx, at, err):
	default:
		at.evidence = r.plain(err)
		r.add("list-failed", at)
	}
	for _, page := range got.Pages {
		r.cacheHints(l.method, page)
	}
	if err == nil && got.Shape != "" && announced {
		r.add("list-shape", spot{l.method, "/" + l.capability, got.Shape})
	}
	if got.Stopped != "" {
		r.add("list-endless", spot{l.method, "/nextCursor", got.Stopped + ": " + got.Cursor})
	}
	if !announced && len(got.Items) > 0 {
		r.add("capability-missing", spot{l.method, "/capabilities/" + l.capability, fmt.Sprintf("%d items, no capability %s", len(got.Items), l.capability)})
	}
	if got.Stopped != "" {
		return slices.CompactFunc(slices.Clone(got.Items), func(a, b json.RawMessage) bool { return string(a) == string(b) })
	}
	return got.Items
}

// part ends a connection, and notes what was seen on it and what the server left behind.
func (r *run) part(conn *wire.Conn) *wire.Closing {
	closing := conn.Close()
	r.observed(conn.Observations())
	for _, p := range closing.Orphans {
		r.add("orphans", spot{"process", "", fmt.Sprintf("%s (pid %d)", p.Name, p.PID)})
	}
	return closing
}

// close ends the connection and says what was left behind. It does so also when the
// time of the check is over, or nobody waits for it any more: the process would stay.
func (r *run) close(ctx context.Context) {
	conn := r.conn
	r.conn = nil // what follows has a connection of its own
	r.step(context.WithoutCancel(ctx), "close", func(context.Context) outcome {
		closing := r.part(conn)
		r.exitCode(closing)
		detail := fmt.Sprintf("took %s: %v", closing.Took.Round(time.Millisecond), closing.Steps)
		if closing.Exit != nil {
			detail += fmt.Sprintf(", exit code %d %s", closing.Exit.Code, closing.Exit.Signal)
		}
		return outcome{detail: detail}
	})
}
