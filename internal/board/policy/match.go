package policy

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// rule wants a term of each of its groups close together. The last group holds
// what is asked for: a rule does not fire where that is negated.
type rule struct {
	class  Class
	score  int
	groups string // names with blanks between
	near   int    // bytes between two terms: an English letter is one, a Japanese three
}

// match is a rule that fired, in bytes of the original text.
type match struct {
	class      Class
	score      int
	start, end int
	asked      bool // the sentence is a request
	evasion    bool
}

// A sentence that speaks about a bad thing, to warn or to judge, is not a request
// for it. A rule of one group has no verb to tell the two apart, so it yields more.
const (
	aboutLess       = 45
	aboutLessSingle = 65
)

func matches(v *view) []match {
	hits := terms().find(v)
	for g := range hits {
		if !slices.Contains(contexts, g) {
			hits[g] = withoutHarmless(hits[g], hits[harmless])
		}
	}
	var out []match
	for i, r := range rules {
		out = append(out, r.match(v, hits, groupsOf()[i])...)
	}
	return out
}

// groupsOf are the names of the groups of every rule.
var groupsOf = sync.OnceValue(func() [][]string {
	names := make([][]string, len(rules))
	for i, r := range rules {
		names[i] = strings.Fields(r.groups)
	}
	return names
})

func (r rule) match(v *view, hits map[string][]hit, names []string) []match {
	last := len(names) - 1
	var out []match
	for _, act := range hits[names[last]] {
		span := act
		complete := true
		for _, g := range names[:last] {
			other, ok := nearest(hits[g], act, r.near)
			complete = complete && ok
			span = hit{min(span.start, other.start), max(span.end, other.end)}
		}
		if !complete || negated(v, hits, act, len(names) == 1) {
			continue
		}
		out = append(out, r.found(v, hits, span))
		if len(out) == 3 {
			break
		}
	}
	return out
}

func (r rule) found(v *view, hits map[string][]hit, span hit) match {
	m := match{class: r.class, score: r.score, start: v.at[span.start].from, end: v.at[span.end-1].to}
	first, last := sentence(v.text, span)
	m.asked = within(hits[request], first, last)
	if within(hits[about], first, last) {
		m.score -= aboutLess
		if !strings.Contains(r.groups, " ") {
			m.score -= aboutLessSingle - aboutLess
		}
	}
	return m
}

// nearest returns the hit closest to act that does not overlap it.
func nearest(hits []hit, act hit, near int) (hit, bool) {
	i := sort.Search(len(hits), func(i int) bool { return hits[i].start >= act.end })
	if i < len(hits) && hits[i].start-act.end <= near {
		return hits[i], true
	}
	// hits that begin before act ends may overlap it: look a few back
	for j := i - 1; j >= 0 && j >= i-8; j-- {
		if gap := act.start - hits[j].end; gap >= 0 {
			return hits[j], gap <= near
		}
	}
	return act, false
}

// withoutHarmless takes out the hits that are part of a harmless phrase.
func withoutHarmless(hits, phrases []hit) []hit {
	if len(phrases) == 0 {
		return hits
	}
	return slices.DeleteFunc(slices.Clone(hits), func(h hit) bool {
		i := sort.Search(len(phrases), func(i int) bool { return phrases[i].start > h.start })
		for j := i - 1; j >= 0 && j >= i-4; j-- {
			if phrases[j].start <= h.start && phrases[j].end >= h.end {
				return true
			}
		}
		return false
	})
}

// The reach of a negation in bytes: an English one stands before its verb, a
// Japanese one follows it.
const (
	reachBefore      = 60
	reachAfter       = 30
	reachAfterSingle = 60
	sentenceReach    = 240
)

// negated reports whether act is something not to do. A negation does not reach
// over words that turn it around: do not hesitate to, 忘れないで.
func negated(v *view, hits map[string][]hit, act hit, single bool) bool {
	first, last := sentence(v.text, act)
	after := reachAfter
	if single {
		after = reachAfterSingle
	}
	if n, ok := lastIn(hits[negationBefore], max(first, act.start-reachBefore), act.start); ok {
		if !within(hits[turn], n.start, act.start+1) {
			return true
		}
	}
	if n, ok := firstIn(hits[negationAfter], act.start+1, min(last, act.end+after)); ok {
		return !within(hits[turn], act.start+1, n.end)
	}
	return false
}

// sentence returns the bounds of the sentence around a span, as far as is read.
func sentence(text []byte, h hit) (first, last int) {
	first = max(0, h.start-sentenceReach)
	if i := lastEnd(text[first:h.start]); i >= 0 {
		first += i
	}
	last = min(len(text), h.end+sentenceReach)
	if i := firstEnd(text[h.end:last]); i >= 0 {
		last = h.end + i
	}
	return first, last
}

const sentenceEnds = "!?;\n。"

// firstEnd finds the first end of a sentence; a full stop counts before a blank.
func firstEnd(text []byte) int {
	for i, r := range string(text) {
		if strings.ContainsRune(sentenceEnds, r) || r == '.' && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') {
			return i
		}
	}
	return -1
}

func lastEnd(text []byte) int {
	end := -1
	if i := bytes.LastIndexAny(text, sentenceEnds); i >= 0 {
		_, n := utf8.DecodeRune(text[i:])
		end = i + n
	}
	return max(end, bytes.LastIndex(text, []byte(". "))+1)
}

// within reports whether a hit begins in [first, last).
func within(hits []hit, first, last int) bool {
	_, ok := firstIn(hits, first, last)
	return ok
}

func firstIn(hits []hit, first, last int) (hit, bool) {
	i := sort.Search(len(hits), func(i int) bool { return hits[i].start >= first })
	if i < len(hits) && hits[i].start < last {
		return hits[i], true
	}
	return hit{}, false
}

func lastIn(hits []hit, first, last int) (hit, bool) {
	i := sort.Search(len(hits), func(i int) bool { return hits[i].start >= last }) - 1
	if i >= 0 && hits[i].start >= first {
		return hits[i], true
	}
	return hit{}, false
}
