package results

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever cells are written are read again, and whatever bytes are read end.
func FuzzRows(f *testing.F) {
	for _, seed := range []string{"a,b\r\n", "\"a\"\"\r\n,\",\n", "\r\r\n\"\"\"x", "\ufeffa\x00,\xff\n\n,\n", "\"\"\n\"\"\"\"\n", ",\r,\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := newRowReader(strings.NewReader(text))
		var rows [][]string
		for {
			row, err := in.read()
			if err == io.EOF || errors.Is(err, errUnfinished) {
				break
			}
			if err != nil {
				return // out of bounds
			}
			rows = append(rows, row)
		}
		if lineEnds := strings.Count(text, "\n"); in.line > lineEnds+1 {
			t.Errorf("line %d of %d", in.line, lineEnds+1)
		}
		var b strings.Builder
		for _, row := range rows {
			appendRow(&b, crlf, row)
		}
		again := newRowReader(strings.NewReader(b.String()))
		for i, row := range rows {
			if i == 0 && strings.HasPrefix(row[0], bom) {
				return // a mark that is written as a cell is read as a mark
			}
			got, err := again.read()
			if err != nil || !slices.Equal(got, row) {
				t.Fatalf("row %d: %q became %q, %v", i, row, got, err)
			}
		}
	})
}

// A list is read as it was written, and any other text ends.
func FuzzLists(f *testing.F) {
	for _, seed := range []string{"['a', \"b's\"]", "[", "['", "['a'", "['\\", "[,, 'a' 'b']", "[1, 2]", "a\nb\\'\"\t"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := parseList(text); len(got) > len(text) {
			t.Errorf("%d items of %q", len(got), text)
		}
		items := []string{text, "", "it's \"" + text}
		if utf8.ValidString(text) && !slices.Equal(parseList(pythonList(items)), items) {
			t.Errorf("%q became %q", items, parseList(pythonList(items)))
		}
		stableHTML(text)
		stablePath(text)
	})
}
