package report

import (
	"bytes"
	"encoding/base64"
	"html/template"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

const (
	maxPixels     = 60 << 20 // of a screenshot that is opened
	cropWidth     = 560      // pixels of a detail, at most
	cropHeight    = 320
	cropMargin    = 40
	outlineWidth  = 3
	jpegQuality   = 72
	maxPictures   = 60
	maxShotsShown = 120 // screenshots that are opened
)

// picture is a detail of a screenshot with the faulty element outlined.
type picture struct {
	URL           template.URL // data: of our own making
	Width, Height int
	Alt           string
}

// gallery cuts pictures out of screenshots until its bytes are used up. It keeps the
// last screenshot, since examples of a page often come one after the other.
type gallery struct {
	shots  func(auditID string) ([]byte, error)
	left   int // bytes
	count  int
	opened int
	last   string
	image  image.Image
}

func newGallery(rep *Report) *gallery {
	g := &gallery{left: pictureBytes}
	if rep.source != nil {
		g.shots = rep.source.Picture
	}
	return g
}

// of is nil when there is no screenshot, or the element is not on it.
func (g *gallery) of(i *Issue) *picture {
	if g.shots == nil || i.box == nil || g.count >= maxPictures {
		return nil
	}
	shot := g.open(i.shot)
	if shot == nil {
		return nil
	}
	data, size := detail(shot, *i.box, i.shotWidth)
	if data == nil || len(data) > g.left {
		return nil
	}
	g.left -= len(data)
	g.count++
	return &picture{
		URL:   template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(data)),
		Width: size.X, Height: size.Y, Alt: "Detail of the page. The element of this issue is outlined.",
	}
}

func (g *gallery) open(auditID string) image.Image {
	if g.last == auditID {
		return g.image
	}
	if g.opened++; g.opened > maxShotsShown {
		return nil
	}
	g.last, g.image = auditID, nil
	data, err := g.shots(auditID)
	if err != nil { // the scan made no screenshots
		return nil
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height {
		return nil
	}
	if shot, err := png.Decode(bytes.NewReader(data)); err == nil {
		g.image = shot
	}
	return g.image
}

// detail cuts out the element with what is around it, and outlines it. Boxes are in
// CSS pixels; the screenshot may have more pixels than those.
func detail(shot image.Image, box results.Box, cssWidth int) ([]byte, image.Point) {
	scale := 1.0
	if cssWidth > 0 {
		scale = max(1, math.Round(float64(shot.Bounds().Dx())/float64(cssWidth)))
	}
	at, ok := scaled(box, scale, shot.Bounds())
	if !ok {
		return nil, image.Point{}
	}
	crop := cropAround(at, shot.Bounds())
	out := image.NewRGBA(image.Rect(0, 0, crop.Dx(), crop.Dy()))
	draw.Draw(out, out.Bounds(), shot, crop.Min, draw.Src)
	frame := at.Sub(crop.Min)
	outline(out, frame.Inset(-2*outlineWidth), color.White)
	outline(out, frame.Inset(-outlineWidth), color.RGBA{R: 0xd1, G: 0x00, B: 0x6b, A: 0xff})
	var b bytes.Buffer
	if err := jpeg.Encode(&b, out, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return nil, image.Point{}
	}
	return b.Bytes(), out.Bounds().Size()
}

// scaled is the box on the screenshot, if any of it is there.
func scaled(box results.Box, scale float64, bounds image.Rectangle) (image.Rectangle, bool) {
	for _, f := range []float64{box.X, box.Y, box.Width, box.Height} {
		if math.IsNaN(f) || math.Abs(f) > 1e7 {
			return image.Rectangle{}, false
		}
	}
	at := image.Rect(int(box.X*scale), int(box.Y*scale), int((box.X+box.Width)*scale), int((box.Y+box.Height)*scale))
	at = at.Add(bounds.Min)
	if box.Width <= 0 || box.Height <= 0 || !at.Overlaps(bounds) {
		return image.Rectangle{}, false
	}
	return at.Intersect(bounds), true
}

// cropAround keeps the element in view. Of one that is larger than a detail it shows
// the beginning.
func cropAround(at, bounds image.Rectangle) image.Rectangle {
	span := func(from, to, low, high, most int) (int, int) {
		start := max(low, from-cropMargin)
		end := min(high, max(to+cropMargin, start+most/2))
		return start, min(end, start+most)
	}
	x0, x1 := span(at.Min.X, at.Max.X, bounds.Min.X, bounds.Max.X, cropWidth)
	y0, y1 := span(at.Min.Y, at.Max.Y, bounds.Min.Y, bounds.Max.Y, cropHeight)
	return image.Rect(x0, y0, x1, y1)
}

func outline(img *image.RGBA, r image.Rectangle, c color.Color) {
	fill := image.NewUniform(c)
	for _, side := range []image.Rectangle{
		image.Rect(r.Min.X, r.Min.Y, r.Max.X, r.Min.Y+outlineWidth), image.Rect(r.Min.X, r.Max.Y-outlineWidth, r.Max.X, r.Max.Y),
		image.Rect(r.Min.X, r.Min.Y, r.Min.X+outlineWidth, r.Max.Y), image.Rect(r.Max.X-outlineWidth, r.Min.Y, r.Max.X, r.Max.Y),
	} {
		draw.Draw(img, side, fill, image.Point{}, draw.Src)
	}
}
