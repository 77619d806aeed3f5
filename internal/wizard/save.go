package wizard

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// ErrReadOnly says that the store has no folder to write to.
var ErrReadOnly = errors.New("the wizards folder is not set: nothing can be saved")

// ErrExists says that there is a wizard of that id already.
var ErrExists = errors.New("there is already a wizard of this id")

const lockFile = ".lock"

// Save writes a wizard and its contract into the user's folder and keeps what
// was there as a version. A nil contract is generated. It returns the version of
// what was written. Each file changes as a whole or not at all.
func (s *Store) Save(w *Wizard, c *Contract) (string, error) {
	return s.save(w, c, nil, nil)
}

// Create is Save for a wizard that must not be in the user's folder yet: otherwise
// it fails with ErrExists, also when another program saves at the same moment.
func (s *Store) Create(w *Wizard, c *Contract) (string, error) {
	return s.save(w, c, func(l *layer) error {
		if l.has(w.WizardID) {
			return ErrExists
		}
		return nil
	}, nil)
}

// save writes a wizard if allowed says so, and does what belongs to it after that,
// while nobody else writes. Either may be nil.
func (s *Store) save(w *Wizard, c *Contract, allowed func(*layer) error, after func(*os.Root) error) (string, error) {
	if s.dir == "" {
		return "", ErrReadOnly
	}
	structure, schema, hash, err := prepared(w, c)
	if err != nil {
		return "", err
	}
	err = s.writing(func(root *os.Root) error {
		l := &layer{name: "user/", fs: root.FS(), dir: s.dir, root: root}
		if allowed != nil {
			if err := allowed(l); err != nil {
				return err
			}
		}
		if err := l.keepCurrent(w.WizardID); err != nil {
			return fmt.Errorf("keep the version before: %w", err)
		}
		if err := write(root, w.WizardID, files{hash, structure, schema}); err != nil || after == nil {
			return err
		}
		return after(root)
	})
	if err != nil {
		return "", fmt.Errorf("save wizard %s: %w", w.WizardID, err)
	}
	return hash, nil
}

// writing lets fn write into the user's folder, which is made if need be, while
// nobody else does.
func (s *Store) writing(fn func(*os.Root) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	unlock, err := lock(root)
	if err != nil {
		return fmt.Errorf("lock the folder: %w", err)
	}
	defer unlock()
	return fn(root)
}

// files are one version on disk.
type files struct {
	hash              string
	structure, schema []byte
}

// prepared is what will be written, after a check that it can be read again.
func prepared(w *Wizard, c *Contract) (structure, schema []byte, hash string, err error) {
	if structure, err = w.Marshal(); err != nil {
		return nil, nil, "", err
	}
	again, err := Parse(structure)
	if err != nil {
		return nil, nil, "", err
	}
	if c == nil || c.Generated {
		c, err = NewContract(again)
	} else {
		c, err = ParseContract(again, c.source)
	}
	if err != nil {
		return nil, nil, "", err
	}
	if schema, err = indented(json.RawMessage(c.source)); err != nil {
		return nil, nil, "", err
	}
	return structure, append(schema, '\n'), version(again, c, c.source), nil
}

// write stores the version first and the current files after it: whoever reads
// the current files can always find their version.
func write(root *os.Root, id string, v files) error {
	parts := []struct {
		name string
		data []byte
	}{
		{versionPath(id, v.hash, schemaSuffix), v.schema},
		{versionPath(id, v.hash, ".json"), v.structure},
		{schemaPath(id), v.schema},
		{structurePath(id), v.structure},
	}
	for _, file := range parts {
		if err := writeFile(root, file.name, file.data); err != nil {
			return err
		}
	}
	return nil
}

// keepCurrent makes a version of files that were edited by hand since the last
// Save. Broken files are kept too, under the hash of their bytes.
func (l *layer) keepCurrent(id string) error {
	structure, _, err := l.readFile(structurePath(id), wizardLimits)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	schema, _, err := l.readFile(schemaPath(id), schemaLimits)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	hash := hashBytes(structure, schema)
	if entry, err := l.read(id); err == nil {
		hash = entry.Hash
	}
	if _, err := l.root.Stat(versionPath(id, hash, ".json")); err == nil {
		return nil
	}
	if schema != nil {
		if err := writeFile(l.root, versionPath(id, hash, schemaSuffix), schema); err != nil {
			return err
		}
	}
	return writeFile(l.root, versionPath(id, hash, ".json"), structure)
}

// writeFile replaces a file as a whole: a reader sees the old or the new one,
// also after a crash.
func writeFile(root *os.Root, name string, data []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	temporary := name + "." + rand.Text() + ".tmp"
	if err := writeSynced(root, temporary, data); err != nil {
		return errors.Join(err, removeIfThere(root, temporary))
	}
	if err := root.Rename(temporary, name); err != nil {
		return errors.Join(err, removeIfThere(root, temporary))
	}
	return syncDir(root, path.Dir(name))
}

func writeSynced(root *os.Root, name string, data []byte) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		return errors.Join(err, file.Close())
	}
	if err := file.Sync(); err != nil {
		return errors.Join(err, file.Close())
	}
	return file.Close()
}

func removeIfThere(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// syncDir makes the rename itself durable, where the system can do that.
func syncDir(root *os.Root, name string) error {
	dir, err := root.Open(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}
