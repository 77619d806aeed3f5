package audit

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// DefaultMaxBytes is the size at which a file is rotated when Options say nothing.
const DefaultMaxBytes = 64 << 20

// Options are everything a log needs.
type Options struct {
	// Path is the current file. Full ones are renamed to PATH.N, N being the number
	// of their last entry, and are never removed. PATH.lock is beside it.
	Path string
	// MaxBytes is the size at which the file is rotated; zero is DefaultMaxBytes.
	MaxBytes int64
	// Clock is time.Now unless a test replaces it.
	Clock func() time.Time
	// Logger learns of what goes wrong; nil logs nothing.
	Logger *slog.Logger
}

// Durability says when an entry is on the disk.
type Durability int

// The two durabilities.
const (
	Written Durability = iota // the operating system has it when Append returns
	Synced                    // the disk has it when Append returns
)

// file is what a log does with its file, so that tests can have a disk fail.
type file interface {
	Write([]byte) (int, error)
	Truncate(int64) error
	Sync() error
	Close() error
}

// errInUse is what lock fails with when another writer has it.
var errInUse = errors.New("another writer has the lock of the audit log")

// Log is an open audit log. It is safe for concurrent use.
type Log struct {
	o      Options
	unlock func() error

	mu     sync.Mutex
	file   file
	size   int64
	seq    int64
	head   string
	broken error // why nothing can be appended any more
}

// Open opens the log for appending, and makes its file and folder, for their
// owner alone, when they are not there. It continues the chain from the last
// line; a last line that is torn, as a crash leaves it, is moved to a file beside
// it, and an entry notes that. It refuses a log that another process writes, and
// one that is no file, or whose last whole line is not an entry.
func Open(o Options) (*Log, error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if info, err := os.Stat(o.Path); err == nil && !info.Mode().IsRegular() {
		return nil, fault.New(fault.Invalid, "invalid_setting", "The audit log "+o.Path+" is not a file, so it keeps nothing.",
			"Name a file, or leave the setting empty for no audit log.")
	}
	if err := os.MkdirAll(filepath.Dir(o.Path), 0o700); err != nil {
		return nil, unavailable(fmt.Errorf("make the folder of the audit log: %w", err))
	}
	unlock, err := lock(o.Path + ".lock")
	if errors.Is(err, errInUse) {
		return nil, fault.New(fault.Conflict, "audit_in_use", "The audit log "+o.Path+" is written by another process.",
			"Give each server an audit log of its own, or stop the other one.").WithCause(err)
	}
	if err != nil {
		return nil, unavailable(err)
	}
	l := &Log{o: o, unlock: unlock}
	if err := l.resume(); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// unavailable is the fault for a log that cannot be written.
func unavailable(err error) error {
	return fault.New(fault.Unavailable, "audit_unavailable", "The audit log cannot be written.",
		"Tell whoever runs this server: its audit log needs a disk that works and has room.").WithCause(err)
}

// Append adds an entry, whose Seq, Time, Prev and Hash it sets. An error is a
// fault: the entry is not in the log, and whoever must have it there must not go
// on. After an error that leaves the file in doubt, every further entry fails.
func (l *Log) Append(e Entry, d Durability) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return unavailable(l.broken)
	}
	if l.size >= l.o.MaxBytes {
		if err := l.rotate(); err != nil {
			l.broken = err
			return unavailable(err)
		}
	}
	if err := l.write(e); err != nil {
		return unavailable(err)
	}
	if d == Synced {
		if err := l.sync(); err != nil {
			return unavailable(err)
		}
	}
	return nil
}

// write adds one line. What a disk took of a line that it could not take whole is
// removed again, so that the next line does not continue it.
func (l *Log) write(e Entry) error {
	e = e.bounded()
	e.Seq, e.Time, e.Prev = l.seq+1, l.o.Clock().UTC().Round(0), l.head
	e, line, err := e.sealed()
	if err != nil {
		return err
	}
	if _, err := l.file.Write(line); err != nil {
		err = fmt.Errorf("write to the audit log: %w", err)
		if undo := l.file.Truncate(l.size); undo != nil {
			l.broken = errors.Join(err, fmt.Errorf("remove half a line: %w", undo))
			return l.broken
		}
		return err
	}
	l.size += int64(len(line))
	l.seq, l.head = e.Seq, e.Hash
	return nil
}

// sync forces the file to the disk. After a failure nobody knows what is there,
// and asking again would only seem to work.
func (l *Log) sync() error {
	if err := l.file.Sync(); err != nil {
		l.broken = fmt.Errorf("force the audit log to the disk: %w", err)
		return l.broken
	}
	return nil
}

// Head is the number and the hash of the last entry, to be kept elsewhere.
func (l *Log) Head() (seq int64, hash string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seq, l.head
}

// Close forces the log to the disk and lets another process write it.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var err error
	if l.file != nil {
		if l.broken == nil {
			err = l.sync()
		}
		err = errors.Join(err, l.file.Close())
	}
	l.file, l.broken = nil, errors.New("the audit log is closed")
	if l.unlock != nil {
		err = errors.Join(err, l.unlock())
		l.unlock = nil
	}
	if err != nil {
		return fmt.Errorf("close the audit log: %w", err)
	}
	return nil
}
