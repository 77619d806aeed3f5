package audit

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// disk is a file whose disk can fail.
type disk struct {
	file
	write, truncate, sync error
	half                  bool // a write that fails has written half
	synced                int
}

func (d *disk) Write(p []byte) (int, error) {
	if d.write == nil {
		return d.file.Write(p)
	}
	if d.half {
		n, _ := d.file.Write(p[:len(p)/2])
		return n, d.write
	}
	return 0, d.write
}

func (d *disk) Truncate(n int64) error {
	if d.truncate != nil {
		return d.truncate
	}
	return d.file.Truncate(n)
}

func (d *disk) Sync() error {
	d.synced++
	if d.sync != nil {
		return d.sync
	}
	return d.file.Sync()
}

func onDisk(t *testing.T) (*Log, *disk, func() (int, error)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l, err := Open(Options{Path: path, Clock: func() time.Time { return time.Unix(0, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	d := &disk{file: l.file}
	l.file = d
	return l, d, func() (int, error) {
		f, err := os.Open(path)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		n, _, err := Verify(f)
		return n, err
	}
}

func TestAFullDiskRefusesAndRecovers(t *testing.T) {
	l, d, verify := onDisk(t)
	if err := l.Append(Entry{Event: EventEnd}, Synced); err != nil {
		t.Fatal(err)
	}
	d.write, d.half = syscall.ENOSPC, true
	for range 2 {
		err := l.Append(Entry{Event: EventBegin}, Synced)
		if f := fault.From(err); f == nil || f.Kind != fault.Unavailable || f.Type != "audit_unavailable" || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("a full disk: %v", err)
		}
	}
	d.write = nil
	if err := l.Append(Entry{Event: EventEnd}, Synced); err != nil {
		t.Errorf("with room again: %v", err)
	}
	if n, err := verify(); n != 2 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
}

func TestADiskInDoubtTakesNothingMore(t *testing.T) {
	tests := map[string]func(*disk){
		"half a line that stays": func(d *disk) { d.write, d.half, d.truncate = syscall.EIO, true, syscall.EIO },
		"a sync that fails":      func(d *disk) { d.sync = syscall.EIO },
	}
	for name, fail := range tests {
		t.Run(name, func(t *testing.T) {
			l, d, _ := onDisk(t)
			fail(d)
			if err := l.Append(Entry{Event: EventBegin}, Synced); err == nil {
				t.Error("it works")
			}
			d.write, d.truncate, d.sync = nil, nil, nil
			if err := l.Append(Entry{Event: EventBegin}, Synced); err == nil {
				t.Error("it works again, and nobody knows what is on the disk")
			}
		})
	}
}

func TestWhatIsForcedToTheDisk(t *testing.T) {
	l, d, _ := onDisk(t)
	for _, step := range []struct {
		durability Durability
		synced     int
	}{{Written, 0}, {Synced, 1}, {Written, 1}} {
		if err := l.Append(Entry{Event: EventEnd}, step.durability); err != nil {
			t.Fatal(err)
		}
		if d.synced != step.synced {
			t.Errorf("forced %d times, want %d", d.synced, step.synced)
		}
	}
	l.o.MaxBytes = 1
	if err := l.Append(Entry{Event: EventEnd}, Written); err != nil || d.synced != 2 {
		t.Errorf("a rotation forced it %d times, want 2: %v", d.synced, err)
	}
}

// TestWhatIsNoFileIsRefused: a device or a folder in the place of the log would keep
// nothing, or fail at the first call. Nothing is made beside it.
func TestWhatIsNoFileIsRefused(t *testing.T) {
	null := filepath.Join(t.TempDir(), "null") // not the device's own folder
	if err := os.Symlink(os.DevNull, null); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{null, t.TempDir()} {
		l, err := Open(Options{Path: path})
		if err == nil {
			t.Errorf("%s is taken", path)
			_ = l.Close()
			continue
		}
		if f := fault.From(err); f.Type != "invalid_setting" {
			t.Errorf("%s: %s, %v", path, f.Type, err)
		}
		if _, err := os.Stat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("a lock was left beside %s: %v", path, err)
		}
	}
}
