package wizard

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/nearest"
)

// ErrNotFound says that the store has no wizard, or no version, of that name.
var ErrNotFound = errors.New("not found")

// The layout of a wizards folder, shared with v1.1 programs.
const (
	structuresDir = "wizard-structures"
	schemasDir    = "data-schemas"
	schemaSuffix  = "-schema.json"
)

// Store is a folder of wizards and, under it, sources that ship with the
// program. The folder is the user's: it wins, and it is the only one written.
// Nothing outside of it is ever read or written.
type Store struct {
	dir      string
	embedded []Source

	mu     sync.Mutex
	parsed map[string]cached
}

// Source is a read-only tree with wizard-structures/ and, if need be,
// data-schemas/.
type Source struct {
	FS fs.FS
	// Practice marks all of its wizards as replicas.
	Practice bool
}

// Entry is one wizard that can be run. Entries are shared: do not change what
// their pointers lead to.
type Entry struct {
	Wizard   *Wizard
	Contract *Contract
	// Hash is the version: of the wizard, and of its schema if that was written
	// by hand.
	Hash string
	// Path is where the structure was read from; embedded ones begin with
	// "embedded:".
	Path     string
	Practice bool
	ModTime  time.Time
	// Overrides says that this wizard of the user's folder hides an embedded one
	// with the same id.
	Overrides bool
}

// Broken is a file in the store that is no wizard, and why.
type Broken struct {
	ID       string    `json:"wizard_id"`
	Path     string    `json:"path"`
	Problems []Problem `json:"problems"`
}

// Error says what is wrong with the file.
func (b Broken) Error() string {
	return (&InvalidError{b.Path, b.Problems}).Error()
}

// cached is a file that was read before and has not changed since.
type cached struct {
	stamp  string
	entry  *Entry
	broken *Broken
}

// OpenStore opens the folder dir, which need not exist before something is
// saved, over the embedded sources; earlier sources win over later ones.
func OpenStore(dir string, embedded ...Source) (*Store, error) {
	if dir != "" {
		info, err := os.Stat(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("open wizards folder: %w", err)
		}
		if err == nil && !info.IsDir() {
			return nil, fmt.Errorf("open wizards folder: %s is not a folder", dir)
		}
	}
	return &Store{dir: dir, embedded: embedded, parsed: map[string]cached{}}, nil
}

// List returns all wizards by id, and every file that should be one and is not.
func (s *Store) List() ([]Entry, []Broken) {
	s.mu.Lock()
	defer s.mu.Unlock()
	entries := map[string]Entry{}
	var broken []Broken
	user, err := s.userLayer()
	if err != nil {
		broken = append(broken, Broken{Path: s.dir, Problems: []Problem{{"", err.Error()}}})
	}
	if user != nil {
		defer user.close()
	}
	for _, layer := range s.layers(user) {
		for _, id := range layer.ids(&broken) {
			if above, hidden := entries[id]; hidden {
				above.Overrides = above.Overrides || !strings.HasPrefix(above.Path, embeddedPrefix)
				entries[id] = above
				continue
			}
			entry, failure := s.load(layer, id)
			if failure != nil {
				broken = append(broken, *failure)
				continue
			}
			entries[id] = *entry
		}
	}
	return sorted(entries), broken
}

func sorted(entries map[string]Entry) []Entry {
	list := make([]Entry, 0, len(entries))
	for _, entry := range entries {
		list = append(list, entry)
	}
	slices.SortFunc(list, func(a, b Entry) int { return cmp.Compare(a.Wizard.WizardID, b.Wizard.WizardID) })
	return list
}

// Get returns one wizard, whose id may end in ".json". The error is
// ErrInvalidID, ErrNotFound or a Broken.
func (s *Store) Get(id string) (*Entry, error) {
	id, err := NormalizeID(id)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	user, err := s.userLayer()
	if err != nil {
		return nil, err
	}
	if user != nil {
		defer user.close()
	}
	var found *Entry
	for _, layer := range s.layers(user) {
		if !layer.has(id) {
			continue
		}
		if found != nil {
			found.Overrides = found.Overrides || !strings.HasPrefix(found.Path, embeddedPrefix)
			continue
		}
		entry, failure := s.load(layer, id)
		if failure != nil {
			return nil, *failure
		}
		copied := *entry
		found = &copied
	}
	if found == nil {
		return nil, s.notFound(id, user)
	}
	return found, nil
}

func (s *Store) notFound(id string, user *layer) error {
	var ids []string
	for _, layer := range s.layers(user) {
		ids = append(ids, layer.ids(new([]Broken))...)
	}
	return &notFoundError{id, nearest.Name(id, ids)}
}

// notFoundError is ErrNotFound in one short sentence, for callers that name the
// wizard themselves.
type notFoundError struct{ id, nearest string }

func (e *notFoundError) Error() string {
	if e.nearest == "" {
		return fmt.Sprintf("no wizard %q", e.id)
	}
	return fmt.Sprintf("no wizard %q; did you mean %q?", e.id, e.nearest)
}

func (e *notFoundError) Unwrap() error { return ErrNotFound }

// load reads one wizard of a layer, from memory if its files are as before.
func (s *Store) load(l *layer, id string) (*Entry, *Broken) {
	key := l.name + id
	stamp := l.stamp(id)
	if c, ok := s.parsed[key]; ok && stamp != "" && c.stamp == stamp {
		return c.entry, c.broken
	}
	entry, err := l.read(id)
	c := cached{stamp: stamp, entry: entry}
	if err != nil {
		c.broken = &Broken{ID: id, Path: l.path(structurePath(id)), Problems: problemsOf(err)}
	}
	s.parsed[key] = c
	return c.entry, c.broken
}

func problemsOf(err error) []Problem {
	var invalid *InvalidError
	if !errors.As(err, &invalid) {
		return []Problem{{"", err.Error()}}
	}
	problems := slices.Clone(invalid.Problems)
	for i := range problems {
		if invalid.What != "wizard file" {
			problems[i].Message = invalid.What + ": " + problems[i].Message
		}
	}
	return problems
}

func structurePath(id string) string { return path.Join(structuresDir, id+".json") }

func schemaPath(id string) string { return path.Join(schemasDir, id+schemaSuffix) }

// version is the content hash of a wizard with its contract.
func version(w *Wizard, c *Contract, schema []byte) string {
	if c.Generated {
		return w.Hash()
	}
	data, err := plainJSON(w)
	if err != nil {
		return ""
	}
	return hashJSON(data, schema)
}
