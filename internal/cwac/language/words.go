package language

import (
	"strings"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Words divides a text into words and punctuation marks, sentence by sentence, by
// the rules of the Penn Treebank in NLTK's form: contractions are two words, and
// only the last full stop of a sentence is one by itself.
func Words(text string) []string {
	var out []string
	for _, s := range Sentences(text) {
		out = append(out, wordsOf(s)...)
	}
	return out
}

// The rules surround with spaces what is a word by itself. They run in this order,
// each over the outcome of the one before.
var (
	openQuotes   = lazyregexp.New("[«“‘„]|`+")
	openedQuote  = lazyregexp.New("([ (\\[{<])(?:\"|'{2})")
	separator    = lazyregexp.New(`([:,])(\P{Nd})`)
	dots         = lazyregexp.New(`\.{2,}`)
	symbols      = lazyregexp.New(`[;@#$%&]`)
	askExclaim   = lazyregexp.New(`[?!]`)
	lastQuote    = lazyregexp.New(`([^'])' `)
	brackets     = lazyregexp.New(`[\]\[(){}<>]`)
	closeQuotes  = lazyregexp.New(`[»”’]`)
	possessive   = lazyregexp.New(`([^' ])('[sSmMdD]|') `)
	contracted   = lazyregexp.New(`([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) `)
	contractions = []contraction{
		{"can", "not"}, {"d", "'ye"}, {"gim", "me"}, {"gon", "na"}, {"got", "ta"}, {"lem", "me"}, {"more", "'n"},
	}
	archaic = lazyregexp.New(`(?i) ('t)(is|was)`)
)

func wordsOf(sentence string) []string {
	const alone = " $0 "
	s := openQuotes.ReplaceAllString(sentence, alone)
	if rest, ok := strings.CutPrefix(s, `"`); ok {
		s = "``" + rest
	}
	s = strings.ReplaceAll(s, "``", " `` ")
	s = openedQuote.ReplaceAllString(s, "$1 `` ")
	s = splitQuotedLetters(s)

	s = splitLastStop(s, "]})>\"'»”’ ", true)
	s = separator.ReplaceAllString(s, " $1 $2")
	s = splitLastSeparator(s)
	s = dots.ReplaceAllString(s, alone)
	s = symbols.ReplaceAllString(s, alone)
	s = splitLastStop(s, "]})>\"'", false)
	s = askExclaim.ReplaceAllString(s, alone)
	s = lastQuote.ReplaceAllString(s, "$1 ' ")
	s = strings.ReplaceAll(s, "*", " * ")
	s = brackets.ReplaceAllString(s, alone)
	s = strings.ReplaceAll(s, "--", " -- ")

	s = closeQuotes.ReplaceAllString(" "+s+" ", alone)
	s = strings.ReplaceAll(s, "''", " '' ")
	s = strings.ReplaceAll(s, `"`, " '' ")
	s = possessive.ReplaceAllString(s, "$1 $2 ")
	s = contracted.ReplaceAllString(s, "$1 $2 ")
	return fields(splitContractions(s))
}

// splitQuotedLetters parts a quotation mark from the single letter after it, unless
// both are a shortened word: 'm, 't, 's, 'd, 'n.
func splitQuotedLetters(s string) string {
	if !strings.Contains(s, "'") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '\'' {
			b.WriteByte(s[i])
			i++
			continue
		}
		b.WriteByte('\'')
		i++
		letter, size := utf8.DecodeRuneInString(s[i:])
		after, _ := utf8.DecodeRuneInString(s[i+size:])
		if size == 0 || !isWord(letter) || strings.ContainsRune("mtsdnMTSDNſ", letter) || i+size < len(s) && isWord(after) {
			continue
		}
		b.WriteByte(' ')
		b.WriteString(s[i : i+size])
		i += size
	}
	return b.String()
}

// splitLastStop parts the full stop at the end from its word. Closing marks may
// follow it.
func splitLastStop(s, marks string, apart bool) string {
	at := strings.LastIndexByte(s, '.')
	if at < 1 || s[at-1] == '.' {
		return s
	}
	after := s[at+1:]
	rest := strings.TrimLeft(after, marks)
	if strings.TrimLeftFunc(rest, isSpace) != "" {
		return s
	}
	marked := after[:len(after)-len(rest)]
	if apart {
		return s[:at] + " . " + marked + " "
	}
	return s[:at] + " ." + marked + " "
}

func splitLastSeparator(s string) string {
	body, line := strings.CutSuffix(s, "\n")
	if !strings.HasSuffix(body, ":") && !strings.HasSuffix(body, ",") {
		return s
	}
	last := len(body) - 1
	s = body[:last] + " " + body[last:] + " "
	if line {
		s += "\n"
	}
	return s
}

// contraction is a word that is written as one and counts as two.
type contraction struct{ first, second string }

func splitContractions(s string) string {
	for _, c := range contractions {
		s = splitWord(s, c, wordBreak)
	}
	// the last of the Treebank's list needs white space after it
	s = splitWord(s, contraction{"wan", "na"}, func(s string, at int) bool {
		r, _ := utf8.DecodeRuneInString(s[at:])
		return at < len(s) && isSpace(r)
	})
	var b strings.Builder
	last := 0
	for _, m := range archaic.FindAllStringSubmatchIndex(s, -1) {
		if wordBreak(s, m[1]) {
			b.WriteString(s[last:m[0]] + " " + s[m[2]:m[3]] + " " + s[m[4]:m[5]] + " ")
			last = m[1]
		}
	}
	return b.String() + s[last:]
}

// splitWord parts a contraction wherever it stands as a word in any case of letters.
func splitWord(s string, c contraction, ends func(string, int) bool) string {
	whole := c.first + c.second
	var b strings.Builder
	last := 0
	for i := 0; i+len(whole) <= len(s); i++ {
		if s[i]|0x20 != whole[0] || !strings.EqualFold(s[i:i+len(whole)], whole) || !wordBreak(s, i) || !ends(s, i+len(whole)) {
			continue
		}
		b.WriteString(s[last:i] + " " + s[i:i+len(c.first)] + " " + s[i+len(c.first):i+len(whole)] + " ")
		i += len(whole) - 1
		last = i + 1
	}
	return b.String() + s[last:]
}

// wordBreak is \b of Python's regular expressions.
func wordBreak(s string, at int) bool {
	before, size := utf8.DecodeLastRuneInString(s[:at])
	after, next := utf8.DecodeRuneInString(s[at:])
	return (size > 0 && isWord(before)) != (next > 0 && isWord(after))
}
