package page

import (
	"context"
	"errors"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// ShotOptions say how pictures of the page look.
type ShotOptions struct {
	// Quality of the jpeg, 1 to 100.
	Quality int
	// MaxTiles bounds the number of pictures; default 4. A longer page is cut.
	MaxTiles int
	// MaxWidth bounds the width in pixels; 0 is the page's own width.
	MaxWidth int
	// Scale shrinks further; 0 is 1.
	Scale float64
	// Hide are the fields to make unreadable.
	Hide []Target
	// Private are values to make unreadable wherever the page shows them, if they
	// have 4 letters or digits at least. Only letters and digits are compared.
	Private []string
}

// Image is one tile of the page, from top to bottom.
type Image struct {
	Data          []byte
	MIME          string
	Width, Height int
	// Tile counts from 1. Tiles is how many the whole page would need, which is
	// more than there are pictures where MaxTiles cut it.
	Tile, Tiles int
}

// tileHeight is the greatest height of a tile in CSS pixels: taller pictures
// are refused or shrunk by the programs that look at them.
const tileHeight = 2000

// Shots takes pictures of the whole page. Hidden fields are readable again when
// it returns, whatever happened.
func (p *Page) Shots(ctx context.Context, o ShotOptions) ([]Image, error) {
	var veiled []browser.FrameID
	defer func() { p.unhide(ctx, veiled) }()
	size, err := p.hide(ctx, o, &veiled)
	if err != nil {
		return nil, err
	}
	if o.MaxTiles <= 0 {
		o.MaxTiles = 4
	}
	scale := 1.0
	if o.Scale > 0 {
		scale = o.Scale
	}
	if o.MaxWidth > 0 && size.Width*scale > float64(o.MaxWidth) {
		scale = float64(o.MaxWidth) / size.Width
	}
	tiles := int((size.Height + tileHeight - 1) / tileHeight)
	var out []Image
	for n := range min(o.MaxTiles, tiles) {
		y := float64(n * tileHeight)
		clip := &browser.Rect{Y: y, W: size.Width, H: min(tileHeight, size.Height-y)}
		shot := browser.Shot{Format: "jpeg", Quality: o.Quality, Clip: clip, Scale: scale}
		if scale == 1 && size.X == 0 && size.Y == 0 && size.Height <= min(size.Viewport, tileHeight) {
			shot.Clip = nil // the window shows all of it; with a clip the page is laid out twice more
		}
		data, err := p.tab.Screenshot(ctx, shot)
		if err != nil {
			return out, err
		}
		out = append(out, Image{
			Data: data, MIME: "image/jpeg", Tile: n + 1, Tiles: tiles,
			Width: int(clip.W*scale + 0.5), Height: int(clip.H*scale + 0.5),
		})
	}
	return out, nil
}

// extent is the size of the whole page and the window on it, in CSS pixels.
type extent struct{ Width, Height, Viewport, X, Y float64 }

// hide makes the targets and the private values unreadable, and notes in which
// frames there were any. A target or a frame that cannot be looked at is a reason
// to take no picture at all. It returns the size of the page.
func (p *Page) hide(ctx context.Context, o ShotOptions, done *[]browser.FrameID) (extent, error) {
	var size extent
	targets := map[browser.FrameID][]Target{}
	for _, g := range byFrame(len(o.Hide), func(i int) []string { return o.Hide[i].Frame }) {
		frame, err := p.frame(ctx, g.path)
		if errors.Is(err, errNoFrame) {
			continue
		}
		if err != nil {
			return size, err
		}
		for _, i := range g.indexes {
			targets[frame] = append(targets[frame], o.Hide[i])
		}
	}
	main := p.tab.Main()
	for _, f := range p.tab.Frames() {
		if f.ID != main && len(targets[f.ID]) == 0 && len(o.Private) == 0 {
			continue
		}
		var got struct {
			Hidden bool
			Extent extent
		}
		arg := map[string]any{"targets": append([]Target{}, targets[f.ID]...), "values": o.Private}
		err := p.read(ctx, f.ID, call{"hide", arg}, &got)
		if asked := len(targets[f.ID])+len(o.Private) > 0; asked && (err != nil || got.Hidden) {
			*done = append(*done, f.ID) // it may be half done
		}
		if err != nil && (f.ID == main || !errors.Is(err, browser.ErrNavigated)) { // a frame may go away
			return size, err
		}
		if f.ID == main {
			size = got.Extent
		}
	}
	return size, nil
}

// unhideTime is what making fields readable again may take after the caller's
// own time is over. The page does it also when nobody waits any more.
const unhideTime = time.Second

func (p *Page) unhide(ctx context.Context, frames []browser.FrameID) {
	if len(frames) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unhideTime)
	defer cancel()
	for _, frame := range frames {
		// An error means that the document is gone, and the styles with it.
		_ = p.invoke(ctx, frame, call{Name: "unhide"}, nil)
	}
}
