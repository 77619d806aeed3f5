package audit

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// Page is one loaded page at one viewport. It is used by one goroutine at a time.
type Page struct {
	Tab *browser.Tab
	// View is copied into every finding.
	View results.View
	// ShotLimit is how long one picture may take; default 20 s. Of a page that loads
	// itself again in that moment Chromium never gives one.
	ShotLimit time.Duration
}

// What Chromium's window takes from the sizes that CWAC sets: CWAC's viewports are
// window sizes, of which the page gets this many pixels less in height.
const windowChrome = 143

// Inner is the size that a page has in a viewport of CWAC: its window less the
// browser's own parts, with the scrollbars of a desktop, so that a window of 320 by
// 450 shows 320 by 307. A nominal viewport is the page's own size, without bars.
func Inner(v results.Viewport, nominal bool) browser.Size {
	if nominal {
		return browser.Size{Width: v.Width, Height: v.Height}
	}
	return browser.Size{Width: v.Width, Height: max(v.Height-windowChrome, 1), Scrollbars: true}
}

// SettleOptions say how long to wait for a page to come to rest.
type SettleOptions struct {
	// Quiet is for how long nothing may change; default 150 ms.
	Quiet time.Duration
	// Patience is the same for a page whose scripts go on to build it after it was
	// loaded; default 2.5 s.
	Patience time.Duration
	// Limit bounds the whole wait; default 10 s.
	Limit time.Duration
}

func (o SettleOptions) withDefaults() SettleOptions {
	o.Quiet = orDefault(o.Quiet, 150*time.Millisecond)
	o.Patience = orDefault(o.Patience, 2500*time.Millisecond)
	o.Limit = orDefault(o.Limit, 10*time.Second)
	return o
}

func orDefault[T int | time.Duration](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}

// Settle waits until the page is loaded, no request is in flight and nothing
// changes any more. A page that never rests is used as it is after the limit, with a
// note.
func (p *Page) Settle(ctx context.Context, o SettleOptions) ([]results.Note, error) {
	o = o.withDefaults()
	end := time.Now().Add(o.Limit)
	arg := map[string]any{"quiet": o.Quiet.Milliseconds(), "patience": o.Patience.Milliseconds()}
	for {
		doc := p.Tab.Doc()
		var got struct {
			Wait     float64 // milliseconds
			Complete bool
		}
		if err := p.invoke(ctx, request{Name: "settle", Arg: arg}, &got); err != nil {
			return nil, err
		}
		if got.Wait <= 0 && doc.InFlight == 0 {
			return nil, nil
		}
		left := time.Until(end)
		if left <= 0 {
			return []results.Note{{Kind: "not_settled", Text: unsettled(got.Complete, doc.InFlight)}}, nil
		}
		wait := time.Duration(got.Wait * float64(time.Millisecond))
		if got.Wait <= 0 {
			wait = left // only the network is busy
		}
		if err := p.awaitChange(ctx, doc, min(wait+time.Millisecond, left)); err != nil {
			return nil, err
		}
	}
}

func unsettled(complete bool, inFlight int) string {
	switch {
	case inFlight > 0:
		return "The page was still loading something when it was audited."
	case !complete:
		return "The page had not finished loading when it was audited."
	default:
		return "The page kept changing while it was audited."
	}
}

// awaitChange waits for as long as the page needs, and no longer than until its
// document or its last request changes.
func (p *Page) awaitChange(ctx context.Context, doc browser.Doc, limit time.Duration) error {
	wait, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := p.Tab.Changed(wait, doc)
	if wait.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// Still takes motion out of the page and its frames: animations that end are brought
// to their end, endless ones are dropped. It returns how many there were.
func (p *Page) Still(ctx context.Context) (int, error) { return p.inEveryFrame(ctx, "still") }

// OpenDetails opens every details element, also in frames and open shadow roots, and
// returns how many were closed.
func (p *Page) OpenDetails(ctx context.Context) (int, error) {
	return p.inEveryFrame(ctx, "openDetails")
}

// frameLimit is how long a frame may take to answer at all, and framesLimit all of
// them together: a page may have hundreds.
const (
	frameLimit  = 2 * time.Second
	framesLimit = 10 * time.Second
)

// inEveryFrame sums what a function returns. Frames that do not answer, or not in time,
// are passed over; the page itself has to.
func (p *Page) inEveryFrame(ctx context.Context, name string) (int, error) {
	var sum int
	if err := p.invoke(ctx, request{Name: name}, &sum); err != nil {
		return 0, err
	}
	main := p.Tab.Main()
	all, done := context.WithTimeout(ctx, framesLimit)
	defer done()
	for _, f := range p.Tab.Frames() {
		if f.ID == main {
			continue
		}
		if all.Err() != nil {
			break
		}
		var n int
		short, cancel := context.WithTimeout(all, frameLimit)
		if err := p.invoke(short, request{Frame: f.ID, Name: name}, &n); err == nil {
			sum += n
		}
		cancel()
	}
	return sum, nil
}

// Title is the title of the document at this moment; empty if it has none.
func (p *Page) Title(ctx context.Context) (string, error) {
	var title string
	err := p.invoke(ctx, request{Name: "title"}, &title)
	return title, err
}
