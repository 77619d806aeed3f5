package markup

import (
	"bytes"
	"errors"
	"strconv"
)

// The objects of a PDF file (ISO 32000-1:2008, 7.3): nil, bool, float64, pdfName,
// pdfString, pdfRef, []any and pdfDict.
type (
	pdfName   string
	pdfString string
	pdfRef    int
	pdfDict   map[pdfName]any
)

// errPDF is that of a text that is no object.
var errPDF = errors.New("no object of PDF")

// maxNesting bounds arrays and dictionaries within each other.
const maxNesting = 100

// maxName bounds names; the standard has 127 (annex C).
const maxName = 1000

// lexer reads objects from bytes.
type lexer struct {
	text []byte
	at   int
	left *int // how many objects may still be read
}

func isPDFSpace(c byte) bool {
	return c == 0 || c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == ' '
}

func isPDFDelimiter(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

// space skips white space and comments.
func (l *lexer) space() {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case isPDFSpace(c):
			l.at++
		case c == '%':
			for l.at < len(l.text) && l.text[l.at] != '\n' && l.text[l.at] != '\r' {
				l.at++
			}
		default:
			return
		}
	}
}

// word reads regular characters.
func (l *lexer) word() string {
	start := l.at
	for l.at < len(l.text) && !isPDFSpace(l.text[l.at]) && !isPDFDelimiter(l.text[l.at]) {
		l.at++
	}
	return string(l.text[start:l.at])
}

// object reads one object.
func (l *lexer) object(depth int) (any, error) {
	l.space()
	if l.at >= len(l.text) || depth > maxNesting || *l.left <= 0 {
		return nil, errPDF
	}
	*l.left--
	switch c := l.text[l.at]; {
	case c == '/':
		l.at++
		return l.name(), nil
	case c == '(':
		return l.literal()
	case c == '[':
		l.at++
		return l.array(depth)
	case c == '<' && l.at+1 < len(l.text) && l.text[l.at+1] == '<':
		l.at += 2
		return l.dict(depth)
	case c == '<':
		return l.hex()
	case isPDFDelimiter(c):
		return nil, errPDF
	}
	return l.scalar()
}

// scalar reads a number, a reference or a keyword.
func (l *lexer) scalar() (any, error) {
	switch word := l.word(); word {
	case "true", "false":
		return word == "true", nil
	case "null":
		return nil, nil
	default:
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, errPDF
		}
		if n := int(f); float64(n) == f && n >= 0 && l.reference() {
			return pdfRef(n), nil
		}
		return f, nil
	}
}

// reference takes the rest of "12 0 R".
func (l *lexer) reference() bool {
	start := l.at
	l.space()
	if _, err := strconv.ParseUint(l.word(), 10, 16); err == nil {
		l.space()
		if l.word() == "R" {
			return true
		}
	}
	l.at = start
	return false
}

func (l *lexer) name() pdfName {
	word := l.word()
	if len(word) > maxName {
		return pdfName(word[:maxName])
	}
	for i := 0; i+2 < len(word); i++ {
		if word[i] != '#' {
			continue
		}
		if c, err := strconv.ParseUint(word[i+1:i+3], 16, 8); err == nil {
			word = word[:i] + string([]byte{byte(c)}) + word[i+3:]
		}
	}
	return pdfName(word)
}

// literal reads a string in parentheses.
func (l *lexer) literal() (any, error) {
	var out []byte
	open := 0
	for ; l.at < len(l.text); l.at++ {
		c := l.text[l.at]
		switch c {
		case '(':
			open++
			if open == 1 {
				continue
			}
		case ')':
			open--
			if open == 0 {
				l.at++
				return pdfString(out), nil
			}
		case '\\':
			out = l.escaped(out)
			continue
		}
		out = append(out, c)
	}
	return nil, errPDF
}

// escaped takes what follows a backslash; it leaves the lexer on its last character.
func (l *lexer) escaped(out []byte) []byte {
	l.at++
	if l.at >= len(l.text) {
		return out
	}
	c := l.text[l.at]
	if i := bytes.IndexByte([]byte("nrtbf"), c); i >= 0 {
		return append(out, "\n\r\t\b\f"[i])
	}
	if c == '\r' || c == '\n' {
		if c == '\r' && l.at+1 < len(l.text) && l.text[l.at+1] == '\n' {
			l.at++
		}
		return out
	}
	if c < '0' || c > '7' {
		return append(out, c)
	}
	n := 0
	for i := 0; i < 3 && l.at < len(l.text) && l.text[l.at] >= '0' && l.text[l.at] <= '7'; i++ {
		n = n*8 + int(l.text[l.at]-'0')
		l.at++
	}
	l.at--
	return append(out, byte(n))
}

func (l *lexer) hex() (any, error) {
	l.at++
	var digits []byte
	for ; l.at < len(l.text); l.at++ {
		switch c := l.text[l.at]; {
		case c == '>':
			l.at++
			if len(digits)%2 == 1 {
				digits = append(digits, '0')
			}
			out := make([]byte, 0, len(digits)/2)
			for i := 0; i < len(digits); i += 2 {
				b, err := strconv.ParseUint(string(digits[i:i+2]), 16, 8)
				if err != nil {
					return nil, errPDF
				}
				out = append(out, byte(b))
			}
			return pdfString(out), nil
		case !isPDFSpace(c):
			digits = append(digits, c)
		}
	}
	return nil, errPDF
}

func (l *lexer) array(depth int) (any, error) {
	out := []any{}
	for {
		l.space()
		if l.at < len(l.text) && l.text[l.at] == ']' {
			l.at++
			return out, nil
		}
		item, err := l.object(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, item)
	}
}

func (l *lexer) dict(depth int) (any, error) {
	out := pdfDict{}
	for {
		l.space()
		if l.at+1 < len(l.text) && l.text[l.at] == '>' && l.text[l.at+1] == '>' {
			l.at += 2
			return out, nil
		}
		key, err := l.object(depth + 1)
		if err != nil {
			return nil, err
		}
		name, ok := key.(pdfName)
		if !ok {
			return nil, errPDF
		}
		if out[name], err = l.object(depth + 1); err != nil {
			return nil, err
		}
	}
}
