package results

import (
	"strings"
	"unicode/utf8"
)

const (
	crlf = "\r\n" // of the files that CWAC writes row by row
	lf   = "\n"   // of those that it writes with pandas

	// maxCell bounds one cell that is written, in bytes: a hostile page chooses its
	// title and markup, and they are repeated in every row.
	maxCell = 256 << 10
	// maxLabel bounds the cells that every row of a page repeats.
	maxLabel = 8 << 10
)

// appendRow writes one row as Python's csv module does with its defaults: a cell
// is quoted when it holds a comma, a quote or a line end.
func appendRow(b *strings.Builder, end string, cells []string) {
	for i, c := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		if len(cells) > 1 && !strings.ContainsAny(c, ",\"\r\n") || len(cells) == 1 && c != "" && !strings.ContainsAny(c, ",\"\r\n") {
			b.WriteString(c)
			continue
		}
		b.WriteByte('"')
		b.WriteString(strings.ReplaceAll(c, `"`, `""`))
		b.WriteByte('"')
	}
	b.WriteString(end)
}

// clip makes text valid UTF-8 of at most limit bytes.
func clip(text string, limit int) string {
	if len(text) > limit {
		cut := limit
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// firstRunes cuts text after n characters.
func firstRunes(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// Inert is a cell that no spreadsheet computes: an apostrophe stands before what one
// would take for a formula (OWASP, "CSV Injection"). Spaces and line ends in front do
// not protect, since some programs trim them.
func Inert(cell string) string {
	if cell == "" {
		return cell
	}
	first := strings.TrimLeft(cell, " \t\r\n\u00a0\ufeff\x00")
	switch {
	case cell[0] == '\t', cell[0] == '\r', first != "" && strings.ContainsAny(first[:1], "=+-@"):
		return "'" + cell
	}
	for _, wide := range []string{"＝", "＋", "－", "＠"} {
		if strings.HasPrefix(first, wide) {
			return "'" + cell
		}
	}
	if cell[0] == '\'' && Inert(cell[1:]) != cell[1:] {
		return "'" + cell // else its own apostrophe would be lost when it is read
	}
	return cell
}

// plainCell is the cell of which Inert made what was read.
func plainCell(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && Inert(rest) == cell {
		return rest
	}
	return cell
}

// ours reports a CSV file that CWAC does not have. Nothing made for CWAC reads it, and
// people are sent to it: its cells are inert.
func ours(file string) bool {
	return file == FileReview || file == FileLedger || Native(strings.TrimSuffix(file, ".csv"))
}
