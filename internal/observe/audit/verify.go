package audit

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// BrokenError says where a chain is broken.
type BrokenError struct {
	Line int // from 1
	Why  string
}

// Error names the line.
func (e *BrokenError) Error() string { return fmt.Sprintf("audit log, line %d: %s", e.Line, e.Why) }

// Verify reads lines and returns how many good ones there are before the first
// that is not, and the hash of the last good one. A broken chain is a
// *BrokenError. The files of a log are verified together, the oldest first, by
// io.MultiReader. A log that begins in the middle, since older files are gone, is
// good as far as it goes: the Seq of its first entry tells.
//
// A head that was kept elsewhere is worth looking for: when an entry has it, nothing was
// cut off before it was noted, and not all lines were written anew.
func Verify(r io.Reader) (n int, head string, err error) {
	return Walk(r, func(Entry, []byte) {})
}

// Walk is Verify, and shows each good entry with its line, without the end, which
// is see's until it returns.
func Walk(r io.Reader, see func(e Entry, line []byte)) (n int, head string, err error) {
	lines := bufio.NewReaderSize(r, maxLine)
	var last Entry
	for {
		line, err := lines.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0:
			return n, last.Hash, nil
		case errors.Is(err, io.EOF):
			return n, last.Hash, &BrokenError{n + 1, "it is torn: it has no end"}
		case errors.Is(err, bufio.ErrBufferFull):
			return n, last.Hash, &BrokenError{n + 1, "it is longer than any entry"}
		case err != nil:
			return n, last.Hash, fmt.Errorf("read the audit log: %w", err)
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		e, err := parse(line)
		if err != nil {
			return n, last.Hash, &BrokenError{n + 1, err.Error()}
		}
		if why := follows(last, e, n == 0); why != "" {
			return n, last.Hash, &BrokenError{n + 1, why}
		}
		last = e
		n++
		see(e, line)
	}
}

// follows says what is wrong with an entry that comes after another one.
func follows(last, e Entry, first bool) string {
	switch {
	case first && e.Seq == 1 && e.Prev != genesis:
		return "it is the first entry, and names one before"
	case first:
		return ""
	case e.Seq != last.Seq+1:
		return fmt.Sprintf("it has the number %d after %d", e.Seq, last.Seq)
	case e.Prev != last.Hash:
		return "it does not follow the line before"
	}
	return ""
}
