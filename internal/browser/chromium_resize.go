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
	err = settle(ctx,
		start(t.on(v.session), emulation.SetScrollbarsHidden, emulation.SetScrollbarsHiddenParams{Hidden: !size.Scrollbars}),
		start(t.on(v.session), emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: int64(size.Width), Height: int64(size.Height), DeviceScaleFactor: 1,
		}))
	return explain(ctx, err, "changing the size of the page")
}

func (t *chromiumTab) interrupt(ctx context.Context, frame FrameID) error {
	s, err := t.keyboard(frame)
	if err != nil {
		return err
	}
	_, err = call(ctx, s, runtime.TerminateExecution, cdp.Empty{})
	return explain(ctx, err, "ending a script of the page")
}
