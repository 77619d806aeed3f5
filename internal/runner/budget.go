package runner

import (
	"bytes"
	"image"
	"image/jpeg"

	"golang.org/x/image/draw"
)

// replyBudget is the most bytes of a whole reply: hosts refuse a megabyte, and
// some remote ones less.
const replyBudget = 700 << 10

// overhead is what the protocol adds around text, structure and pictures.
const overhead = 8 << 10

// imageRoom is how many bytes of pictures fit beside the rest of the answer:
// base64 makes them a third larger.
func (a Answer) imageRoom() int {
	return max(0, (replyBudget-overhead-len(marshal(a))-len(a.Text()))/4*3)
}

// fitPictures keeps the pictures within the budgets: each at most perImage
// bytes, all together at most total. Answer and error pages come first and keep
// their size, the others share what is left. Dropped ones are counted.
func fitPictures(in []picture, perImage, total int) (kept []picture, dropped int) {
	keep := make([]bool, len(in))
	left := total
	order := byWorth(in)
	for n, i := range order {
		bound := min(perImage, left)
		if in[i].page > resultsPage {
			bound = min(perImage, left/(len(order)-n))
		}
		p, ok := shrink(in[i], bound)
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
