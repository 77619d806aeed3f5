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

// Wall is the clock of the machine.
type Wall struct{}

// Now is the time of day.
func (Wall) Now() time.Time { return time.Now() }

// Wait waits on a timer.
func (Wall) Wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
