package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// maxBoxes is how many parts a container may have at one level.
const maxBoxes = 100_000

// maxMeta is how much of a video's own record is read for its place.
const maxMeta = 1 << 20

// video checks that a container is whole and copies it with its places blanked.
// The pictures in it are not looked at.
func (s *Store) video(in *os.File, typ string) (made, error) {
	size, err := in.Seek(0, io.SeekEnd)
	if err != nil {
		return made{}, fmt.Errorf("media: read an upload: %w", err)
	}
	m := made{mime: typ}
	if typ == "video/webm" {
		err = checkWebM(in, size)
	} else {
		err = checkMP4(in, size)
	}
	if err != nil {
		return made{}, err
	}
	if m.content, err = s.temp(); err != nil {
		return made{}, err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		m.discard()
		return made{}, fmt.Errorf("media: read an upload: %w", err)
	}
	if _, err := io.Copy(m.content, in); err != nil {
		m.discard()
		return made{}, fmt.Errorf("media: copy a video: %w", err)
	}
	if typ != "video/webm" {
		if m.private, err = blank(m.content, size); err != nil {
			m.discard()
			return made{}, err
		}
	}
	return m, nil
}

// box is a part of an ISO base media file (ISO/IEC 14496-12, 4.2); QuickTime
// calls it an atom.
type box struct {
	typ        string
	start, end int64 // of the whole box
	body       int64 // where its content begins
}

// boxes lists the boxes between two offsets. They must fill the space.
func boxes(in io.ReaderAt, at, end int64) ([]box, error) {
	var out []box
	for at < end {
		head := make([]byte, 16)
		n, _ := in.ReadAt(head, at)
		if n < 8 || end-at < 8 {
			if end-at == 4 && bytes.Equal(head[:min(n, 4)], make([]byte, 4)) {
				return out, nil // QuickTime ends some lists with four zeros
			}
			return nil, errors.New("a box is cut")
		}
		b := box{typ: string(head[4:8]), start: at, body: at + 8, end: at + int64(binary.BigEndian.Uint32(head))}
		switch binary.BigEndian.Uint32(head) {
		case 0: // to the end
			b.end = end
		case 1:
			long := binary.BigEndian.Uint64(head[8:])
			if n < 16 || long > uint64(end) {
				return nil, errors.New("a long box is cut")
			}
			b.end, b.body = at+int64(long), at+16
		}
		if b.end < b.body || b.end > end || len(out) >= maxBoxes {
			return nil, fmt.Errorf("the box %q is longer than the file", b.typ)
		}
		out = append(out, b)
		at = b.end
	}
	return out, nil
}

// checkMP4 wants a movie and its data, and nothing after the last box.
func checkMP4(in io.ReaderAt, size int64) error {
	all, err := boxes(in, 0, size)
	if err != nil {
		return errBroken(err)
	}
	found := map[string]bool{}
	for _, b := range all {
		found[b.typ] = true
	}
	if !found["moov"] || !found["mdat"] && !found["moof"] {
		return errBroken(errors.New("the container has no movie"))
	}
	return nil
}

// blank overwrites the records of a movie and of its tracks, where cameras write
// the place, the owner and the device, and returns what they said. Sizes and
// offsets stay as they are: an overwritten box becomes free space.
func blank(f *os.File, size int64) (Private, error) {
	var p Private
	top, err := boxes(f, 0, size)
	if err != nil {
		return p, errBroken(err)
	}
	for _, b := range top {
		if err := blankIn(f, b, &p, 0); err != nil {
			return p, err
		}
	}
	return p, nil
}

func blankIn(f *os.File, b box, p *Private, depth int) error {
	switch {
	case depth < 2 && (b.typ == "moov" || b.typ == "trak"):
		inner, err := boxes(f, b.body, b.end)
		if err != nil {
			return errBroken(err)
		}
		for _, i := range inner {
			if err := blankIn(f, i, p, depth+1); err != nil {
				return err
			}
		}
	case b.typ == "mvhd":
		p.CapturedAt = movieTime(f, b)
	case b.typ == "free" || b.typ == "skip":
		return erase(f, b)
	case b.typ == "udta" || b.typ == "meta" || b.typ == "uuid":
		if place := placeIn(f, b); place != nil {
			p.Place = place
		}
		return erase(f, b)
	}
	return nil
}

// movieTime is when a movie was made: seconds since 1904 in UTC (14496-12, 8.2.2).
func movieTime(f io.ReaderAt, b box) time.Time {
	head := make([]byte, 12)
	if n, _ := f.ReadAt(head, b.body); n < 12 || b.body+12 > b.end {
		return time.Time{}
	}
	seconds := int64(binary.BigEndian.Uint32(head[4:]))
	if head[0] == 1 {
		seconds = int64(binary.BigEndian.Uint64(head[4:]) & (1<<40 - 1))
	}
	at := time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(min(seconds, 9_000_000_000)) * time.Second)
	if at.Year() < 1990 {
		return time.Time{} // cameras without a clock
	}
	return at
}

// iso6709 is how phones write a place: +35.6586+139.7454+040.0/ (ISO 6709, annex H).
var iso6709 = lazyregexp.New(`([+-]\d{2}(?:\.\d{1,8})?)([+-]\d{3}(?:\.\d{1,8})?)(?:[+-]\d+(?:\.\d+)?)?/`)

func placeIn(f io.ReaderAt, b box) *Place {
	text := make([]byte, min(b.end-b.body, maxMeta))
	n, _ := f.ReadAt(text, b.body)
	found := iso6709.FindSubmatch(text[:n])
	if found == nil {
		return nil
	}
	latitude, err := strconv.ParseFloat(string(found[1]), 64)
	longitude, err2 := strconv.ParseFloat(string(found[2]), 64)
	if err != nil || err2 != nil || latitude > 90 || latitude < -90 || longitude > 180 || longitude < -180 {
		return nil
	}
	return &Place{latitude, longitude}
}

// erase makes a box free space full of zeros.
func erase(f *os.File, b box) error {
	if _, err := f.WriteAt([]byte("free"), b.start+4); err != nil {
		return fmt.Errorf("media: blank a video: %w", err)
	}
	if _, err := io.Copy(io.NewOffsetWriter(f, b.body), io.LimitReader(zeros{}, b.end-b.body)); err != nil {
		return fmt.Errorf("media: blank a video: %w", err)
	}
	return nil
}

// zeros reads as zeros without end.
type zeros struct{}

// Read fills p with zeros.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// The parts of a WebM file (RFC 8794, 11.2; RFC 9559, 5.1).
const (
	ebmlHeader  = 0x1a45dfa3
	ebmlSegment = 0x18538067
)

// checkWebM wants a header that says webm and segments that fill the file.
func checkWebM(in io.ReaderAt, size int64) error {
	head := make([]byte, min(size, 4096))
	if _, err := in.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("media: read an upload: %w", err)
	}
	id, length, at := element(in, 0)
	if id != ebmlHeader || length < 0 || at+length > int64(len(head)) || !bytes.Contains(head[at:at+length], []byte("webm")) {
		return errBroken(errors.New("no WebM header"))
	}
	segments := 0
	for at += length; at < size; at += length {
		if id, length, at = element(in, at); id != ebmlSegment && id != 0xec || length > size-at {
			return errBroken(errors.New("the container is cut, or something follows it"))
		}
		if id == ebmlSegment {
			segments++
		}
		if length < 0 { // unknown: to the end, as recorders in browsers write it
			break
		}
	}
	if segments != 1 {
		return errBroken(errors.New("the container has no movie"))
	}
	return nil
}

// element reads the id and length at an offset (RFC 8794, 4 to 6), and where the
// content begins; a length of -1 is unknown, an id of 0 none.
func element(in io.ReaderAt, at int64) (id uint64, length, body int64) {
	id, n := vint(in, at, 4, false)
	if n == 0 {
		return 0, 0, at
	}
	size, m := vint(in, at+n, 8, true)
	if m == 0 {
		return 0, 0, at
	}
	if size == 1<<(7*m)-1 {
		return id, -1, at + n + m
	}
	return id, int64(size), at + n + m
}

// vint reads a number whose first byte tells its length; the marker is kept in an
// id and dropped in a length.
func vint(in io.ReaderAt, at int64, most int64, drop bool) (v uint64, n int64) {
	b := make([]byte, 8)
	got, _ := in.ReadAt(b, at)
	if got == 0 || b[0] == 0 {
		return 0, 0
	}
	n = 1
	for b[0]&(0x80>>(n-1)) == 0 {
		n++
	}
	if n > most || int64(got) < n {
		return 0, 0
	}
	if drop {
		b[0] &= 0xff >> n
	}
	for _, x := range b[:n] {
		v = v<<8 | uint64(x)
	}
	return v, n
}
