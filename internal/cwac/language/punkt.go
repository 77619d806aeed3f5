package language

import (
	"slices"
	"strings"
	"unicode"
)

// Sentences divides a text. White space between sentences belongs to none.
func Sentences(text string) []string {
	runes := []rune(text)
	var out []string
	for _, s := range realigned(runes, divided(runes)) {
		out = append(out, string(runes[s.from:s.to]))
	}
	return out
}

// span is a part of a text, in runes.
type span struct{ from, to int }

// ending is a mark that may end a sentence, with its surroundings.
type ending struct {
	at    int // of the mark
	word  span
	after span // what follows the mark: one character, or white space and a token
	next  int  // where the token after white space begins; -1 without one
}

const closing = `)";}]*:@'({[?!` // what can not be within a word

// endings finds the marks that may end a sentence. Of several that belong to one
// word only the last counts.
func endings(text []rune, each func(ending)) {
	var prior ending
	found := false
	word := span{}
	for i, r := range text {
		if r != '.' && r != '?' && r != '!' {
			continue
		}
		after, next, ok := follows(text, i+1)
		if !ok {
			continue
		}
		start := word.from
		if space := lastSpace(text[word.to:i]); space > 0 {
			start = word.to + space + 1
		}
		current := span{start, i}
		if found && word.to <= current.from {
			each(prior)
		}
		prior, found, word = ending{at: i, word: current, after: after, next: next}, true, current
	}
	if found {
		each(prior)
	}
}

// follows reports whether what is at i lets a mark before it end a sentence.
func follows(text []rune, i int) (after span, next int, ok bool) {
	if i >= len(text) {
		return span{}, -1, false
	}
	if strings.ContainsRune(closing, text[i]) {
		return span{i, i + 1}, -1, true
	}
	start := skip(text, i, isSpace)
	if start == i || start == len(text) {
		return span{}, -1, false
	}
	return span{i, skip(text, start, notSpace)}, start, true
}

func notSpace(r rune) bool { return !isSpace(r) }

// skip is the first place from i on whose character is not of the class.
func skip(text []rune, i int, class func(rune) bool) int {
	for i < len(text) && class(text[i]) {
		i++
	}
	return i
}

// lastSpace is where the last white space of ASCII is, or 0.
func lastSpace(text []rune) int {
	for i := len(text) - 1; i > 0; i-- {
		if strings.ContainsRune(" \t\n\r\v\f", text[i]) {
			return i
		}
	}
	return 0
}

// divided cuts at those marks that do end a sentence.
func divided(text []rune) []span {
	var out []span
	last := 0
	endings(text, func(e ending) {
		context := slices.Concat(text[e.word.from:e.word.to], text[e.at:e.at+1], text[e.after.from:e.after.to])
		if !breaks(context) {
			return
		}
		out = append(out, span{last, e.at + 1})
		last = e.at + 1
		if e.next >= 0 {
			last = e.next
		}
	})
	end := len(text)
	for end > 0 && isSpace(text[end-1]) {
		end--
	}
	return append(out, span{last, max(end, last)})
}

// realigned moves brackets and quotation marks that a sentence begins with to the
// end of the one before, where they belong.
func realigned(text []rune, spans []span) []span {
	var out []span
	shift := 0
	for i, s := range spans {
		s.from = min(s.from+shift, s.to)
		shift = 0
		if i+1 < len(spans) {
			next := spans[i+1]
			if marks, all := closers(text[next.from:next.to]); marks > 0 {
				s.to, shift = next.from+marks, all
				out = append(out, s)
				continue
			}
		}
		if s.from < s.to {
			out = append(out, s)
		}
	}
	return out
}

// closers counts the closing marks that a sentence begins with, and the characters
// with the white space after them.
func closers(text []rune) (marks, all int) {
	for marks < len(text) && strings.ContainsRune(`"')]}`, text[marks]) {
		marks++
		rest := text[marks:]
		switch {
		case len(rest) == 0:
			return marks, marks
		case isSpace(rest[0]):
			return marks, skip(text, marks, isSpace)
		case len(rest) > 1 && rest[0] == '-' && rest[1] == '-':
			return marks, marks
		}
	}
	return 0, 0
}

// breaks reports whether a sentence ends before the last token of the context.
func breaks(context []rune) bool {
	var tokens []token
	for line := range strings.SplitSeq(string(context), "\n") {
		for _, word := range punktWords([]rune(line)) {
			tokens = append(tokens, firstPass(word))
		}
	}
	for i := range len(tokens) - 1 {
		secondPass(&tokens[i], tokens[i+1])
		if tokens[i].ends {
			return true
		}
	}
	return false
}

// punktWords divides a line into words and marks; a word keeps its full stop.
func punktWords(line []rune) []string {
	var out []string
	for i := 0; i < len(line); {
		if isSpace(line[i]) {
			i++
			continue
		}
		end := i + several(line, i)
		if end == i {
			end = i + 1
			if !strings.ContainsRune("(\"`{[:;&#*@)}]-,", line[i]) {
				for !wordEnds(line, end) {
					end++
				}
			}
		}
		out = append(out, string(line[i:end]))
		i = end
	}
	return out
}

func wordEnds(line []rune, i int) bool {
	ends := func(i int) bool {
		return i >= len(line) || isSpace(line[i]) || strings.ContainsRune(closing, line[i]) || several(line, i) > 0
	}
	return ends(i) || line[i] == ',' && ends(i+1)
}

// several is the length of a mark of several characters: dashes, an ellipsis, or an
// ellipsis with spaces.
func several(line []rune, i int) int {
	if line[i] != '-' && line[i] != '.' {
		return 0
	}
	same := skip(line, i, func(r rune) bool { return r == line[i] }) - i
	if same > 1 {
		return same
	}
	if line[i] == '-' {
		return 0
	}
	pairs := 0
	for at := i; at+1 < len(line) && line[at] == '.' && isSpace(line[at+1]); at += 2 {
		pairs++
	}
	if at := i + 2*pairs; at >= len(line) || line[at] != '.' {
		pairs--
	}
	if pairs < 2 {
		return 0
	}
	return 2*pairs + 1
}

// token is a word in the context of a mark.
type token struct {
	text, kind string // kind: in small letters; numbers are all one kind
	ends       bool   // a sentence ends here
	abbreviation,
	ellipsis bool
}

const number = "##number##"

// firstPass judges a token by itself.
func firstPass(text string) token {
	t := token{text: text, kind: strings.ToLower(text)}
	if isNumeric(t.kind) {
		t.kind = number
	}
	stem, stopped := strings.CutSuffix(strings.ToLower(text), ".")
	switch {
	case text == "." || text == "?" || text == "!":
		t.ends = true
	case len(text) > 1 && strings.Trim(text, ".") == "":
		t.ellipsis = true
	case stopped && !strings.HasSuffix(stem, "."):
		m := english()
		last := stem[strings.LastIndex(stem, "-")+1:]
		t.abbreviation = m.abbreviations[stem] || m.abbreviations[last]
		t.ends = !t.abbreviation
	}
	return t
}

// isNumeric: an optional sign and separator, a digit, then digits and separators.
func isNumeric(s string) bool {
	s = strings.TrimPrefix(s, "-")
	if s != "" && (s[0] == '.' || s[0] == ',') {
		s = s[1:]
	}
	for i, r := range s {
		if !unicode.IsDigit(r) && (i == 0 || !strings.ContainsRune(",.-", r)) {
			return false
		}
	}
	return s != ""
}

// stem is the kind without its full stop.
func (t token) stem() string {
	if len(t.kind) > 1 {
		return strings.TrimSuffix(t.kind, ".")
	}
	return t.kind
}

// word is the kind as it is looked up: a full stop that ends a sentence is no part
// of it.
func (t token) word() string {
	if t.ends {
		return t.stem()
	}
	return t.kind
}

func (t token) initial() bool {
	r := []rune(t.text)
	return len(r) == 2 && isLetter(r[0]) && r[1] == '.'
}

func (t token) first() rune { return []rune(t.text)[0] }

// secondPass corrects the judgement of a token by the one after it. The numbers are
// those of the sections of Kiss and Strunk.
func secondPass(t *token, next token) {
	if !strings.HasSuffix(t.text, ".") {
		return
	}
	m := english()
	stem, follower, initial := t.stem(), next.word(), t.initial()
	if m.collocations[[2]string{stem, follower}] { // 4.1.2
		t.ends, t.abbreviation = false, true
		return
	}
	opens := m.opens(next)
	if (t.abbreviation || t.ellipsis) && !initial { // 4.2
		if opens == yes || isUpper(next.first()) && m.starters[follower] { // 4.1.1, 4.1.3
			t.ends = true
			return
		}
	}
	if !initial && stem != number { // 4.3
		return
	}
	never := isUpper(next.first()) && m.contexts[follower]&anyLower == 0
	if opens == no || opens == unknown && initial && never {
		t.ends, t.abbreviation = false, true
	}
}

type answer int

const (
	unknown answer = iota
	yes
	no
)

// How a word was met in the training text: at the beginning of a sentence, within
// one, or either; with a capital or a small first letter.
const (
	beginUpper = 1 << (iota + 1)
	withinUpper
	eitherUpper
	beginLower
	withinLower
	eitherLower

	anyUpper = beginUpper | withinUpper | eitherUpper
	anyLower = beginLower | withinLower | eitherLower
)

// opens judges by its first letter whether a token opens a sentence (4.1.1).
func (m *model) opens(t token) answer {
	if len(t.text) == 1 && strings.Contains(";:,.!?", t.text) {
		return no
	}
	met := m.contexts[t.word()]
	switch {
	case isUpper(t.first()) && met&anyLower != 0 && met&withinUpper == 0:
		return yes
	case isLower(t.first()) && (met&anyUpper != 0 || met&beginLower == 0):
		return no
	default:
		return unknown
	}
}
