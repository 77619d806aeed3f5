package policy

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// hit is a term that was found: where, in bytes of the view.
type hit struct{ start, end int }

// trie holds the terms of all groups, folded as texts are.
type trie struct {
	next   map[edge]int32
	leaves map[int32][]leaf
	nodes  int32
}

type edge struct {
	node int32
	b    byte
}

// leaf is the end of a term.
type leaf struct {
	group  string
	prefix bool // the word may go on
	length int
}

// terms is built once, of the tables.
var terms = sync.OnceValue(func() *trie {
	t := &trie{next: map[edge]int32{}, leaves: map[int32][]leaf{}}
	for name, list := range groups {
		for term := range strings.SplitSeq(list, "|") {
			t.add(name, strings.TrimSpace(term))
		}
	}
	return t
})

func (t *trie) add(group, term string) {
	term, prefix := strings.CutSuffix(term, "*")
	text := newView(tidy(fold(term))).text
	node := int32(0)
	for _, b := range text {
		e := edge{node, b}
		if t.next[e] == 0 {
			t.nodes++
			t.next[e] = t.nodes
		}
		node = t.next[e]
	}
	t.leaves[node] = append(t.leaves[node], leaf{group, prefix, len(text)})
}

// find returns the hits of every group in order. From each position it walks at
// most the length of the longest term.
func (t *trie) find(v *view) map[string][]hit {
	hits := map[string][]hit{}
	for start := range v.text {
		if !utf8.RuneStart(v.text[start]) {
			continue
		}
		node := int32(0)
		for end := start; end < len(v.text); end++ {
			if node = t.next[edge{node, v.text[end]}]; node == 0 {
				break
			}
			for _, l := range t.leaves[node] {
				if v.stands(start, end+1, l) {
					hits[l.group] = append(hits[l.group], hit{start, end + 1})
				}
			}
		}
	}
	for g := range hits {
		slices.SortFunc(hits[g], func(a, b hit) int { return a.start - b.start })
	}
	return hits
}

// stands reports whether the word at start ends where the term does. In a view
// with joined letters a long term may stand inside a longer word.
func (v *view) stands(start, end int, l leaf) bool {
	if v.hidden && l.length >= 5 {
		return true
	}
	if start > 0 && latin(rune(v.text[start])) && latin(rune(v.text[start-1])) {
		return false
	}
	return l.prefix || end == len(v.text) || !latin(rune(v.text[end-1])) || !latin(rune(v.text[end]))
}
