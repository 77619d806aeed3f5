package policy

import (
	_ "embed" // the texts that were judged
	"math"
	"strings"
	"sync"
)

// judged are texts that people said were harmful, or not: language, class or ok, label
// and text, with tabs between.
//
//go:embed corpus.tsv
var judged string

// row is one of them.
type row struct{ lang, want, label, text string }

// rows reads texts that were judged; lines that begin with # say something about them.
func rows(table string) []row {
	var all []row
	for line := range strings.Lines(table) {
		if parts := strings.Split(strings.TrimRight(line, "\n"), "\t"); len(parts) == 4 && !strings.HasPrefix(line, "#") {
			all = append(all, row{parts[0], parts[1], parts[2], parts[3]})
		}
	}
	return all
}

// likeness says by its runs of letters how much a text is like the harmful ones of those
// that were judged: naive Bayes over the runs that a text has (Maron, "Automatic indexing",
// 1961), for texts that name nothing that a rule knows.
type likeness struct{ weights map[string]float64 }

const (
	shortestRun = 2 // characters
	longestRun  = 5
	leastSeen   = 3    // texts that have a run, for it to count
	mostRead    = 2000 // characters of a text
	leastRead   = 40   // in fewer characters chance decides
)

// learn weighs every run by how much more often harmful texts have it.
func learn(texts []row) *likeness {
	var harmful, harmless float64
	seen := map[string][2]float64{}
	for _, r := range texts {
		at := 0
		if harmful++; r.want == "ok" {
			harmful--
			harmless++
			at = 1
		}
		for _, run := range runs(r.text) {
			n := seen[run]
			n[at]++
			seen[run] = n
		}
	}
	l := &likeness{map[string]float64{}}
	for run, n := range seen {
		if n[0]+n[1] >= leastSeen {
			l.weights[run] = math.Log((n[0]+0.5)/(harmful+1)) - math.Log((n[1]+0.5)/(harmless+1))
		}
	}
	return l
}

// runs are the runs of letters of a folded text, each once, in order.
func runs(text string) []string {
	folded := []rune(" " + string(newView(tidy(fold(text))).text) + " ")
	folded = folded[:min(len(folded), mostRead)]
	var all []string
	known := map[string]bool{}
	for n := shortestRun; n <= longestRun; n++ {
		for i := 0; i+n <= len(folded); i++ {
			if run := string(folded[i : i+n]); !known[run] {
				known[run] = true
				all = append(all, run)
			}
		}
	}
	return all
}

// of is how much a text is like the harmful ones; more is more.
func (l *likeness) of(text string) float64 {
	all, sum := runs(text), 0.0
	for _, run := range all {
		sum += l.weights[run]
	}
	return sum / math.Sqrt(float64(len(all)))
}

// held is how much a text of a language must be like harmful ones to be held: what one in
// a hundred of the harmless ones is, when it is judged by the others (a test says so).
// Japanese is not among them: there it found little and held ordinary errands.
var held = map[string]float64{"en": 0.75}

// learned is what each language taught.
var learned = sync.OnceValue(func() map[string]*likeness {
	texts := map[string][]row{}
	for _, r := range rows(judged) {
		texts[r.lang] = append(texts[r.lang], r)
	}
	all := map[string]*likeness{}
	for lang := range held {
		all[lang] = learn(texts[lang])
	}
	return all
})

// language is that of a text, by its letters.
func language(text string) string {
	if strings.ContainsFunc(text, japanese) {
		return "ja"
	}
	return "en"
}

// likenessScore holds an errand for a person of the board and never refuses it.
const likenessScore = 55

// resembling holds an errand that is like harmful ones. Messages are too short and too
// much like talk to be judged so.
func resembling(t Text) []Finding {
	if t.Label == "" || len([]rune(t.Task)) < leastRead {
		return nil
	}
	lang := language(t.Task)
	bound, judges := held[lang]
	if !judges || learned()[lang].of(t.Task) <= bound {
		return nil
	}
	end := len(t.Task)
	for i := range t.Task {
		if i > mostRead {
			end = i
			break
		}
	}
	return []Finding{{
		Class: Resembling, Action: actionOf(likenessScore), Score: likenessScore, Field: "task", End: end, Excerpt: t.Task[:end],
	}}
}
