package media

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"
)

// usageFile is where the bytes are added up that an owner stored on this day (UTC), one
// number in a line: all processes of a board count together, and go on after a restart.
func (s *Store) usageFile(owner string) string {
	sum := sha256.Sum256([]byte(owner))
	return s.path(usageDir, s.o.Now().UTC().Format("20060102")+"-"+hex.EncodeToString(sum[:16]))
}

// today is how many bytes the owner stored on this day.
func (s *Store) today(owner string) (int64, error) {
	f, err := os.Open(s.usageFile(owner))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("media: read what an owner stored: %w", err)
	}
	defer f.Close()
	var all int64
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if n, err := strconv.ParseInt(lines.Text(), 10, 64); err == nil { // half a line is of a process that was killed
			all += n
		}
	}
	if err := lines.Err(); err != nil {
		return 0, fmt.Errorf("media: read what an owner stored: %w", err)
	}
	return all, nil
}

// charge counts a file that is about to be stored. A line is short, so that the system
// appends it as a whole even when several processes do (POSIX, write with O_APPEND).
func (s *Store) charge(f File) error {
	log, err := os.OpenFile(s.usageFile(f.Owner), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("media: count a file: %w", err)
	}
	_, err = log.WriteString(strconv.FormatInt(f.Bytes, 10) + "\n")
	if err = errors.Join(err, log.Close()); err != nil {
		return fmt.Errorf("media: count a file: %w", err)
	}
	return nil
}

// admit refuses an upload when the owner has too many unfinished ones, or when it
// could take the owner over what a day allows.
func (s *Store) admit(n New) error {
	open, bytes, err := s.open(n.Owner)
	if err != nil {
		return err
	}
	if open >= s.o.MaxOpen {
		return errTooMany()
	}
	stored, err := s.today(n.Owner)
	if err != nil {
		return err
	}
	if stored+bytes+n.Size > s.o.MaxDaily {
		return errDaily()
	}
	return nil
}

// alone waits until no other upload is counted and made, in this process or another one
// of the board, so that many at once are counted one after the other.
func (s *Store) alone() (func(), error) {
	s.creating.Lock()
	release, err := lock(s.path(lockFile))
	if err != nil {
		s.creating.Unlock()
		return nil, fmt.Errorf("media: lock the uploads: %w", err)
	}
	return sync.OnceFunc(func() {
		release()
		s.creating.Unlock()
	}), nil
}
