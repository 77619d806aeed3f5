package policy

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unit is one character of a folded text and where it stood.
type unit struct {
	r        rune
	from, to int
}

// view is a folded text with the way back to the original.
type view struct {
	text   []byte
	at     []unit // one a byte of text
	hidden bool   // letters were joined or read for others
}

// views folds a text. The second view is what it reads like when spaced out
// letters are joined and digits stand for letters; nil when that changes nothing.
func views(s string) (plain, hidden *view) {
	units := tidy(fold(s))
	plain = newView(units)
	if joined, changed := unhide(units); changed {
		hidden = newView(joined)
		hidden.hidden = true
	}
	return plain, hidden
}

func newView(units []unit) *view {
	v := &view{text: make([]byte, 0, 2*len(units)), at: make([]unit, 0, 2*len(units))}
	for _, u := range units {
		before := len(v.text)
		v.text = utf8.AppendRune(v.text, u.r)
		for range len(v.text) - before {
			v.at = append(v.at, u)
		}
	}
	return v
}

// fold maps every character to the one that a reader takes it for: NFKC (UAX
// #15), lower case, hiragana, no accents, nothing invisible.
func fold(s string) []unit {
	units := make([]unit, 0, len(s))
	var it norm.Iter
	it.InitString(norm.NFKC, s)
	for !it.Done() {
		from := it.Pos()
		segment := it.Next()
		to := it.Pos()
		for len(segment) > 0 {
			r, n := utf8.DecodeRune(segment)
			segment = segment[n:]
			if r = foldRune(r); r != 0 {
				units = append(units, unit{r, from, to})
			}
		}
	}
	return units
}

func foldRune(r rune) rune {
	switch {
	case r >= 'A' && r <= 'Z':
		return r + 'a' - 'A'
	case r == '\n' || r >= '!' && r <= '~' && r != '_' && r != '-':
		return r
	case r == '_' || r == '-' || unicode.Is(unicode.Pd, r) && r != '〜':
		return '-'
	case unicode.IsSpace(r) || r == '\u2800':
		return ' '
	case invisible(r):
		return 0
	case r >= 'ァ' && r <= 'ヶ':
		return r - 'ァ' + 'ぁ'
	case r == '’' || r == '‘' || r == 'ʼ':
		return '\''
	}
	r = unicode.ToLower(r)
	if look, ok := lookalikes[r]; ok {
		return look
	}
	return base(r)
}

// invisible characters carry no meaning that a reader sees: format characters,
// marks left after composition, fillers, controls, broken bytes.
func invisible(r rune) bool {
	return r < ' ' || r == utf8.RuneError || r == '\u115f' || r == '\u1160' ||
		unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me, unicode.Cc)
}

// base takes the accent off a Latin letter.
func base(r rune) rune {
	if !unicode.Is(unicode.Latin, r) {
		return r
	}
	if d := norm.NFD.PropertiesString(string(r)).Decomposition(); len(d) > 0 && d[0] < utf8.RuneSelf {
		return rune(d[0])
	}
	return r
}

// lookalikes are letters of other alphabets that print like Latin ones: the
// part of Unicode's confusables table (UTS #39) that keyboards can type.
var lookalikes = map[rune]rune{
	'а': 'a', 'в': 'b', 'с': 'c', 'ԁ': 'd', 'е': 'e', 'ё': 'e', 'һ': 'h', 'і': 'i', 'ї': 'i', 'ј': 'j', 'к': 'k', 'м': 'm',
	'н': 'h', 'о': 'o', 'р': 'p', 'ԛ': 'q', 'ѕ': 's', 'т': 't', 'у': 'y', 'ѵ': 'v', 'ԝ': 'w', 'х': 'x', 'ь': 'b',
	'α': 'a', 'β': 'b', 'ε': 'e', 'η': 'n', 'ι': 'i', 'κ': 'k', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'τ': 't', 'υ': 'u', 'χ': 'x', 'γ': 'y', 'ω': 'w',
	'ı': 'i', 'ł': 'l', 'ø': 'o', 'đ': 'd', 'ɑ': 'a', 'ɡ': 'g', 'ɩ': 'i', 'ᴏ': 'o', 'ꜱ': 's', 'ᴘ': 'p', 'ᴛ': 't', 'ᴀ': 'a', 'ᴄ': 'c', 'ᴇ': 'e',
}

// tidy makes one blank of several, takes blanks out between Japanese letters,
// and reads a hyphen between kana as the long vowel mark.
func tidy(units []unit) []unit {
	out := units[:0:0]
	for i, u := range units {
		var last, next rune
		if len(out) > 0 {
			last = out[len(out)-1].r
		}
		if i+1 < len(units) {
			next = units[i+1].r
		}
		if u.r == '-' {
			u.r = ' '
			if kana(last) && kana(next) {
				u.r = 'ー'
			}
		}
		if u.r == ' ' && (last == ' ' || last == '\n') {
			continue
		}
		if japanese(u.r) && last == ' ' && len(out) > 1 && japanese(out[len(out)-2].r) {
			out = out[:len(out)-1]
		}
		out = append(out, u)
	}
	return out
}

func kana(r rune) bool { return r >= 'ぁ' && r <= 'ヿ' }

func japanese(r rune) bool { return kana(r) && r != '・' || unicode.Is(unicode.Han, r) }

func latin(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }
