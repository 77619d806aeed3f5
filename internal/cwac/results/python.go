package results

import (
	"math"
	"strconv"
	"strings"
)

// CWAC is a Python program, and its cells hold the texts of Python's values.

func pythonBool(b bool) string {
	if b {
		return "True"
	}
	return "False"
}

// pythonFloat is str() of a float: the shortest digits, with a point.
func pythonFloat(f float64) string {
	if f != 0 && (math.Abs(f) < 1e-4 || math.Abs(f) >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// pythonList is str() of a list of strings.
func pythonList(items []string) string {
	quoted := make([]string, len(items))
	for i, s := range items {
		quoted[i] = pythonString(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func pythonString(s string) string {
	quote := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = `"`
	}
	s = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`, quote, `\`+quote).Replace(s)
	return quote + s + quote
}

// parseList reads the text of a Python list of strings. Anything else has no items.
func parseList(text string) []string {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "[")
	if !ok {
		return nil
	}
	var items []string
	for {
		rest = strings.TrimLeft(rest, ", ")
		if rest == "" || rest[0] != '\'' && rest[0] != '"' {
			return items
		}
		item, after, ok := cutString(rest)
		if !ok {
			return items
		}
		items, rest = append(items, item), after
	}
}

// cutString reads the Python string at the start of text, and what follows it.
func cutString(text string) (item, after string, ok bool) {
	escapes := map[byte]byte{'n': '\n', 'r': '\r', 't': '\t'}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == text[0]:
			return b.String(), text[i+1:], true
		case c == '\\' && i+1 < len(text):
			i++
			c = text[i]
			if e, known := escapes[c]; known {
				c = e
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// parseSize reads the viewport_size column.
func parseSize(text string) (width, height int) {
	number := func(key string) int {
		_, rest, _ := strings.Cut(text, "'"+key+"': ")
		end := strings.IndexAny(rest, ",}")
		if end < 0 {
			return 0
		}
		n, _ := strconv.Atoi(rest[:end])
		return n
	}
	return number("width"), number("height")
}
