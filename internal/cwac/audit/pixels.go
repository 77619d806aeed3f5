package audit

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"image/png"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// rect is a part of the window, in CSS pixels.
type rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// margin is how far around an element its focus may show: outlines have offsets and
// shadows spread.
const margin = 16

func (r rect) pixels(within image.Rectangle) image.Rectangle {
	return image.Rect(int(r.X)-margin, int(r.Y)-margin, int(r.X+r.Width)+margin+1, int(r.Y+r.Height)+margin+1).Intersect(within)
}

// snap is a picture of the window as pixels.
func (p *Page) snap(ctx context.Context) (*image.NRGBA, error) {
	data, err := p.shoot(ctx, browser.Shot{Format: "png"})
	if err != nil {
		return nil, err
	}
	return decode(data)
}

// maxPixels bounds the pictures that are decoded here.
const maxPixels = 40_000_000

func decode(data []byte) (*image.NRGBA, error) {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if c.Width*c.Height > maxPixels {
		return nil, errors.New("the picture is too large")
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if out, ok := img.(*image.NRGBA); ok {
		return out, nil
	}
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Bounds(), img, img.Bounds().Min, draw.Src)
	return out, nil
}

// tolerance is by how much a channel may differ without being another colour.
const tolerance = 2

// differences are the pixels in which two pictures of one size differ.
type differences struct {
	set    []bool
	bounds image.Rectangle
}

func compare(a, b *image.NRGBA) differences {
	bounds := a.Bounds().Intersect(b.Bounds())
	d := differences{bounds: bounds, set: make([]bool, bounds.Dx()*bounds.Dy())}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		rowA, rowB := a.Pix[a.PixOffset(bounds.Min.X, y):], b.Pix[b.PixOffset(bounds.Min.X, y):]
		line := d.set[(y-bounds.Min.Y)*bounds.Dx():]
		for x := range bounds.Dx() {
			line[x] = far(rowA[4*x], rowB[4*x]) || far(rowA[4*x+1], rowB[4*x+1]) || far(rowA[4*x+2], rowB[4*x+2])
		}
	}
	return d
}

func far(a, b uint8) bool { return int(a)-int(b) > tolerance || int(b)-int(a) > tolerance }

// count is how many pixels differ inside the regions, and how many anywhere.
func (d differences) count(regions []rect) (inside, everywhere int) {
	in := make([]image.Rectangle, 0, len(regions))
	for _, r := range regions {
		in = append(in, r.pixels(d.bounds))
	}
	for i, differs := range d.set {
		if !differs {
			continue
		}
		everywhere++
		at := image.Pt(d.bounds.Min.X+i%d.bounds.Dx(), d.bounds.Min.Y+i/d.bounds.Dx())
		for _, r := range in {
			if at.In(r) {
				inside++
				break
			}
		}
	}
	return inside, everywhere
}

// without leaves out what moves by itself, with a border around it.
func (d differences) without(moving differences) differences {
	const border = 3
	out := differences{bounds: d.bounds, set: append([]bool{}, d.set...)}
	w, h := d.bounds.Dx(), d.bounds.Dy()
	for i, moves := range moving.set {
		if !moves {
			continue
		}
		for y := max(0, i/w-border); y <= min(h-1, i/w+border); y++ {
			for x := max(0, i%w-border); x <= min(w-1, i%w+border); x++ {
				out.set[y*w+x] = false
			}
		}
	}
	return out
}
