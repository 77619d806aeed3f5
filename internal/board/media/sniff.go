package media

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/gabriel-vasile/mimetype"
)

// What the board takes, by the bytes of a file. Everything else is refused, GIF
// and SVG among it.
var (
	photoTypes = []string{"image/jpeg", "image/png", "image/webp"}
	videoTypes = []string{"video/mp4", "video/quicktime", "video/webm"}
	heicTypes  = []string{"image/heic", "image/heic-sequence", "image/heif", "image/heif-sequence"}
)

// sniffed is how much of a file decides its type.
const sniffed = 3072

// sniff returns the type of a file by its first bytes.
func sniff(in io.ReadSeeker, want Kind) (string, error) {
	head := make([]byte, sniffed)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("media: read an upload: %w", err)
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("media: read an upload: %w", err)
	}
	typ := mimetype.Detect(head[:n])
	is := func(types []string) bool { return slices.ContainsFunc(types, typ.Is) }
	switch {
	case n == 0:
		return "", errEmpty()
	case is(heicTypes):
		return "", errHEIC()
	case is(photoTypes) && want == Photo, is(videoTypes) && want == Video:
		return typ.String(), nil
	case is(photoTypes), is(videoTypes):
		return "", errWrongKind(want)
	}
	return "", errType(typ.String())
}
