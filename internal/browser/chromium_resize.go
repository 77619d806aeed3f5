package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
)

func (t *chromiumTab) resize(ctx context.Context, size Size) error {
	v, err := t.page()
	if err != nil {
		return err
	}
	s := t.on(v.session)
	list := []outcome{start(s, emulation.SetScrollbarsHidden, emulation.SetScrollbarsHiddenParams{Hidden: !size.Scrollbars})}
	if t.refit(v, size) {
		// Scrollbars alone do not make the browser lay the page out anew.
		list = append(list, start(s, emulation.SetDeviceMetricsOverride, metrics(size.Width, size.Height+1)))
	}
	list = append(list, start(s, emulation.SetDeviceMetricsOverride, metrics(size.Width, size.Height)))
	return explain(ctx, settle(ctx, list...), "changing the size of the page")
}

// refit keeps the size that a window gets, and tells whether only its scrollbars change.
func (t *chromiumTab) refit(v *view, size Size) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	had := t.fitted
	t.fitted = fitted{v.id, size}
	if had.window != v.id {
		had.size = Size{Width: t.options.Width, Height: t.options.Height, Scrollbars: t.engine.scrollbars}
	}
	return had.size.Scrollbars != size.Scrollbars && had.size.Width == size.Width && had.size.Height == size.Height
}

// fitted is the size that a window was given.
type fitted struct {
	window string
	size   Size
}

func metrics(width, height int) emulation.SetDeviceMetricsOverrideParams {
	return emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: int64(height), DeviceScaleFactor: 1}
}

func (t *chromiumTab) interrupt(ctx context.Context, frame FrameID) error {
	s, err := t.keyboard(frame)
	if err != nil {
		return err
	}
	_, err = call(ctx, s, runtime.TerminateExecution, cdp.Empty{})
	return explain(ctx, err, "ending a script of the page")
}
