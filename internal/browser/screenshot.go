package browser

import (
	"context"
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
	if s.Format != "png" {
		s.Format = "jpeg"
	}
	if s.Quality <= 0 || s.Quality > 100 {
		s.Quality = 70
	}
	if s.Scale <= 0 {
		s.Scale = 1
	}
	return t.drive.screenshot(ctx, s)
}
