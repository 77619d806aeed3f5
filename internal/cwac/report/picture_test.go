package report

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/jpeg"
	"math"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

func shown(t *testing.T, p *picture) image.Image {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(string(p.URL), "data:image/jpeg;base64,"))
	must(t, err)
	img, err := jpeg.Decode(bytes.NewReader(data))
	must(t, err)
	if size := img.Bounds().Size(); size.X != p.Width || size.Y != p.Height {
		t.Errorf("the picture is %v and says %d by %d", size, p.Width, p.Height)
	}
	return img
}

// pink reports whether a pixel has the colour of the outline, as far as JPEG keeps it.
func pink(img image.Image, x, y int) bool {
	r, g, b, _ := img.At(x, y).RGBA()
	return r>>8 > 0xa0 && g>>8 < 0x70 && b>>8 > 0x38 && b>>8 < 0xa0
}

func TestPictureOutlinesTheElement(t *testing.T) {
	for name, c := range map[string]struct {
		width, height int // of the screenshot
		x, y          int // where the left edge of the outline must be
	}{
		"one pixel a CSS pixel": {320, 450, 18, 60}, "two pixels a CSS pixel": {640, 900, 38, 60},
	} {
		g := gallery{left: pictureBytes, shots: func(string) ([]byte, error) { return screenshot(t, c.width, c.height), nil }}
		p := g.of(&Issue{box: &results.Box{X: 20, Y: 100, Width: 160, Height: 40}, shot: "1_small", shotWidth: 320})
		if p == nil {
			t.Fatalf("%s: there is no picture", name)
		}
		img := shown(t, p)
		if !pink(img, c.x, c.y) {
			t.Errorf("%s: no outline at %d, %d: %v", name, c.x, c.y, img.At(c.x, c.y))
		}
		if pink(img, c.x+25, c.y) {
			t.Errorf("%s: the outline covers the element", name)
		}
	}
}

func TestNoPicture(t *testing.T) {
	bomb := screenshot(t, 10, 10)
	binary.BigEndian.PutUint32(bomb[16:], 1<<17) // says that it is 131,072 pixels wide and high
	binary.BigEndian.PutUint32(bomb[20:], 1<<17)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	good := results.Box{X: 20, Y: 100, Width: 160, Height: 40}
	whole := screenshot(t, 320, 450)
	for name, c := range map[string]struct {
		shot []byte
		err  error
		box  *results.Box
		left int
	}{
		"no box": {whole, nil, nil, pictureBytes}, "no screenshot": {nil, errors.New("none"), &good, pictureBytes},
		"not a picture": {[]byte("<svg>"), nil, &good, pictureBytes}, "a bomb": {bomb, nil, &good, pictureBytes},
		"half a picture":     {whole[:200], nil, &good, pictureBytes},
		"below the picture":  {whole, nil, &results.Box{X: 0, Y: 5000, Width: 10, Height: 10}, pictureBytes},
		"an empty box":       {whole, nil, &results.Box{X: 1, Y: 1}, pictureBytes},
		"a negative box":     {whole, nil, &results.Box{X: 10, Y: 10, Width: -5, Height: -5}, pictureBytes},
		"an endless box":     {whole, nil, &results.Box{Width: math.Inf(1), Height: 1}, pictureBytes},
		"no number":          {whole, nil, &results.Box{X: math.NaN(), Width: 1, Height: 1}, pictureBytes},
		"the budget is used": {whole, nil, &good, 10},
	} {
		g := gallery{left: c.left, shots: func(string) ([]byte, error) { return c.shot, c.err }}
		if p := g.of(&Issue{box: c.box, shot: "1_small", shotWidth: 320}); p != nil {
			t.Errorf("%s: there is a picture", name)
		}
	}
}

func TestPicturesStayWithinTheirBudget(t *testing.T) {
	g := gallery{left: pictureBytes, shots: func(string) ([]byte, error) { return screenshot(t, 320, 450), nil }}
	bytes, count := 0, 0
	for range maxPictures * 2 {
		if p := g.of(&Issue{box: &results.Box{Width: 320, Height: 450}, shot: "1_small", shotWidth: 320}); p != nil {
			bytes += len(p.URL)
			count++
			img := shown(t, p)
			if img.Bounds().Dx() > cropWidth || img.Bounds().Dy() > cropHeight {
				t.Fatalf("a picture is %v", img.Bounds())
			}
		}
	}
	if count != maxPictures || bytes > pictureBytes*4/3+count*40 {
		t.Errorf("%d pictures of %d bytes", count, bytes)
	}
}
