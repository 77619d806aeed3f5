package scout

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// partials is the folder with the work that is not complete yet: one file for
// each session, in the wizard format, with the steps that led through the form.
// What was typed is never in it.
type partials struct{ dir string }

var partialName = lazyregexp.New(`^_partial_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.json$`)

func nameFor(id string) string { return "_partial_" + id + ".json" }

// logKey is where a partial file keeps what only scout needs.
const logKey = "discovery_log"

// diary is what a partial file holds besides the wizard.
type diary struct {
	Session  string         `json:"session_id"`
	Owner    string         `json:"owner"` // of the caller's name, not the name
	Viewport Viewport       `json:"viewport"`
	Trail    []step         `json:"trail"`
	Spots    map[int]string `json:"spots,omitempty"`
	Saved    time.Time      `json:"saved_at"`
}

// ownerMark binds a file to a caller without naming him.
func ownerMark(session, subject string) string {
	sum := sha256.Sum256([]byte(session + "\x00" + subject))
	return hex.EncodeToString(sum[:16])
}

// wizard is the work so far in the format of a finished wizard.
func (x *session) wizard() *wizard.Wizard {
	pages := slices.Clone(x.pages)
	slices.SortStableFunc(pages, func(a, b wizard.Page) int { return cmp.Compare(a.PageNumber, b.PageNumber) })
	return &wizard.Wizard{
		WizardID: "partial-" + x.id[:8], Name: "[IN PROGRESS] " + x.id, URL: x.start, DiscoveredAt: x.opened.UTC().Truncate(time.Second),
		DiscoveryVersion: formatVersion, TotalPages: len(pages), Pages: pages,
	}
}

// keep writes the work so far as a whole or not at all.
func (s *Server) keep(x *session) error {
	if s.partials.dir == "" {
		return nil
	}
	w := x.wizard()
	log, err := json.Marshal(diary{
		Session: x.id, Owner: ownerMark(x.id, x.owner), Viewport: x.size, Trail: x.trail, Spots: x.spots, Saved: s.clock().UTC(),
	})
	if err != nil {
		return fmt.Errorf("keep session %s: %w", x.id, err)
	}
	w.Extra = map[string]json.RawMessage{logKey: log}
	data, err := w.Marshal()
	if err != nil {
		return fmt.Errorf("keep session %s: %w", x.id, err)
	}
	if err := s.partials.write(nameFor(x.id), data); err != nil {
		return fault.New(fault.Unavailable, "partial_not_saved", "The work so far could not be written to the wizards folder.",
			"The session goes on in memory. Make the folder writable (legwork config names it) before you go on.").WithCause(err)
	}
	x.partial = nameFor(x.id)
	return nil
}

// note keeps the work after a step. A folder that cannot be written must not end
// an exploration: it is told once, when a page is saved.
func (s *Server) note(x *session) {
	if err := s.keep(x); err != nil {
		s.log.Warn("keeping the work of a session", "session", x.id, "error", errors.Unwrap(err))
	}
}

func (p partials) root() (*os.Root, error) {
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return nil, err
	}
	return os.OpenRoot(p.dir)
}

func (p partials) write(name string, data []byte) (err error) {
	root, err := p.root()
	if err != nil {
		return err
	}
	defer root.Close()
	temporary := "." + name + "." + rand.Text() + ".tmp"
	file, err := root.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = root.Rename(temporary, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temporary))
	}
	return nil
}

// remove drops the file of a session; one that is not there is fine.
func (p partials) remove(id string) error {
	if p.dir == "" {
		return nil
	}
	root, err := os.OpenRoot(p.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Remove(nameFor(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// largestPartial is the most bytes of a file that is read.
const largestPartial = 8 << 20

// saved is one file that was read.
type saved struct {
	wizard *wizard.Wizard
	diary  diary
}

// read reads the file of a session.
func (p partials) read(id string) (*saved, error) {
	if p.dir == "" {
		return nil, fs.ErrNotExist
	}
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return readPartial(root, id)
}

func readPartial(root *os.Root, id string) (*saved, error) {
	info, err := root.Lstat(nameFor(id))
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > largestPartial {
		return nil, fmt.Errorf("read the partial file of %s: no regular file of at most %d bytes", id, largestPartial)
	}
	file, err := root.Open(nameFor(id))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, largestPartial))
	if err != nil {
		return nil, err
	}
	w := new(wizard.Wizard)
	if err := json.Unmarshal(data, w); err != nil {
		return nil, fmt.Errorf("read the partial file of %s: %w", id, err)
	}
	out := &saved{wizard: w}
	if log, ok := w.Extra[logKey]; ok {
		if err := json.Unmarshal(log, &out.diary); err != nil {
			return nil, fmt.Errorf("read the partial file of %s: %w", id, err)
		}
	}
	return out, nil
}

// mine tells whether a caller may go on with the work. A file that names no
// owner was not written by this program: its unguessable name is what admits.
func (p *saved) mine(id, subject string) bool {
	return p.diary.Owner == "" || p.diary.Owner == ownerMark(id, subject)
}

// of lists the ids of the files that a caller left, the latest first.
func (p partials) of(subject string) []string {
	if p.dir == "" {
		return nil
	}
	root, err := os.OpenRoot(p.dir)
	if err != nil {
		return nil // there is no folder yet
	}
	defer root.Close()
	files, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil
	}
	type found struct {
		id string
		at time.Time
	}
	var all []found
	for _, f := range files {
		m := partialName.FindStringSubmatch(f.Name())
		if m == nil {
			continue
		}
		if got, err := readPartial(root, m[1]); err == nil && got.diary.Owner == ownerMark(m[1], subject) {
			all = append(all, found{m[1], got.diary.Saved})
		}
	}
	slices.SortFunc(all, func(a, b found) int { return b.at.Compare(a.at) })
	var out []string
	for _, f := range all {
		out = append(out, f.id)
	}
	return out
}

// sessionOf is the session that an argument names: an id, or the name of a
// partial file. A path is nothing.
func sessionOf(id, file string) string {
	if id != "" {
		if partialName.MatchString(nameFor(id)) {
			return id
		}
		return ""
	}
	if m := partialName.FindStringSubmatch(strings.TrimSpace(file)); m != nil {
		return m[1]
	}
	return ""
}
