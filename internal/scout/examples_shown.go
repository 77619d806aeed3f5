package scout

import (
	"slices"
	"strings"
	"unicode"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
)

// exampleMark is where a hint or a message begins to show a value that would do.
// What follows a weak mark (like, format) is one only if it looks like nothing else.
var (
	exampleMark = lazyregexp.New(`(?i)(?:\bfor example\b|\bfor instance\b|\be\. ?g\.?|\beg\b|\bexamples?\s*:|\bz\. ?B\.|\bzum Beispiel\b|\bBeispiel\s*:|\bpar exemple\b|\bp\. ?ex\.|\bexemple\s*:|` +
		`\bpor ejemplo\b|\bp\. ?ej\.|\bejemplo\s*:|\bpor exemplo\b|\bexemplo\s*:|\bad esempio\b|\besempio\s*:|\bbijvoorbeeld\b|\bbijv\.|\bvoorbeeld\s*:|\bt\. ?ex\.|\btill exempel\b|\bnp\.|\bna przykład\b|例えば|例\s*[:：)）]|（例）)[\s,:：]*`)
	weakMark   = lazyregexp.New(`(?i)(?:\bsuch as\b|\blike\b|\bformat\b|\bin the form\b|\bim format\b|\bau format\b|\bformato\b)(?:\s+(?:of|is|de)\b)?[\s,:]*`)
	exampleEnd = lazyregexp.New(`[,;](?:\s|$)|[)\]（）、。"”»“\n]|[.!?](?:\s|$)|\s(?:or|and|oder|ou|o|und|et|y|e|of|eller|lub)\s|\s[-–/]\s`)
	quotedAt   = lazyregexp.New(`^["'“„«「‘]([^"'”“»」’]{1,60})["'”“»」’]`)
)

// Bounds of a value that is taken from a text.
const (
	longestShown = 40
	wordsShown   = 5
)

// shownExamples are the values that texts of the page show as examples, such as
// "for example QQ 12 34 56 C", in their order.
func shownExamples(texts ...string) []string {
	var out []string
	for _, text := range texts {
		for _, mark := range []*lazyregexp.Regexp{exampleMark, weakMark} {
			for _, at := range mark.FindAllStringIndex(text, 4) {
				v := valueAt(text[at[1]:])
				if looksLikeValue(v, mark == weakMark) && !slices.Contains(out, v) {
					out = append(out, v)
				}
			}
		}
	}
	return out
}

// valueAt is the value that a text begins with.
func valueAt(text string) string {
	if m := quotedAt.FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(m[1])
	}
	if at := exampleEnd.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	return strings.Trim(strings.TrimSpace(text), "'’‘.:")
}

// looksLikeValue tells a value from the rest of a sentence: its words have digits,
// signs or capital letters, or it is a single word. strict asks for a digit.
func looksLikeValue(v string, strict bool) bool {
	words := strings.Fields(v)
	if v == "" || len(v) > longestShown || len(words) > wordsShown {
		return false
	}
	if !strings.ContainsFunc(v, unicode.IsDigit) {
		if strict || strings.ContainsAny(v, "[]{}<>*#") {
			return false
		}
		return len(words) == 1 && len(v) > 1 || !slices.ContainsFunc(words, func(w string) bool { return unicode.IsLower([]rune(w)[0]) })
	}
	// Of a sentence with a number in it, most words are written small.
	small := 0
	for _, w := range words {
		if first := []rune(w)[0]; unicode.IsLower(first) && !strings.ContainsFunc(w, func(r rune) bool { return unicode.IsDigit(r) || r == '@' }) {
			small++
		}
	}
	return small == 0 || small == 1 && len(words) > 2
}

// shownBy are the examples that a control's own texts show.
func shownBy(c page.Control) []string { return shownExamples(c.Hint, c.Label, c.Placeholder) }
