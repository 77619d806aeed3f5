package place

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// romanOf is what is left of a text in Latin letters, in lower case and without long
// vowels: Ōsaka-shi and Osaka Shi are the same. Text in another script is nothing.
func romanOf(text string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(Fold(text))) {
		switch {
		case r >= 'a' && r <= 'z':
			b.WriteRune(r)
		case r == ' ' || r == '-':
			b.WriteRune(' ')
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '.' || r == ',':
		default:
			return ""
		}
	}
	return short(b.String())
}

// kinds are what stands after a name, as people write it in Latin letters.
var kinds = map[string]bool{
	"shi": true, "ku": true, "cho": true, "machi": true, "mura": true, "son": true,
	"city": true, "ward": true, "town": true, "village": true,
}

// stemOf is a name in Latin letters without its kind: shibuya of shibuya ku. Without a
// blank before it, a kind at the end of what roman made is taken off as well.
func stemOf(latin string) string {
	words := strings.Fields(latin)
	for len(words) > 1 && kinds[words[len(words)-1]] {
		words = words[:len(words)-1]
	}
	return strings.Join(words, "")
}

// roman writes hiragana of a name in Latin letters (Hepburn, without long vowels),
// with a blank before its kind.
func roman(kana string) string {
	stem, kind := kana, ""
	for _, k := range [...]string{"まち", "ちょう", "むら", "そん", "し", "く"} {
		if rest, ok := strings.CutSuffix(kana, k); ok && rest != "" {
			stem, kind = rest, k
			break
		}
	}
	return short(strings.TrimSpace(letters(stem) + " " + letters(kind)))
}

// letters writes kana one by one; two that sound as one are in the table as such.
func letters(kana string) string {
	var b strings.Builder
	double := false
	r := []rune(kana)
	for i := 0; i < len(r); i++ {
		if r[i] == 'っ' {
			double = true
			continue
		}
		sound, two := "", false
		if i+1 < len(r) {
			sound, two = syllables[string(r[i:i+2])]
		}
		if two {
			i++
		} else {
			sound = syllables[string(r[i])]
		}
		if double && sound != "" {
			if strings.HasPrefix(sound, "ch") {
				b.WriteByte('t')
			} else {
				b.WriteByte(sound[0])
			}
			double = false
		}
		b.WriteString(sound)
	}
	return b.String()
}

// short writes long vowels as short ones, as signs and passports do, and m before b,
// m and p as n.
func short(latin string) string {
	for _, pair := range [][2]string{{"ou", "o"}, {"oo", "o"}, {"oh", "o"}, {"uu", "u"}, {"mb", "nb"}, {"mm", "nm"}, {"mp", "np"}} {
		latin = strings.ReplaceAll(latin, pair[0], pair[1])
	}
	return latin
}

// syllables are the sounds of hiragana (Hepburn).
var syllables = func() map[string]string {
	all := map[string]string{"ん": "n", "を": "o", "ゃ": "ya", "ゅ": "yu", "ょ": "yo", "ゔ": "vu", "ぁ": "a", "ぃ": "i", "ぅ": "u", "ぇ": "e", "ぉ": "o", "ゎ": "wa", "ー": ""}
	for row, sounds := range map[string]string{
		"あいうえお": "a i u e o", "かきくけこ": "ka ki ku ke ko", "がぎぐげご": "ga gi gu ge go", "さしすせそ": "sa shi su se so", "ざじずぜぞ": "za ji zu ze zo",
		"たちつてと": "ta chi tsu te to", "だぢづでど": "da ji zu de do", "なにぬねの": "na ni nu ne no", "はひふへほ": "ha hi fu he ho", "ばびぶべぼ": "ba bi bu be bo",
		"ぱぴぷぺぽ": "pa pi pu pe po", "まみむめも": "ma mi mu me mo", "やゆよ": "ya yu yo", "らりるれろ": "ra ri ru re ro", "わ": "wa", "ゐゑ": "i e",
	} {
		list := strings.Fields(sounds)
		for i, r := range []rune(row) {
			all[string(r)] = list[i]
		}
	}
	for _, first := range "きぎしじちぢにひびぴみり" {
		sound := strings.TrimSuffix(all[string(first)], "i")
		for second, vowel := range map[string]string{"ゃ": "a", "ゅ": "u", "ょ": "o"} {
			if strings.HasSuffix(sound, "h") || sound == "j" {
				all[string(first)+second] = sound + vowel
			} else {
				all[string(first)+second] = sound + "y" + vowel
			}
		}
	}
	return all
}()
