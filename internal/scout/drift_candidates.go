package scout

import (
	"fmt"
	"slices"
)

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
