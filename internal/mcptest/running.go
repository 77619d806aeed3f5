package mcptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// mostRunning bounds the calls of one connection that wait for their caller's answers.
const mostRunning = 16

// mostRounds bounds how often a script answers one call (MCP 2026-07-28, Multi
// Round-Trip Requests).
const mostRounds = 10

// longestCall bounds a call, whatever the server asks meanwhile.
const longestCall = 30 * time.Minute

// running is a call of a tool that goes on while its caller is asked something.
type running struct {
	in      CallIn
	started time.Time
	cancel  context.CancelFunc

	done chan struct{} // closed when the rest is set
	ex   *wire.Exchange
	err  error
}

// errBusy is a connection on which too many calls wait.
var errBusy = errors.New("as many calls of this connection wait for answers as it takes")

// start begins a call. It goes on when the caller has been asked something, for as long
// as it may take by itself, and ends with the connection.
func (k *call) start(in CallIn, o wire.CallOptions) (*running, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(k.ctx), longestCall)
	r := &running{in: in, started: k.started, cancel: cancel, done: make(chan struct{})}
	k.c.mu.Lock()
	if len(k.c.running) >= mostRunning {
		k.c.mu.Unlock()
		cancel()
		return nil, errBusy
	}
	k.c.running = append(k.c.running, r)
	k.c.mu.Unlock()
	c := k.c
	c.work.Go(func() {
		defer close(r.done)
		defer cancel()
		r.ex, r.err = c.invoke(ctx, callParams(in), o)
	})
	return r, nil
}

// callParams are the params of tools/call.
func callParams(in CallIn) []member {
	params := []member{{"name", quoted(in.Name)}, {"arguments", in.Arguments}}
	if in.Responses != nil {
		params = append(params, member{"inputResponses", in.Responses})
	}
	if in.State != "" {
		params = append(params, member{"requestState", quoted(in.State)})
	}
	if in.Task {
		params = append(params, member{"task", object([]member{{"ttl", json.RawMessage(fmt.Sprint(taskFor.Milliseconds()))}})})
	}
	return params
}

// taskFor is how long a legacy server is asked to keep what a task has come to.
const taskFor = 10 * time.Minute

// invoke calls a tool, and again with the input that it asks for, as far as the script
// has all of it.
func (c *connection) invoke(ctx context.Context, params []member, o wire.CallOptions) (*wire.Exchange, error) {
	var before []*wire.Exchange
	raw := object(params)
	for {
		ex, err := c.conn.Call(ctx, aTool.method, raw, o)
		ex.Rounds = append(before[:len(before):len(before)], ex.Rounds...)
		if err != nil || ex.ResultType != inputRequired || len(before) == mostRounds {
			return ex, err
		}
		responses, ok := c.asks.responses(ex.InputRequests())
		if !ok {
			return ex, nil
		}
		before = append(before, ex)
		raw = wire.WithInput(object(params), responses, field(ex.Result, "requestState"))
	}
}

// responses answers the input requests of a modern result, when the script has an
// answer to each.
func (a *asks) responses(requests []wire.ServerRequest) (map[string]json.RawMessage, bool) {
	a.mu.Lock()
	whole := !slices.ContainsFunc(requests, func(r wire.ServerRequest) bool { return len(a.script[r.Method]) == 0 })
	a.mu.Unlock()
	out := map[string]json.RawMessage{}
	for _, r := range requests {
		if !whole {
			return nil, false
		}
		out[r.Key], _ = a.scripted(r.Method)
	}
	return out, len(out) > 0
}

// follow waits for a call, or for something that the server asks of its caller.
func (k *call) follow(r *running) (CallOut, error) {
	for {
		if r.isOver() {
			return k.finish(r)
		}
		if open := k.asked(k.c.asks.meant(r)); len(open) > 0 {
			return CallOut{Success: true, Connection: k.c.block(), Metadata: k.metadata(), Call: ToolCall{
				Name: r.in.Name, Arguments: r.in.Arguments, Result: json.RawMessage("null"), Requests: open, Asks: true,
				Execution: Execution{StartedAt: stamp(r.started), Duration: max(0, k.s.clock().Sub(r.started).Milliseconds())},
			}}, nil
		}
		select {
		case <-r.done:
		case <-k.c.asks.news:
		case <-k.ctx.Done():
			r.cancel()
			<-r.done
			k.c.over(r)
			return CallOut{}, k.ctx.Err()
		}
	}
}

// finish makes the answer of a call that is over.
func (k *call) finish(r *running) (CallOut, error) {
	k.c.over(r)
	if r.err != nil {
		return CallOut{}, k.rejected(aTool, r.in.Name, r.ex, r.err)
	}
	k.c.count(func(s *Statistics) { s.ToolsCalled++ })
	return k.ran(r.in, r.ex)
}

// over forgets a call.
func (c *connection) over(r *running) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = slices.DeleteFunc(c.running, func(other *running) bool { return other == r })
}

// isOver reports whether a call has its answer.
func (r *running) isOver() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// interrupted is the call whose caller was told of a request, and else the one that began
// last of those that run; nil when none does.
func (c *connection) interrupted(one *ask) *running {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.running) == 0 {
		return nil
	}
	if slices.Contains(c.running, one.told) {
		return one.told
	}
	return c.running[len(c.running)-1]
}
