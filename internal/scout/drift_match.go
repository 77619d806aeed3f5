package scout

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
