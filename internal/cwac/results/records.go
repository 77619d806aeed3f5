package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"slices"
	"strings"
)

// Record is one row of a CSV file.
type Record struct {
	Columns []string // of the file; shared by all its records
	Cells   []string
	Line    int // where the row begins
}

// Get is the cell of a column, empty when there is none.
func (r Record) Get(column string) string {
	if i := slices.Index(r.Columns, column); i >= 0 && i < len(r.Cells) {
		return r.Cells[i]
	}
	return ""
}

// Has reports whether there is a file with this name, such as "title_audit.csv".
func (r *Results) Has(file string) bool { return r.names[file] }

// Records are the rows of a CSV file of the folder, as they are. A file that is not
// there has none. A row that is still being written is left out. The apostrophes that
// make cells inert are not part of them.
func (r *Results) Records(file string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		fail := func(err error) { yield(Record{}, err) }
		if file != path.Base(file) || !strings.HasSuffix(file, ".csv") {
			fail(fmt.Errorf("%q is no CSV file of a results folder", file))
			return
		}
		f, err := r.open(file)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			fail(r.damaged(file, err))
			return
		}
		defer func() { _ = f.Close() }() // it was only read
		t, err := newTable(f, nil)
		for err == nil {
			var row []string
			row, err = t.read()
			if ours(file) {
				for i, cell := range row {
					row[i] = plainCell(cell)
				}
			}
			if err == nil && !yield(Record{Columns: t.columns, Cells: row, Line: t.rows.line}, nil) {
				return
			}
		}
		if err != io.EOF {
			fail(r.damaged(file, err))
		}
	}
}

// table checks that the records of a file have the columns that are needed.
func (r *Results) table(file string, columns string) iter.Seq2[Record, error] {
	needed := strings.Split(columns, ",")
	return func(yield func(Record, error) bool) {
		checked := false
		for record, err := range r.Records(file) {
			if err == nil && !checked {
				checked = true
				for _, c := range needed {
					if !slices.Contains(record.Columns, c) {
						yield(Record{}, r.damaged(file, fmt.Errorf("line 1: the header has no column %s", c)))
						return
					}
				}
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

func (r *Results) open(file string) (*os.File, error) {
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // the file stays open
	return openRegular(root, file)
}

// lines are the values of a file that has one JSON value a line. A line that is
// still being written is left out.
func lines[T any](r *Results, file string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		f, err := r.open(file)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(none, r.damaged(file, err))
			return
		}
		defer func() { _ = f.Close() }() // it was only read
		in := bufio.NewReaderSize(f, 64<<10)
		for number := 1; ; number++ {
			text, err := readLine(in)
			if err == io.EOF {
				return
			}
			var v T
			if err == nil {
				err = json.Unmarshal(text, &v)
			}
			if err != nil {
				yield(none, r.damaged(file, fmt.Errorf("line %d: %w", number, err)))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}

// readLine returns a line with its end, or io.EOF when there is no whole one.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if err == nil && line == nil {
			return part, nil
		}
		line = append(line, part...)
		if err == nil {
			return line, nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		if len(line) > maxLine {
			return nil, fmt.Errorf("it is longer than %d bytes", maxLine)
		}
	}
}

// countLines counts the line ends of a file.
func (r *Results) countLines(file string) (int, error) {
	f, err := r.open(file)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	buffer := make([]byte, 256<<10)
	for count := 0; ; {
		n, err := f.Read(buffer)
		count += bytes.Count(buffer[:n], []byte("\n"))
		if err == io.EOF {
			return count, nil
		}
		if err != nil {
			return count, err
		}
	}
}

// Picture is the screenshot of a view, as PNG.
func (r *Results) Picture(auditID string) ([]byte, error) {
	file := path.Base(auditID + ".png")
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return nil, openFault(r.Name, err)
	}
	defer func() { _ = root.Close() }() // it was only read
	data, err := readIn(root, DirShots+"/"+file, maxPicture)
	if err != nil {
		return nil, r.damaged(file, err)
	}
	return data, nil
}
