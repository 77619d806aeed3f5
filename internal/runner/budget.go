package runner

import (
	"bytes"
	"encoding/json"
	"image"
	"image/jpeg"

	"golang.org/x/image/draw"
)

// replyBudget is the most bytes of a whole reply: hosts refuse a megabyte, and
// some remote ones less.
const replyBudget = 700 << 10

// overhead is what the protocol adds around text, structure and pictures.
const overhead = 8 << 10

// imageRoom is how many bytes of these pictures fit beside the rest of the
// answer, their index included: base64 makes them a third larger.
func (a Answer) imageRoom(pictures []picture) int {
	room := replyBudget - overhead - escaped(a) - escaped(a.Text())
	for _, p := range pictures {
		room -= 400 + 4*len(p.title) // block, index entry and a line of text
	}
	return max(0, room/4*3)
}

// escaped is the size of v as the protocol sends it, with < and & escaped.
func escaped(v any) int {
	raw, err := json.Marshal(v)
	if err != nil {
		return 0 // what cannot be sent takes no room
	}
	return len(raw)
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
	p.quality = min(p.quality, smallQuality)
	for _, scale := range []float64{1, 0.8, 0.6, 0.45, 0.35} {
		dst := scaled(src, scale)
		var buf bytes.Buffer
		if err := jpeg.Encode(&buf, dst, &jpeg.Options{Quality: p.quality}); err != nil {
			return p, false
		}
		if buf.Len() <= max {
			p.data, p.mime, p.width, p.height = buf.Bytes(), "image/jpeg", dst.Bounds().Dx(), dst.Bounds().Dy()
			return p, true
		}
	}
	return p, false
}

// smallQuality is the most that pictures have which had to be made smaller.
const smallQuality = 60

// scaled is the picture in another size; at its own it is used as it is, which
// costs a third of the work.
func scaled(src image.Image, scale float64) image.Image {
	if scale == 1 {
		return src
	}
	b := src.Bounds()
	dst := image.NewRGBA(image.Rect(0, 0, int(float64(b.Dx())*scale), int(float64(b.Dy())*scale)))
	draw.ApproxBiLinear.Scale(dst, dst.Bounds(), src, b, draw.Src, nil)
	return dst
}

// answerRoom is what the words of an answer take up in most replies.
const answerRoom = 24 << 10

// pixelBytes is what a form page takes per pixel at a quality of 80; it changes by
// a hundredth with every step of quality.
const pixelBytes = 0.055

// lowestQuality is the lowest at which small print can be read.
const lowestQuality = 45

// qualityFor is the quality at which n pictures of that many pixels are likely to
// fit into one reply, at most the one asked for. To know it beforehand saves
// making pictures smaller afterwards.
func qualityFor(asked, n, pixels int) int {
	share := float64(replyBudget-overhead-answerRoom) / 4 * 3 / float64(max(1, n))
	fits := 80 + int(100*(share/(float64(pixels)*pixelBytes)-1))
	return min(asked, max(fits, lowestQuality))
}
