package ratelimit

import "context"

// Source counts calls against limits. It is safe for concurrent use.
type Source interface {
	// Take asks for one call that costs cost units under the key. A key must
	// always come with the same limit. An error means that nothing was decided,
	// because the call is a mistake or the source failed; the caller says what
	// that means for what it guards.
	Take(ctx context.Context, key string, l Limit, cost int) (Decision, error)
}
