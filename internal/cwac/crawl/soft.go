package crawl

import (
	"hash/fnv"
	"math/bits"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// missing are titles and headings of error pages that are sent with status 200, at
// the beginning of the text: "Page not found", "404 - ...", "Error 404".
var missing = lazyregexp.New(`(?i)^\W*(the |this |your |sorry,? |oops!? |we['’]?re sorry,? )*` +
	`((requested |web ?)?page (was|is|could|can|couldn|isn|wasn)?(['’]t| ?not) (be )?(found|available|displayed|exist)` +
	`|(requested |web ?)?page (does|did|doesn|didn)(['’]t| not) exist|page not found|file not found|404 not found` +
	`|404\b\W*($|error|page\b|file\b|not\b)|(http )?error\W{0,3}(404|403|500|502|503)\b` +
	`|(500\W+)?internal server error|(503\W+)?service (temporarily )?unavailable|bad gateway|gateway time-?out` +
	`|we (can['’]?t|cannot|couldn['’]?t|could not) find (the|that|this) page|nothing (was )?found here)`)

// ErrorPage reports a page with status 200 that says in its title or first heading
// that there is none, and the words that say so.
func ErrorPage(title, heading string) (words string, is bool) {
	title = strings.ReplaceAll(title, " - ", "|")
	for _, text := range append(strings.FieldsFunc(title, func(r rune) bool { return strings.ContainsRune("|–—·»:", r) }), heading) {
		text = strings.Join(strings.Fields(text), " ")
		if len(text) <= 120 && missing.MatchString(text) {
			return text, true
		}
	}
	return "", false
}

// firstHeading is the text of the first h1 of a markup.
func firstHeading(source string) string {
	var text strings.Builder
	inside := false
	for z := html.NewTokenizer(strings.NewReader(source)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken:
			name, _ := z.TagName()
			inside = inside || string(name) == "h1"
		case html.TextToken:
			if inside {
				text.Write(z.Text())
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); inside && string(name) == "h1" {
				return html.UnescapeString(text.String())
			}
		}
	}
}

// Sketch is a short likeness of a text: near-identical texts have near-identical
// sketches (simhash over shingles of three words: Charikar, 2002).
type Sketch struct {
	bits  uint64
	words int
}

// SketchOf makes the sketch of a text. Letter case, digits and punctuation do not
// count: the date or the address in an error page changes nothing.
func SketchOf(text string) Sketch {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	var weight [64]int
	for i := range words {
		h := fnv.New64a()
		for _, w := range words[i:min(i+3, len(words))] {
			_, _ = h.Write(append([]byte(w), ' '))
		}
		for b, sum := 0, mixed(h.Sum64()); b < 64; b++ {
			if sum>>b&1 == 1 {
				weight[b]++
			} else {
				weight[b]--
			}
		}
	}
	s := Sketch{words: len(words)}
	for b, w := range weight {
		if w > 0 {
			s.bits |= 1 << b
		}
	}
	return s
}

// mixed spreads the bits of a hash: FNV leaves the upper ones of short texts alike
// (the finaliser of MurmurHash3).
func mixed(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// Near reports texts that are the same but for a few words: the same notice at
// different addresses. Texts without words are near to nothing.
func (s Sketch) Near(other Sketch) bool {
	if s.words == 0 || other.words == 0 {
		return false
	}
	few, many := min(s.words, other.words), max(s.words, other.words)
	return many-few <= 2+many/20 && bits.OnesCount64(s.bits^other.bits) <= 10
}
