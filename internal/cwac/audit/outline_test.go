//go:build linux

package audit_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

func TestScreenshot(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{"/": document(`<div style="height:2000px">x</div>`)})
	page := visit(t, address+"/")
	if err := page.Tab.Resize(patience(t), browser.Size{Width: 320, Height: 400}); err != nil {
		t.Fatal(err)
	}
	for _, whole := range []bool{false, true} {
		data, err := page.Screenshot(patience(t), whole)
		if err != nil {
			t.Fatal(err)
		}
		c, err := png.DecodeConfig(bytes.NewReader(data))
		if err != nil || c.Width != 320 || (c.Height > 2000) != whole || !whole && c.Height != 400 {
			t.Errorf("whole %v: %d by %d, %v", whole, c.Width, c.Height, err)
		}
	}
}

func TestOutline(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{"/": `<!doctype html><html lang=en><title>t</title><body style="margin:0"><div style="height:1500px"></div>`})
	page := visit(t, address+"/")
	if err := page.Tab.Resize(patience(t), browser.Size{Width: 600, Height: 400}); err != nil {
		t.Fatal(err)
	}
	at := func(x, y float64) results.Finding {
		return results.Finding{Box: &results.Box{X: x, Y: y, Width: 100, Height: 50}}
	}
	list := []results.Finding{at(100, 100), {}, at(300, 100), at(100, 100), at(100, 5000), at(50, 900)}
	shot, err := page.Screenshot(patience(t), true)
	if err != nil {
		t.Fatal(err)
	}
	got, err := audit.OutlinePicture(shot, list, audit.OutlineOptions{})
	if err != nil {
		t.Fatal(err)
	}
	marks := []audit.Mark{{Number: 1, Findings: []int{0, 3}}, {Number: 2, Findings: []int{2}}, {Number: 3, Findings: []int{5}}}
	if diff := cmp.Diff(marks, got.Marks); diff != "" || got.Hidden != 2 || got.Width != 600 || got.Height != 1500 {
		t.Errorf("%d by %d, %d hidden, marks differ (-want +got):\n%s", got.Width, got.Height, got.Hidden, diff)
	}
	img, err := jpeg.Decode(bytes.NewReader(got.JPEG))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		at     image.Point
		marked bool
	}{{image.Pt(98, 125), true}, {image.Pt(150, 98), true}, {image.Pt(150, 125), false}, {image.Pt(98, 85), true}, {image.Pt(301, 98), true}, {image.Pt(48, 925), true}, {image.Pt(500, 500), false}} {
		if red(img.At(p.at.X, p.at.Y)) != p.marked {
			t.Errorf("at %v the picture is %v", p.at, img.At(p.at.X, p.at.Y))
		}
	}
	less, err := audit.OutlinePicture(shot, list, audit.OutlineOptions{MaxBytes: 8000})
	if err != nil || len(less.JPEG) > 8000 || less.Width >= 600 {
		t.Errorf("%d bytes, %d wide, %v", len(less.JPEG), less.Width, err)
	}
	if _, err := jpeg.Decode(bytes.NewReader(less.JPEG)); err != nil {
		t.Error(err)
	}
}

func red(c color.Color) bool {
	r, g, b, _ := c.RGBA()
	return r > g+0x2000 && r > b+0x2000
}
