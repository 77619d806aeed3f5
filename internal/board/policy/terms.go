package policy

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// hit is a term that was found: where, in bytes of the view.
type hit struct{ start, end int }

// trie holds the terms of all groups, folded as texts are. The first node is the root.
type trie []node

type node struct {
	next   []edge // by their bytes
	leaves []leaf
}

type edge struct {
	b  byte
	to int32
}

// leaf is the end of a term.
type leaf struct {
	group  string
	prefix bool // the word may go on
	length int
}

// terms is built once, of the tables.
var terms = sync.OnceValue(func() trie {
	t := &trie{{}}
	for name, list := range groups {
		for term := range strings.SplitSeq(list, "|") {
			t.add(name, strings.TrimSpace(term))
		}
	}
	return *t
})

func (t *trie) add(group, term string) {
	term, prefix := strings.CutSuffix(term, "*")
	text := newView(tidy(fold(term))).text
	at := int32(0)
	for _, b := range text {
		i, found := (*t)[at].edge(b)
		if !found {
			(*t)[at].next = slices.Insert((*t)[at].next, i, edge{b, int32(len(*t))})
			*t = append(*t, node{})
		}
		at = (*t)[at].next[i].to
	}
	(*t)[at].leaves = append((*t)[at].leaves, leaf{group, prefix, len(text)})
}

// edge is where the edge of a byte is, or would be.
func (n *node) edge(b byte) (at int, found bool) {
	return slices.BinarySearchFunc(n.next, b, func(e edge, b byte) int { return cmp.Compare(e.b, b) })
}

// find returns the hits of every group in order. From each position it walks at
// most the length of the longest term.
func (t trie) find(v *view) map[string][]hit {
	hits := map[string][]hit{}
	for start := range v.text {
		if !utf8.RuneStart(v.text[start]) {
			continue
		}
		at := int32(0)
		for end := start; end < len(v.text); end++ {
			i, found := t[at].edge(v.text[end])
			if !found {
				break
			}
			at = t[at].next[i].to
			for _, l := range t[at].leaves {
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
