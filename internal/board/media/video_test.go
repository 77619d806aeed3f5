package media_test

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/media"
	"github.com/legwork-mcp/legwork/internal/fault"
)

func video() media.New { return media.New{Owner: worker, Kind: media.Video, KeepPlace: true} }

func TestVideos(t *testing.T) {
	taken := media.Private{CapturedAt: now.Add(-time.Hour), Place: &media.Place{Latitude: 35.6586, Longitude: 139.7454}}
	long := append(append([]byte{0, 0, 0, 1}, "mdat"...), binary.BigEndian.AppendUint64(nil, 16+4)...)
	for _, c := range []struct {
		name, mime string
		data       []byte
		want       media.Private
	}{
		{"mp4", "video/mp4", movie("isom"), taken},
		{"mov of an iPhone", "video/quicktime", movie("qt  "), taken},
		{"mp4 with a long box", "video/mp4", append(box("ftyp", []byte("isomisom"), box("moov")), append(long, 1, 2, 3, 4)...), media.Private{}},
		{"webm", "video/webm", webm(), media.Private{}},
		{"webm of a browser, without a length", "video/webm", append(webm()[:12], 0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3), media.Private{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := c.data
			if c.name == "mp4 with a long box" {
				data = bytes.Join([][]byte{box("ftyp", []byte("isomisom")), box("moov"), append(long, 1, 2, 3, 4)}, nil)
			}
			var dir string
			s := open(t, func(o *media.Options) { dir = o.Dir })
			f := put(t, s, video(), data)
			if f.MIME != c.mime || f.Bytes != int64(len(data)) {
				t.Errorf("stored as %s of %d bytes", f.MIME, f.Bytes)
			}
			if diff := cmp.Diff(c.want, f.Private, approx); diff != "" {
				t.Error(diff)
			}
			files := contents(t, dir)
			if len(files) != 1 {
				t.Fatalf("stored: %v", names(files))
			}
			for name, stored := range files {
				for _, secret := range []string{"SECRET", "35.6586", "139.7454"} {
					if bytes.Contains(stored, []byte(secret)) {
						t.Errorf("%s still has %q", name, secret)
					}
				}
				if bytes.Contains(data, []byte("frameframe")) && !bytes.Contains(stored, bytes.Repeat([]byte("frame"), 200)) {
					t.Error("the pictures were changed")
				}
			}
		})
	}
}

func TestRefusedVideos(t *testing.T) {
	whole := movie("isom")
	for _, c := range []struct {
		name, detail string
		data         []byte
	}{
		{"a photo", "wrong_kind", asJPEG(scene(64, 48), 90)},
		{"HEIC", "heic", heic("heic")},
		{"cut", "broken", whole[:len(whole)-10]},
		{"without a movie", "broken", append(box("ftyp", []byte("isomisom")), box("mdat", []byte("x"))...)},
		{"only a head", "broken", box("ftyp", []byte("isomisom"))},
		{"an archive behind it", "broken", append(bytes.Clone(whole), "PK\x03\x04 archive"...)},
		{"a box of no length", "broken", append(box("ftyp", []byte("isomisom")), 0, 0, 0, 4, 'm', 'o', 'o', 'v')},
		{"a box longer than the file", "broken", append(box("ftyp", []byte("isomisom")), 0xff, 0xff, 0xff, 0xff, 'm', 'o', 'o', 'v')},
		{"a long box that overflows", "broken", append(box("ftyp", []byte("isomisom")), append([]byte{0, 0, 0, 1, 'm', 'o', 'o', 'v'}, bytes.Repeat([]byte{0xff}, 8)...)...)},
		{"a broken record", "broken", bytes.Join([][]byte{box("ftyp", []byte("isomisom")), box("mdat"), box("moov", []byte{0, 0, 1, 0, 'u', 'd', 't', 'a'})}, nil)},
		{"webm with a page behind it", "broken", webm([]byte("<script>alert(1)</script>")...)},
		{"webm that is cut", "broken", webm()[:len(webm())-2]},
		{"matroska", "video/matroska", bytes.Replace(append(webm()[:7], "\x88matroska\x18\x53\x80\x67\x84\x01\x02\x03\x04"...), []byte{0x87}, []byte{0x8b}, 1)},
		{"avi", "video/x-msvideo", []byte("RIFF\x24\x00\x00\x00AVI LIST\x00\x00\x00\x00hdrl")},
		{"sound", "audio/wav", []byte("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00")},
	} {
		t.Run(c.name, func(t *testing.T) {
			var dir string
			s := open(t, func(o *media.Options) { dir = o.Dir })
			_, err := s.Put(t.Context(), video(), bytes.NewReader(c.data))
			if f := fault.From(err); err == nil || f.Type != "invalid_file_type" || f.Data["detail"] != c.detail {
				t.Fatalf("got %v (%v)", f.Data["detail"], err)
			}
			if left := everyFile(t, dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// FuzzContainers: whatever the bytes, an upload is stored or refused with a reason,
// and nothing of it stays behind when it is refused.
func FuzzContainers(f *testing.F) {
	for _, seed := range [][]byte{movie("isom"), movie("qt  "), webm(), heic("heic"), headerOnly(3, 3), jpegWith(asJPEG(scene(8, 8), 50), tokyo(6)), pngWith(asPNG(scene(8, 8)), "eXIf", tokyo(3)), riffWith(asWebP(), "EXIF", tokyo(1))} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var dir string
		s := open(t, func(o *media.Options) { dir, o.MaxPixels = o.Dir, 1<<16 })
		for _, kind := range []media.Kind{media.Photo, media.Video} {
			file, err := s.Put(t.Context(), media.New{Owner: worker, Kind: kind, KeepPlace: true}, bytes.NewReader(data))
			if err == nil {
				if p := file.Private.Place; p != nil && (p.Latitude > 90 || p.Latitude < -90 || p.Longitude > 180 || p.Longitude < -180) {
					t.Errorf("place %+v", p)
				}
				return
			}
			if reason := fault.From(err).Type; reason != "invalid_file_type" && reason != "missing_file" && reason != "file_too_large" {
				t.Fatalf("%v: %v", reason, err)
			}
		}
		if left := everyFile(t, dir); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
}
