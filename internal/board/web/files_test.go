package web

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
)

// photo is a JPEG of one colour.
func photo(t *testing.T, shade uint8) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 320, 240))
	for y := range 240 {
		for x := range 320 {
			m.Set(x, y, color.RGBA{shade, uint8(x / 2), uint8(y), 255})
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
