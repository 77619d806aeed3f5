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
// on its way already, and over HTTP how it was stopped, which an SDK writes for nobody.
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
		return outcome{detail: "the server was gone after a cancellation"}
	}
	closed := r.conn.Era() == wire.EraModern && r.conn.Transport() == wire.HTTPTransport
	if closed && !ex.Overheard {
		return outcome{detail: "the server goes on; whether it gave the call up cannot be seen over HTTP/2"}
	}
	// what answers all the same does so when it would have
	settle, end := context.WithTimeout(ctx, min(t.took+afterwards, longestWait))
	defer end()
	said := ""
	for said = r.after(ex, closed); said == "" && settle.Err() == nil && !r.dead(); said = r.after(ex, closed) {
		pause(settle, moment)
	}
	if said == "" {
		return outcome{detail: "nothing more came for the call, and the server goes on"}
	}
	rule := "cancel-answered"
	if r.conn.Era() == wire.EraModern {
		rule = "cancel-ignored"
	}
	r.add(rule, spot{subject, "", said})
	return outcome{detail: "the call went on to its end"}
}

// after is what a server said of a call that was cancelled; empty is nothing. Closed
// tells that its connection was closed: then only a result counts that came as late as
// the work for it takes.
func (r *run) after(ex *wire.Exchange, closed bool) string {
	for _, late := range r.conn.Late() {
		v, _ := decode(late.Raw) // the wire has found that it is an answer
		members, _ := v.(map[string]any)
		_, result := members["result"]
		if string(late.ID) == string(ex.ID) && (!closed || result && late.After > ex.Duration()+promptly) {
			return fmt.Sprintf("an answer came %s after the request, which had been cancelled after %s: %s",
				late.After.Round(time.Millisecond), ex.Duration().Round(time.Millisecond), r.first(late.Raw, 200))
		}
	}
	for _, e := range r.conn.Events(0) {
		var progress struct {
			Token json.RawMessage `json:"progressToken"`
		}
		past := e.At.Sub(ex.Ended)
		if e.Method == "notifications/progress" && past > promptly && json.Unmarshal(e.Params, &progress) == nil && string(progress.Token) == string(ex.ID) {
			return fmt.Sprintf("progress came %s after the call had been cancelled: %s", past.Round(time.Millisecond), r.first(e.Raw, 200))
		}
	}
	return ""
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
