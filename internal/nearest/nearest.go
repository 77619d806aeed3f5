// Package nearest finds the name that a misspelt one was meant to be, for the
// "did you mean" of messages. It never decides anything: what it finds is told,
// not used in the place of what was given.
package nearest

import "strings"

// Name is the candidate that a misspelt name most probably means, or empty.
// Without a similar one it is the closest that the name is a part of, or ends with.
func Name(name string, candidates []string) string {
	folded := fold(name)
	if len(folded) > maxCompared {
		return ""
	}
	best, bestDistance := "", 1+limit(folded)
	longer, longerDistance := "", maxCompared+1
	for _, candidate := range candidates {
		other := fold(candidate)
		if len(other) > maxCompared {
			continue
		}
		d := distance(folded, other)
		if d < bestDistance {
			best, bestDistance = candidate, d
		}
		if d < longerDistance && affix(folded, other) {
			longer, longerDistance = candidate, d
		}
	}
	if best == "" {
		return longer
	}
	return best
}

// Same says whether two names differ in case and separators only.
func Same(a, b string) bool { return fold(a) == fold(b) }

// affix says whether the name is the beginning or the end of the other, or ends
// with it. A few letters are found everywhere and tell nothing.
func affix(name, other string) bool {
	if len(name) <= 3 || len(other) < 3 {
		return false
	}
	return strings.HasPrefix(other, name) || strings.HasSuffix(other, name) || strings.HasSuffix(name, other)
}

// limit is how many edits still look like the same word: never all of it.
func limit(name string) int { return min(max(1, len(name)*2/5), len(name)-1) }

func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// maxCompared bounds the work on what is no name at all: comparing costs the
// product of the lengths.
const maxCompared = 128

// distance counts insertions, deletions, replacements and swaps of neighbours.
func distance(a, b string) int {
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
