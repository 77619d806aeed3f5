package policy

import "strings"

// unhide joins letters that are written apart, reads digits and signs inside
// words as the letters they resemble, and kanji between kana as kana. It reports
// whether anything changed.
func unhide(units []unit) ([]unit, bool) {
	joined, a := joinLetters(units)
	joined, b := joinJapanese(joined)
	c := readDigits(joined)
	return joined, a || b || c
}

// joinLetters makes "captcha" of "c.a.p.t.c.h.a": at least three single letters
// with the same sign between them. Where the sign changes, the word ends.
func joinLetters(units []unit) ([]unit, bool) {
	out := make([]unit, 0, len(units))
	changed := false
	for i := 0; i < len(units); {
		end := i
		if single(units, i) {
			end = apart(units, i)
		}
		if end < i+5 {
			out = append(out, units[i])
			i++
			continue
		}
		changed = true
		for ; i < end; i += 2 {
			out = append(out, units[i])
		}
		i = end
	}
	return out, changed
}

// single reports whether a letter stands alone.
func single(units []unit, i int) bool {
	return (latin(units[i].r) || units[i].r == '$' || units[i].r == '@') &&
		(i == 0 || !latin(units[i-1].r)) && (i+1 == len(units) || !latin(units[i+1].r))
}

// apart returns the end of the run of single letters that begins at i.
func apart(units []unit, i int) int {
	end := i + 1
	for end+1 < len(units) && units[end].r == units[i+1].r && between(units[end].r) && single(units, end+1) {
		end += 2
	}
	return end
}

func between(r rune) bool { return strings.ContainsRune(" .,*|/·・+~^'\"`", r) }

// joinJapanese takes signs out between Japanese letters.
func joinJapanese(units []unit) ([]unit, bool) {
	out := make([]unit, 0, len(units))
	for i, u := range units {
		if i > 0 && i+1 < len(units) && between(u.r) && japanese(units[i-1].r) && japanese(units[i+1].r) {
			continue
		}
		out = append(out, u)
	}
	return out, len(out) != len(units)
}

// digits are what stands for a letter inside a word.
var digits = map[rune]rune{'0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', '$': 's', '!': 'i'}

// kanjiKana are kanji that print like kana.
var kanjiKana = map[rune]rune{'力': 'か', '口': 'ろ', '工': 'え', '二': 'に', '卜': 'と', '一': 'ー', '夕': 'た', '八': 'は'}

// readDigits changes units in place. They must not be shared with another view.
func readDigits(units []unit) bool {
	changed := false
	for i := range units {
		var last, next rune
		if i > 0 {
			last = units[i-1].r
		}
		if i+1 < len(units) {
			next = units[i+1].r
		}
		if letter, ok := digits[units[i].r]; ok && (inWord(last) || inWord(next)) && units[i].r != '!' {
			units[i].r, changed = letter, true
		}
		if letter, ok := kanjiKana[units[i].r]; ok && kana(last) && kana(next) {
			units[i].r, changed = letter, true
		}
	}
	return changed
}

func inWord(r rune) bool { return r >= 'a' && r <= 'z' || r == '@' || r == '$' }
