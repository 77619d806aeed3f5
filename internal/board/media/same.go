package media

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Same is an earlier file that is like a later one.
type Same struct {
	ID    string `json:"id"`
	Owner string `json:"owner"`
	// Exact is set when the bytes are the same, as sent or as stored.
	Exact bool `json:"exact"`
	// Distance is how many of the 128 bits of the looks differ.
	Distance int `json:"distance"`
}

// closeLooks is the distance up to which two photos look alike; our own choice,
// which tests hold to pictures that were scaled, compressed or made brighter.
const closeLooks = 10

// maxSame is how many files like it a record names.
const maxSame = 20

// entry is a line of the index.
type entry struct {
	ID       string `json:"id"`
	Owner    string `json:"owner"`
	SHA256   string `json:"sha256"`
	Original string `json:"original"`
	Look     looks  `json:"look"`
}

// remember adds a line to the index. Lines are short, so that the system appends
// each as a whole even when several processes do (POSIX, write with O_APPEND).
func (s *Store) remember(f File) error {
	line, err := json.Marshal(entry{f.ID, f.Owner, f.SHA256, f.Original, f.Look})
	if err != nil {
		return fmt.Errorf("media: encode the index: %w", err)
	}
	index, err := os.OpenFile(s.path(indexFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("media: open the index: %w", err)
	}
	_, err = index.Write(append(line, '\n'))
	return errors.Join(err, index.Close())
}

// same finds earlier files like f.
func (s *Store) same(f File) ([]Same, error) {
	index, err := os.Open(s.path(indexFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("media: open the index: %w", err)
	}
	defer index.Close()
	var out []Same
	lines := bufio.NewScanner(index)
	for lines.Scan() && len(out) < maxSame {
		var e entry
		if json.Unmarshal(bytes.TrimSpace(lines.Bytes()), &e) != nil || e.ID == f.ID {
			continue // a line that a crash cut
		}
		exact := e.SHA256 == f.SHA256 || e.Original == f.Original
		distance := e.Look.distance(f.Look)
		if exact || e.Look != (looks{}) && f.Look != (looks{}) && distance <= closeLooks {
			out = append(out, Same{ID: e.ID, Owner: e.Owner, Exact: exact, Distance: distance})
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("media: read the index: %w", err)
	}
	return out, nil
}
