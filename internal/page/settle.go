package page

import (
	"context"
	"errors"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// rest is one slice of waiting for the page to come to rest: no mutation for a
// while, two frames drawn, no request in flight. It reports whether it has.
func (p *Page) rest(ctx context.Context, frame browser.FrameID) (bool, error) {
	var got struct {
		Quiet bool `json:"quiet"`
	}
	err := p.read(ctx, frame, call{"settle", map[string]any{"slice": 250, "quiet": 100}}, &got)
	return got.Quiet && !p.busy(0), err
}

// Settle waits until the page has come to rest, at most for the element
// timeout: a page that never rests is used as it is.
func (p *Page) Settle(ctx context.Context) error {
	for since := time.Now(); ; {
		if err := p.loaded(ctx); err != nil {
			return err
		}
		still, err := p.rest(ctx, p.tab.Main())
		if err != nil && !errors.Is(err, browser.ErrNavigated) {
			return err
		}
		if still || p.over(since) {
			return nil
		}
	}
}

// stopwatch begins a measure: the function that it returns says how long ago
// that was.
func stopwatch() func() time.Duration {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}

// Calm waits until nothing on the page has changed for a while, at most for the
// element timeout: longer than Settle for pages that react after a pause.
func (p *Page) Calm(ctx context.Context, quiet time.Duration) error {
	for since := time.Now(); ; {
		var got struct {
			Quiet bool `json:"quiet"`
		}
		arg := map[string]any{"slice": 2 * quiet.Milliseconds(), "quiet": quiet.Milliseconds()}
		if err := p.read(ctx, p.tab.Main(), call{"settle", arg}, &got); err != nil && !errors.Is(err, browser.ErrNavigated) {
			return err
		}
		if got.Quiet && !p.busy(0) || p.over(since) {
			return nil
		}
	}
}
