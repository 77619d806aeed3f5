package language

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// Why a text has no figures: the values of [results.Language].Skipped.
const (
	NotEnglish  = "not_english"  // the page does not say that it is English
	NotReadable = "not_readable" // Readability finds no article in it
	TooShort    = "too_short"    // under 10 sentences or 200 words, CWAC's bounds
)

// CWAC's bounds of what it measures.
const (
	minSentences = 10
	minWords     = 200
)

// Bounds of the list of sentences that are hardest to read.
const (
	hardest       = 5
	hardestWords  = 8   // shorter sentences are headings and list items
	hardestLength = 400 // characters of a sentence that are kept
	maxText       = 512 << 10
)

// Measure gives the figures of a text, such as [Text] makes of a page. Of a text
// beyond 512 KB only the beginning is measured.
func Measure(text string) results.Language {
	text = bounded(text)
	sentences := Sentences(text)
	var c count
	graded := make([]grade, 0, len(sentences))
	for _, s := range sentences {
		words := wordsOf(s)
		one := count{sentences: 1}
		for _, w := range words {
			one.add(w)
		}
		c.words += one.words
		c.syllables += one.syllables
		c.long += longWords(s, words)
		graded = append(graded, grade{s, one})
	}
	c.sentences = len(sentences)
	if c.sentences < minSentences || c.words < minWords {
		return results.Language{Skipped: TooShort}
	}
	mood := Mood(text)
	return results.Language{
		FleschKincaid:    c.fleschKincaid(),
		SMOG:             c.smog(),
		Sentences:        c.sentences,
		WordsPerSentence: float64(c.words) / float64(c.sentences),
		SyllablesPerWord: float64(c.syllables) / float64(c.words),
		Hardest:          hard(graded),
		Sentiment:        &mood,
	}
}

// longWords counts the words of three syllables or more. CWAC divides a sentence into
// sentences once more before it counts them.
func longWords(sentence string, words []string) int {
	if parts := Sentences(sentence); len(parts) != 1 {
		words = Words(sentence)
	}
	long := 0
	for _, w := range words {
		if Syllables(w) >= 3 {
			long++
		}
	}
	return long
}

func bounded(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxText)], "")
}

// Syllables counts the vowels of the first pronunciation of a word. A word that is
// not in the dictionary has one.
func Syllables(word string) int {
	if n, known := syllables()[strings.ToLower(word)]; known {
		return int(n)
	}
	return 1
}

// count is what the grades are computed from.
type count struct {
	sentences, words, syllables int
	long                        int // words of three syllables or more
}

func (c *count) add(word string) {
	c.words++
	c.syllables += Syllables(word)
}

// fleschKincaid is the grade level of Kincaid et al. (1975), Research Branch Report
// 8-75: the years of schooling in the United States that a reader needs.
func (c count) fleschKincaid() float64 {
	perSentence := float64(c.words) / float64(c.sentences)
	perWord := float64(c.syllables) / float64(c.words)
	return 0.39*perSentence + 11.8*perWord - 15.59
}

// smog is the grade of McLaughlin, "SMOG Grading" (Journal of Reading 12, 1969),
// with his exact constants.
func (c count) smog() float64 {
	return 1.043*math.Sqrt(float64(c.long)*(30/float64(c.sentences))) + 3.1291
}

type grade struct {
	text  string
	count count
}

// hard lists the sentences of the highest grade level, each once.
func hard(sentences []grade) []string {
	long := slices.DeleteFunc(slices.Clone(sentences), func(g grade) bool { return g.count.words < hardestWords })
	slices.SortStableFunc(long, func(a, b grade) int {
		return cmp.Compare(b.count.fleschKincaid(), a.count.fleschKincaid())
	})
	var out []string
	for _, g := range long {
		text := strings.Join(fields(g.text), " ")
		if runes := []rune(text); len(runes) > hardestLength {
			text = string(runes[:hardestLength]) + "…"
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
		if len(out) == hardest {
			break
		}
	}
	return out
}
