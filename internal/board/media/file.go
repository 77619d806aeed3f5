package media

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// File is a stored photo or video.
type File struct {
	ID    string `json:"id"`
	Owner string `json:"owner"`
	Kind  Kind   `json:"kind"`
	MIME  string `json:"mime"`
	Bytes int64  `json:"bytes"`
	// SHA256 is the hash of the stored bytes in hex, Original of those that were
	// sent.
	SHA256   string    `json:"sha256"`
	Original string    `json:"original"`
	StoredAt time.Time `json:"stored_at"`
	// Width and Height are a photo's, upright.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`
	// Look is the perceptual hash of a photo, zeros when it has no features.
	Look [2]uint64 `json:"look"`
	// Private is for the operator and for checks, never for a public view.
	Private Private `json:"private"`
	// Same are earlier files that are, or look like, this one.
	Same []Same `json:"same,omitempty"`
}

// Alike are the ids of the earlier files that are, or look like, this one.
func (f File) Alike() []string {
	ids := make([]string, len(f.Same))
	for i, s := range f.Same {
		ids[i] = s.ID
	}
	return ids
}

// Private is what a file says of itself. It can be forged.
type Private struct {
	// CapturedAt is when it was made, in UTC; zero when it does not say.
	CapturedAt time.Time `json:"captured_at,omitzero"`
	// ZoneAssumed is set when the file gives no time zone: Japan's is assumed.
	ZoneAssumed bool `json:"zone_assumed,omitempty"`
	// Place is where, with the owner's consent only.
	Place *Place `json:"place,omitempty"`
}

// Place is a point on Earth in degrees, north and east positive (WGS 84).
type Place struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// made is what the work on an upload gives: files that are not kept yet.
type made struct {
	mime          string
	content       *os.File
	thumb         *os.File // nil for a video
	width, height int
	look          looks
	private       Private
}

// discard removes what was not kept.
func (m made) discard() {
	for _, f := range []*os.File{m.content, m.thumb} {
		if f != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}
}

// Complete turns an upload that arrived as a whole into a file. It fails with
// invalid_file_type, file_too_large, missing_file, upload_conflict or not_found;
// after a refusal of the content the upload is gone, after storage_full it is not.
func (s *Store) Complete(ctx context.Context, owner, id string) (File, error) {
	done, err := s.claim(id)
	if err != nil {
		return File{}, err
	}
	defer done()
	u, err := s.Upload(owner, id)
	if err != nil {
		// a client that did not get the answer asks again
		if f, ferr := s.File(id); ferr == nil && f.Owner == owner {
			return f, nil
		}
		return File{}, err
	}
	switch {
	case u.Offset == 0:
		return File{}, errors.Join(errEmpty(), s.forget(id))
	case u.Offset < u.Size:
		return File{}, errConflict("incomplete", "Not all bytes of the upload arrived.", "まだすべて届いていません。")
	}
	f, err := s.work(ctx, u)
	if err != nil {
		if f := fault.From(err); f.Kind == fault.Internal || ctx.Err() != nil {
			return File{}, noRoom(err) // nothing is wrong with the file: it can be tried again
		}
		return File{}, errors.Join(err, s.forget(id))
	}
	return f, s.forget(id)
}

func (s *Store) work(ctx context.Context, u Upload) (File, error) {
	in, err := os.Open(s.part(u.ID))
	if err != nil {
		return File{}, fmt.Errorf("media: open an upload: %w", err)
	}
	defer in.Close()
	original, err := hashOf(in)
	if err != nil {
		return File{}, err
	}
	m, err := s.make(ctx, u, in)
	if err != nil {
		return File{}, err
	}
	defer m.discard()
	f := File{
		ID: u.ID, Owner: u.Owner, Kind: u.Kind, MIME: m.mime, Original: original, StoredAt: s.o.Now().UTC(),
		Width: m.width, Height: m.height, Look: m.look, Private: m.private,
	}
	if !u.KeepPlace {
		f.Private.Place = nil
	}
	return s.store(f, m)
}

func (s *Store) make(ctx context.Context, u Upload, in *os.File) (made, error) {
	typ, err := sniff(in, u.Kind)
	if err != nil {
		return made{}, err
	}
	if u.Kind == Video {
		return s.video(in, typ)
	}
	select {
	case s.decoding <- struct{}{}:
		defer func() { <-s.decoding }()
	case <-ctx.Done():
		return made{}, fmt.Errorf("media: wait to decode: %w", ctx.Err())
	}
	return s.photo(in, typ)
}

// store gives content, thumbnail and record their names, in this order: a record
// is there only when its files are.
func (s *Store) store(f File, m made) (File, error) {
	var err error
	if f.SHA256, err = hashOf(m.content); err != nil {
		return f, err
	}
	info, err := m.content.Stat()
	if err != nil {
		return f, fmt.Errorf("media: look at a file: %w", err)
	}
	f.Bytes = info.Size()
	if f.Same, err = s.same(f); err != nil {
		return f, err
	}
	if err := s.keep(m.content, s.content(f)); err != nil {
		return f, err
	}
	if m.thumb != nil {
		if err := s.keep(m.thumb, s.thumb(f)); err != nil {
			return f, err
		}
	}
	if err := s.charge(f); err != nil {
		return f, err
	}
	if err := s.writeJSON(s.path(recordsDir, f.ID+".json"), f); err != nil {
		return f, err
	}
	return f, s.remember(f)
}

// extensions are those of the files that are stored.
var extensions = map[string]string{"image/jpeg": "jpg", "video/mp4": "mp4", "video/quicktime": "mov", "video/webm": "webm"}

func (s *Store) content(f File) string {
	return s.path(filesDir, f.SHA256[:2], f.SHA256+"."+extensions[f.MIME])
}

func (s *Store) thumb(f File) string {
	return s.path(filesDir, f.SHA256[:2], f.SHA256+".thumb.jpg")
}

// File returns the record of a stored file, or not_found.
func (s *Store) File(id string) (File, error) {
	var f File
	if !isID(id) {
		return f, errNotFound()
	}
	found, err := readJSON(s.path(recordsDir, id+".json"), &f)
	if err == nil && (!found || !isHex(f.SHA256, 2*sha256.Size)) {
		err = errNotFound()
	}
	return f, err
}

// named are the hashes that records name.
func (s *Store) named() (map[string]bool, error) {
	paths, err := filepath.Glob(s.path(recordsDir, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("media: list records: %w", err)
	}
	hashes := map[string]bool{}
	for _, path := range paths {
		var f File
		if found, err := readJSON(path, &f); err != nil {
			return nil, err
		} else if found {
			hashes[f.SHA256] = true
		}
	}
	return hashes, nil
}

func hashOf(f *os.File) (string, error) {
	h := sha256.New()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("media: read a file: %w", err)
	}
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("media: read a file: %w", err)
	}
	_, err := f.Seek(0, io.SeekStart)
	return hex.EncodeToString(h.Sum(nil)), err
}
