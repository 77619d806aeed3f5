package language_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/language"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// figures are a text's figures as CWAC writes them.
type figures struct {
	FKGL             string    `json:"fkgl"`
	Sentences        int       `json:"sentences"`
	WordsPerSentence string    `json:"words_per_sentence"`
	SyllablesPerWord string    `json:"syllables_per_word"`
	SMOG             string    `json:"smog"`
	Mood             [4]string `json:"mood"` // negative, neutral, positive, compound
}

func written(l results.Language) figures {
	three := func(f float64) string { return strconv.FormatFloat(f, 'f', 3, 64) }
	f := figures{three(l.FleschKincaid), l.Sentences, three(l.WordsPerSentence), three(l.SyllablesPerWord), three(l.SMOG), [4]string{}}
	if m := l.Sentiment; m != nil {
		for i, v := range []float64{m.Negative, m.Neutral, m.Positive, m.Compound} {
			f.Mood[i] = strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	return f
}

// TestFiguresAreThoseOfNLTK: golden.json was computed with NLTK 3.8 of Python, its
// Punkt model, dictionary and lexicon.
func TestFiguresAreThoseOfNLTK(t *testing.T) {
	text, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]figures
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) != len(golden) {
		t.Fatalf("%d texts for %d golden figures (%v)", len(files), len(golden), err)
	}
	for name, want := range golden {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			got := language.Measure(string(text))
			if diff := cmp.Diff(want, written(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The divisions below are those of NLTK's sent_tokenize and word_tokenize.
func TestSentences(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"none", "", nil},
		{"only space", " \n ", nil},
		{"an abbreviation is no end", "Mr. Lee left. He ran.", []string{"Mr. Lee left.", "He ran."}},
		{"an initial is no end", "J. S. Bach wrote it. We sang.", []string{"J. S. Bach wrote it.", "We sang."}},
		{"a frequent first word ends it", "He is from the U.S. The rest is not.", []string{"He is from the U.S.", "The rest is not."}},
		{"marks stay with their sentence", `(It rained.) "Stop!" he said.`, []string{"(It rained.)", `"Stop!"`, "he said."}},
		{"several marks are one end", "What?! No!!! Yes.", []string{"What?!", "No!!!", "Yes."}},
		{"an ellipsis before a small letter", "It ended... badly. So.", []string{"It ended... badly.", "So."}},
		{"an ellipsis with spaces", "It ended . . . badly. So.", []string{"It ended .", ".", ".", "badly.", "So."}},
		{"a number that counts", "Prices rose by 3. per cent.", []string{"Prices rose by 3. per cent."}},
		{"no end at all", "no end", []string{"no end"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, language.Sentences(c.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"They'll save and can't go.", []string{"They", "'ll", "save", "and", "ca", "n't", "go", "."}},
		{"I cannot; gimme more'n that.", []string{"I", "can", "not", ";", "gim", "me", "more", "'n", "that", "."}},
		{"Écannot wanna go, wanna.", []string{"Écannot", "wan", "na", "go", ",", "wan", "na", "."}},
		{"It's 3,5 or 12:30, at $3.88 (5%)!", []string{"It", "'s", "3,5", "or", "12:30", ",", "at", "$", "3.88", "(", "5", "%", ")", "!"}},
		{`"Quoted," he said--twice.`, []string{"``", "Quoted", ",", "''", "he", "said", "--", "twice", "."}},
		{"“Curly” and ‘x’ and 'a' b'c.", []string{"“", "Curly", "”", "and", "‘", "x", "’", "and", "'", "a", "'", "b", "'", "c", "."}},
		{"Wait... the dogs' home", []string{"Wait", "...", "the", "dogs", "'", "home"}},
		{"see below:", []string{"see", "below", ":"}},
		{"'Tis said; see 'tis.", []string{"'T", "is", "said", ";", "see", "'t", "is", "."}},
	} {
		if diff := cmp.Diff(c.want, language.Words(c.text)); diff != "" {
			t.Errorf("%s: %s", c.text, diff)
		}
	}
}

func TestSyllables(t *testing.T) {
	for word, want := range map[string]int{"the": 1, "about": 2, "Administrative": 5, "xyzzyx": 1, ".": 1, "": 1, "responsibilities": 6, "realize": 2, "extraordinary": 5, "metre": 1, "google": 1} {
		if got := language.Syllables(word); got != want {
			t.Errorf("%q has %d syllables, want %d", word, got, want)
		}
	}
}
