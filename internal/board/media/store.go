package media

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// The limits of a store that sets none.
const (
	DefaultMaxPhoto  = 15 << 20  // bytes
	DefaultMaxVideo  = 200 << 20 // bytes
	DefaultMaxPixels = 50_000_000
	DefaultAbandoned = 24 * time.Hour
	DefaultMaxOpen   = 20      // unfinished uploads of one owner
	DefaultMaxDaily  = 2 << 30 // bytes of one owner in a day
)

// minKey is the least length of the signing key, that of the hash (RFC 2104, 3).
const minKey = 32

// Options say where and how much.
type Options struct {
	// Dir is the directory of the store; outside of anything that a web server
	// serves. It is made when it is not there.
	Dir string
	// Key signs links; at least 32 bytes.
	Key []byte
	// MaxPhoto and MaxVideo are the largest uploads in bytes.
	MaxPhoto, MaxVideo int64
	// MaxPixels is the largest photo, width times height.
	MaxPixels int64
	// Abandoned is the time after which an unfinished upload is removed.
	Abandoned time.Duration
	// MaxOpen is how many unfinished uploads an owner may have.
	MaxOpen int
	// MaxDaily is how many bytes an owner may store in a day (UTC).
	MaxDaily int64
	// Now is the clock; it must be set.
	Now func() time.Time
	// Logger hears of what keeps the store from its work; nil for nobody.
	Logger *slog.Logger
}

// Store keeps files. Several processes may share its directory.
type Store struct {
	o        Options
	decoding chan struct{} // a decoded photo takes up to 400 MB: two at a time
	creating sync.Mutex    // see alone
	mu       sync.Mutex
	busy     map[string]bool // uploads that are written to
}

// The parts of the directory.
const (
	uploadsDir = "uploads" // <id>.json and <id>.part
	filesDir   = "files"   // <aa>/<sha256>.<ext> and <aa>/<sha256>.thumb.jpg
	recordsDir = "records" // <id>.json
	tempDir    = "temp"
	usageDir   = "usage" // <day>-<owner>, what an owner stored on a day
	indexFile  = "index.jsonl"
	lockFile   = "lock" // held while an upload is counted and made
)

// Open makes the directory when needed and returns the store.
func Open(o Options) (*Store, error) {
	if o.Dir == "" || o.Now == nil || len(o.Key) < minKey {
		return nil, fmt.Errorf("media: a directory, a clock and a key of at least %d bytes are needed", minKey)
	}
	setDefault(&o.MaxPhoto, DefaultMaxPhoto)
	setDefault(&o.MaxVideo, DefaultMaxVideo)
	setDefault(&o.MaxPixels, DefaultMaxPixels)
	setDefault(&o.Abandoned, DefaultAbandoned)
	setDefault(&o.MaxOpen, DefaultMaxOpen)
	setDefault(&o.MaxDaily, DefaultMaxDaily)
	for _, d := range []string{uploadsDir, filesDir, recordsDir, tempDir, usageDir} {
		if err := os.MkdirAll(filepath.Join(o.Dir, d), 0o700); err != nil {
			return nil, fmt.Errorf("media: make the directory: %w", err)
		}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Store{o: o, decoding: make(chan struct{}, 2), busy: map[string]bool{}}, nil
}

func setDefault[T int | int64 | time.Duration](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}

func (s *Store) path(parts ...string) string {
	return filepath.Join(append([]string{s.o.Dir}, parts...)...)
}

// newID is 128 random bits: nobody guesses the id of another's upload.
func newID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// isID keeps everything but our own ids away from file names.
func isID(id string) bool { return isHex(id, 32) }

func isHex(s string, n int) bool {
	if len(s) != n {
		return false
	}
	for i := range len(s) {
		if (s[i] < '0' || s[i] > '9') && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return true
}

// temp makes an empty file that a sweep removes should this process end.
func (s *Store) temp() (*os.File, error) {
	f, err := os.OpenFile(s.path(tempDir, newID()), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("media: make a temporary file: %w", err)
	}
	return f, nil
}

// writeJSON replaces a file at once: a reader sees the old or the new one.
func (s *Store) writeJSON(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("media: encode a record: %w", err)
	}
	f, err := s.temp()
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return errors.Join(fmt.Errorf("media: write a record: %w", err), f.Close(), os.Remove(f.Name()))
	}
	return s.keep(f, path)
}

// keep closes a temporary file that is written completely and gives it its name.
func (s *Store) keep(f *os.File, path string) error {
	err := errors.Join(f.Sync(), f.Close())
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("media: keep a file: %w", err), os.Remove(f.Name()))
	}
	return nil
}

// readJSON reports whether the file is there.
func readJSON(path string, value any) (bool, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, value)
	}
	if err != nil {
		return false, fmt.Errorf("media: read a record: %w", err)
	}
	return true, nil
}
