package wizard

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const embeddedPrefix = "embedded:"

// layer is one tree of wizard files.
type layer struct {
	name     string // unique among the layers
	fs       fs.FS
	dir      string // of the user's folder
	practice bool
	root     *os.Root
}

// userLayer opens the user's folder, confined: a symbolic link that leads out
// of it cannot be followed. It is nil when there is no folder.
func (s *Store) userLayer() (*layer, error) {
	if s.dir == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open wizards folder: %w", err)
	}
	return &layer{name: "user/", fs: root.FS(), dir: s.dir, root: root}, nil
}

func (l *layer) close() { l.root.Close() }

// layers are the user's folder, if there is one, over the embedded sources.
func (s *Store) layers(user *layer) []*layer {
	var list []*layer
	if user != nil {
		list = append(list, user)
	}
	for i, source := range s.embedded {
		list = append(list, &layer{name: fmt.Sprintf("%d/", i), fs: source.FS, practice: source.Practice})
	}
	return list
}

// path is how people find the file.
func (l *layer) path(name string) string {
	if l.dir == "" {
		return embeddedPrefix + name
	}
	return filepath.Join(l.dir, filepath.FromSlash(name))
}

// ids lists the wizards of the layer and reports files that cannot be one.
func (l *layer) ids(broken *[]Broken) []string {
	files, err := fs.ReadDir(l.fs, structuresDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		*broken = append(*broken, Broken{Path: l.path(structuresDir), Problems: []Problem{{"", err.Error()}}})
	}
	var ids []string
	for _, file := range files {
		name := file.Name()
		if file.IsDir() || !strings.HasSuffix(name, ".json") || strings.HasPrefix(name, ".") {
			continue
		}
		id, err := NormalizeID(name)
		if err != nil {
			*broken = append(*broken, Broken{Path: l.path(structuresDir + "/" + name), Problems: []Problem{{"", err.Error()}}})
			continue
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// has says whether there is a file for the id, readable or not.
func (l *layer) has(id string) bool {
	if l.root != nil {
		_, err := l.root.Lstat(structurePath(id))
		return err == nil
	}
	_, err := fs.Stat(l.fs, structurePath(id))
	return err == nil
}

// stamp changes when one of the wizard's files does; empty means unknown.
func (l *layer) stamp(id string) string {
	structure, err := fs.Stat(l.fs, structurePath(id))
	if err != nil {
		return ""
	}
	stamp := fmt.Sprint(structure.ModTime().UnixNano(), structure.Size())
	if schema, err := fs.Stat(l.fs, schemaPath(id)); err == nil {
		stamp += fmt.Sprint(" ", schema.ModTime().UnixNano(), schema.Size())
	}
	return stamp
}

func (l *layer) read(id string) (*Entry, error) {
	data, modTime, err := l.readFile(structurePath(id), wizardLimits)
	if err != nil {
		return nil, err
	}
	w, err := Parse(data)
	if err != nil {
		return nil, err
	}
	if w.WizardID != id {
		return nil, &InvalidError{"wizard file", []Problem{{
			"/wizard_id", fmt.Sprintf("is %q, but the file is named %s.json", w.WizardID, id),
		}}}
	}
	schema, _, err := l.readFile(schemaPath(id), schemaLimits)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c, err := ParseContract(w, schema)
	if err != nil {
		return nil, err
	}
	return &Entry{
		Wizard: w, Contract: c, Hash: version(w, c, schema), ModTime: modTime,
		Path: l.path(structurePath(id)), Practice: w.Practice || l.practice,
	}, nil
}

// readFile reads a regular file no larger than the limit. It looks before it
// opens: opening a pipe would wait for its other end for ever.
func (l *layer) readFile(name string, limit limits) ([]byte, time.Time, error) {
	if info, err := fs.Stat(l.fs, name); err == nil && !info.Mode().IsRegular() {
		return nil, time.Time{}, fmt.Errorf("read %s: not a regular file", name)
	}
	file, err := l.fs.Open(name)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("read %s: %w", name, withoutPath(err))
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("read %s: %w", name, withoutPath(err))
	}
	if !info.Mode().IsRegular() {
		return nil, time.Time{}, fmt.Errorf("read %s: not a regular file", name)
	}
	data, err := io.ReadAll(io.LimitReader(file, int64(limit.bytes)+1))
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("read %s: %w", name, withoutPath(err))
	}
	return data, info.ModTime(), nil
}

// withoutPath drops the operation and the path that the message names already.
func withoutPath(err error) error {
	var failure *fs.PathError
	if errors.As(err, &failure) {
		return failure.Err
	}
	return err
}
