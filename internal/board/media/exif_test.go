package media

import (
	"bytes"
	"math"
	"testing"
	"time"
)

// FuzzEXIF: a record that lies about offsets, counts and types gives nothing or
// something in range, and never reads outside of itself.
func FuzzEXIF(f *testing.F) {
	entry := []byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00")
	f.Add(entry)
	f.Add([]byte("MM\x00*\xff\xff\xff\xff"))
	f.Add(append(bytes.Clone(entry[:8]), bytes.Repeat([]byte{0xff}, 40)...))
	f.Add([]byte("II*\x00\x08\x00\x00\x00\x02\x00\x25\x88\x04\x00\x01\x00\x00\x00\x08\x00\x00\x00\x02\x00\x05\x00\x03\x00\x00\x00\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e := readEXIF(data)
		if e.orientation < 0 || e.orientation > 8 {
			t.Errorf("orientation %d", e.orientation)
		}
		if p := e.private.Place; p != nil && !(math.Abs(p.Latitude) <= 90 && math.Abs(p.Longitude) <= 180) {
			t.Errorf("place %+v", p)
		}
		if at := e.private.CapturedAt; !at.IsZero() && (at.Before(time.Date(1969, 12, 30, 0, 0, 0, 0, time.UTC)) || at.Year() > 10000) {
			t.Errorf("captured %v", at)
		}
		for _, typ := range photoTypes {
			readEXIF(findEXIF(data, typ))
		}
	})
}

func TestOrientationIsRead(t *testing.T) {
	for order, data := range map[string]string{
		"little": "II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00",
		"big":    "MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00",
	} {
		if e := readEXIF([]byte(data)); e.orientation != 6 {
			t.Errorf("%s endian: orientation %d", order, e.orientation)
		}
	}
	if e := readEXIF([]byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x63\x00\x00\x00\x00\x00\x00\x00")); e.orientation != 0 {
		t.Errorf("orientation 99 is read as %d", e.orientation)
	}
}
