package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// longEnough is how long a call must take for a cancellation to meet it.
const longEnough = 400 * time.Millisecond

// afterwards is how much longer than it took before a cancelled call is listened for.
const afterwards = 500 * time.Millisecond

// longestWait bounds how long is listened. A tool that takes longer may answer after it.
const longestWait = 4 * time.Second

// timed is a tool that was called, with the arguments and the time of that call.
type timed struct {
	item
	args any
	took time.Duration
}

// promptly is how soon after its cancellation a call may still say something: what was
// on its way already.
const promptly = 200 * time.Millisecond

// cancel cancels a call of a slow tool on its way: a server should stop, must not
// die of it, and should not answer any more (MCP 2025-11-25, Cancellation, Behavior
// Requirements). In 2026-07-28 it must send nothing more for it; over HTTP the end of
// the connection is the cancellation (Transports, Streamable HTTP, Cancellation).
func (r *run) cancel(ctx context.Context) outcome {
	if r.slow.took == 0 {
		return skip("no tool that may be called takes long enough to be cancelled on its way")
	}
	t := r.slow
	r.provoked = true // a late answer is judged here
	subject := t.subject() + " cancelled on its way"
	cut, stop := context.WithTimeout(ctx, min(t.took/4, time.Second))
	ex, err := r.conn.Call(cut, "tools/call", map[string]any{"name": t.name, "arguments": t.args}, wire.CallOptions{Timeout: r.o.CallTimeout, HandUp: true, Overhear: true})
	stop()
	var failed *wire.Error
	if err == nil || !errors.As(err, &failed) || cut.Err() == nil {
		return skip(t.subject() + " was quicker this time")
	}
	if r.alive(ctx, probeOf{name: subject}, ex, err) {
		if ctx.Err() != nil {
			return outcome{detail: "the time was over before it was known whether the server goes on"}
		}
		return outcome{detail: "the server was gone after a cancellation"}
	}
	closed := r.conn.Era() == wire.EraModern && r.conn.Transport() == wire.HTTPTransport
	if closed && !ex.Overheard {
		return outcome{detail: "the server goes on; whether it gave the call up cannot be seen over HTTP/2"}
	}
	// what answers all the same does so when it would have
	settle, end := context.WithTimeout(ctx, min(t.took+afterwards, longestWait))
	defer end()
	c := cancelled{ex: ex, closed: closed, soon: max(promptly, (t.took-ex.Duration())/2)}
	for c.look(r); c.said == "" && settle.Err() == nil && !r.dead(); c.look(r) {
		pause(settle, moment)
	}
	switch {
	case c.said == "":
		return outcome{detail: "nothing more came for the call, and the server goes on"}
	case c.stopped:
		r.add("cancel-answered", spot{subject, "", c.said})
		return outcome{detail: "the call was given up, and answered with an error all the same"}
	case r.conn.Era() == wire.EraModern:
		r.add("cancel-ignored", spot{subject, "", c.said})
	default:
		r.add("cancel-answered", spot{subject, "", c.said})
	}
	return outcome{detail: "the call went on to its end"}
}

// cancelled is a call that was cancelled, and what its server said of it afterwards.
type cancelled struct {
	ex     *wire.Exchange
	closed bool          // its connection was closed
	soon   time.Duration // after its cancellation, long before its work was done

	said    string // empty is nothing
	stopped bool   // it was an error that came soon: of a call that was given up
}

// look looks what came. How a call was stopped a server may write down for nobody when the
// connection was closed: then only a result counts that came as late as its work takes.
func (c *cancelled) look(r *run) {
	for _, late := range r.conn.Late() {
		if string(late.ID) != string(c.ex.ID) {
			continue
		}
		v, _ := decode(late.Raw) // the wire has found that it is an answer
		members, _ := v.(map[string]any)
		_, result := members["result"]
		content, _ := members["result"].(map[string]any)
		failed := !result || content["isError"] == true
		early := late.After < c.ex.Duration()+c.soon
		if early && !failed || c.closed && (failed || early) {
			continue // it was on its way, or tells nobody that the call was stopped
		}
		c.stopped = failed && early
		c.said = fmt.Sprintf("an answer came %s after the request, which had been cancelled after %s: %s",
			late.After.Round(time.Millisecond), c.ex.Duration().Round(time.Millisecond), r.first(late.Raw, 200))
		return
	}
	for _, e := range r.conn.Events(0) {
		var progress struct {
			Token json.RawMessage `json:"progressToken"`
		}
		past := e.At.Sub(c.ex.Ended)
		if e.Method == "notifications/progress" && past > promptly && json.Unmarshal(e.Params, &progress) == nil && string(progress.Token) == string(c.ex.ID) {
			c.said = fmt.Sprintf("progress came %s after the call had been cancelled: %s", past.Round(time.Millisecond), r.first(e.Raw, 200))
			return
		}
	}
}

// pause waits, or until the context ends.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
