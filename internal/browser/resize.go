package browser

import (
	"context"
)

// Size is the viewport of a tab in CSS pixels, scrollbars included: what a page
// knows as innerWidth and innerHeight.
type Size struct {
	Width, Height int
	// Scrollbars lets a page that is longer than the viewport have a scrollbar that
	// takes room. It needs a pool with [Options.Scrollbars].
	Scrollbars bool
}

// Resize changes the viewport of the current window; the page is laid out anew and
// hears of it as of any resize. A window that opens later has the size of the tab's
// options.
func (t *Tab) Resize(ctx context.Context, size Size) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	return t.drive.resize(ctx, size)
}

// Interrupt ends the script that runs in the process of a frame right now, the
// page's own or a called function, which fails with an exception. It works when the
// page answers to nothing else.
func (t *Tab) Interrupt(ctx context.Context, frame FrameID) error {
	ctx, cancel := bounded(ctx)
	defer cancel()
	return t.drive.interrupt(ctx, frame)
}
