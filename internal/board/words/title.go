package words

import (
	"strings"
	"unicode"
)

// Title is the first line of a text, at most most characters long. A text that goes on
// ends with an ellipsis after its last whole word; Japanese has no spaces and may end
// anywhere.
func Title(text string, most int) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	r := []rune(strings.TrimSpace(line))
	if len(r) <= most {
		return string(r)
	}
	next := r[most-1]
	r = r[:most-1]
	if within := unicode.IsLetter(next) || unicode.IsDigit(next); within && next <= unicode.MaxLatin1 {
		for i := len(r) - 1; i > most/2; i-- {
			if unicode.IsSpace(r[i]) {
				r = r[:i]
				break
			}
		}
	}
	return strings.TrimRight(string(r), " ,、") + "…"
}
