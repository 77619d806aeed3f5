package scout

import (
	"slices"
	"strings"
	"unicode"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
)

// blamed maps the page's messages to its questions.
func (f *filler) blamed(step page.Step, shown []*known) map[*known]string {
	out := map[*known]string{}
	for _, e := range step.Errors {
		if e.FieldIndex >= 0 && e.FieldIndex < len(shown) {
			out[f.restOf(shown[e.FieldIndex], e.Text, shown)] = e.Text
		}
		for _, one := range sentences(e) {
			if k := byWords(one, shown); k != nil {
				k = f.restOf(k, one.Text, shown)
				if _, ok := out[k]; !ok {
					out[k] = one.Text
				}
			}
		}
	}
	// What nothing else explains is about the answer that others did not have.
	if k := f.wanted; k != nil && len(out) == 0 && len(step.Errors) > 0 && slices.Contains(shown, k) {
		out[k] = step.Errors[0].Text
	}
	return out
}

// restOf is the next empty part of the question that a message is about, where the
// part that it names has an answer: the second box of a telephone number, the other
// name of a person.
func (f *filler) restOf(k *known, text string, shown []*known) *known {
	if c, ok := now(f.inv, k); !ok || empty(c) || c.Kind == page.KindCheckbox {
		return k
	}
	said := wordsOf(text)
	named := spoken(k.control.Label, text) > 0 || overlap(wordsOf(plainLabel(k.control.Label)), said) > 0
	for _, o := range shown {
		if o == k || o.control.Kind == page.KindCheckbox || f.tries[o.id] > 0 {
			continue
		}
		part := o.control.Label != "" && o.control.Label == k.control.Label || o.control.Group != "" && o.control.Group == k.control.Label ||
			o.control.Group != "" && o.control.Group == k.control.Group && !named
		if c, ok := now(f.inv, o); ok && part && empty(c) {
			return o
		}
	}
	return k
}

// sentenceEnd is where one message of several in a line ends. What follows
// begins with a capital letter.
var sentenceEnd = lazyregexp.New(`(?:[.!?;]\s+|[。！？]\s*)(\p{Lu}|\p{Lo})`)

// sentences takes apart what a form says in one line about several questions. A
// message that names its control is about that one, however long it is.
func sentences(e page.FormError) []page.FormError {
	if e.FieldIndex >= 0 {
		return []page.FormError{e}
	}
	var out []page.FormError
	for _, s := range strings.Split(sentenceEnd.ReplaceAllString(e.Text, "\n$1"), "\n") {
		one := e
		one.Text = strings.TrimSpace(s)
		out = append(out, one)
	}
	return out
}

// byWords finds the question that a message is about by the words that they
// share: those of its label, or those that its author named it with.
func byWords(e page.FormError, shown []*known) *known {
	var best *known
	top := 0.0
	said := wordsOf(e.Text + " " + e.Label)
	for _, k := range shown {
		names := []string{k.control.Label, k.control.Group, k.control.Group + " " + k.control.Label}
		if id := nameID(k.control.Name); strings.Contains(id, "_") { // one word says too little
			names = append(names, strings.ReplaceAll(id, "_", " "))
		}
		for _, name := range names {
			if s := spoken(name, e.Text); s > top {
				best, top = k, s
			}
			if s := overlap(wordsOf(plainLabel(name)), said); s > top {
				best, top = k, s
			}
		}
	}
	return best
}

// spoken is how well a message says a name of a script without spaces, in which a
// whole sentence is one word: zero when it does not.
func spoken(name, message string) float64 {
	name = fold(plainLabel(name))
	n := len([]rune(name))
	if n < 2 || !strings.ContainsFunc(name, unspaced) || !strings.Contains(fold(message), name) {
		return 0
	}
	return 1 + float64(n)/100
}

// unspaced tells whether a letter is of a script that puts no spaces between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai)
}

// sharedWords is the part of the words that must be shared.
const sharedWords = 0.6

// overlap is how much of the shorter of two sets of words is in the other, and a
// little for how many that are; zero when it is not enough.
func overlap(a, b map[string]bool) float64 {
	common := 0
	for w := range a {
		if b[w] {
			common++
		}
	}
	least := min(len(a), len(b))
	if common == 0 || float64(common) < sharedWords*float64(least) || float64(common) < float64(len(a))/2 {
		return 0
	}
	return float64(common)/float64(least) + float64(common)/100 - float64(len(a))/1000
}

// fillers are words that labels and messages have in common without meaning the
// same.
var fillers = lazyregexp.New(`^(a|an|and|the|of|to|in|is|are|was|do|does|did|you|your|have|has|for|or|please|enter|select|choose|give|answer|question|field|this|must|be|required|cannot|blank|missing|valid|there|problem|error|if|which|what|any)$`)

func wordsOf(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !fillers.MatchString(w) {
			out[w] = true
		}
	}
	return out
}
