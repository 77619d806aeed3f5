package observe

import (
	"context"
	"crypto/rand"
	"encoding/hex"
)

type requestKey struct{}

// NewRequestID returns an id under which everything about one request is logged.
func NewRequestID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return hex.EncodeToString(b[:])
}

// WithRequestID returns a context whose log lines carry id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestID returns the id of the request that ctx belongs to, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}
