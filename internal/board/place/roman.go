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

// english writes the name of a municipality in Latin letters (Hepburn, without long
// vowels), with its kind behind a hyphen.
func english(name, kana string) string {
	if en, ok := irregular[name]; ok {
		return en
	}
	for _, k := range [...]string{"まち", "ちょう", "むら", "そん", "し", "く"} {
		if stem, ok := strings.CutSuffix(kana, k); ok && stem != "" {
			latin := letters(stem)
			return strings.ToUpper(latin[:1]) + latin[1:] + "-" + letters(k)
		}
	}
	return name
}

// irregular are names in which two vowels that look like a long one belong to two words
// (豊 and 岡), or which are long where they look like two; and one that is a loanword.
// Found by comparing all names with those of the Gazetteer of Japan (Geospatial Information
// Authority, 2007 and 2018).
var irregular = map[string]string{
	"滝上町": "Takinoue-cho", "豊浦町": "Toyoura-cho", "広尾町": "Hiroo-cho", "桑折町": "Koori-machi", "真岡市": "Mooka-shi",
	"南アルプス市": "Minami-Alps-shi", "小海町": "Koumi-machi", "豊丘村": "Toyooka-mura", "山ノ内町": "Yamanouchi-machi",
	"輪之内町": "Wanouchi-cho", "箕面市": "Minoo-shi", "豊岡市": "Toyooka-shi", "琴浦町": "Kotoura-cho", "瀬戸内市": "Setouchi-shi",
	"瀬戸内町": "Setouchi-cho", "西之表市": "Nishinoomote-shi", "曽於市": "Soo-shi", "善通寺市": "Zentsuji-shi",
	"山陽小野田市": "San'yo-Onoda-shi", "周防大島町": "Suo-Oshima-cho",
}

// letters writes kana one by one; two that sound as one are in the table as such. A
// vowel that only makes the one before it long is left out.
func letters(kana string) string {
	var b strings.Builder
	double, last := false, ""
	for r := []rune(kana); len(r) > 0; {
		if r[0] == 'っ' {
			double, r = true, r[1:]
			continue
		}
		n := min(2, len(r))
		if _, two := syllables[string(r[:n])]; !two {
			n = 1
		}
		kana, sound := string(r[:n]), syllables[string(r[:n])]
		r = r[n:]
		if lengthens(kana, last) {
			last = ""
			continue
		}
		if double && sound != "" {
			b.WriteString(strings.Replace(sound[:1], "c", "t", 1))
			double = false
		}
		if last == "ん" && sound != "" && strings.ContainsRune("aiueoy", rune(sound[0])) {
			b.WriteByte('\'') // Nan'yo is not Na-nyo
		}
		b.WriteString(sound)
		last = kana
	}
	return b.String()
}

// lengthens reports whether a vowel makes the syllable before it long. Behind つ and the
// like it begins another word: 松浦 is Matsuura.
func lengthens(vowel, last string) bool {
	sound := syllables[last]
	switch vowel {
	case "う":
		return strings.HasSuffix(sound, "o") || last == "ゆ" || last == "ぐ" || strings.HasSuffix(last, "ゅ")
	case "お":
		return strings.HasSuffix(sound, "o")
	}
	return false
}

// short writes the long vowels that people type as short ones, and m before b, m and p
// as n.
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
			if sound == "sh" || sound == "ch" || sound == "j" {
				all[string(first)+second] = sound + vowel
			} else {
				all[string(first)+second] = sound + "y" + vowel
			}
		}
	}
	return all
}()
