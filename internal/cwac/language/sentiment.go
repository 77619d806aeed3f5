package language

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// Mood is VADER's judgement of a text, as NLTK computes it: shares rounded to three
// decimals, the compound to four. NLTK looks for the surroundings of a word where
// the same word stands first in the text; so does this.
func Mood(text string) results.Sentiment {
	m := mood{words: moodWords(text), ratings: valences()}
	m.mixed = mixedCapitals(m.words)
	m.lower = make([]string, len(m.words))
	first := make(map[string]int, len(m.words))
	for i, w := range m.words {
		m.lower[i] = strings.ToLower(w)
		if _, known := first[w]; !known {
			first[w] = i
		}
	}
	scores := make([]float64, len(m.words))
	for i, w := range m.words {
		scores[i] = m.score(first[w])
	}
	if but := slices.Index(m.lower, "but"); but >= 0 {
		for i := range scores {
			if i < but {
				scores[i] *= 0.5
			} else if i > but {
				scores[i] *= 1.5
			}
		}
	}
	return total(scores, emphasis(text))
}

// The figures of VADER (Hutto and Gilbert 2014, section 3.3): how far a degree
// adverb, capitals and a negation move the rating of a word.
const (
	boost  = 0.293
	louder = 0.733
	negate = -0.74
)

const moodMarks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// edgeMarks are the marks that are taken off a word.
var edgeMarks = []string{
	".", "!", "?", ",", ";", ":", "-", "'", `"`, "!!", "!!!", "??", "???", "?!?", "!?!", "?!?!", "!?!?",
}

// moodWords divides at white space and takes off marks, but not those of emoticons
// and contractions.
func moodWords(text string) []string {
	var words []string
	for _, w := range fields(text) {
		if len(w) == 1 || len([]rune(w)) == 1 {
			continue
		}
		if bare := strings.TrimLeft(w, moodMarks); isEdged(bare) && slices.Contains(edgeMarks, w[:len(w)-len(bare)]) {
			w = bare
		} else if bare := strings.TrimRight(w, moodMarks); isEdged(bare) && slices.Contains(edgeMarks, w[len(bare):]) {
			w = bare
		}
		words = append(words, w)
	}
	return words
}

func isEdged(bare string) bool {
	return len([]rune(bare)) > 1 && !strings.ContainsAny(bare, moodMarks)
}

// mixedCapitals reports whether some words, but not all, are in capitals.
func mixedCapitals(words []string) bool {
	loud := 0
	for _, w := range words {
		if allUpper(w) {
			loud++
		}
	}
	return loud > 0 && loud < len(words)
}

type mood struct {
	words, lower []string
	mixed        bool
	ratings      map[string]float64
}

// score is the valence of the word at i.
func (m *mood) score(i int) float64 {
	if _, degree := degrees[m.lower[i]]; degree || m.lower[i] == "kind" && i+1 < len(m.words) && m.lower[i+1] == "of" {
		return 0
	}
	v, rated := m.ratings[m.lower[i]]
	if !rated {
		return 0
	}
	if m.mixed && allUpper(m.words[i]) {
		v += math.Copysign(louder, positive(v))
	}
	for back := 1; back <= 3 && back <= i; back++ {
		if _, rated := m.ratings[m.lower[i-back]]; rated {
			continue
		}
		v += m.degree(i-back, v) * []float64{1, 0.95, 0.9}[back-1]
		v = m.negation(v, i, back)
		if back == 3 {
			v = m.idiom(v, i)
		}
	}
	return m.least(v, i)
}

// positive keeps the sign of a valence; nought counts as negative.
func positive(v float64) float64 {
	if v > 0 {
		return 1
	}
	return -1
}

// degree is how far the word at i strengthens a valence.
func (m *mood) degree(i int, v float64) float64 {
	d := degrees[m.lower[i]]
	if d == 0 {
		return 0
	}
	if v < 0 {
		d = -d
	}
	if m.mixed && allUpper(m.words[i]) {
		d += math.Copysign(louder, positive(v))
	}
	return d
}

// negation turns a valence when the word back before it negates it. "never so" and
// "never this" strengthen instead.
func (m *mood) negation(v float64, i, back int) float64 {
	soThis := func(at int) bool { return m.words[at] == "so" || m.words[at] == "this" }
	switch {
	case back == 2 && m.words[i-2] == "never" && soThis(i-1):
		return v * 1.5
	case back == 3 && (m.words[i-3] == "never" && soThis(i-2) || soThis(i-1)):
		return v * 1.25
	case negations[m.lower[i-back]] || strings.Contains(m.lower[i-back], "n't"):
		return v * negate
	}
	return v
}

// least turns a valence after "least", unless that is "at least" or "very least".
func (m *mood) least(v float64, i int) float64 {
	if i < 1 || m.lower[i-1] != "least" {
		return v
	}
	if _, rated := m.ratings["least"]; rated || i > 1 && (m.lower[i-2] == "at" || m.lower[i-2] == "very") {
		return v
	}
	return v * negate
}

// idiom replaces the valence of a word that is part of an idiom.
func (m *mood) idiom(v float64, i int) float64 {
	phrase := func(from, to int) string { return strings.Join(m.words[from:to], " ") }
	for _, p := range []string{phrase(i-1, i+1), phrase(i-2, i+1), phrase(i-2, i), phrase(i-3, i), phrase(i-3, i-1)} {
		if value, ok := idioms[p]; ok {
			v = value
			break
		}
	}
	for to := i + 2; to <= i+3 && to <= len(m.words); to++ {
		if value, ok := idioms[phrase(i, to)]; ok {
			v = value
		}
	}
	for _, p := range []string{phrase(i-3, i-1), phrase(i-2, i)} {
		if _, ok := degrees[p]; ok {
			return v - boost
		}
	}
	return v
}

// emphasis is what exclamation marks, up to four, and question marks add.
func emphasis(text string) float64 {
	e := float64(min(strings.Count(text, "!"), 4)) * 0.292
	switch asked := strings.Count(text, "?"); {
	case asked > 3:
		e += 0.96
	case asked > 1:
		e += float64(asked) * 0.18
	}
	return e
}

func total(scores []float64, emphasis float64) results.Sentiment {
	if len(scores) == 0 {
		return results.Sentiment{}
	}
	var sum, up, down, even float64
	for _, s := range scores {
		sum += s
		switch {
		case s > 0:
			up += s + 1
		case s < 0:
			down += 1 - s
		default:
			even++
		}
	}
	switch {
	case sum > 0:
		sum += emphasis
	case sum < 0:
		sum -= emphasis
	}
	switch {
	case up > down:
		up += emphasis
	case up < down:
		down += emphasis
	}
	all := up + down + even
	return results.Sentiment{
		Negative: rounded(down/all, 3), Neutral: rounded(even/all, 3), Positive: rounded(up/all, 3),
		Compound: rounded(sum/math.Sqrt(sum*sum+15), 4),
	}
}

// rounded is round of Python, which rounds the true value of the binary fraction.
func rounded(f float64, decimals int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', decimals, 64), 64)
	if err != nil {
		return f
	}
	return r
}
