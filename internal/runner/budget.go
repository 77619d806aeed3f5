package runner

import (
	"bytes"
	"image"
	"image/jpeg"

	"golang.org/x/image/draw"
)

// imageBudget is how many bytes of pictures a reply carries: base64 makes them
// a third larger, and text and structure need their room below 700 KB.
const imageBudget = 420 << 10

// fitPictures keeps the pictures within the budgets: each at most perImage
// bytes, all together at most total. Answer and error pages come first, then
// the others from the last page backwards. Dropped ones are counted.
func fitPictures(in []picture, perImage, total int) (kept []picture, dropped int) {
	keep := make([]bool, len(in))
	left := total
	for _, i := range byWorth(in) {
		p, ok := shrink(in[i], min(perImage, left))
		if !ok {
			dropped++
			continue
		}
		in[i], keep[i] = p, true
		left -= len(p.data)
	}
	for i, p := range in {
		if keep[i] {
			kept = append(kept, p)
		}
	}
	return kept, dropped
}

// byWorth orders the pictures: first tiles of answer and error, first tiles of
// the other pages from the last one back, then further tiles.
func byWorth(in []picture) []int {
	var special, first, rest []int
	for i, p := range in {
		switch {
		case p.page <= resultsPage && p.tile <= 1:
			special = append(special, i)
		case p.tile <= 1:
			first = append([]int{i}, first...)
		default:
			rest = append(rest, i)
		}
	}
	return append(append(special, first...), rest...)
}

// shrink re-encodes a picture smaller until it fits into max bytes. Below a
// third of its size nobody can read it: then it does not fit.
func shrink(p picture, max int) (picture, bool) {
	if len(p.data) <= max {
		return p, true
	}
	src, _, err := image.Decode(bytes.NewReader(p.data))
	if err != nil {
		return p, false
	}
	for _, scale := range []float64{0.8, 0.6, 0.45, 0.35} {
		b := src.Bounds()
		dst := image.NewRGBA(image.Rect(0, 0, int(float64(b.Dx())*scale), int(float64(b.Dy())*scale)))
		draw.ApproxBiLinear.Scale(dst, dst.Bounds(), src, b, draw.Src, nil)
		var buf bytes.Buffer
		if err := jpeg.Encode(&buf, dst, &jpeg.Options{Quality: 70}); err != nil {
			return p, false
		}
		if buf.Len() <= max {
			p.data, p.mime, p.width, p.height = buf.Bytes(), "image/jpeg", dst.Rect.Dx(), dst.Rect.Dy()
			return p, true
		}
	}
	return p, false
}
