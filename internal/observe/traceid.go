package observe

import "context"

type traceKey struct{}

// WithTraceID returns a context whose log lines carry the id of a trace.
func WithTraceID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, traceKey{}, id)
}

// TraceID returns the id of the trace that ctx belongs to, or "".
func TraceID(ctx context.Context) string {
	id, _ := ctx.Value(traceKey{}).(string)
	return id
}
