package scout

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// pair is what became of one item on the page.
type pair struct {
	item *item
	// spot is the index of the question that it is, -1 when there is none, or none
	// that the inventory knows.
	spot int
	// how it was found: by the first selector, an alternative, or by what the page
	// says.
	how    string
	number int      // of the alternative
	fails  string   // how the first selector fails
	found  []string // what it matches instead
	passed []string // alternatives that were not taken
}

// The ways in which an item is found.
const (
	byFirst = "first"
	byOther = fromAlternative
	byPage  = fromPage
)

// there tells whether the item is on the page in some way.
func (p pair) there() bool { return p.how != "" }

// matcher finds out which question of the page is which of the wizard.
type matcher struct {
	located
	items []*item
	due   func(*item) bool // which items must be there
	pairs []*pair
	taken map[int]*pair
}

// match pairs the items with the spots: by selectors that work, by the wizard's
// alternatives, and by what the page says of the questions that are left.
// Only items that are due are looked for in other ways than by their first
// selector.
func match(l located, items []*item, due func(*item) bool) []*pair {
	m := &matcher{located: l, items: items, due: due, taken: map[int]*pair{}}
	for _, it := range items {
		m.pairs = append(m.pairs, m.first(it))
	}
	for _, p := range m.pairs {
		if p.how == byFirst && p.spot >= 0 {
			m.doubt(p)
		}
	}
	for _, p := range m.pairs {
		if p.how == byFirst && p.spot >= 0 {
			m.taken[p.spot] = p
		}
	}
	for _, p := range m.pairs {
		if !p.there() && due(p.item) {
			m.alternative(p)
		}
	}
	m.byWords()
	return m.pairs
}

// first looks at what the first selector leads to.
func (m *matcher) first(it *item) *pair {
	p := &pair{item: it, spot: -1}
	if it.parts != nil {
		return m.firstDate(it)
	}
	tries := m.tries[it]
	if len(tries) == 0 {
		p.fails = failsNothing
		return p
	}
	t := tries[0]
	p.fails, p.found = t.fails, t.found
	if t.fails != "" {
		return p
	}
	p.how, p.spot = byFirst, t.spot
	if t.spot >= 0 && m.spots[t.spot].control.Decoy == decoyTrap {
		p.how, p.spot, p.fails = "", -1, failsDecoy
	}
	return p
}

// decoyTrap is the decoy that no form wants an answer to.
const decoyTrap = "honeypot"

// firstDate finds a date by its parts: all of them must work.
func (m *matcher) firstDate(it *item) *pair {
	p := &pair{item: it, spot: -1, how: byFirst}
	for _, part := range it.parts {
		tries := m.tries[part]
		if len(tries) == 0 || tries[0].fails != "" {
			p.how = ""
			if p.fails == "" {
				p.fails = failsNothing
				if len(tries) > 0 {
					p.fails, p.found = tries[0].fails, tries[0].found
				}
			}
			continue
		}
		if i := tries[0].spot; i >= 0 && p.spot < 0 {
			p.spot = m.dateOf(i)
		}
	}
	return p
}

// dateOf is the spot of the whole date that a part belongs to.
func (m *matcher) dateOf(i int) int {
	for j := i; j >= 0; j-- {
		if m.spots[j].control == m.spots[i].control && m.spots[j].part == nil {
			return j
		}
	}
	return i
}

// doubt lets go of a question that is plainly another one than the item: the
// words differ, and the words of the item are found elsewhere, or it is another
// widget besides.
func (m *matcher) doubt(p *pair) {
	here := m.alike(p.item, p.spot)
	if here.words >= sameEnough {
		return
	}
	for i := range m.spots {
		if i == p.spot || !m.open(i) {
			continue
		}
		if a := m.alike(p.item, i); a.words == 1 && a.kind > 0 {
			p.fail(failsOther, m.spots[p.spot].label())
			return
		}
	}
	if here.kind == 0 && here.words < someWords {
		p.fail(failsOther, m.spots[p.spot].label())
	}
}

func (p *pair) fail(how, found string) {
	p.how, p.spot, p.fails, p.found = "", -1, how, []string{found}
}

// open tells whether a spot is a question that may be taken for an item.
func (m *matcher) open(i int) bool { return asked(*m.spots[i].control) && !m.foreign[i] }

// free tells whether nothing else is this spot, or a part of it.
func (m *matcher) free(i int) bool {
	for j := range m.taken {
		if j == i || m.spots[j].control == m.spots[i].control && (m.spots[j].part == nil || m.spots[i].part == nil) {
			return false
		}
	}
	return true
}

// alternative takes the first of the wizard's own other selectors that leads to a
// question of this form which may be the item.
func (m *matcher) alternative(p *pair) {
	tries := m.tries[p.item]
	for n, t := range tries {
		if n == 0 {
			continue
		}
		if why := m.refuse(p, t); why != "" {
			p.passed = append(p.passed, fmt.Sprintf("alternative %d (%s) %s", n, t.selector, why))
			continue
		}
		p.how, p.number, p.spot = byOther, n, t.spot
		m.taken[t.spot] = p
		return
	}
}

// refuse says why an alternative is not taken.
func (m *matcher) refuse(p *pair, t try) string {
	switch {
	case t.fails != "":
		return failure(t.fails, "")
	case t.spot < 0:
		return "leads to something that is no field of the page"
	case m.spots[t.spot].control.Decoy != "":
		return "leads to a field that is no question for a person: " + m.spots[t.spot].control.Decoy
	case !asked(*m.spots[t.spot].control):
		return "leads to a field that cannot be filled in"
	case m.foreign[t.spot]:
		return "leads into another form of the page"
	case !m.free(t.spot):
		return "leads to another field of the wizard"
	}
	a := m.alike(p.item, t.spot)
	if a.kind == 0 {
		return "leads to another kind of field: " + quoted(m.spots[t.spot].label())
	}
	if a.words < someWords {
		for i := range m.spots {
			if i != t.spot && m.open(i) && m.free(i) && m.alike(p.item, i).words == 1 {
				return "leads to another question: " + quoted(m.spots[t.spot].label())
			}
		}
		for _, q := range m.pairs {
			if q != p && m.alike(q.item, t.spot).words == 1 {
				return "leads to the question of " + q.item.id
			}
		}
	}
	return ""
}

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

var notLetters = regexp.MustCompile(`[^\p{L}\p{N}]+`)

// letters are the letters and digits of a text, for comparing.
func letters(s string) string { return notLetters.ReplaceAllString(fold(s), "") }

func kindLikeness(a, b page.Kind) int {
	if a == b {
		return 2
	}
	family := func(k page.Kind) string {
		switch k {
		case page.KindText, page.KindNumber, page.KindTextarea, page.KindSearch, page.KindRichText, page.KindDate, page.KindTypeahead, page.KindRange:
			return "typed"
		case page.KindSelect, page.KindRadio:
			return "chosen"
		}
		return string(k)
	}
	x, y := family(a), family(b)
	if x == y || a == page.KindTypeahead && y == "chosen" || b == page.KindTypeahead && x == "chosen" {
		return 1
	}
	return 0
}

// selectorName is what a selector says of the name that an author chose.
var selectorName = regexp.MustCompile(`(?:#|\[(?:name|id|data-[a-z-]+)[*^$~|]?=["']?)((?:\\.|[\w:.-])+)`)

// nameLikeness compares what the authors called the item and the spot.
func nameLikeness(it *item, s spotted) int {
	old := []string{letters(it.id[strings.LastIndexByte(it.id, '.')+1:])}
	for _, sel := range it.selectors() {
		for _, m := range selectorName.FindAllStringSubmatch(sel, -1) {
			old = append(old, letters(m[1]))
		}
	}
	var now []string
	for _, w := range s.ways() {
		for _, m := range selectorName.FindAllStringSubmatch(w.Selector, -1) {
			if w.Basis == "id" || w.Basis == "name" || w.Basis == "testid" {
				now = append(now, letters(m[1]))
			}
		}
	}
	best := 0
	for _, a := range old {
		for _, b := range now {
			switch {
			case len(a) < 3 || len(b) < 3:
			case a == b:
				best = 2
			case len(a) > 3 && len(b) > 3 && (strings.Contains(a, b) || strings.Contains(b, a)):
				best = max(best, 1)
			}
		}
	}
	return best
}

// offerLikeness is how many options two choices have in common.
func offerLikeness(was []wizard.Option, is []page.ControlOption) float64 {
	if len(was) == 0 || len(is) == 0 {
		return 0
	}
	common := 0
	for _, o := range was {
		if slices.ContainsFunc(is, func(c page.ControlOption) bool { return sameOption(o, c) }) {
			common++
		}
	}
	return float64(common) / float64(max(len(was), len(choosable(is))))
}

// sameOption tells whether the page's option is the wizard's.
func sameOption(o wizard.Option, c page.ControlOption) bool {
	return o.Value != "" && (o.Value == c.Value || letters(o.Value) == letters(c.Label) && c.Label != "") ||
		o.Label != "" && letters(o.Label) == letters(c.Label) || o.Value == optionValue(c)
}

// The least that makes a spot an item, and how far ahead it must be.
const (
	enough = 55
	ahead  = 8
)

// byWords pairs what is left by what the page says, the surest pair first.
func (m *matcher) byWords() {
	for {
		best, at, top := (*pair)(nil), -1, 0
		for _, p := range m.pairs {
			if p.there() || !m.due(p.item) {
				continue
			}
			i, score, sure := m.candidate(p)
			if sure && score > top {
				best, at, top = p, i, score
			}
		}
		if best == nil {
			return
		}
		best.how, best.spot = byPage, at
		m.taken[at] = best
	}
}

// candidate is the spot that looks most like an item, and whether it is surely
// that one.
func (m *matcher) candidate(p *pair) (at, score int, sure bool) {
	at, second := -1, 0
	for i := range m.spots {
		if !m.open(i) || !m.free(i) {
			continue
		}
		s := m.score(p, i)
		if s > score {
			at, score, second = i, s, score
		} else if s > second {
			second = s
		}
	}
	return at, score, score >= enough && score >= second+ahead
}

func (m *matcher) score(p *pair, i int) int {
	a := m.alike(p.item, i)
	if a.kind == 0 || p.item.parts != nil && m.spots[i].part != nil {
		return 0
	}
	s := 8*a.kind + 4*(a.kind/2) + int(25*a.offer)
	switch {
	case a.words == 1:
		s += 60
	case a.words >= sameEnough:
		s += 40
	case a.words >= someWords:
		s += 15
	}
	s += 20 * a.name
	if m.between(p, i) {
		s += 15
	}
	return s
}

// between tells whether a spot lies between those of the item's neighbours.
func (m *matcher) between(p *pair, i int) bool {
	at := slices.Index(m.pairs, p)
	before, after := -1, len(m.spots)
	for j := at - 1; j >= 0; j-- {
		if m.pairs[j].spot >= 0 {
			before = m.pairs[j].spot
			break
		}
	}
	for j := at + 1; j < len(m.pairs); j++ {
		if m.pairs[j].spot >= 0 {
			after = m.pairs[j].spot
			break
		}
	}
	return before < i && i < after
}

// quoted is a text of the page in a message: short, and without control
// characters.
func quoted(s string) string { return fmt.Sprintf("%q", printable(clip(s, 120))) }
