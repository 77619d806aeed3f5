package results

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// What a CSV file may hold that is read. CWAC's largest cells are whole elements.
const (
	maxReadCell = 4 << 20 // bytes
	maxReadRow  = 16 << 20
	maxColumns  = 200
)

// errUnfinished marks a last row without its line end: someone is still writing it,
// or was killed while writing it.
var errUnfinished = errors.New("the last row is unfinished")

// rowReader reads CSV as Python's csv module does, within bounds, one row at a time.
// It keeps line ends inside of quotes as they are.
type rowReader struct {
	r    *bufio.Reader
	line int // of the row that was read last, from 1
	next int

	cells  []string
	cell   strings.Builder
	size   int // of the row
	quoted bool
	closed bool // a quote was just closed, or doubled if another follows
	alien  bool // the row has bytes that are no UTF-8
}

func newRowReader(r io.Reader) *rowReader {
	b := bufio.NewReaderSize(r, 64<<10)
	if mark, err := b.Peek(len(bom)); err == nil && string(mark) == bom {
		_, _ = b.Discard(len(bom)) // they were just peeked at
	}
	return &rowReader{r: b, next: 1}
}

// read returns the next row, io.EOF after the last, or errUnfinished with what there
// is of a row that has no end.
func (r *rowReader) read() ([]string, error) {
	r.cells, r.size, r.quoted, r.closed, r.alien = nil, 0, false, false, false
	r.cell.Reset()
	r.line = r.next
	for {
		c, err := r.r.ReadByte()
		if err == io.EOF {
			if r.size == 0 {
				return nil, io.EOF
			}
			r.endCell()
			return r.cells, errUnfinished
		}
		if err != nil {
			return nil, err
		}
		if c == '\n' {
			r.next++
		}
		if err := r.bounds(); err != nil {
			return nil, err
		}
		if r.take(c) {
			return r.cells, nil
		}
	}
}

// take adds a byte and reports whether it ended the row.
func (r *rowReader) take(c byte) bool {
	r.size++
	switch {
	case r.quoted && c == '"':
		r.quoted, r.closed = false, true
	case r.quoted:
		r.cell.WriteByte(c)
	case c == '"' && r.closed:
		r.cell.WriteByte('"')
		r.quoted, r.closed = true, false
	case c == '"' && r.cell.Len() == 0:
		r.quoted = true
	case c == ',':
		r.endCell()
	case c == '\r' && r.followedByLineEnd():
	case c == '\n':
		if r.size == 1 || r.size == 2 && r.cell.Len() == 0 && len(r.cells) == 0 && !r.closed { // an empty line is no row
			r.size, r.line = 0, r.next
			return false
		}
		r.endCell()
		return true
	default:
		r.cell.WriteByte(c)
	}
	return false
}

func (r *rowReader) followedByLineEnd() bool {
	next, err := r.r.Peek(1)
	return err == nil && next[0] == '\n'
}

func (r *rowReader) endCell() {
	text := strings.ToValidUTF8(r.cell.String(), "\ufffd")
	r.alien = r.alien || text != r.cell.String()
	r.cells = append(r.cells, text)
	r.cell.Reset()
	r.closed = false
}

func (r *rowReader) bounds() error {
	switch {
	case r.cell.Len() > maxReadCell:
		return fmt.Errorf("line %d: a cell is longer than %d bytes", r.line, maxReadCell)
	case r.size > maxReadRow:
		return fmt.Errorf("line %d: a row is longer than %d bytes", r.line, maxReadRow)
	case len(r.cells) > maxColumns:
		return fmt.Errorf("line %d: a row has more than %d columns", r.line, maxColumns)
	}
	return nil
}

// table is a CSV file with a header.
type table struct {
	rows    *rowReader
	columns []string
	at      map[string]int
}

// newTable reads the header, which must have the columns that are needed. A file
// without a whole header has no rows yet, and is io.EOF.
func newTable(r io.Reader, needed []string) (*table, error) {
	t := &table{rows: newRowReader(r)}
	header, err := t.rows.read()
	if errors.Is(err, errUnfinished) {
		return nil, io.EOF
	}
	if err != nil {
		return nil, err
	}
	t.columns, t.at = header, make(map[string]int, len(header))
	for i, name := range header {
		if _, twice := t.at[name]; twice {
			return nil, fmt.Errorf("line 1: the column %.60q is named twice", name)
		}
		t.at[name] = i
	}
	missing := slices.DeleteFunc(slices.Clone(needed), func(name string) bool { _, ok := t.at[name]; return ok })
	if len(missing) > 0 {
		return nil, fmt.Errorf("line 1: the header has no column %s", strings.Join(missing, ", "))
	}
	return t, nil
}

// read returns the next row, or io.EOF after the last whole one.
func (t *table) read() ([]string, error) {
	row, err := t.rows.read()
	if errors.Is(err, errUnfinished) {
		return nil, io.EOF
	}
	if err != nil {
		return nil, err
	}
	if len(row) != len(t.columns) {
		return nil, fmt.Errorf("line %d: the row has %d cells, the header %d", t.rows.line, len(row), len(t.columns))
	}
	return row, nil
}

// cell is the value of a column, empty when the file has no such column.
func (t *table) cell(row []string, column string) string {
	if i, ok := t.at[column]; ok {
		return row[i]
	}
	return ""
}
