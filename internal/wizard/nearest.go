package wizard

import "strings"

// nearest is the candidate that a misspelt name most probably means, or empty.
// Without a similar one it is the closest that the name is a part of, or ends with.
func nearest(name string, candidates []string) string {
	best, bestDistance := "", 1+limitFor(name)
	longer, longerDistance := "", maxCompared
	folded := fold(name)
	for _, candidate := range candidates {
		other := fold(candidate)
		d := distance(folded, other)
		if d < bestDistance {
			best, bestDistance = candidate, d
		}
		if d < longerDistance && affix(folded, other) {
			longer, longerDistance = candidate, d
		}
	}
	return orElse(best, longer)
}

// affix says whether the name is the beginning or the end of the other, or ends
// with it.
func affix(name, other string) bool {
	if len(name) <= 3 {
		return false
	}
	return strings.HasPrefix(other, name) || strings.HasSuffix(other, name) || strings.HasSuffix(name, other)
}

// limitFor is how many edits still look like the same word.
func limitFor(name string) int { return max(1, len(name)*2/5) }

func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// maxCompared bounds the work on a key that is no name at all.
const maxCompared = 64

// distance counts insertions, deletions, replacements and swaps of neighbours.
func distance(a, b string) int {
	a, b = a[:min(len(a), maxCompared)], b[:min(len(b), maxCompared)]
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

// suggestion is the end of a sentence about an unknown name.
func suggestion(name string, candidates []string) string {
	if best := nearest(name, candidates); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}
