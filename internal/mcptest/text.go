package mcptest

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
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
	text = spelled(strings.ToValidUTF8(text, "\ufffd"))
	return openMark + "\n" + unmarking(text) + "\n" + closeMark
}

// markLike is what a model may take for a mark, however it is written.
var markLike = lazyregexp.New(`(?i)<(\s*/?\s*server_text)`)

// unmarking takes from a text what could end the marks around it.
func unmarking(text string) string {
	text = strings.ReplaceAll(text, "server_text>", `server_text\u003e`)
	return markLike.ReplaceAllString(text, `\u003c$1`)
}

// spelled writes what terminals and models obey and people do not see as JSON escapes:
// control characters, marks that turn the direction of text, tag characters. In JSON it
// means the same as before. Joiners, which scripts and emoji need, stay.
func spelled(text string) string {
	if strings.IndexFunc(text, obeyed) < 0 {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		switch high, low := utf16.EncodeRune(c); {
		case !obeyed(c):
			b.WriteRune(c)
		case c > 0xffff:
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.String()
}

func obeyed(c rune) bool {
	switch c {
	case '\n', '\t', '\r', 0x200c, 0x200d, 0xad:
		return false
	}
	return unicode.IsControl(c) || unicode.Is(unicode.Cf, c)
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
	return clip(unmarking(s), n)
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
