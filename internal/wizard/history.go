package wizard

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

const (
	historyDir = ".history"
	hashPrefix = "sha256:"
	minHash    = 8 // digits that name a version when they are unique
)

// Version is one kept state of a wizard.
type Version struct {
	Hash    string    `json:"hash"`
	SavedAt time.Time `json:"saved_at"`
	// Current marks the state that runs now.
	Current bool `json:"current"`
}

func versionPath(id, hash, suffix string) string {
	return path.Join(historyDir, id, strings.TrimPrefix(hash, hashPrefix)+suffix)
}

// hashBytes names content that is no valid wizard.
func hashBytes(parts ...[]byte) string {
	sum := sha256.New()
	for _, part := range parts {
		sum.Write(part)
		sum.Write([]byte{0})
	}
	return hashPrefix + hex.EncodeToString(sum.Sum(nil))
}

// History lists the kept versions of a wizard, the newest first.
func (s *Store) History(id string) ([]Version, error) {
	id, err := NormalizeID(id)
	if err != nil {
		return nil, err
	}
	current := ""
	if entry, err := s.Get(id); err == nil {
		current = entry.Hash
	}
	user, err := s.userLayer()
	if err != nil || user == nil {
		return nil, err
	}
	defer user.close()
	return user.versions(id, current)
}

func (l *layer) versions(id, current string) ([]Version, error) {
	files, err := fs.ReadDir(l.fs, path.Join(historyDir, id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the versions of %s: %w", id, err)
	}
	var list []Version
	for _, file := range files {
		name := file.Name()
		if !strings.HasSuffix(name, ".json") || strings.HasSuffix(name, schemaSuffix) {
			continue
		}
		info, err := file.Info()
		if err != nil {
			return nil, fmt.Errorf("list the versions of %s: %w", id, err)
		}
		hash := hashPrefix + strings.TrimSuffix(name, ".json")
		list = append(list, Version{hash, info.ModTime().UTC(), hash == current})
	}
	slices.SortFunc(list, func(a, b Version) int {
		return cmp.Or(b.SavedAt.Compare(a.SavedAt), strings.Compare(a.Hash, b.Hash))
	})
	return list, nil
}

// GetVersion returns a kept version by its hash, or by eight or more digits of
// it that no other version begins with.
func (s *Store) GetVersion(id, hash string) (*Entry, error) {
	id, err := NormalizeID(id)
	if err != nil {
		return nil, err
	}
	versions, err := s.History(id)
	if err != nil {
		return nil, err
	}
	full, err := resolve(id, hash, versions)
	if err != nil {
		return nil, err
	}
	user, err := s.userLayer()
	if err != nil {
		return nil, err
	}
	if user == nil {
		return nil, fmt.Errorf("version %s of %s: %w", hash, id, ErrNotFound)
	}
	defer user.close()
	return user.readVersion(id, full)
}

func resolve(id, hash string, versions []Version) (string, error) {
	digits := strings.TrimPrefix(hash, hashPrefix)
	var found []string
	for _, v := range versions {
		if strings.HasPrefix(strings.TrimPrefix(v.Hash, hashPrefix), digits) {
			found = append(found, v.Hash)
		}
	}
	switch {
	case len(digits) < minHash:
		return "", fmt.Errorf("version %q of %s: give at least %d digits of the hash: %w", hash, id, minHash, ErrNotFound)
	case len(found) == 0:
		return "", fmt.Errorf("version %s of %s: %w", hash, id, ErrNotFound)
	case len(found) > 1:
		return "", fmt.Errorf("version %s of %s: %d versions begin like this; give more digits", hash, id, len(found))
	}
	return found[0], nil
}

// readVersion reads a kept version and proves that it is what its name says.
func (l *layer) readVersion(id, hash string) (*Entry, error) {
	name := versionPath(id, hash, ".json")
	data, modTime, err := l.readFile(name, wizardLimits)
	if err != nil {
		return nil, err
	}
	w, err := Parse(data)
	if err != nil {
		return nil, Broken{ID: id, Path: l.path(name), Problems: problemsOf(err)}
	}
	schema, _, err := l.readFile(versionPath(id, hash, schemaSuffix), schemaLimits)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c, err := ParseContract(w, schema)
	if err != nil {
		return nil, Broken{ID: id, Path: l.path(name), Problems: problemsOf(err)}
	}
	if w.WizardID != id || version(w, c, schema) != hash {
		return nil, fmt.Errorf("version %s of %s was changed after it was kept; it cannot be trusted", hash, id)
	}
	return &Entry{
		Wizard: w, Contract: c, Hash: hash, Path: l.path(name),
		Practice: w.Practice, ModTime: modTime,
	}, nil
}
