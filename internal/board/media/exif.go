package media

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"time"
)

// exif is what is read of a photo's own record (Exif 2.32, CIPA DC-008).
type exif struct {
	orientation int // 1 to 8; 0 when it does not say
	private     Private
}

// The tags that are read.
const (
	tagOrientation  = 0x0112
	tagDateTime     = 0x0132
	tagExifIFD      = 0x8769
	tagGPSIFD       = 0x8825
	tagOriginal     = 0x9003
	tagOffset       = 0x9010
	tagOffsetOrig   = 0x9011
	tagLatitudeRef  = 0x0001
	tagLatitude     = 0x0002
	tagLongitudeRef = 0x0003
	tagLongitude    = 0x0004
)

// japan is assumed where a file gives no zone.
var japan = time.FixedZone("JST", 9*60*60)

// readEXIF reads a TIFF structure. Whatever is wrong in it is left out.
func readEXIF(data []byte) exif {
	t, first := newTIFF(data)
	if t == nil {
		return exif{}
	}
	main := t.directory(first)
	detail := t.directory(t.number(main[tagExifIFD]))
	place := t.directory(t.number(main[tagGPSIFD]))
	e := exif{orientation: int(t.number(main[tagOrientation]))}
	if e.orientation > 8 {
		e.orientation = 0
	}
	taken, offset := t.text(detail[tagOriginal]), t.text(detail[tagOffsetOrig])
	if taken == "" {
		taken, offset = t.text(main[tagDateTime]), t.text(detail[tagOffset])
	}
	e.private.CapturedAt, e.private.ZoneAssumed = captured(taken, offset)
	e.private.Place = t.place(place)
	return e
}

// captured reads "2006:01:02 15:04:05" and "+09:00".
func captured(taken, offset string) (at time.Time, assumed bool) {
	if at, err := time.Parse("2006:01:02 15:04:05-07:00", taken+offset); err == nil {
		return at.UTC(), false
	}
	at, err := time.ParseInLocation("2006:01:02 15:04:05", taken, japan)
	if err != nil || at.Year() < 1970 {
		return time.Time{}, false
	}
	return at.UTC(), true
}

// tiff reads values at offsets that the file gives; every one is checked.
type tiff struct {
	data  []byte
	order binary.ByteOrder
}

// value is an entry of a directory.
type value struct {
	typ   uint16
	count uint32
	raw   []byte // the four bytes that hold the value or its offset
}

// newTIFF reads the header (TIFF 6.0, section 2) and returns the offset of the
// first directory.
func newTIFF(data []byte) (*tiff, uint32) {
	t := &tiff{data: data}
	switch {
	case len(data) < 8:
		return nil, 0
	case bytes.HasPrefix(data, []byte("II*\x00")):
		t.order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte("MM\x00*")):
		t.order = binary.BigEndian
	default:
		return nil, 0
	}
	return t, t.order.Uint32(data[4:])
}

// directory reads at most 512 entries; one that repeats a tag does not count.
func (t *tiff) directory(at uint32) map[uint16]value {
	entries := map[uint16]value{}
	if at < 8 || uint64(at)+2 > uint64(len(t.data)) {
		return entries
	}
	n := int(t.order.Uint16(t.data[at:]))
	for i := range min(n, 512) {
		e := t.slice(uint64(at)+2+12*uint64(i), 12)
		if e == nil {
			break
		}
		tag := t.order.Uint16(e)
		if _, twice := entries[tag]; !twice {
			entries[tag] = value{t.order.Uint16(e[2:]), t.order.Uint32(e[4:]), e[8:12]}
		}
	}
	return entries
}

func (t *tiff) slice(at, n uint64) []byte {
	if at > uint64(len(t.data)) || n > uint64(len(t.data))-at {
		return nil
	}
	return t.data[at : at+n]
}

// The types of values that are read.
const (
	typeASCII    = 2
	typeShort    = 3
	typeLong     = 4
	typeRational = 5
)

func (t *tiff) number(v value) uint32 {
	switch {
	case v.count != 1:
		return 0
	case v.typ == typeShort:
		return uint32(t.order.Uint16(v.raw))
	case v.typ == typeLong:
		return t.order.Uint32(v.raw)
	}
	return 0
}

// text is a short ASCII value.
func (t *tiff) text(v value) string {
	if v.typ != typeASCII || v.count == 0 || v.count > 64 {
		return ""
	}
	raw := v.raw[:min(v.count, 4)]
	if v.count > 4 {
		raw = t.slice(uint64(t.order.Uint32(v.raw)), uint64(v.count))
	}
	text, _, _ := strings.Cut(string(raw), "\x00")
	return strings.TrimSpace(text)
}

// degrees reads three rationals: degrees, minutes, seconds.
func (t *tiff) degrees(v value) (float64, bool) {
	if v.typ != typeRational || v.count != 3 {
		return 0, false
	}
	raw := t.slice(uint64(t.order.Uint32(v.raw)), 24)
	if raw == nil {
		return 0, false
	}
	sum := 0.0
	for i, part := range []float64{1, 60, 3600} {
		over := t.order.Uint32(raw[8*i+4:])
		if over == 0 {
			return 0, false
		}
		sum += float64(t.order.Uint32(raw[8*i:])) / float64(over) / part
	}
	return sum, true
}

func (t *tiff) place(gps map[uint16]value) *Place {
	latitude, ok := t.degrees(gps[tagLatitude])
	longitude, ok2 := t.degrees(gps[tagLongitude])
	if t.text(gps[tagLatitudeRef]) == "S" {
		latitude = -latitude
	}
	if t.text(gps[tagLongitudeRef]) == "W" {
		longitude = -longitude
	}
	if !ok || !ok2 || math.Abs(latitude) > 90 || math.Abs(longitude) > 180 {
		return nil
	}
	return &Place{latitude, longitude}
}
