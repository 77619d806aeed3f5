package task

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Clean makes text that people and agents wrote fit to be kept: NFKC (Unicode
// Standard Annex 15), so that full-width digits and half-width kana are what they
// look like, without control, bidirectional and zero-width characters, which hide
// or reorder what is read. Line breaks stay; others become one. Space around it goes.
func Clean(text string) string {
	if text == "" {
		return ""
	}
	text = strings.ToValidUTF8(text, "�")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	return strings.TrimSpace(norm.NFKC.String(strings.Map(keep, norm.NFKC.String(text))))
}

// CleanLine is Clean for a text of one line.
func CleanLine(text string) string { return strings.Join(strings.Fields(Clean(text)), " ") }

// keep drops a character that is not seen, or changes how others are seen.
// A zero-width joiner holds emoji together, but hides in words; it goes too.
func keep(r rune) rune {
	switch {
	case r == '\n':
		return r
	case r == '\t':
		return ' '
	case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), r == 0x034F, r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0:
		return -1 // formats, private use, fillers
	case unicode.Is(unicode.Noncharacter_Code_Point, r):
		return -1
	}
	return r
}
