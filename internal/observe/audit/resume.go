package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// resume opens the current file and finds where the chain goes on.
func (l *Log) resume() error {
	f, err := os.OpenFile(l.o.Path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return unavailable(fmt.Errorf("open the audit log: %w", err))
	}
	l.file = f
	last, size, err := tail(f)
	if err != nil {
		return unavailable(fmt.Errorf("read the end of the audit log: %w", err))
	}
	l.size = size - int64(len(last.torn))
	l.head = genesis
	switch {
	case last.line != nil:
		err = l.follow(last.line, l.o.Path)
	default:
		err = l.followRotated()
	}
	if err != nil || len(last.torn) == 0 {
		return err
	}
	return l.moveAside(last.torn)
}

// follow takes the last line of a file for what the next one follows.
func (l *Log) follow(line []byte, path string) error {
	e, err := parse(line)
	if err != nil {
		return fault.New(fault.Conflict, "audit_broken", fmt.Sprintf("The last line of the audit log %s is not one that this program wrote.", path),
			"Find out who changed it; then move the file away to begin a new log.").WithCause(err)
	}
	l.seq, l.head = e.Seq, e.Hash
	return nil
}

// followRotated goes on from the newest full file: the current one has no line
// yet. Without any, this is the beginning of a log.
func (l *Log) followRotated() error {
	files, err := Rotated(l.o.Path)
	if err != nil || len(files) == 0 {
		return err
	}
	newest := files[len(files)-1]
	f, err := os.Open(newest)
	if err != nil {
		return unavailable(fmt.Errorf("open the audit log before this one: %w", err))
	}
	last, _, err := tail(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return unavailable(fmt.Errorf("read the audit log before this one: %w", err))
	}
	return l.follow(last.line, newest)
}

// moveAside keeps what a crash left of a line, beside the log, and notes it.
func (l *Log) moveAside(torn []byte) error {
	sum := sha256.Sum256(torn)
	name := fmt.Sprintf("%s.torn-%d", l.o.Path, l.seq+1)
	if err := os.WriteFile(name, torn, 0o600); err != nil {
		return unavailable(fmt.Errorf("keep a torn line: %w", err))
	}
	if err := l.file.Truncate(l.size); err != nil {
		return unavailable(fmt.Errorf("remove a torn line: %w", err))
	}
	l.o.Logger.Warn("the last line of the audit log was torn", "kept_in", name, "bytes", len(torn))
	return l.Append(Entry{
		Event: EventNote,
		Note:  fmt.Sprintf("a torn line of %d bytes was moved aside, SHA-256 %s", len(torn), hex.EncodeToString(sum[:])),
	}, Synced)
}

// ending is the end of a file: the last whole line, and what comes after it.
type ending struct{ line, torn []byte }

// tail reads the end of a file, and its size.
func tail(f *os.File) (ending, int64, error) {
	info, err := f.Stat()
	if err != nil {
		return ending{}, 0, err
	}
	size := info.Size()
	// A torn line can be as long as a whole one.
	from := max(0, size-2*maxLine)
	end := make([]byte, size-from)
	if _, err := f.ReadAt(end, from); err != nil && !errors.Is(err, io.EOF) {
		return ending{}, 0, err
	}
	stop := bytes.LastIndexByte(end, '\n')
	torn := end[stop+1:]
	if stop < 0 {
		if from > 0 {
			return ending{}, 0, errors.New("it does not end with lines")
		}
		return ending{torn: torn}, size, nil
	}
	start := bytes.LastIndexByte(end[:stop], '\n')
	return ending{line: end[start+1 : stop], torn: torn}, size, nil
}

var rotatedName = lazyregexp.New(`\.\d{12}$`)

// Rotated lists the full files of the log at path, the oldest first.
func Rotated(path string) ([]string, error) {
	beside, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, unavailable(fmt.Errorf("list the audit logs: %w", err))
	}
	var files []string
	for _, f := range beside {
		name := f.Name()
		if suffix := rotatedName.FindString(name); suffix != "" && name == filepath.Base(path)+suffix {
			files = append(files, filepath.Join(filepath.Dir(path), name))
		}
	}
	slices.Sort(files)
	return files, nil
}

// rotate puts the full file aside under the number of its last entry and begins a
// new one, whose first entry follows it. When it stops in between, the next start
// goes on from the full file.
func (l *Log) rotate() error {
	if err := l.sync(); err != nil {
		return err
	}
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("close the full audit log: %w", err)
	}
	if err := os.Rename(l.o.Path, fmt.Sprintf("%s.%012d", l.o.Path, l.seq)); err != nil {
		return fmt.Errorf("rename the full audit log: %w", err)
	}
	f, err := os.OpenFile(l.o.Path, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("begin a new audit log: %w", err)
	}
	l.file, l.size = f, 0
	l.o.Logger.Info("the audit log was rotated", "seq", l.seq, "head", l.head)
	return nil
}
