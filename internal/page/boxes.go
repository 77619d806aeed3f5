package page

import (
	"context"
	"errors"
)

// Box is where something is drawn, in CSS pixels of the whole page. A box
// without width is of something that is not drawn.
type Box struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// Boxes tells where targets are drawn, for whoever marks them in a picture of
// the whole page. A choice's box holds all of its options.
func (p *Page) Boxes(ctx context.Context, targets []Target) ([]Box, error) {
	out := make([]Box, len(targets))
	for _, g := range byFrame(len(targets), func(i int) []string { return targets[i].Frame }) {
		dx, dy, err := p.frameOffset(ctx, g.path)
		if errors.Is(err, errNoFrame) {
			continue
		}
		if err != nil {
			return nil, err
		}
		arg := g.targets(targets)
		arg["scrolled"] = len(g.path) == 0
		var got []Box
		if err := p.ask(ctx, g, call{"boxes", arg}, &got); err != nil {
			return nil, err
		}
		for n, b := range got {
			b.X, b.Y = b.X+dx, b.Y+dy
			out[g.indexes[n]] = b
		}
	}
	return out, nil
}

// frameOffset is where the viewport of a frame begins in the page.
func (p *Page) frameOffset(ctx context.Context, path []string) (x, y float64, err error) {
	for i := range path {
		parent, err := p.frame(ctx, path[:i])
		if err != nil {
			return 0, 0, err
		}
		var got []Box
		arg := map[string]any{"frame": path[i], "scrolled": i == 0}
		if err := p.read(ctx, parent, call{"boxes", arg}, &got); err != nil {
			return 0, 0, err
		}
		if len(got) == 0 {
			return 0, 0, errNoFrame
		}
		x, y = x+got[0].X, y+got[0].Y
	}
	return x, y, nil
}
