package scout

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// quoted is a text of the page in a message: short, and without control
// characters.
func quoted(s string) string { return fmt.Sprintf("%q", printable(clip(s, 120))) }

func itoa(n int) string { return strconv.Itoa(n) }

// printable is a text of the page without what a terminal would act on.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r) && unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			return -1
		}
		return r
	}, s)
}
