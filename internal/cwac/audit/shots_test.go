//go:build linux

package audit_test

import (
	"bytes"
	"image/png"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// TestThePictureOfAPageThatWasScrolled shows fixed content where it is at first: in the
// middle of the page it would hide what stands there.
func TestThePictureOfAPageThatWasScrolled(t *testing.T) {
	t.Parallel()
	page := visit(t, site(t, map[string]string{"/": `<!doctype html><html lang="en"><title>t</title><body style="margin: 0; background: #ffffff">
<header style="position: fixed; top: 0; left: 0; right: 0; height: 60px; background: #c00000"></header><div style="height: 3000px"></div><script>scrollTo(0, 1500)</script>`})+"/")
	raw, err := page.Screenshot(patience(t), true)
	if err != nil {
		t.Fatal(err)
	}
	shot, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	red := func(y int) bool { r, g, _, _ := shot.At(100, y).RGBA(); return r>>8 == 0xc0 && g == 0 }
	if shot.Bounds().Dy() != 3000 || !red(30) || red(1530) {
		t.Errorf("the picture has %v; the header is at the top: %v, in the middle: %v", shot.Bounds(), red(30), red(1530))
	}
}

// TestThePictureOfAPageThatNeverStays: the browser may never answer, and then the other
// audits of the page must have their time.
func TestThePictureOfAPageThatNeverStays(t *testing.T) {
	t.Parallel()
	page := visit(t, site(t, map[string]string{"/": `<!doctype html><html lang="en"><title>t</title><body><img src="/x.png"><script>setTimeout(() => location.reload(), 250)</script>`})+"/")
	page.ShotLimit = time.Second
	for range 300 { // within the first hundred one falls into a reload
		began := time.Now()
		_, err := page.Screenshot(patience(t), true)
		if took := time.Since(began); took > 10*time.Second {
			t.Fatalf("it takes %s: %v", took, err)
		}
		if f := fault.From(err); err != nil && f.Kind == fault.Timeout {
			return
		}
	}
}
