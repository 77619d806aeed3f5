package tool

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Policy is what every call passes, in this order: recover, trace and log, watch,
// authorize, spend, record, timeout, handler, budget, fault to text, watch, log.
type Policy struct {
	// Authorize decides whether the caller may use the tool. Without it every
	// call is refused.
	Authorize func(context.Context, Spec) error
	// Spend takes the call from the caller's allowance; nil means no limit.
	Spend func(context.Context, Spec) error
	// Record writes down that the call will run; when it fails, the call does not
	// run. Nil records nothing.
	Record func(context.Context, Spec) error
	// Watch is told how every call begins and ends.
	Watch []Watcher
	// Logger receives one line per call, never an argument; nil logs nothing.
	Logger *slog.Logger
	// Clock is time.Now unless a test replaces it.
	Clock func() time.Time
}

// Call runs the tool under the policy. It always returns a result: whatever goes
// wrong is told in it.
func (b Bound) Call(ctx context.Context, p Policy, args json.RawMessage) *mcp.CallToolResult {
	if p.Logger == nil {
		p.Logger = slog.New(slog.DiscardHandler)
	}
	if p.Clock == nil {
		p.Clock = time.Now
	}
	if Trace(ctx) == "" {
		ctx = WithTrace(ctx, newID())
	}
	ctx, over := p.watch(ctx, b.Spec, args)
	named := []slog.Attr{slog.String("tool", b.Spec.Name), slog.String("call", Trace(ctx))}
	p.Logger.LogAttrs(ctx, slog.LevelDebug, "tool call starts", named...)
	start := p.Clock()
	r, err := b.guarded(ctx, p, args)
	var f *fault.Error
	if err != nil {
		f = fault.From(err)
		if b.Spec.Reword != nil {
			f = b.Spec.Reword(f)
		}
		r = replyToFault(f, p.Clock())
	}
	res := r.fit(b.Spec.Budget)
	e := ending{reply: r, fault: f, took: p.Clock().Sub(start)}
	over(e)
	e.log(ctx, p.Logger, named)
	return res
}

// guarded does everything in which a panic could end the process.
func (b Bound) guarded(ctx context.Context, p Policy, args json.RawMessage) (r *reply, err error) {
	defer func() {
		if v := recover(); v != nil {
			r, err = nil, fault.Defect(&panicError{what: describePanic(v), stack: debug.Stack()})
		}
	}()
	if p.Authorize == nil {
		return nil, fault.New(fault.Denied, "not_authorized", "This server has no rule that allows the call.",
			"Tell whoever runs the server: its access rules are not configured.")
	}
	if err := p.Authorize(ctx, b.Spec); err != nil {
		return nil, err
	}
	if p.Spend != nil {
		if err := p.Spend(ctx, b.Spec); err != nil {
			return nil, err
		}
	}
	if p.Record != nil {
		if err := p.Record(ctx, b.Spec); err != nil {
			return nil, err
		}
	}
	limited, cancel := context.WithTimeout(ctx, b.Spec.Timeout)
	defer cancel()
	r, err = b.run(limited, args)
	if err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) && isContextError(err) {
		return nil, fault.New(fault.Timeout, "timeout",
			fmt.Sprintf("The call did not end within %v, the limit of %s.", b.Spec.Timeout, b.Spec.Name),
			"Try again later, or ask for less in one call.").WithCause(err)
	}
	return r, err
}

// isContextError tells a bare context error from a fault that says more.
func isContextError(err error) bool {
	var f *fault.Error
	return !errors.As(err, &f) && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled))
}

// panicError carries a panic to the log.
type panicError struct {
	what  string
	stack []byte
}

// Error names the panic without its value.
func (e *panicError) Error() string { return "panic: " + e.what }

// describePanic leaves values out: a panic's text may quote what a person typed.
// The runtime's own errors speak of types and indices only.
func describePanic(v any) string {
	var re runtime.Error
	if err, ok := v.(error); ok && errors.As(err, &re) {
		return re.Error()
	}
	return fmt.Sprintf("value of type %T", v)
}

// ending is how a call ended: with a reply, for a fault the reply made of it.
type ending struct {
	reply *reply
	fault *fault.Error
	took  time.Duration
}

// result is the word for the ending.
func (e ending) result() string {
	switch {
	case e.fault != nil:
		return ResultError
	case e.reply.failed:
		return ResultFailed
	}
	return ResultOK
}

// log writes the line of the call that attrs name.
func (e ending) log(ctx context.Context, log *slog.Logger, attrs []slog.Attr) {
	f := e.fault
	attrs = append(attrs, slog.Int64("duration_ms", e.took.Milliseconds()), slog.String("subject", Caller(ctx).ID()))
	level := slog.LevelInfo
	if f != nil {
		attrs = append(attrs, slog.String("error_type", f.Type))
		if f.Kind == fault.Internal {
			level = slog.LevelError
			attrs = append(attrs, slog.Any("error_id", f.Data["error_id"]))
		}
		// The cause of invalid input may quote the input.
		if f.Cause != nil && f.Kind != fault.Invalid {
			attrs = append(attrs, slog.String("cause", f.Cause.Error()))
		}
		var pe *panicError
		if errors.As(f.Cause, &pe) {
			attrs = append(attrs, slog.String("stack", string(pe.stack)))
		}
	}
	attrs = append(attrs, slog.String("outcome", e.result()))
	log.LogAttrs(ctx, level, "tool call ended", attrs...)
}

// newID names a call that came without a trace.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return hex.EncodeToString(b[:])
}
