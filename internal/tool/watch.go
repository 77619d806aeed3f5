package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Watcher is told of every call, refused ones too: metrics, traces, the audit log.
type Watcher interface {
	// Begin is told before anything is decided. The call goes on under the context
	// that it returns, and when the call is over, the function that it returns is
	// called once.
	Begin(context.Context, Spec) (context.Context, func(Outcome))
}

// The results of a call.
const (
	ResultOK     = "ok"     // the tool did its part, and the work succeeded
	ResultFailed = "failed" // the tool did its part, and the work failed
	ResultError  = "error"  // refused, or the tool could not do its part
)

// Outcome is how a call ended. There is nothing in it that a caller typed.
type Outcome struct {
	Result string       // one of the results above
	Fault  *fault.Error // for ResultError; its cause may quote input
	Took   time.Duration
	IDs    map[string]string // what the call or its answer named; see Named
}

// named are the members of arguments and of answers that name something that this
// program made or keeps. Nothing else of a call is ever handed to a watcher.
var named = []string{"run_id", "wizard_id", "scan_id"}

// idPattern is what ids look like: a name of something else is left out.
var idPattern = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$`)

type namedKey struct{}

// Named returns the ids that the arguments of the call name, by the name of the
// argument, such as run_id.
func Named(ctx context.Context) map[string]string {
	ids, _ := ctx.Value(namedKey{}).(map[string]string)
	return ids
}

// idsIn adds the ids among the members of an object.
func idsIn(raw json.RawMessage, into map[string]string) {
	var members map[string]json.RawMessage
	if !mayName(raw) || json.Unmarshal(raw, &members) != nil {
		return
	}
	for _, name := range named {
		var id string
		if members[name] != nil && json.Unmarshal(members[name], &id) == nil && idPattern.MatchString(id) {
			into[name] = id
		}
	}
}

// mayName reports whether an object could have one of the members. With an escape,
// any name can be written in another way.
func mayName(raw json.RawMessage) bool {
	return bytes.IndexByte(raw, '\\') >= 0 ||
		slices.ContainsFunc(named, func(name string) bool { return bytes.Contains(raw, []byte(name)) })
}

// watch tells the watchers in order that a call begins. The function that it
// returns tells them in reverse order that it is over. What a watcher panics with
// is a defect of this program, and none of the caller's business.
func (p Policy) watch(ctx context.Context, s Spec, args json.RawMessage) (context.Context, func(ending)) {
	if len(p.Watch) == 0 {
		return ctx, func(ending) {}
	}
	ids := map[string]string{}
	idsIn(args, ids)
	ctx = context.WithValue(ctx, namedKey{}, ids)
	var over []func(Outcome)
	for _, w := range p.Watch {
		p.calmly(ctx, func() {
			next, end := w.Begin(ctx, s)
			ctx, over = next, append(over, end)
		})
	}
	return ctx, func(e ending) {
		o := Outcome{Result: e.result(), Fault: e.fault, Took: e.took, IDs: map[string]string{}}
		if e.fault == nil {
			idsIn(e.reply.structured, o.IDs)
		}
		maps.Copy(o.IDs, ids) // what was asked for counts more than what is mentioned
		for i := len(over) - 1; i >= 0; i-- {
			p.calmly(ctx, func() { over[i](o) })
		}
	}
}

// calmly keeps a panic from ending the process.
func (p Policy) calmly(ctx context.Context, f func()) {
	defer func() {
		if v := recover(); v != nil {
			p.Logger.ErrorContext(ctx, "a watcher panicked", slog.String("panic", describePanic(v)))
		}
	}()
	f()
}
