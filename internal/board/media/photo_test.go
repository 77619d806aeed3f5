package media_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/fault"
)

func photo(keepPlace bool) media.New {
	return media.New{Owner: worker, Kind: media.Photo, KeepPlace: keepPlace}
}

func put(t *testing.T, s *media.Store, n media.New, data []byte) media.File {
	t.Helper()
	f, err := s.Put(t.Context(), n, bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v: %s", err, media.Explain(err, "ja"))
	}
	return f
}

// contents are the bytes of every file below files.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(filepath.Join(dir, "files"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if info, err := d.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s has the mode %v (%v)", path, info.Mode(), err)
		}
		out[d.Name()], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPhotoKeepsThePictureOnly: whatever a photo carries beside its picture is in
// none of the stored files; time and place are in the private record.
func TestPhotoKeepsThePictureOnly(t *testing.T) {
	picture := scene(64, 48)
	plain := asJPEG(picture, 90)
	spot := &media.Place{Latitude: 35.6586, Longitude: 139.7454}
	taken := media.Private{CapturedAt: now.Add(-30 * time.Minute), Place: spot}
	script := []byte("<script>SECRETMAKER</script>")
	for _, c := range []struct {
		name string
		data []byte
		want media.Private
	}{
		{"jpeg", jpegWith(plain, tokyo(1)), taken},
		{"png", pngWith(asPNG(picture), "eXIf", tokyo(1)), taken},
		{"png with text", pngWith(asPNG(picture), "tEXt", append([]byte("Comment\x00"), script...)), media.Private{}},
		{"webp", riffWith(asWebP(), "EXIF", tokyo(1)), taken},
		{"trailing script", append(bytes.Clone(plain), script...), media.Private{}},
		{"trailing archive", append(bytes.Clone(plain), "PK\x03\x04SECRETMAKER"...), media.Private{}},
		{"comment segment", append([]byte{0xff, 0xd8, 0xff, 0xfe, 0, 13}, append([]byte("SECRETMAKER"), plain[2:]...)...), media.Private{}},
		{"no zone", jpegWith(plain, tiff(nil, []tag{ascii(0x9003, "2026:11:28 11:30:00")}, nil)), media.Private{CapturedAt: taken.CapturedAt, ZoneAssumed: true}},
		{"south and west", jpegWith(plain, tiff(nil, nil, []tag{ascii(1, "S"), degrees(2, 33, 30, 0), ascii(3, "W"), degrees(4, 70, 30, 0)})),
			media.Private{Place: &media.Place{Latitude: -33.5, Longitude: -70.5}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var dir string
			s := open(t, func(o *media.Options) { dir = o.Dir })
			f := put(t, s, photo(true), c.data)
			if diff := cmp.Diff(c.want, f.Private, approx); diff != "" {
				t.Error(diff)
			}
			files := contents(t, dir)
			if len(files) != 2 || files[f.SHA256+".jpg"] == nil || files[f.SHA256+".thumb.jpg"] == nil {
				t.Fatalf("%d files are stored: %v", len(files), names(files))
			}
			for name, data := range files {
				for _, secret := range []string{"SECRET", "Exif", "script", "2026:11", "PK\x03\x04"} {
					if bytes.Contains(data, []byte(secret)) {
						t.Errorf("%s still has %q", name, secret)
					}
				}
				if _, err := jpeg.Decode(bytes.NewReader(data)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
}

var approx = cmp.Comparer(func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 })

func names(files map[string][]byte) []string {
	var out []string
	for n := range files {
		out = append(out, n)
	}
	return out
}

// TestPlaceNeedsConsent: without it the place is in no file of the store at all.
func TestPlaceNeedsConsent(t *testing.T) {
	var dir string
	s := open(t, func(o *media.Options) { dir = o.Dir })
	f := put(t, s, photo(false), jpegWith(asJPEG(scene(64, 48), 90), tokyo(1)))
	if f.Private.Place != nil || f.Private.CapturedAt.IsZero() {
		t.Errorf("private record %+v", f.Private)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "records", f.ID+".json")); err != nil || strings.Contains(string(text), "latitude") {
		t.Errorf("the record is %s (%v)", text, err)
	}
}

// TestOrientation: a mark at the top left of the upright scene is there again,
// however the camera stored it.
func TestOrientation(t *testing.T) {
	upright := scene(64, 48)
	dark := func(c color.Color) bool { r, g, b, _ := c.RGBA(); return r+g+b < 0x6000 }
	// stored is the upright picture as a camera of each orientation stores it
	stored := func(o int) image.Image {
		w, h := 64, 48
		to := []func(x, y int) (int, int){
			1: func(x, y int) (int, int) { return x, y }, 2: func(x, y int) (int, int) { return w - 1 - x, y },
			3: func(x, y int) (int, int) { return w - 1 - x, h - 1 - y }, 4: func(x, y int) (int, int) { return x, h - 1 - y },
			5: func(x, y int) (int, int) { return y, x }, 6: func(x, y int) (int, int) { return y, w - 1 - x },
			7: func(x, y int) (int, int) { return h - 1 - y, w - 1 - x }, 8: func(x, y int) (int, int) { return h - 1 - y, x },
		}[o]
		m := image.NewRGBA(image.Rect(0, 0, w, h))
		if o >= 5 {
			m = image.NewRGBA(image.Rect(0, 0, h, w))
		}
		for y := range h {
			for x := range w {
				sx, sy := to(x, y)
				m.Set(sx, sy, upright.At(x, y))
			}
		}
		return m
	}
	for o := 1; o <= 8; o++ {
		var dir string
		s := open(t, func(op *media.Options) { dir = op.Dir })
		f := put(t, s, photo(false), jpegWith(asJPEG(stored(o), 95), tokyo(uint16(o))))
		if f.Width != 64 || f.Height != 48 {
			t.Errorf("orientation %d: %d x %d", o, f.Width, f.Height)
			continue
		}
		m, err := jpeg.Decode(bytes.NewReader(contents(t, dir)[f.SHA256+".jpg"]))
		if err != nil {
			t.Fatal(err)
		}
		if !dark(m.At(4, 4)) || dark(m.At(60, 4)) || dark(m.At(4, 44)) || dark(m.At(60, 44)) {
			t.Errorf("orientation %d: the mark is not at the top left", o)
		}
	}
}

func TestRefusedPhotos(t *testing.T) {
	plain := asJPEG(scene(64, 48), 90)
	scans := append(bytes.Clone(plain), bytes.Repeat([]byte{0xff, 0xda}, 100)...)
	for _, c := range []struct {
		name, reason, detail string
		data                 []byte
	}{
		{"nothing", "missing_file", "empty", nil},
		{"HEIC of an iPhone", "invalid_file_type", "heic", heic("heic")},
		{"HEIF", "invalid_file_type", "heic", heic("mif1")},
		{"HEIC burst", "invalid_file_type", "heic", heic("hevc")},
		{"the movie of a Live Photo", "invalid_file_type", "wrong_kind", movie("qt  ")},
		{"GIF", "invalid_file_type", "image/gif", asGIF(scene(8, 8))},
		{"GIF and script", "invalid_file_type", "image/gif", []byte("GIF89a/*\x01\x00\x01\x00*/=1;alert(1)//")},
		{"SVG", "invalid_file_type", "image/svg+xml", []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)},
		{"HTML", "invalid_file_type", "text/html; charset=utf-8", []byte("<!doctype html><script>alert(1)</script>")},
		{"PDF", "invalid_file_type", "application/pdf", []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")},
		{"program", "invalid_file_type", "application/x-elf", []byte("\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 64))},
		{"text", "invalid_file_type", "text/plain; charset=utf-8", []byte("not a picture")},
		{"cut JPEG", "invalid_file_type", "broken", plain[:len(plain)/2]},
		{"only a header", "invalid_file_type", "broken", plain[:4]},
		{"cut PNG", "invalid_file_type", "broken", asPNG(scene(64, 48))[:200]},
		{"PNG without pixels", "invalid_file_type", "broken", headerOnly(10, 10)},
		{"PNG of no width", "invalid_file_type", "broken", headerOnly(0, 10)},
		{"bomb", "file_too_large", "pixels", headerOnly(65535, 65535)},
		{"narrow bomb", "file_too_large", "pixels", headerOnly(1, 1<<30)},
		{"a JPEG of a hundred scans", "invalid_file_type", "broken", scans},
	} {
		t.Run(c.name, func(t *testing.T) {
			var dir string
			s := open(t, func(o *media.Options) { dir = o.Dir })
			_, err := s.Put(t.Context(), photo(true), bytes.NewReader(c.data))
			f := fault.From(err)
			if err == nil || f.Type != c.reason || f.Data["detail"] != c.detail {
				t.Fatalf("got %v, %v", err, f)
			}
			for _, lang := range []string{"ja", "en"} {
				if media.Explain(err, lang) == "" || media.Explain(err, "ja") == media.Explain(err, "en") {
					t.Errorf("%s: %q", lang, media.Explain(err, lang))
				}
			}
			if left := everyFile(t, dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
	if err := heicError(t); !strings.Contains(media.Explain(err, "ja"), "互換性優先") || !strings.Contains(media.Explain(err, "en"), "Most Compatible") {
		t.Errorf("HEIC is explained as %q, %q", media.Explain(err, "ja"), media.Explain(err, "en"))
	}
}

func heicError(t *testing.T) error {
	_, err := open(t, nil).Put(t.Context(), photo(true), bytes.NewReader(heic("heic")))
	return err
}

func everyFile(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != "lock" { // which is always there
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestLimits(t *testing.T) {
	small := asJPEG(scene(64, 48), 90)
	limit := int64(len(small))
	s := open(t, func(o *media.Options) { o.MaxPhoto, o.MaxPixels = limit, 64*48 })
	put(t, s, photo(false), small)
	for name, data := range map[string][]byte{"a byte more": append(bytes.Clone(small), 0), "endless": bytes.Repeat([]byte{0xff}, 1<<20)} {
		_, err := s.Put(t.Context(), photo(false), bytes.NewReader(data))
		if f := fault.From(err); err == nil || f.Type != "file_too_large" || f.Data["detail"] != "bytes" {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := open(t, func(o *media.Options) { o.MaxPixels = 64*48 - 1 }).Put(t.Context(), photo(false), bytes.NewReader(small))
	if f := fault.From(err); err == nil || f.Data["detail"] != "pixels" {
		t.Errorf("a pixel too many: %v", err)
	}
}

// TestHolesBecomeWhite: JPEG knows no transparency.
func TestHolesBecomeWhite(t *testing.T) {
	var dir string
	s := open(t, func(o *media.Options) { dir = o.Dir })
	f := put(t, s, photo(false), asPNG(image.NewNRGBA(image.Rect(0, 0, 16, 16))))
	m, err := jpeg.Decode(bytes.NewReader(contents(t, dir)[f.SHA256+".jpg"]))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := m.At(8, 8).RGBA(); r>>8 != 255 || g>>8 != 255 || b>>8 != 255 {
		t.Errorf("a hole is %v", m.At(8, 8))
	}
}

func TestSame(t *testing.T) {
	s := open(t, nil)
	first := put(t, s, photo(false), asJPEG(scene(320, 240), 90))
	bright := scene(320, 240)
	for i := range bright.Pix {
		if i%4 != 3 {
			bright.Pix[i] = uint8(min(255, int(bright.Pix[i])+10))
		}
	}
	other := image.NewGray(image.Rect(0, 0, 320, 240))
	for i := range other.Pix {
		other.Pix[i] = uint8(i % 320 * (i / 320) / 300)
	}
	blank := image.NewGray(image.Rect(0, 0, 320, 240))
	faint := image.NewGray(image.Rect(0, 0, 320, 240))
	for i := range faint.Pix {
		faint.Pix[i] = uint8(200 + i%320/40)
	}
	for _, c := range []struct {
		name         string
		data         []byte
		found, exact bool
	}{
		{"the same bytes", asJPEG(scene(320, 240), 90), true, true},
		{"with another record", jpegWith(asJPEG(scene(320, 240), 90), tokyo(1)), true, true},
		{"compressed more", asJPEG(scene(320, 240), 40), true, false},
		{"scaled", asJPEG(scene(200, 150), 90), true, false},
		{"brighter", asPNG(bright), true, false},
		{"another picture", asJPEG(other, 90), false, false},
		{"nothing on it", asJPEG(blank, 90), false, false},
		{"again nothing, with other bytes", asPNG(blank), false, false},
		{"a wall", asPNG(faint), false, false},
	} {
		f := put(t, s, media.New{Owner: "human:h2", Kind: media.Photo}, c.data)
		var of *media.Same
		for _, same := range f.Same {
			if same.ID == first.ID {
				of = &same
			}
		}
		if (of != nil) != c.found || of != nil && (of.Exact != c.exact || of.Owner != worker) {
			t.Errorf("%s: %+v", c.name, f.Same)
		}
	}
	// a wall has too little on it to be told from another one
	for i := range faint.Pix {
		faint.Pix[i] -= 16
	}
	if f := put(t, s, photo(false), asPNG(faint)); len(f.Same) > 0 {
		t.Errorf("another wall is said to be like %+v", f.Same)
	}
}

func TestTiming(t *testing.T) {
	start, deadline := now.Add(-2*time.Hour), now.Add(-time.Hour)
	for _, c := range []struct {
		name    string
		at      time.Time
		assumed bool
		want    media.Timing
	}{
		{"silent", time.Time{}, false, media.TimeUnknown},
		{"while the work went on", now.Add(-90 * time.Minute), false, media.TimeFits},
		{"an old picture", now.Add(-24 * time.Hour), false, media.TimeTooEarly},
		{"after the deadline", now.Add(-30 * time.Minute), false, media.TimeTooLate},
		{"from the future", now.Add(time.Hour), false, media.TimeInFuture},
		{"a clock that is a little off", deadline.Add(3 * time.Minute), false, media.TimeFits},
		{"years ago in any zone", now.AddDate(-2, 0, 0), true, media.TimeTooEarly},
		{"late in Japan, early elsewhere", now.Add(-30 * time.Minute), true, media.TimeUncertain},
		{"right in Japan", now.Add(-90 * time.Minute), true, media.TimeFits},
	} {
		f := media.File{StoredAt: now, Private: media.Private{CapturedAt: c.at, ZoneAssumed: c.assumed}}
		if got := f.Timing(start, deadline); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
