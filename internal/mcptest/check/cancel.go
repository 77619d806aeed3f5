package check

import (
	"context"
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

// cancel cancels a call of a slow tool on its way: a server should stop, must not
// die of it, and should not answer any more (MCP 2025-11-25, Cancellation, Behavior
// Requirements).
func (r *run) cancel(ctx context.Context) outcome {
	if r.slow.took == 0 {
		return skip("no tool that may be called takes long enough to be cancelled on its way")
	}
	t := r.slow
	r.provoked = true // a late answer is judged here
	subject := t.subject() + " cancelled on its way"
	before := len(r.conn.Late())
	cut, stop := context.WithTimeout(ctx, min(t.took/4, time.Second))
	ex, err := r.conn.Call(cut, "tools/call", map[string]any{"name": t.name, "arguments": t.args}, wire.CallOptions{Timeout: r.o.CallTimeout, HandUp: true})
	stop()
	var failed *wire.Error
	if err == nil || !errors.As(err, &failed) || cut.Err() == nil {
		return skip(t.subject() + " was quicker this time")
	}
	if r.alive(ctx, probeOf{name: subject}, ex, err) {
		return outcome{detail: "the server was gone after a cancellation"}
	}
	// what answers all the same does so when it would have
	settle, end := context.WithTimeout(ctx, min(t.took+afterwards, longestWait))
	defer end()
	for settle.Err() == nil && len(r.conn.Late()) == before && !r.dead() {
		pause(settle, moment)
	}
	for _, late := range r.conn.Late()[before:] {
		if string(late.ID) == string(ex.ID) {
			r.add("cancel-answered", spot{subject, "", fmt.Sprintf("an answer came %s after the request, which had been cancelled: %s", late.After.Round(time.Millisecond), r.first(late.Raw, 200))})
			return outcome{detail: "the call went on to its end"}
		}
	}
	return outcome{detail: "the call was given up, and the server goes on"}
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
