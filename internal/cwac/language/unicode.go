package language

import (
	"strings"
	"unicode"
)

// isSpace is str.isspace of Python, which knows four separators more than Go.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
}

// isWord is \w of Python's regular expressions.
func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r)
}

// isLetter is [^\W\d] of Python's regular expressions.
func isLetter(r rune) bool {
	return isWord(r) && !unicode.IsDigit(r)
}

func isUpper(r rune) bool {
	return unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r)
}

func isLower(r rune) bool {
	return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r)
}

// allUpper is str.isupper of Python: some letter has case, and none is small.
func allUpper(s string) bool {
	upper := false
	for _, r := range s {
		if isLower(r) || unicode.IsTitle(r) {
			return false
		}
		upper = upper || isUpper(r)
	}
	return upper
}

// fields is str.split of Python without arguments.
func fields(s string) []string { return strings.FieldsFunc(s, isSpace) }

func trim(s string) string { return strings.TrimFunc(s, isSpace) }

// whole are the letters of which the capital is more than one letter (Unicode,
// SpecialCasing.txt) and that can begin a word.
var whole = strings.NewReplacer("ß", "SS", "ﬀ", "FF", "ﬁ", "FI", "ﬂ", "FL", "ﬃ", "FFI", "ﬄ", "FFL", "ﬅ", "ST", "ﬆ", "ST")

func capital(letter string) string {
	return strings.ToUpper(whole.Replace(letter))
}
