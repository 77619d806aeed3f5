package media_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/media"
)

// now is the time of the tests: 12:00 in Japan.
var now = time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)

var signingKey = bytes.Repeat([]byte{7}, 32)

const worker = "human:h1"

func open(t *testing.T, change func(*media.Options)) *media.Store {
	t.Helper()
	o := media.Options{Dir: t.TempDir(), Key: signingKey, Now: func() time.Time { return now }}
	if change != nil {
		change(&o)
	}
	s, err := media.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// scene is a picture with features: brighter to the right, with a dark corner at
// the top left.
func scene(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			v := uint8(60 + 150*x/w + 40*((x*8/w+y*6/h)%2))
			m.Set(x, y, color.RGBA{v, v / 2, 255 - v, 255})
			if x < w/4 && y < h/4 {
				m.Set(x, y, color.RGBA{10, 10, 10, 255})
			}
		}
	}
	return m
}

func asJPEG(m image.Image, quality int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func asPNG(m image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func asGIF(m image.Image) []byte {
	var b bytes.Buffer
	if err := gif.Encode(&b, m, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// asWebP is a lossy picture of one pixel, as published for testing browsers.
func asWebP() []byte {
	b, err := base64.StdEncoding.DecodeString("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA")
	if err != nil {
		panic(err)
	}
	return b
}

// tag is an entry of a directory under construction: four bytes or more are put
// behind the directories.
type tag struct {
	id, typ uint16
	count   uint32
	data    []byte
}

func short(id, v uint16) tag { return tag{id, 3, 1, binary.LittleEndian.AppendUint16(nil, v)} }

func ascii(id uint16, s string) tag { return tag{id, 2, uint32(len(s) + 1), append([]byte(s), 0)} }

func degrees(id uint16, d, m, s uint32) tag {
	var b []byte
	for _, v := range []uint32{d, 1, m, 1, s, 100} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return tag{id, 5, 3, b}
}

// tiff builds three directories: the main one, that of the photo, that of the
// place.
func tiff(main, detail, place []tag) []byte {
	size := func(tags []tag) int { return 2 + 12*len(tags) + 4 }
	main = append(main, tag{id: 0x8769, typ: 4, count: 1}, tag{id: 0x8825, typ: 4, count: 1})
	at := 8 + size(main)
	main[len(main)-2].data = binary.LittleEndian.AppendUint32(nil, uint32(at))
	at += size(detail)
	main[len(main)-1].data = binary.LittleEndian.AppendUint32(nil, uint32(at))
	at += size(place)
	out, rest := []byte("II*\x00\x08\x00\x00\x00"), []byte(nil)
	for _, tags := range [][]tag{main, detail, place} {
		out = binary.LittleEndian.AppendUint16(out, uint16(len(tags)))
		for _, e := range tags {
			out = binary.LittleEndian.AppendUint16(out, e.id)
			out = binary.LittleEndian.AppendUint16(out, e.typ)
			out = binary.LittleEndian.AppendUint32(out, e.count)
			if len(e.data) > 4 {
				out = binary.LittleEndian.AppendUint32(out, uint32(at+len(rest)))
				rest = append(rest, e.data...)
			} else {
				out = append(out, append(e.data, 0, 0, 0, 0)[:4]...)
			}
		}
		out = binary.LittleEndian.AppendUint32(out, 0)
	}
	return append(out, rest...)
}

// tokyo is what a phone writes at 12:00 in Tokyo.
func tokyo(orientation uint16) []byte {
	return tiff(
		[]tag{short(0x0112, orientation), ascii(0x010f, "SECRETMAKER")},
		[]tag{ascii(0x9003, "2026:11:28 11:30:00"), ascii(0x9011, "+09:00")},
		[]tag{ascii(1, "N"), degrees(2, 35, 39, 3096), ascii(3, "E"), degrees(4, 139, 44, 4344)},
	)
}

func jpegWith(picture, exif []byte) []byte {
	body := append([]byte("Exif\x00\x00"), exif...)
	segment := append([]byte{0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(body)+2))...)
	return append(append(append([]byte{0xff, 0xd8}, segment...), body...), picture[2:]...)
}

func pngWith(picture []byte, typ string, body []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	named := append([]byte(typ), body...)
	chunk = binary.BigEndian.AppendUint32(append(chunk, named...), crc32.ChecksumIEEE(named))
	const afterHeader = 8 + 25
	return append(append(bytes.Clone(picture[:afterHeader]), chunk...), picture[afterHeader:]...)
}

func riffWith(picture []byte, typ string, body []byte) []byte {
	chunk := binary.LittleEndian.AppendUint32([]byte(typ), uint32(len(body)))
	out := append(append(bytes.Clone(picture), chunk...), body...)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out
}

func box(typ string, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(len(body)+8)), typ...), body...)
}

const placeOfVideo = "+35.6586+139.7454+040.000/"

// movie is a container of a brand with a place in every box where phones put one.
func movie(brand string) []byte {
	since1904 := uint32(now.Add(-time.Hour).Unix() + 2082844800)
	header := box("mvhd", []byte{0, 0, 0, 0}, binary.BigEndian.AppendUint32(nil, since1904), make([]byte, 92))
	record := box("udta", box("\xa9xyz", []byte("\x00\x1a\x15\xc7"+placeOfVideo)), box("\xa9mak", []byte("SECRETMAKER")))
	track := box("trak", box("tkhd", make([]byte, 84)), box("meta", []byte("com.apple.quicktime.location.ISO6709 "+placeOfVideo)))
	return bytes.Join([][]byte{
		box("ftyp", []byte(brand+"\x00\x00\x02\x00"+brand)), box("free", []byte("SECRETMAKER")), box("mdat", bytes.Repeat([]byte("frame"), 200)),
		box("moov", header, track, record, box("meta", []byte("SECRETMAKER "+placeOfVideo))),
	}, nil)
}

func webm(after ...byte) []byte {
	header := append([]byte{0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84}, "webm"...)
	segment := append([]byte{0x18, 0x53, 0x80, 0x67, 0x84}, 1, 2, 3, 4)
	return append(append(header, segment...), after...)
}

func heic(brand string) []byte {
	return append(box("ftyp", []byte(brand+"\x00\x00\x00\x00mif1"+brand)), box("meta", make([]byte, 64))...)
}

// headerOnly is a PNG that says it has w times h pixels and has none.
func headerOnly(w, h uint32) []byte {
	body := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("IHDR"), w), h)
	body = append(body, 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	return binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}
