package runner

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"testing"
)

// noise is a JPEG that does not compress well, so that sizes are real.
func noise(t *testing.T, w, h int) []byte {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, color.RGBA{uint8(rnd.Uint32()), uint8(rnd.Uint32()), uint8(rnd.Uint32()), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 90}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFitPicturesKeepsTheAnswerFirst(t *testing.T) {
	big := noise(t, 400, 400)
	var in []picture
	for n := 1; n <= 6; n++ {
		in = append(in, picture{page: n, data: bytes.Clone(big), mime: "image/jpeg", quality: 80, tile: 1, tiles: 1})
	}
	in = append(in, picture{page: resultsPage, data: bytes.Clone(big), mime: "image/jpeg", quality: 80, tile: 1, tiles: 1})
	total := len(big) + len(big)/8 // room for the answer and a little
	kept, dropped := fitPictures(in, len(big), total)
	sum := 0
	for _, p := range kept {
		sum += len(p.data)
		if _, _, err := image.Decode(bytes.NewReader(p.data)); err != nil {
			t.Errorf("a kept picture does not decode: %v", err)
		}
	}
	if sum > total {
		t.Errorf("kept %d bytes, budget %d", sum, total)
	}
	if last := kept[len(kept)-1]; last.page != resultsPage || len(last.data) != len(big) {
		t.Errorf("the answer's picture is not kept whole: page %d, %d bytes", last.page, len(last.data))
	}
	if dropped == 0 || len(kept)+dropped != len(in) {
		t.Errorf("kept %d, dropped %d of %d", len(kept), dropped, len(in))
	}
}

func TestShrinkHonoursTheBoundOrSaysNo(t *testing.T) {
	p := picture{data: noise(t, 300, 300), mime: "image/jpeg", quality: 90}
	small, ok := shrink(p, len(p.data)/3)
	if !ok || len(small.data) > len(p.data)/3 || small.width >= 300 {
		t.Errorf("shrink: ok %v, %d bytes of %d, width %d", ok, len(small.data), len(p.data), small.width)
	}
	if _, ok := shrink(p, 10); ok {
		t.Error("10 bytes cannot hold a picture")
	}
}
