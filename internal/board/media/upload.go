package media

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Kind is what an upload is meant to be.
type Kind string

// The kinds.
const (
	Photo Kind = "photo"
	Video Kind = "video"
)

// New is an upload that begins.
type New struct {
	// Owner is who uploads, such as human:ID. Only they see the upload.
	Owner string
	Kind  Kind
	// Size is the length of the whole file in bytes.
	Size int64
	// KeepPlace is the owner's consent to keep where the file says that it was
	// made. Without it the place is forgotten.
	KeepPlace bool
}

// Upload is an unfinished one.
type Upload struct {
	ID        string    `json:"id"`
	Owner     string    `json:"owner"`
	Kind      Kind      `json:"kind"`
	Size      int64     `json:"size"`
	KeepPlace bool      `json:"keep_place"`
	CreatedAt time.Time `json:"created_at"`
	// Offset is how many bytes arrived: the length of the file on disk, so that
	// it is right after a kill too.
	Offset    int64     `json:"-"`
	ExpiresAt time.Time `json:"-"`
}

func (s *Store) limit(k Kind) int64 {
	if k == Video {
		return s.o.MaxVideo
	}
	return s.o.MaxPhoto
}

// Create begins an upload. It fails with file_too_large, missing_file,
// invalid_request, too_many_uploads or storage_full.
func (s *Store) Create(_ context.Context, n New) (Upload, error) {
	switch {
	case n.Kind != Photo && n.Kind != Video:
		return Upload{}, errKind()
	case n.Size <= 0:
		return Upload{}, errEmpty()
	case n.Size > s.limit(n.Kind):
		return Upload{}, errTooLarge(s.limit(n.Kind))
	}
	done, err := s.alone()
	if err != nil {
		return Upload{}, noRoom(err)
	}
	defer done()
	if err := s.admit(n); err != nil {
		return Upload{}, err
	}
	u := Upload{ID: newID(), Owner: n.Owner, Kind: n.Kind, Size: n.Size, KeepPlace: n.KeepPlace, CreatedAt: s.o.Now().UTC()}
	f, err := os.OpenFile(s.part(u.ID), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return Upload{}, noRoom(fmt.Errorf("media: make an upload: %w", err))
	}
	if err := errors.Join(f.Close(), s.writeJSON(s.path(uploadsDir, u.ID+".json"), u)); err != nil {
		return Upload{}, noRoom(errors.Join(err, os.Remove(f.Name())))
	}
	u.ExpiresAt = u.CreatedAt.Add(s.o.Abandoned)
	return u, nil
}

func (s *Store) part(id string) string { return s.path(uploadsDir, id+".part") }

// open counts the unfinished uploads of an owner, and the bytes that they announced.
func (s *Store) open(owner string) (n int, bytes int64, err error) {
	names, err := filepath.Glob(s.path(uploadsDir, "*.json"))
	if err != nil {
		return 0, 0, fmt.Errorf("media: list uploads: %w", err)
	}
	for _, name := range names {
		var u Upload
		if text, err := os.ReadFile(name); err == nil && json.Unmarshal(text, &u) == nil && u.Owner == owner && s.alive(u) {
			n++
			bytes += u.Size
		}
	}
	return n, bytes, nil
}

func (s *Store) alive(u Upload) bool { return s.o.Now().Before(u.CreatedAt.Add(s.o.Abandoned)) }

// Upload returns the owner's unfinished upload with the offset to go on from, or
// not_found, for another's too.
func (s *Store) Upload(owner, id string) (Upload, error) {
	var u Upload
	if !isID(id) {
		return u, errNotFound()
	}
	found, err := readJSON(s.path(uploadsDir, id+".json"), &u)
	if err != nil {
		return u, err
	}
	if !found || u.Owner != owner || !s.alive(u) {
		return Upload{}, errNotFound()
	}
	info, err := os.Stat(s.part(id))
	if errors.Is(err, fs.ErrNotExist) {
		return Upload{}, errNotFound()
	}
	if err != nil {
		return Upload{}, fmt.Errorf("media: look at an upload: %w", err)
	}
	u.Offset, u.ExpiresAt = info.Size(), u.CreatedAt.Add(s.o.Abandoned)
	return u, nil
}

// Append adds bytes at the offset, which must be the upload's. What arrived before
// an error, storage_full too, is kept, so that the sender can go on. More than was announced fails
// with file_too_large and changes nothing beyond the announced size.
func (s *Store) Append(owner, id string, offset int64, r io.Reader) (Upload, error) {
	done, err := s.claim(id)
	if err != nil {
		return Upload{}, err
	}
	defer done()
	u, err := s.Upload(owner, id)
	if err != nil {
		return u, err
	}
	if offset != u.Offset {
		return u, errConflict("offset", "The offset is not where the upload stands.", "送信の開始位置が一致しません。")
	}
	f, err := os.OpenFile(s.part(id), os.O_WRONLY, 0o600)
	if err != nil {
		return u, fmt.Errorf("media: open an upload: %w", err)
	}
	in := &arriving{r: r}
	n, err := io.Copy(io.NewOffsetWriter(f, offset), io.LimitReader(in, u.Size-offset))
	u.Offset += n
	if in.err != nil {
		err = errCut(in.err)
	}
	if err == nil && u.Offset == u.Size {
		if extra, _ := io.CopyN(io.Discard, r, 1); extra > 0 {
			err = s.errMore(u)
		}
	}
	return u, noRoom(errors.Join(err, f.Sync(), f.Close()))
}

// arriving remembers why no more came from the sender, which is no defect of the disk.
type arriving struct {
	r   io.Reader
	err error
}

// Read implements io.Reader.
func (a *arriving) Read(p []byte) (int, error) {
	n, err := a.r.Read(p)
	if err != nil && err != io.EOF {
		a.err = err
	}
	return n, err
}

func (s *Store) errMore(u Upload) error {
	if u.Size == s.limit(u.Kind) {
		return errTooLarge(u.Size)
	}
	return errAnnounced()
}

// claim keeps two requests from writing to one upload at once.
func (s *Store) claim(id string) (func(), error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[id] {
		return nil, errConflict("busy", "Another request is sending this upload.", "同じファイルを送信中です。")
	}
	s.busy[id] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.busy, id)
	}, nil
}

// Discard removes an unfinished upload.
func (s *Store) Discard(owner, id string) error {
	done, err := s.claim(id)
	if err != nil {
		return err
	}
	defer done()
	if _, err := s.Upload(owner, id); err != nil {
		return err
	}
	return s.forget(id)
}

// forget removes the two files of an upload, the record last.
func (s *Store) forget(id string) error {
	for _, path := range []string{s.part(id), s.path(uploadsDir, id+".json")} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("media: remove an upload: %w", err)
		}
	}
	return nil
}

// Put takes a whole file at once, of a length that is not known before: the form
// of a page without scripts. New.Size is not read.
func (s *Store) Put(ctx context.Context, n New, r io.Reader) (File, error) {
	limit := s.limit(n.Kind)
	n.Size = limit
	u, err := s.Create(ctx, n)
	if err != nil {
		return File{}, err
	}
	defer func() { _ = s.Discard(n.Owner, u.ID) }() // gone when it was finished
	u, err = s.Append(n.Owner, u.ID, 0, r)
	if err != nil {
		return File{}, err
	}
	u.Size = u.Offset
	if err := s.writeJSON(s.path(uploadsDir, u.ID+".json"), u); err != nil {
		return File{}, err
	}
	return s.Complete(ctx, n.Owner, u.ID)
}

// Sweep removes what was abandoned: uploads and temporary files past their time, contents
// that no record names, and the counts of days that are over. It returns how many files it removed.
func (s *Store) Sweep(ctx context.Context) (int, error) {
	before := s.o.Now().Add(-s.o.Abandoned)
	named, err := s.named()
	if err != nil {
		return 0, err
	}
	removed := 0
	err = filepath.WalkDir(s.o.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return errors.Join(ctx.Err(), ignoreGone(err))
		}
		part, name := filepath.Base(filepath.Dir(path)), d.Name()
		content, _, _ := strings.Cut(name, ".")
		old := part == uploadsDir || part == tempDir || part == usageDir || len(part) == 2 && !named[content]
		if info, err := d.Info(); !old || err != nil || info.ModTime().After(before) {
			return ignoreGone(err)
		}
		removed++
		return ignoreGone(os.Remove(path))
	})
	if err != nil {
		return removed, fmt.Errorf("media: sweep: %w", err)
	}
	return removed, nil
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
