package scout

import (
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// How alike words must be.
const (
	sameEnough = 0.5
	someWords  = 0.3
)

// likeness is how much a spot looks like an item.
type likeness struct {
	words float64 // of the labels: 1 when they are the same
	kind  int     // 0: another widget, 1: one that takes the same answers, 2: the same
	name  int     // of what their authors called them: 0 to 2
	offer float64 // of what they offer
}

func (m *matcher) alike(it *item, i int) likeness {
	s := m.spots[i]
	a := likeness{kind: kindLikeness(it.kind(), s.kind())}
	names := []string{s.label(), plainLabel(s.control.Label), plainLabel(s.control.Group), plainLabel(s.control.Group) + " " + plainLabel(s.control.Label)}
	if s.part != nil {
		names = append(names, plainLabel(s.part.Label))
	}
	for _, n := range names {
		a.words = max(a.words, sameWords(plainLabel(it.label), n))
	}
	if s.part != nil && it.part != "" {
		if s.part.Part != it.part {
			a.kind = 0
		}
	}
	a.name = nameLikeness(it, s)
	a.offer = offerLikeness(it.traits.Options, s.options())
	return a
}

// sameWords is how much two labels share: 1 when they say the same.
func sameWords(a, b string) float64 {
	if a == "" || b == "" {
		return 0
	}
	if letters(a) == letters(b) {
		return 1
	}
	x, y := wordsOf(a), wordsOf(b)
	common := 0
	for w := range x {
		if y[w] {
			common++
		}
	}
	if all := len(x) + len(y) - common; all > 0 {
		return min(0.99, float64(common)/float64(all))
	}
	return 0
}

var notLetters = lazyregexp.New(`[^\p{L}\p{N}]+`)

// letters are the letters and digits of a text, for comparing.
func letters(s string) string { return notLetters.ReplaceAllString(fold(s), "") }
