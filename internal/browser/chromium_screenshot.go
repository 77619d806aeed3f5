package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

func (t *chromiumTab) screenshot(ctx context.Context, s Shot) ([]byte, error) {
	v, err := t.page()
	if err != nil {
		return nil, err
	}
	p := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng, OptimizeForSpeed: ptr(true)}
	if s.Format == "jpeg" {
		p.Format = page.CaptureScreenshotFormatJpeg
		p.Quality = ptr(int64(s.Quality))
	}
	clip := s.Clip
	if clip == nil && s.Scale != 1 {
		if clip, err = viewport(ctx, t.on(v.session)); err != nil {
			return nil, explain(ctx, err, "measuring the page")
		}
	}
	if clip != nil {
		p.Clip = &page.Viewport{X: clip.X, Y: clip.Y, Width: clip.W, Height: clip.H, Scale: s.Scale}
		p.CaptureBeyondViewport = ptr(true)
	}
	res, err := call(ctx, t.on(v.session), page.CaptureScreenshot, p)
	if err != nil {
		return nil, explain(ctx, err, "taking a screenshot")
	}
	return res.Data, nil
}

// viewport is the visible part of the document.
func viewport(ctx context.Context, s *session) (*Rect, error) {
	m, err := call(ctx, s, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	v := m.CSSLayoutViewport
	return &Rect{X: float64(v.PageX), Y: float64(v.PageY), W: float64(v.ClientWidth), H: float64(v.ClientHeight)}, nil
}
