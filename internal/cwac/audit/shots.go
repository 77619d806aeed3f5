package audit

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// The tallest picture that is taken: taller ones are refused or shrunk by the
// programs that look at them, and cost much memory.
const maxShotHeight = 16_000

type extent struct {
	Width      float64 `json:"width"`
	Height     float64 `json:"height"`
	ViewWidth  float64 `json:"viewWidth"`
	ViewHeight float64 `json:"viewHeight"`
	X          float64 `json:"x"`
	Y          float64 `json:"y"`
}

// Screenshot is a PNG of the window, as CWAC takes it, or of the whole page down to
// 16,000 pixels, as it is when nobody has scrolled: the page is scrolled to its top.
func (p *Page) Screenshot(ctx context.Context, whole bool) ([]byte, error) {
	shot := browser.Shot{Format: "png"}
	if whole {
		size, err := p.extent(ctx)
		if err != nil {
			return nil, err
		}
		shot.Clip = &browser.Rect{W: size.ViewWidth, H: min(size.Height, maxShotHeight)}
	}
	return p.shoot(ctx, shot)
}

// shoot takes a picture within the limit of one.
func (p *Page) shoot(ctx context.Context, shot browser.Shot) ([]byte, error) {
	short, cancel := context.WithTimeout(ctx, orDefault(p.ShotLimit, 20*time.Second))
	defer cancel()
	return p.Tab.Screenshot(short, shot)
}

func (p *Page) extent(ctx context.Context) (extent, error) {
	var size extent
	err := p.invoke(ctx, request{Name: "extent"}, &size)
	size.ViewWidth, size.ViewHeight = max(size.ViewWidth, 1), max(size.ViewHeight, 1)
	size.Height = max(size.Height, size.ViewHeight)
	return size, err
}
