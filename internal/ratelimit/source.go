package ratelimit

import (
	"context"
	"time"
)

// Source counts calls against limits. It is safe for concurrent use.
type Source interface {
	// Take asks for one call that costs cost units under the key. A key must
	// always come with the same limit. An error means that nothing was decided,
	// because the call is a mistake or the source failed; the caller says what
	// that means for what it guards.
	Take(ctx context.Context, key string, l Limit, cost int) (Decision, error)
}

// Within is a source that takes no longer than the patience for a decision, and fails
// then: a database that does not answer must not hold calls up until their clients give
// up.
func Within(s Source, patience time.Duration) Source { return hurried{s, patience} }

type hurried struct {
	source   Source
	patience time.Duration
}

// Take implements Source.
func (h hurried) Take(ctx context.Context, key string, l Limit, cost int) (Decision, error) {
	ctx, cancel := context.WithTimeout(ctx, h.patience)
	defer cancel()
	return h.source.Take(ctx, key, l, cost)
}
