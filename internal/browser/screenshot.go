package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// Rect is a rectangle in CSS pixels of the document.
type Rect struct {
	X, Y, W, H float64
}

// Shot says what a screenshot looks like.
type Shot struct {
	// Format is jpeg, the default, or png.
	Format string
	// Quality of a jpeg, 1 to 100; default 70.
	Quality int
	// Clip is the part of the document to show, also beyond the viewport; nil
	// shows the viewport.
	Clip *Rect
	// Scale shrinks the picture; 0 is 1. Half the scale costs half the time.
	Scale float64
}

// Screenshot takes a picture of the current window.
func (t *Tab) Screenshot(ctx context.Context, s Shot) ([]byte, error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	v, err := t.page()
	if err != nil {
		return nil, err
	}
	p := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng, OptimizeForSpeed: ptr(true)}
	if s.Format != "png" {
		p.Format = page.CaptureScreenshotFormatJpeg
		p.Quality = ptr(int64(s.Quality))
		if s.Quality <= 0 || s.Quality > 100 {
			p.Quality = ptr[int64](70)
		}
	}
	if s.Scale <= 0 {
		s.Scale = 1
	}
	clip := s.Clip
	if clip == nil && s.Scale != 1 {
		if clip, err = viewport(ctx, v.session); err != nil {
			return nil, explain(ctx, err, "measuring the page")
		}
	}
	if clip != nil {
		p.Clip = &page.Viewport{X: clip.X, Y: clip.Y, Width: clip.W, Height: clip.H, Scale: s.Scale}
		p.CaptureBeyondViewport = ptr(true)
	}
	res, err := call(ctx, v.session, page.CaptureScreenshot, p)
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
