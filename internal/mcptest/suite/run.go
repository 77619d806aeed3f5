package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// Options say what a suite is run against.
type Options struct {
	// Target is the server; the zero value is what the suite names.
	Target wire.Target
	// Wire says how to talk; an address needs its HTTPClient.
	Wire wire.Options
	// Timeout bounds the run; 0 is 5 minutes. CallTimeout bounds each step; 0 is 60 s.
	Timeout, CallTimeout time.Duration
	// Progress is told of each step when it has ended. It must not block.
	Progress func(StepResult)
}

func (o Options) filled() Options {
	o.Wire.Tasks = true // they are followed
	if o.Wire.Now == nil {
		o.Wire.Now = time.Now
	}
	if o.Timeout <= 0 {
		o.Timeout = 5 * time.Minute
	}
	if o.CallTimeout <= 0 {
		o.CallTimeout = time.Minute
	}
	return o
}

// Result is how a suite went.
type Result struct {
	Suite     string       `json:"suite"`
	Started   time.Time    `json:"started_at"`
	Millis    int64        `json:"duration_ms"`
	Connected bool         `json:"connected"`
	Passed    bool         `json:"passed"`
	Steps     []StepResult `json:"steps"`
}

// StepResult is how a step went.
type StepResult struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
	// Skipped tells that the step was not run, because the connection was gone.
	Skipped  bool      `json:"skipped,omitempty"`
	Millis   int64     `json:"duration_ms"`
	Failures []Failure `json:"failures,omitempty"`
}

// Target is what the suite names.
func (s *Suite) Target() wire.Target {
	if s.Server == nil {
		return wire.Target{}
	}
	return wire.Target{URL: s.Server.URL, Command: s.Server.Command}
}

// Run connects to a server and runs a suite against it. Its result is never nil. The
// error is that of a run that was cancelled or ran out of its time.
func Run(ctx context.Context, s *Suite, o Options) (*Result, error) {
	o = o.filled()
	if o.Target.URL == "" && len(o.Target.Command) == 0 {
		o.Target = s.Target()
	}
	if s.Server != nil && s.Server.Era != "" && (o.Wire.Era == "" || o.Wire.Era == wire.EraAuto) {
		o.Wire.Era = wire.Era(s.Server.Era)
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	started := o.Wire.Now()
	conn, err := wire.Connect(ctx, o.Target, o.Wire)
	if err != nil {
		r := &runner{o: o, suite: s, result: newResult(s, started)}
		r.unreached(err)
		return r.result, stopped(ctx, s)
	}
	defer conn.Close()
	r := runOn(ctx, conn, s, o)
	r.Started, r.Millis = started, o.Wire.Now().Sub(started).Milliseconds()
	return r, stopped(ctx, s)
}

// RunOn runs a suite on a connection that is open, which stays so.
func RunOn(ctx context.Context, conn *wire.Conn, s *Suite, o Options) *Result {
	return runOn(ctx, conn, s, o.filled())
}

func stopped(ctx context.Context, s *Suite) error {
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("run the suite %s: %w", s.Name, err)
	}
	return nil
}

func newResult(s *Suite, started time.Time) *Result {
	return &Result{Suite: shown(s.Name), Started: started, Steps: []StepResult{}}
}

// runner is one run.
type runner struct {
	o      Options
	suite  *Suite
	conn   *wire.Conn
	result *Result
	tools  map[string]json.RawMessage // output schemas, once read
	after  int64                      // seq of the event that was awaited last
	ends   []func()                   // of subscriptions
}

func runOn(ctx context.Context, conn *wire.Conn, s *Suite, o Options) *Result {
	r := &runner{o: o, suite: s, conn: conn, result: newResult(s, o.Wire.Now())}
	r.result.Connected, r.result.Passed = true, true
	if events := conn.Events(0); len(events) > 0 {
		r.after = events[len(events)-1].Seq // of an earlier use of the connection
	}
	for _, step := range s.Steps {
		r.done(r.step(ctx, step))
	}
	for _, end := range r.ends {
		end()
	}
	r.result.Millis = o.Wire.Now().Sub(r.result.Started).Milliseconds()
	return r.result
}

func (r *runner) done(s StepResult) {
	r.result.Steps = append(r.result.Steps, s)
	r.result.Passed = r.result.Passed && s.Passed
	if r.o.Progress != nil {
		r.o.Progress(s)
	}
}

// unreached is the result of a run without a connection.
func (r *runner) unreached(err error) {
	for n, step := range r.suite.Steps {
		s := StepResult{Name: shown(step.title()), Skipped: n > 0}
		if n == 0 {
			var failed *wire.ConnectError
			said := []byte(err.Error())
			if errors.As(err, &failed) {
				said = failed.Redact(said)
			}
			s.Failures = []Failure{{Expected: "a connection", Got: shown(string(said))}}
		}
		r.done(s)
	}
	r.result.Passed = false
	r.result.Millis = r.o.Wire.Now().Sub(r.result.Started).Milliseconds()
}

// step runs one step.
func (r *runner) step(ctx context.Context, s Step) StepResult {
	out := StepResult{Name: shown(s.title())}
	select {
	case <-r.conn.Dead():
		out.Skipped = true
		return out
	default:
	}
	if ctx.Err() != nil {
		out.Skipped = true
		return out
	}
	began := r.o.Wire.Now()
	raw, err := r.ask(ctx, s)
	took := r.o.Wire.Now().Sub(began)
	out.Millis = took.Milliseconds()
	if out.Failures = r.judge(ctx, s, raw, err); len(out.Failures) > 0 {
		// what was recorded has no secrets in it, and a failure must not tell one
		out.Failures = r.judge(ctx, s, r.conn.Redact(raw), err)
	}
	if limit, err := time.ParseDuration(s.Within); err == nil && took > limit && s.Await == "" { // which waits no longer
		out.Failures = append(out.Failures, Failure{Expected: "an answer within " + limit.String(), Got: took.Round(time.Millisecond).String()})
	}
	out.Passed = len(out.Failures) == 0
	return out
}

// ask makes the request of a step.
func (r *runner) ask(ctx context.Context, s Step) (json.RawMessage, error) {
	o := wire.CallOptions{Timeout: r.o.CallTimeout, ExtendOnProgress: true, MaxTimeout: 2 * r.o.CallTimeout, HandUp: true, FollowTasks: true}
	arguments := s.Arguments
	if len(arguments) == 0 {
		arguments = json.RawMessage(`{}`)
	}
	call := func(method string, params any) (json.RawMessage, error) {
		ex, err := r.conn.Call(ctx, method, params, o)
		return ex.Result, err
	}
	switch {
	case s.Connect:
		return r.conn.Server().Result, nil
	case s.List != "":
		return r.list(ctx, s.List)
	case s.Call != "":
		return call("tools/call", named{s.Call, arguments, s.task()})
	case s.Read != "":
		return call("resources/read", map[string]string{"uri": s.Read})
	case s.Complete != nil:
		return call("completion/complete", s.Complete.params())
	case s.Subscribe != "":
		ex, end, err := r.conn.Subscribe(ctx, s.Subscribe, o)
		if err == nil {
			r.ends = append(r.ends, end)
		}
		return ex.Result, err
	case s.Await != "":
		return r.await(ctx, s)
	default:
		return call("prompts/get", named{s.Prompt, arguments, nil})
	}
}

// named are the params of a call.
type named struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Task      any             `json:"task,omitempty"`
}

// list reads all pages of a list as one.
func (r *runner) list(ctx context.Context, name string) (json.RawMessage, error) {
	l, err := r.conn.List(ctx, lists[name][0], nil, wire.CallOptions{Timeout: r.o.CallTimeout})
	switch {
	case err != nil:
		return nil, err
	case l.Stopped != "":
		return nil, errors.New(l.Stopped)
	case l.Shape != "":
		return nil, fmt.Errorf("%s is no array: %s", lists[name][1], l.Shape)
	}
	return together(lists[name][1], l.Items), nil
}

// together writes the items of a list as a result.
func together(member string, items []json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	fmt.Fprintf(&b, `{%q:[`, member)
	for n, i := range items {
		if n > 0 {
			b.WriteByte(',')
		}
		b.Write(i)
	}
	b.WriteString("]}")
	return b.Bytes()
}

// told is what a server answered with instead of a result.
func (r *runner) told(err error) string { return shown(string(r.conn.Redact([]byte(err.Error())))) }

// judge holds an answer against what is expected.
func (r *runner) judge(ctx context.Context, s Step, raw json.RawMessage, err error) []Failure {
	var rpc *wire.RPCError
	switch {
	case s.Fails != nil && errors.As(err, &rpc):
		if rpc.Code != *s.Fails {
			return []Failure{{Expected: fmt.Sprintf("error %d", *s.Fails), Got: r.told(rpc)}}
		}
		return nil
	case s.Fails != nil && err == nil:
		return []Failure{{Expected: fmt.Sprintf("error %d", *s.Fails), Got: "a result: " + shown(string(raw))}}
	case err != nil && s.Fails != nil:
		return []Failure{{Expected: fmt.Sprintf("error %d", *s.Fails), Got: r.told(err)}}
	case err != nil:
		return []Failure{{Expected: "a result", Got: r.told(err)}}
	}
	v, err := decode(raw)
	if err != nil {
		return []Failure{{Expected: "a result in JSON", Got: shown(string(raw))}}
	}
	var out []Failure
	own := func() (json.RawMessage, error) { return r.outputSchema(ctx, s.Call) }
	aboutError := false
	for _, e := range s.Expect {
		out = append(out, e.failures(v, own)...)
		aboutError = aboutError || e.At == "/isError"
	}
	if flag, _ := at(v, "/isError"); s.Call != "" && !aboutError && flag == true {
		out = append(out, Failure{At: "/isError", Expected: "a call that works", Got: shown(string(raw))})
	}
	return out
}

// outputSchema is what a tool says of its results.
func (r *runner) outputSchema(ctx context.Context, tool string) (json.RawMessage, error) {
	if r.tools == nil {
		l, err := r.conn.List(ctx, "tools/list", nil, wire.CallOptions{Timeout: r.o.CallTimeout})
		if err != nil {
			return nil, err
		}
		r.tools = outputSchemas(l.Items)
	}
	if schema := r.tools[tool]; schema != nil {
		return schema, nil
	}
	return nil, errors.New("the tool has no output schema")
}

// outputSchemas are those of tools that have one, by name.
func outputSchemas(items []json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, i := range items {
		var t struct {
			Name         string          `json:"name"`
			OutputSchema json.RawMessage `json:"outputSchema"`
		}
		if json.Unmarshal(i, &t) == nil && t.Name != "" && len(t.OutputSchema) > 0 {
			out[t.Name] = t.OutputSchema
		}
	}
	return out
}
