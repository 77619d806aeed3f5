package media

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png" // decoders of what photoTypes name
	"io"
	"math/bits"
	"os"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"
)

// How a photo is written.
const (
	quality      = 88 // of a JPEG, 1 to 100
	thumbQuality = 75
	thumbSide    = 480 // pixels, the longer side
	maxSide      = 30_000
	// maxScans is how often a progressive JPEG may go over its picture: encoders
	// use about ten, and each one costs the time of a whole decoding.
	maxScans = 64
)

// photo decodes a picture and writes it anew, upright, with nothing else in it.
func (s *Store) photo(in *os.File, typ string) (made, error) {
	config, _, err := image.DecodeConfig(in)
	if err != nil {
		return made{}, errBroken(err)
	}
	if config.Width < 1 || config.Height < 1 {
		return made{}, errBroken(errors.New("the picture has no size"))
	}
	if config.Width > maxSide || config.Height > maxSide || int64(config.Width)*int64(config.Height) > s.o.MaxPixels {
		return made{}, errTooManyPixels(s.o.MaxPixels)
	}
	data, err := readAll(in)
	if err != nil {
		return made{}, err
	}
	if typ == "image/jpeg" && bytes.Count(data, []byte{0xff, 0xda}) > maxScans {
		return made{}, errBroken(errors.New("too many scans"))
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return made{}, errBroken(err)
	}
	exif := readEXIF(findEXIF(data, typ))
	picture = upright(flatten(picture), exif.orientation)
	m := made{mime: "image/jpeg", width: picture.Bounds().Dx(), height: picture.Bounds().Dy(), look: look(picture), private: exif.private}
	if m.content, err = s.encode(picture, quality); err != nil {
		return made{}, err
	}
	if m.thumb, err = s.encode(thumbnail(picture), thumbQuality); err != nil {
		m.discard()
		return made{}, err
	}
	return m, nil
}

// readAll reads a photo, which is at most as large as the store allows.
func readAll(in io.ReadSeeker) ([]byte, error) {
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("media: read an upload: %w", err)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("media: read an upload: %w", err)
	}
	return data, nil
}

func (s *Store) encode(picture image.Image, quality int) (*os.File, error) {
	f, err := s.temp()
	if err != nil {
		return nil, err
	}
	if err := jpeg.Encode(f, picture, &jpeg.Options{Quality: quality}); err != nil {
		return nil, errors.Join(fmt.Errorf("media: write a photo: %w", err), f.Close(), os.Remove(f.Name()))
	}
	return f, nil
}

// flatten puts a picture with holes on white. Pictures as cameras make them stay
// as they are.
func flatten(in image.Image) image.Image {
	switch in.(type) {
	case *image.YCbCr, *image.Gray:
		return in
	}
	out := image.NewRGBA(image.Rect(0, 0, in.Bounds().Dx(), in.Bounds().Dy()))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(out, out.Bounds(), in, in.Bounds().Min, draw.Over)
	return out
}

// upright turns a picture as its Orientation says (Exif 2.32, 4.6.4, tag 0x0112).
func upright(in image.Image, orientation int) image.Image {
	if orientation < 2 || orientation > 8 {
		return in
	}
	b := in.Bounds()
	w, h := b.Dx(), b.Dy()
	src := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(src, src.Bounds(), in, b.Min, draw.Src)
	// from is where the pixel at x, y of the upright picture is stored
	from := map[int]func(x, y int) (int, int){
		2: func(x, y int) (int, int) { return w - 1 - x, y },
		3: func(x, y int) (int, int) { return w - 1 - x, h - 1 - y },
		4: func(x, y int) (int, int) { return x, h - 1 - y },
		5: func(x, y int) (int, int) { return y, x },
		6: func(x, y int) (int, int) { return y, h - 1 - x },
		7: func(x, y int) (int, int) { return w - 1 - y, h - 1 - x },
		8: func(x, y int) (int, int) { return w - 1 - y, x },
	}[orientation]
	size := image.Rect(0, 0, w, h)
	if orientation >= 5 {
		size = image.Rect(0, 0, h, w)
	}
	out := image.NewRGBA(size)
	for y := range size.Dy() {
		for x := range size.Dx() {
			sx, sy := from(x, y)
			copy(out.Pix[out.PixOffset(x, y):], src.Pix[src.PixOffset(sx, sy):][:4])
		}
	}
	return out
}

// thumbnail makes the picture small, never larger.
func thumbnail(in image.Image) image.Image {
	w, h := in.Bounds().Dx(), in.Bounds().Dy()
	if long := max(w, h); long > thumbSide {
		w, h = max(1, w*thumbSide/long), max(1, h*thumbSide/long)
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(out, out.Bounds(), in, in.Bounds(), draw.Src, nil)
	return out
}

// looks are two difference hashes of a picture: of eight by eight grey fields,
// whether each is darker than its right neighbour; and the same downwards.
type looks [2]uint64

// look hashes a picture. One without features gives zeros.
func look(in image.Image) looks {
	small := image.NewGray(image.Rect(0, 0, 9, 9))
	draw.BiLinear.Scale(small, small.Bounds(), in, in.Bounds(), draw.Src, nil)
	var hash looks
	darkest, brightest := uint8(255), uint8(0)
	for y := range 9 {
		for x := range 9 {
			v := small.GrayAt(x, y).Y
			darkest, brightest = min(darkest, v), max(brightest, v)
			if x < 8 && y < 8 {
				hash[0] = hash[0]<<1 | less(v, small.GrayAt(x+1, y).Y)
				hash[1] = hash[1]<<1 | less(v, small.GrayAt(x, y+1).Y)
			}
		}
	}
	if brightest-darkest < 12 {
		return looks{}
	}
	return hash
}

func less(a, b uint8) uint64 {
	if a < b {
		return 1
	}
	return 0
}

// distance is how many of the 128 bits differ.
func (l looks) distance(other looks) int {
	return bits.OnesCount64(l[0]^other[0]) + bits.OnesCount64(l[1]^other[1])
}
