package tool

import (
	"context"
	"sync"

	"github.com/legwork-mcp/legwork/internal/auth"
)

type (
	callerKey   struct{}
	progressKey struct{}
	traceKey    struct{}
	messageKey  struct{}
)

// WithCaller returns a context whose calls are made by p.
func WithCaller(ctx context.Context, p auth.Principal) context.Context {
	return context.WithValue(ctx, callerKey{}, p)
}

// Caller tells a handler who calls. What it keeps for a caller is bound to the ID.
func Caller(ctx context.Context) auth.Principal {
	p, _ := ctx.Value(callerKey{}).(auth.Principal)
	return p
}

// WithTrace returns a context whose calls are logged under id.
func WithTrace(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, traceKey{}, id)
}

// Trace returns the id under which a call is logged.
func Trace(ctx context.Context) string {
	id, _ := ctx.Value(traceKey{}).(string)
	return id
}

// WithMessage returns a context of a call that came in the client's message id. A client
// that got no answer may send the message again: it has the same id then.
func WithMessage(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, messageKey{}, id)
}

// Message returns the id of the message that the call came in, with the session that
// it belongs to; "" when no message can come twice, as on stdio.
func Message(ctx context.Context) string {
	id, _ := ctx.Value(messageKey{}).(string)
	return id
}

// Notify receives the progress of one call.
type Notify func(ctx context.Context, done, total float64, message string)

// progress lets only growing values through, as the protocol demands.
type progress struct {
	mu     sync.Mutex
	last   float64
	notify Notify
}

// WithProgress returns a context whose call reports to notify.
func WithProgress(ctx context.Context, notify Notify) context.Context {
	return context.WithValue(ctx, progressKey{}, &progress{last: -1, notify: notify})
}

// Progress reports how far a call is. It does nothing when the caller did not
// ask, and nothing when done is not more than last time. It may be called from
// several goroutines.
func Progress(ctx context.Context, done, total float64, message string) {
	p, ok := ctx.Value(progressKey{}).(*progress)
	if !ok || ctx.Err() != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if done <= p.last {
		return
	}
	p.last = done
	p.notify(ctx, done, total, message)
}
