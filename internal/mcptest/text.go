package mcptest

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a server under test wrote stands between marks, so that a model can tell it from
// what this server says.
const (
	openMark  = "<server_text>"
	closeMark = "</server_text>"
)

// marked puts a server's text between marks, which it cannot end: in JSON, and for
// people, \u003c is the same as <.
func marked(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	return openMark + "\n" + strings.ReplaceAll(text, "server_text>", `server_text\u003e`) + "\n" + closeMark
}

// line keeps a server's text on one line of at most n bytes, without characters that
// are not shown.
func line(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return clip(strings.ReplaceAll(s, "server_text>", `server_text\u003e`), n)
}

// clip shortens a text to n bytes at most, at the border of a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("...")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

// firstOf is the beginning of bytes as text, cut at the border of a character.
func firstOf(b []byte, n int) string {
	if len(b) > n {
		for n > 0 && !utf8.RuneStart(b[n]) {
			n--
		}
		b = b[:n]
	}
	return string(bytes.ToValidUTF8(b, []byte("\ufffd")))
}
