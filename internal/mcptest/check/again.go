package check

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// manyDeaths is how often a server may be gone, among the calls and again among the
// probes, before it is given up.
const manyDeaths = 3

// survived reports whether the check can go on after something was asked. A server that
// did not survive it is connected to anew, a command is started anew: one bad tool must
// not hide the others, and they are not to be blamed for it.
func (r *run) survived(ctx context.Context, i item) bool {
	if ctx.Err() != nil {
		return false
	}
	if !r.dead() {
		if _, err := r.conn.Alive(ctx, wire.CallOptions{Timeout: min(r.o.CallTimeout, patience)}); err == nil || timedOut(err) || refused(err) || ctx.Err() != nil {
			return true // it may be slow, or refuse ping
		}
	}
	if r.fatal == nil {
		r.fatal = map[string]bool{}
	}
	r.fatal[i.name] = true
	if r.deaths == manyDeaths || !r.again(ctx) {
		r.gone = i.subject()
		return false
	}
	return true
}

// again replaces a connection whose server is gone. It reports whether that worked.
func (r *run) again(ctx context.Context) bool {
	r.deaths++
	o := r.o.Wire
	o.Era = r.conn.Era()
	next, err := wire.Connect(ctx, r.target, o)
	if err != nil {
		return false
	}
	r.part(r.conn)
	r.conn, r.observations, r.gone = next, 0, ""
	return true
}
