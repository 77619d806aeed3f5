package wizard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"
)

// ErrStale says that a wizard has changed since its repair was made.
var ErrStale = errors.New("the wizard has changed since it was repaired")

// reviewDir holds repaired wizards that nobody has accepted. Nothing in it runs.
const reviewDir = ".review"

// repairKey is where a repaired wizard says what it was made from.
const repairKey = "repair"

// Repaired says what a wizard was repaired from.
type Repaired struct {
	// Of is the version that no longer fitted its form.
	Of string    `json:"of"`
	At time.Time `json:"at"`
	// Remarks are what a person should look at before accepting it.
	Remarks []string `json:"remarks,omitempty"`
}

// MarkRepaired notes in the wizard what it was repaired from.
func (w *Wizard) MarkRepaired(r Repaired) error {
	raw, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("mark %s as repaired: %w", w.WizardID, err)
	}
	if w.Extra == nil {
		w.Extra = map[string]json.RawMessage{}
	}
	w.Extra[repairKey] = raw
	return nil
}

// Repair is what the wizard was repaired from, and whether it was.
func (w *Wizard) Repair() (r Repaired, ok bool) {
	raw, ok := w.Extra[repairKey]
	return r, ok && json.Unmarshal(raw, &r) == nil
}

// For is the contract for another state of its wizard: the schema that somebody
// wrote with that state's conditions, or a generated one.
func (c *Contract) For(w *Wizard) (*Contract, error) {
	if c.Generated {
		return NewContract(w)
	}
	return ParseContract(w, c.source)
}

func reviewPath(id, suffix string) string { return path.Join(reviewDir, id+suffix) }

// Propose writes a repaired wizard beside the store's own, where a person can
// read and change it and where nothing runs it. It takes the place of an earlier
// proposal, and returns the path of the file.
func (s *Store) Propose(w *Wizard, c *Contract) (string, error) {
	if s.dir == "" {
		return "", ErrReadOnly
	}
	structure, schema, _, err := prepared(w, c)
	if err != nil {
		return "", err
	}
	err = s.writing(func(root *os.Root) error {
		if err := writeFile(root, reviewPath(w.WizardID, schemaSuffix), schema); err != nil {
			return err
		}
		return writeFile(root, reviewPath(w.WizardID, ".json"), structure)
	})
	if err != nil {
		return "", fmt.Errorf("propose wizard %s: %w", w.WizardID, err)
	}
	l := layer{dir: s.dir}
	return l.path(reviewPath(w.WizardID, ".json")), nil
}

// Proposed returns the repaired wizard that waits to be accepted.
func (s *Store) Proposed(id string) (*Entry, error) {
	id, err := NormalizeID(id)
	if err != nil {
		return nil, err
	}
	user, err := s.userLayer()
	if err != nil {
		return nil, err
	}
	if user == nil {
		return nil, fmt.Errorf("a proposal for %s: %w", id, ErrNotFound)
	}
	defer user.close()
	data, modTime, err := user.readFile(reviewPath(id, ".json"), wizardLimits)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrNotFound
		}
		return nil, fmt.Errorf("a proposal for %s: %w", id, err)
	}
	broken := func(err error) error {
		return Broken{ID: id, Path: user.path(reviewPath(id, ".json")), Problems: problemsOf(err)}
	}
	w, err := Parse(data)
	if err != nil {
		return nil, broken(err)
	}
	if w.WizardID != id {
		return nil, broken(fmt.Errorf("its wizard_id is %q", w.WizardID))
	}
	schema, _, err := user.readFile(reviewPath(id, schemaSuffix), schemaLimits)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c, err := ParseContract(w, schema)
	if err != nil {
		return nil, broken(err)
	}
	return &Entry{Wizard: w, Contract: c, Hash: version(w, c, schema), Path: user.path(reviewPath(id, ".json")), Practice: w.Practice, ModTime: modTime}, nil
}

// Accept makes the proposed wizard the one that runs, and keeps the one before as
// a version. It refuses with ErrStale when the wizard is no longer the one that
// was repaired.
func (s *Store) Accept(id string) (string, error) {
	proposed, err := s.Proposed(id)
	if err != nil {
		return "", err
	}
	w := proposed.Wizard
	current, err := s.Get(w.WizardID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return "", err
	}
	if made, ok := w.Repair(); ok && current != nil && made.Of != current.Hash {
		return "", ErrStale
	}
	return s.save(w, proposed.Contract, func(l *layer) error {
		if !l.has(w.WizardID) {
			return nil // a wizard that ships with the program
		}
		if e, err := l.read(w.WizardID); current == nil || err != nil || e.Hash != current.Hash {
			return ErrStale
		}
		return nil
	}, func(root *os.Root) error {
		return errors.Join(removeIfThere(root, reviewPath(w.WizardID, ".json")), removeIfThere(root, reviewPath(w.WizardID, schemaSuffix)))
	})
}
