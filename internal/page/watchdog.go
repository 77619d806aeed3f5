package page

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// unresponsive is how long one call may take: every one of them works in slices
// far below that, so that a page which takes longer spins.
const unresponsive = 30 * time.Second

// watchedTab is a tab whose page must answer: a press and a picture wait for the
// page's scripts just as a call does.
type watchedTab struct {
	*browser.Tab
	page *Page
}

// watched runs what the page has to answer. A page that does not answer at all
// is given up.
func (t watchedTab) watched(ctx context.Context, do func(context.Context) error) error {
	inner, cancel := context.WithCancelCause(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { t.page.watchdog(inner, cancel) })
	err := do(inner)
	cause := context.Cause(inner)
	cancel(nil)
	watch.Wait()
	var silent *fault.Error
	if err != nil && ctx.Err() == nil && errors.As(cause, &silent) {
		return silent.WithCause(err)
	}
	return err
}

// Call is that of the tab, watched; so are the others.
func (t watchedTab) Call(ctx context.Context, f browser.Function, out any) error {
	return t.watched(ctx, func(ctx context.Context) error { return t.Tab.Call(ctx, f, out) })
}

// Click presses a point of a frame.
func (t watchedTab) Click(ctx context.Context, frame browser.FrameID, x, y float64) error {
	return t.watched(ctx, func(ctx context.Context) error { return t.Tab.Click(ctx, frame, x, y) })
}

// Press presses keys by name.
func (t watchedTab) Press(ctx context.Context, frame browser.FrameID, keys ...string) error {
	return t.watched(ctx, func(ctx context.Context) error { return t.Tab.Press(ctx, frame, keys...) })
}

// Type presses the keys of a text.
func (t watchedTab) Type(ctx context.Context, frame browser.FrameID, text string) error {
	return t.watched(ctx, func(ctx context.Context) error { return t.Tab.Type(ctx, frame, text) })
}

// InsertText puts a text in at once.
func (t watchedTab) InsertText(ctx context.Context, frame browser.FrameID, text string) error {
	return t.watched(ctx, func(ctx context.Context) error { return t.Tab.InsertText(ctx, frame, text) })
}

// FrameOf finds the frame in an element.
func (t watchedTab) FrameOf(ctx context.Context, parent browser.FrameID, fn string, arg any) (id browser.FrameID, err error) {
	err = t.watched(ctx, func(ctx context.Context) error { id, err = t.Tab.FrameOf(ctx, parent, fn, arg); return err })
	return id, err
}

// PierceClosed hands over the closed shadow roots of a frame.
func (t watchedTab) PierceClosed(ctx context.Context, frame browser.FrameID, fn string) (n int, err error) {
	err = t.watched(ctx, func(ctx context.Context) error { n, err = t.Tab.PierceClosed(ctx, frame, fn); return err })
	return n, err
}

// Screenshot takes a picture.
func (t watchedTab) Screenshot(ctx context.Context, s browser.Shot) (data []byte, err error) {
	err = t.watched(ctx, func(ctx context.Context) error { data, err = t.Tab.Screenshot(ctx, s); return err })
	return data, err
}

// watchdog gives up a call that the page does not answer. While a document is on
// its way the browser holds calls back: then it is the site that is waited for,
// and not for longer than a navigation may take.
func (p *Page) watchdog(ctx context.Context, giveUp context.CancelCauseFunc) {
	limit := time.NewTimer(min(p.unresponsive, p.NavigationTimeout))
	defer limit.Stop()
	for began := time.Now(); ; {
		select {
		case <-limit.C:
		case <-ctx.Done():
			return
		}
		doc := p.tab.Doc()
		waited := time.Since(began)
		quiet := min(waited, time.Since(doc.LastActivity))
		switch {
		case doc.Loading && waited < p.NavigationTimeout:
			limit.Reset(min(p.unresponsive, p.NavigationTimeout-waited))
		case doc.Loading:
			p.tab.StopLoading() // what is shown can be used again
			giveUp(stopped(fmt.Sprintf("The site has not answered within %s.", p.NavigationTimeout)))
			return
		case quiet < p.unresponsive: // the document came, or did not, a moment ago
			limit.Reset(p.unresponsive - quiet)
		default:
			giveUp(stopped("The page stopped answering: its own scripts keep it busy."))
			return
		}
	}
}

func stopped(message string) *fault.Error {
	return fault.New(fault.Timeout, "timeout", message, "Check with the site whether the last step was taken before trying again.")
}
