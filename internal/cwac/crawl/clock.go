package crawl

import (
	"context"
	"time"
)

// Clock is the time that politeness and retries go by.
type Clock interface {
	Now() time.Time
	// Wait returns after d, or earlier with the error of a context that ends.
	Wait(ctx context.Context, d time.Duration) error
}

// wall is the clock of the machine.
type wall struct{}

// Now is the time of day.
func (wall) Now() time.Time { return time.Now() }

// Wait waits on a timer.
func (wall) Wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
