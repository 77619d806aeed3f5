package audit

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"strconv"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// OutlineOptions say how a picture of a page with its faults looks.
type OutlineOptions struct {
	// MaxBytes of the JPEG; default 200,000.
	MaxBytes int
	// Height is how much of the page is shown, in CSS pixels; default 3,000.
	Height int
}

// Outlined is a picture of a page on which faults are marked.
type Outlined struct {
	JPEG          []byte
	Width, Height int
	// Marks are the numbers in the picture.
	Marks []Mark
	// Hidden counts findings that have no place in the picture.
	Hidden int
}

// Mark is one number in the picture: an element with the findings about it.
type Mark struct {
	Number   int   `json:"number"`
	Findings []int `json:"findings"` // indexes into what was asked for
}

// OutlinePicture draws a numbered frame around every element that has a finding into a
// picture of the page from its top, one pixel of it for each CSS pixel.
func OutlinePicture(png []byte, findings []results.Finding, o OutlineOptions) (Outlined, error) {
	o.MaxBytes, o.Height = orDefault(o.MaxBytes, 200_000), orDefault(o.Height, 3000)
	img, err := decode(png)
	if err != nil {
		return Outlined{}, err
	}
	if b := img.Bounds(); b.Dy() > o.Height {
		b.Max.Y = b.Min.Y + o.Height
		img = img.SubImage(b).(*image.NRGBA) // of one always is one
	}
	out := Outlined{}
	frames := out.number(findings, img.Bounds())
	drawMarks(img, frames)
	out.JPEG, img = squeeze(img, o.MaxBytes)
	out.Width, out.Height = img.Bounds().Dx(), img.Bounds().Dy()
	return out, nil
}

// number gives every element in the picture its number.
func (o *Outlined) number(findings []results.Finding, within image.Rectangle) []image.Rectangle {
	var frames []image.Rectangle
	known := map[image.Rectangle]int{}
	for i, f := range findings {
		if f.Box == nil {
			o.Hidden++
			continue
		}
		r := image.Rect(int(f.Box.X), int(f.Box.Y), int(f.Box.X+f.Box.Width+0.5), int(f.Box.Y+f.Box.Height+0.5)).Intersect(within)
		if r.Empty() {
			o.Hidden++
			continue
		}
		n, ok := known[r]
		if !ok {
			n = len(frames)
			known[r] = n
			frames = append(frames, r)
			o.Marks = append(o.Marks, Mark{Number: n + 1})
		}
		o.Marks[n].Findings = append(o.Marks[n].Findings, i)
	}
	return frames
}

// The colours of a mark: a dark frame between light ones, so that it shows on any
// ground.
var (
	ink   = color.NRGBA{R: 0xb0, G: 0x00, B: 0x20, A: 0xff}
	light = color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
)

func drawMarks(img *image.NRGBA, frames []image.Rectangle) {
	for _, r := range frames {
		outline(img, r.Inset(-4), light, 1)
		outline(img, r.Inset(-3), ink, 2)
		outline(img, r.Inset(-1), light, 1)
	}
	var labels []image.Rectangle
	for i, r := range frames {
		text := strconv.Itoa(i + 1)
		at := labelPlace(img.Bounds(), r.Inset(-4), labelSize(text), labels)
		labels = append(labels, at)
		drawLabel(img, at, text)
	}
}

// outline draws the edges of r inwards.
func outline(img *image.NRGBA, r image.Rectangle, c color.Color, width int) {
	fill := func(part image.Rectangle) { draw.Draw(img, part, image.NewUniform(c), image.Point{}, draw.Src) }
	fill(image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+width))
	fill(image.Rect(r.Min.X, r.Max.Y-width, r.Max.X, r.Max.Y))
	fill(image.Rect(r.Min.X, r.Min.Y, r.Min.X+width, r.Max.Y))
	fill(image.Rect(r.Max.X-width, r.Min.Y, r.Max.X, r.Max.Y))
}

// labelPlace finds a place beside a frame where no other label is, or the first one
// inside the picture if there is none.
func labelPlace(within, frame image.Rectangle, size image.Point, taken []image.Rectangle) image.Rectangle {
	corners := []image.Point{
		{frame.Min.X, frame.Min.Y - size.Y}, {frame.Max.X - size.X, frame.Min.Y - size.Y}, {frame.Min.X - size.X, frame.Min.Y},
		{frame.Max.X, frame.Min.Y}, {frame.Min.X, frame.Max.Y}, {frame.Max.X - size.X, frame.Max.Y}, frame.Min,
	}
	var first image.Rectangle
	for _, c := range corners {
		r := image.Rectangle{Min: c, Max: c.Add(size)}
		if !r.In(within) {
			continue
		}
		if first.Empty() {
			first = r
		}
		if !overlaps(r, taken) {
			return r
		}
	}
	if first.Empty() {
		first = image.Rectangle{Min: within.Min, Max: within.Min.Add(size)}
	}
	return first
}

func overlaps(r image.Rectangle, taken []image.Rectangle) bool {
	for _, t := range taken {
		if r.Overlaps(t) {
			return true
		}
	}
	return false
}

// squeeze encodes a picture within a number of bytes: first it gives up quality, then
// size. The last try counts even if it is larger.
func squeeze(img *image.NRGBA, maxBytes int) ([]byte, *image.NRGBA) {
	for {
		var buf bytes.Buffer
		for _, quality := range []int{80, 60, 40} {
			buf.Reset()
			if err := jpeg.Encode(&buf, img, &jpeg.Options{Quality: quality}); err != nil {
				return nil, img // only a picture too large for the format
			}
			if buf.Len() <= maxBytes {
				return buf.Bytes(), img
			}
		}
		if img.Bounds().Dx() < 160 || img.Bounds().Dy() < 160 {
			return buf.Bytes(), img
		}
		img = shrink(img)
	}
}

// shrink makes a picture three quarters as wide and high; each pixel is the mean of
// those that it covers.
func shrink(src *image.NRGBA) *image.NRGBA {
	w, h := src.Bounds().Dx()*3/4, src.Bounds().Dy()*3/4
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			x0, y0 := x*4/3, y*4/3
			var sum [3]int
			for _, at := range [4]image.Point{{x0, y0}, {x0 + 1, y0}, {x0, y0 + 1}, {x0 + 1, y0 + 1}} {
				i := src.PixOffset(src.Bounds().Min.X+at.X, src.Bounds().Min.Y+at.Y)
				for c := range sum {
					sum[c] += int(src.Pix[i+c])
				}
			}
			i := out.PixOffset(x, y)
			out.Pix[i], out.Pix[i+1], out.Pix[i+2], out.Pix[i+3] = uint8(sum[0]/4), uint8(sum[1]/4), uint8(sum[2]/4), 0xff
		}
	}
	return out
}
