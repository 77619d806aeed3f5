package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// absent is a name that no server has.
const absent = "legwork_check_no_such_name"

// silence is how long a probe waits for an answer that may never come.
const silence = time.Second

// moment is how long a probe is given that needs no answer; the question whether the
// server is alive comes after it.
const moment = 100 * time.Millisecond

// patience is how long a server may take to show that it is alive.
const patience = 6 * time.Second

// probe sends what no client should send. After each it asks whether the server still
// answers, and stops at the first after which it does not.
func (r *run) probe(ctx context.Context) outcome {
	r.provoked = true
	probes := r.callProbes(ctx)
	calls := len(probes)
	probes = append(probes, r.rawProbes()...)
	r.deaths, r.impatient = 0, true
	deaths := 0
	for n, p := range probes {
		if ctx.Err() != nil {
			return outcome{detail: fmt.Sprintf("%d of %d probes", n, len(probes))}
		}
		if p.skip != nil && p.skip() {
			continue
		}
		p.framing = n >= calls && r.conn.Transport() == wire.StdioTransport
		ex, err := p.send(ctx)
		if !r.alive(ctx, p, ex, err) {
			p.judge(ex, err)
			continue
		}
		if ctx.Err() != nil {
			return outcome{detail: fmt.Sprintf("%d of %d probes", n, len(probes))}
		}
		deaths++
		if !r.dead() && !p.framing || r.deaths == manyDeaths || !r.again(ctx) {
			return outcome{detail: fmt.Sprintf("%d of %d probes; the server was gone after: %s", n+1, len(probes), p.name)}
		}
	}
	return outcome{detail: fmt.Sprintf("%d probes, the server answered after %d of them", len(probes), len(probes)-deaths)}
}

// probeOf is one probe.
type probeOf struct {
	name  string
	send  func(context.Context) (*wire.Exchange, error)
	judge func(*wire.Exchange, error)
	// framing tells that over stdio it is what no client may write.
	framing bool
	// skip tells that an earlier probe makes this one superfluous; nil is never.
	skip func() bool
}

// alive asks whether the server still answers after a probe. It reports whether it is
// gone. Over stdio a client must not write what is no message, so that a server that
// does not survive that breaks no promise; over a network anybody can send it.
func (r *run) alive(ctx context.Context, p probeOf, ex *wire.Exchange, err error) bool {
	probe, framing := p.name, p.framing
	hung, killed := "probe-hung", "probe-killed"
	if framing {
		hung, killed = "framing-fatal", "framing-fatal"
	}
	if !r.dead() {
		_, failed := r.pulse(ctx, wire.CallOptions{Timeout: min(r.o.CallTimeout, patience)})
		if failed == nil || limited(failed) {
			return false
		}
		if refused(failed) {
			if r.explained(ctx, spot{"ping", "", failed}, failed) {
				r.again(ctx)
			}
			return false
		}
		if ctx.Err() != nil {
			return true // the check ran out of time, not the server
		}
		var e *wire.Error
		if errors.As(failed, &e) && e.Kind == wire.Timeout {
			r.add(hung, spot{probe, "", r.sent(ex, err) + "; and then " + failed.Error()})
			return true
		}
		err = failed
	}
	var e *wire.Error
	at := spot{probe, "", r.sent(ex, err)}
	if errors.As(err, &e) {
		at.evidence = r.sent(ex, err) + r.detail(e)
	}
	r.add(killed, at)
	r.gone = probe
	return true
}

// sent is the evidence of a probe: what was sent and what came back.
func (r *run) sent(ex *wire.Exchange, err error) string {
	var b strings.Builder
	if ex != nil {
		fmt.Fprintf(&b, "sent %s", r.first(ex.Request, 250))
		if len(ex.Response) > 0 {
			fmt.Fprintf(&b, ", got %s", r.first(ex.Response, 250))
		} else if ex.HTTP != nil {
			fmt.Fprintf(&b, ", got HTTP %d %s", ex.HTTP.Status, r.first(ex.HTTP.Body, 200))
		}
	}
	if err != nil && (ex == nil || len(ex.Response) == 0) {
		fmt.Fprintf(&b, ", %v", err)
	}
	return b.String()
}

// first is the beginning of bytes, without the secrets in them: one that is cut would not
// be known again.
func (r *run) first(b []byte, limit int) string {
	if r.conn != nil {
		b = r.conn.Redact(b)
	}
	return r.safe(string(b), limit)
}

// call makes a probe that is a call.
func (r *run) call(name, method string, params any, judge func(*wire.Exchange, error)) probeOf {
	return probeOf{name: name, send: func(ctx context.Context) (*wire.Exchange, error) {
		return r.conn.Call(ctx, method, params, wire.CallOptions{Timeout: r.o.CallTimeout, HandUp: true})
	}, judge: func(ex *wire.Exchange, err error) {
		r.answers(name, ex, err)
		judge(ex, err)
	}}
}

// answers checks what each probe that is a request must get: an answer, without a
// failure of the server.
func (r *run) answers(name string, ex *wire.Exchange, err error) {
	var failed *wire.Error
	var rpc *wire.RPCError
	at := spot{name, "", r.sent(ex, err)}
	switch {
	case ex != nil && ex.HTTP != nil && ex.HTTP.Status >= 500:
		r.add("server-error", at)
	case errors.As(err, &failed) && failed.Kind == wire.Timeout:
		r.add("probe-silent", at)
	case errors.As(err, &rpc) && rpc.Code == 0:
		r.add("error-code", at)
	}
}

// rejected reports whether a result says that the call went wrong.
func rejected(ex *wire.Exchange) bool {
	var said struct {
		IsError any `json:"isError"`
	}
	return json.Unmarshal(ex.Result, &said) == nil && said.IsError == true
}

// callProbes are those that are requests with the wrong contents.
func (r *run) callProbes(ctx context.Context) []probeOf {
	code := func(rule string, wants ...int64) func(*wire.Exchange, error) {
		return func(ex *wire.Exchange, err error) {
			var rpc *wire.RPCError
			if errors.As(err, &rpc) && rpc.Code != 0 {
				for _, want := range wants {
					if rpc.Code == want {
						return
					}
				}
				r.add(rule, spot{ex.Method, "/error/code", r.sent(ex, err)})
			}
		}
	}
	probes := []probeOf{
		r.call("a method that does not exist", "legwork/no_such_method", nil, func(ex *wire.Exchange, err error) {
			if err == nil {
				r.add("unknown-method", spot{ex.Method, "", r.sent(ex, err)})
			}
			code("unknown-method-code", wire.CodeMethodNotFound)(ex, err)
			if ex.RPC != nil && ex.RPC.Code == wire.CodeMethodNotFound && r.conn.Era() == wire.EraModern && ex.HTTP != nil && ex.HTTP.Status != http.StatusNotFound {
				r.add("http-bad-status", spot{ex.Method, "", r.sent(ex, err) + fmt.Sprintf(", with HTTP %d instead of 404", ex.HTTP.Status)})
			}
		}),
	}
	if len(r.tools) > 0 {
		probes = append(probes,
			r.call("a tool that does not exist", "tools/call", map[string]any{"name": absent, "arguments": map[string]any{}}, func(ex *wire.Exchange, err error) {
				if err == nil && !rejected(ex) {
					r.add("unknown-tool", spot{"tool " + absent, "", r.sent(ex, err)})
				}
				code("unknown-tool-code", wire.CodeInvalidParams)(ex, err)
			}),
			r.call("tools/call without params", "tools/call", nil, func(ex *wire.Exchange, err error) {
				if err == nil && !rejected(ex) {
					r.add("bad-request-taken", spot{"tools/call", "", r.sent(ex, err)})
				}
			}),
			r.call("a cursor that was never given", "tools/list", map[string]any{"cursor": "bm90IGEgY3Vyc29y"}, func(ex *wire.Exchange, err error) {
				if err == nil {
					r.add("bad-cursor", spot{"tools/list", "", r.sent(ex, err)})
				}
			}),
		)
		probes = append(probes, r.argumentProbes(ctx)...)
	}
	if len(r.resources) > 0 {
		probes = append(probes, r.call("a resource that does not exist", "resources/read", map[string]any{"uri": "legwork-check://no/such/resource"}, func(ex *wire.Exchange, err error) {
			if err == nil {
				r.add("unknown-resource", spot{"resources/read", "", r.sent(ex, err)})
			}
		}))
	}
	return probes
}

// argumentProbes call tools that may be called, with arguments that break the schema.
func (r *run) argumentProbes(ctx context.Context) []probeOf {
	var out []probeOf
	slow := map[string]bool{} // the tools that took their time with what may be taken
	for _, i := range r.tools {
		schema, _ := i.fields["inputSchema"].(map[string]any)
		if i.name == "" || schema == nil || !r.mayCall(i) || r.fatal[i.name] || len(out) >= 60 || ctx.Err() != nil {
			continue
		}
		s, _, err := Compile(schema)
		if err != nil {
			continue
		}
		for _, bad := range wrongArguments(schema) {
			if err := Conforms(s, schema, bad.value); bad.value != nil && (err == nil || errors.Is(err, ErrComplex)) {
				continue // it does not break this schema
			}
			name := fmt.Sprintf("%s with %s", i.subject(), bad.name)
			p := r.call(name, "tools/call", map[string]any{"name": i.name, "arguments": bad.value}, func(ex *wire.Exchange, err error) {
				if err == nil && !rejected(ex) && !bad.lenient {
					r.add("bad-arguments", i.at("/inputSchema", name+": "+r.sent(ex, err)))
				}
			})
			judge := p.judge
			p.judge = func(ex *wire.Exchange, err error) {
				if bad.lenient && timedOut(err) {
					slow[i.name] = true
					return // it may be taken, and the tool may take its time
				}
				judge(ex, err)
			}
			if bad.lenient {
				p.skip = func() bool { return slow[i.name] }
			}
			out = append(out, p)
		}
	}
	return out
}

// wrong are arguments that break a schema. Lenient ones may be taken all the same: many
// clients send null for what they leave out.
type wrong struct {
	name    string
	value   any
	lenient bool
}

// wrongArguments are arguments that break a schema, or may do so.
func wrongArguments(schema map[string]any) []wrong {
	good, err := generate(schema)
	base, _ := good.(map[string]any)
	if err != nil {
		base = nil
	}
	out := []wrong{{"null arguments", nil, true}, {"no arguments", map[string]any{}, false}, {"an array as arguments", []any{}, false}}
	with := func(name string, v any) map[string]any {
		m := map[string]any{}
		for k, old := range base {
			m[k] = old
		}
		m[name] = v
		return m
	}
	out = append(out, wrong{"an argument that is not in the schema", with(absent, "x"), false})
	needed, _ := schema["required"].([]any)
	props, _ := schema["properties"].(map[string]any)
	for _, name := range keys(props)[:min(len(props), 4)] {
		out = append(out,
			wrong{"the wrong type for " + name, with(name, map[string]any{"wrong": []any{true}}), false},
			wrong{"null for " + name, with(name, nil), !slices.Contains(needed, any(name))},
		)
	}
	return out
}

// rawProbes are those that are no proper messages.
func (r *run) rawProbes() []probeOf {
	send := func(name, raw string, judge func(*wire.Exchange, error)) probeOf {
		wait := moment
		if judge != nil {
			wait = silence
		}
		return probeOf{name: name, send: func(ctx context.Context) (*wire.Exchange, error) {
			return r.conn.Send(ctx, []byte(raw), wire.Tweak{Timeout: r.o.CallTimeout, Await: wait})
		}, judge: func(ex *wire.Exchange, err error) {
			if ex != nil && ex.HTTP != nil && ex.HTTP.Status >= 500 {
				r.add("server-error", spot{name, "", r.sent(ex, err)})
			}
			if judge != nil {
				judge(ex, err)
			}
		}}
	}
	taken := func(name string) func(*wire.Exchange, error) {
		return func(ex *wire.Exchange, err error) {
			if err == nil && len(ex.Result) > 0 {
				r.add("bad-request-taken", spot{name, "", r.sent(ex, err)})
			}
		}
	}
	malformed := func(ex *wire.Exchange, err error) {
		var failed *wire.Error
		refused := ex != nil && ex.HTTP != nil && ex.HTTP.Status >= 400
		if !refused && (err == nil || errors.As(err, &failed) && failed.Kind == wire.Timeout) {
			rule := "malformed-json"
			if r.conn.Transport() == wire.StdioTransport {
				rule = "malformed-ignored"
			}
			r.add(rule, spot{"malformed JSON", "", r.sent(ex, err)})
		}
	}
	deep := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	return []probeOf{
		send("a batch", `[{"jsonrpc":"2.0","id":"legwork-b1","method":"ping"},{"jsonrpc":"2.0","id":"legwork-b2","method":"ping"}]`, nil),
		send("a fractional id", `{"jsonrpc":"2.0","id":1.5,"method":"legwork/no_such_method"}`, nil),
		send("the id null", `{"jsonrpc":"2.0","id":null,"method":"legwork/no_such_method"}`, func(ex *wire.Exchange, err error) {
			if ex != nil && ex.HTTP != nil && ex.HTTP.Status == http.StatusAccepted {
				r.add("null-id", spot{"the id null", "", r.sent(ex, err)})
			}
		}),
		send("an id, the first time", `{"jsonrpc":"2.0","id":"legwork-twice","method":"tools/list","params":{}}`, nil),
		send("the same id again", `{"jsonrpc":"2.0","id":"legwork-twice","method":"tools/list","params":{}}`, nil),
		send("no jsonrpc member", `{"id":"legwork-v","method":"ping"}`, nil),
		send("a method that is a number", `{"jsonrpc":"2.0","id":"legwork-m","method":7}`, taken("a method that is a number")),
		send("params that are a text", `{"jsonrpc":"2.0","id":"legwork-p","method":"tools/list","params":"x"}`, nil),
		send("a notification that does not exist", `{"jsonrpc":"2.0","method":"notifications/legwork_no_such"}`, nil),
		send("an answer to no request", `{"jsonrpc":"2.0","id":"legwork-none","result":{}}`, nil),
		send("deep nesting", `{"jsonrpc":"2.0","id":"legwork-d","method":"legwork/no_such_method","params":`+deep+`}`, nil),
		send("a message of a megabyte", `{"jsonrpc":"2.0","id":"legwork-o","method":"legwork/no_such_method","params":{"x":"`+strings.Repeat("x", 1<<20)+`"}}`, nil),
		send("the cancellation of no request", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"legwork-none"}}`, nil),
		send("malformed JSON", `{"jsonrpc":"2.0","id":`, malformed),
	}
}
