package oauth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/fault"
)

const (
	// recheck is how often the file is looked at, at most.
	recheck = time.Second
	// mourned is how long the tokens of a file that is gone still count: longer than an
	// editor or a tool takes to put another one in its place.
	mourned = time.Minute
	// maxStaticFile is far more than a file of a small server has.
	maxStaticFile = 1 << 20
	// foreign are the permissions that make a file somebody else's too: written
	// by the group or by all, read by all.
	foreign fs.FileMode = 0o026
)

// staticTokens are the tokens of a file, which is read again when it changes. A
// mistake in it leaves the tokens that were read before: an editor at work must
// not lock everybody out. An empty file takes all back at once, and one that is gone
// for good after a minute.
type staticTokens struct {
	cfg *Config

	mu      sync.Mutex
	entries []staticEntry
	looked  time.Time
	seen    fileState
	gone    time.Time // since when there is no file; zero when there is one
}

// fileState tells whether a file changed; the zero value is no file.
type fileState struct {
	changed time.Time
	size    int64
	mode    fs.FileMode
}

// newStaticTokens reads the file for the first time, when a mistake is an error.
func newStaticTokens(cfg *Config) (*staticTokens, error) {
	s := &staticTokens{cfg: cfg, looked: cfg.Clock()}
	var err error
	if s.entries, s.seen, err = readStatic(cfg.Static, nil); err != nil {
		return nil, unusable(cfg.Static, err)
	}
	good := 0
	for _, e := range s.entries {
		if !e.who.Expired(s.looked) {
			good++
		}
	}
	if good == 0 {
		cfg.Logger.Warn("no token of the file is good, so nobody can call with one: 'legwork token NAME' adds one", "file", cfg.Static, "tokens", len(s.entries))
	} else {
		cfg.Logger.Info("the file of static tokens was read", "file", cfg.Static, "tokens", len(s.entries), "expired", len(s.entries)-good)
	}
	return s, nil
}

// CheckStatic returns the fault with which a server refuses the file of static tokens,
// or nil for one that it takes. A file that is not there yet is none that it refuses.
func CheckStatic(path string) error {
	if _, _, err := readStatic(path, nil); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return unusable(path, err)
	}
	return nil
}

func unusable(path string, err error) error {
	return fault.New(fault.Invalid, "invalid_token_file", fmt.Sprintf("The file of static tokens %s is not usable: %v.", path, err),
		mend(path, err)).WithCause(err)
}

// mend says what makes an unusable file usable.
func mend(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("Make it with its first token: legwork token NAME --file %s.", path)
	case errors.Is(err, errForeign):
		return fmt.Sprintf("Let it be its owner's alone: chmod 600 %s.", path)
	case errors.Is(err, fs.ErrPermission):
		return "Let the user that the server runs as read it, and nobody else: chown, and mode 0600."
	}
	return "Correct it; its lines are NAME SCOPE[,SCOPE...] sha256:HEX [expires=TIME]."
}

// verify decides about a static token.
func (s *staticTokens) verify(ctx context.Context, token string) (auth.Principal, error) {
	if !staticToken.MatchString(token) {
		return auth.Principal{}, invalid("it is not known")
	}
	now := s.cfg.Clock()
	who, ok := lookUp(s.current(ctx, now), token)
	switch {
	case !ok:
		return auth.Principal{}, invalid("it is not known")
	case who.Expired(now):
		return auth.Principal{}, invalid("it has expired")
	}
	return who, nil
}

// current are the tokens of the file as it is, or was when it was last right.
func (s *staticTokens) current(ctx context.Context, now time.Time) []staticEntry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if age := now.Sub(s.looked); age >= 0 && age < recheck {
		return s.entries
	}
	s.looked = now
	entries, state, err := readStatic(s.cfg.Static, &s.seen)
	switch missing := errors.Is(err, fs.ErrNotExist); {
	case !missing:
		s.gone = time.Time{}
	case s.gone.IsZero():
		s.gone = now
	case now.Sub(s.gone) >= mourned && s.entries != nil:
		s.entries = nil
		s.cfg.Logger.ErrorContext(ctx, "the file of static tokens is gone, so none of its tokens is taken any more", "file", s.cfg.Static)
	}
	switch {
	case errors.Is(err, errUnchanged):
	case err != nil:
		if state != s.seen { // once for each state that the file is in
			s.cfg.Logger.ErrorContext(ctx, "the file of static tokens is not usable, so the tokens read before stay", "file", s.cfg.Static, "error", err)
		}
		s.seen = state
	default:
		s.entries, s.seen = entries, state
		s.cfg.Logger.InfoContext(ctx, "the file of static tokens was read again", "file", s.cfg.Static, "tokens", len(entries))
	}
	return s.entries
}

var errUnchanged = errors.New("the file has not changed")

// errForeign is told of a file that is somebody else's too.
var errForeign = errors.New("others can read it, or its group or others can write it")

// errSpecial is told before such a thing is opened: opening a pipe waits.
var errSpecial = errors.New("it is not a file")

// readStatic reads the file unless it is as seen.
func readStatic(path string, seen *fileState) ([]staticEntry, fileState, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fileState{}, withoutPath(err)
	case seen != nil && stateOf(info) == *seen:
		return nil, *seen, errUnchanged
	case !info.Mode().IsRegular():
		return nil, stateOf(info), errSpecial
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, stateOf(info), withoutPath(err)
	}
	defer func() { _ = f.Close() }() // it was only read
	// What is checked is what is read, whatever has the name by now.
	if info, err = f.Stat(); err != nil {
		return nil, fileState{}, withoutPath(err)
	}
	entries, err := readOpen(f, info)
	return entries, stateOf(info), err
}

func stateOf(info fs.FileInfo) fileState {
	return fileState{info.ModTime(), info.Size(), info.Mode()}
}

// withoutPath leaves out the path, which is told already.
func withoutPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

func readOpen(f io.Reader, info fs.FileInfo) ([]staticEntry, error) {
	// Windows has no such bits; there the folder protects the file.
	if runtime.GOOS != "windows" && info.Mode().Perm()&foreign != 0 {
		return nil, fmt.Errorf("%w (its mode is %04o, it must be 0600, or 0640 for a group that reads it)", errForeign, info.Mode().Perm())
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxStaticFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read it: %w", withoutPath(err))
	case len(raw) > maxStaticFile:
		return nil, fmt.Errorf("it is larger than %d bytes", maxStaticFile)
	}
	return parseStatic(string(raw))
}
