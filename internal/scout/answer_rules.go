package scout

import (
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// Shown is the answer page at the end of a replay that submitted.
type Shown struct {
	Heading string
	// Pairs are its terms with what stands beside them.
	Pairs []Pair
}

// Pair is a term and its text.
type Pair struct{ Label, Text string }

// maxResults bounds how many results are named.
const maxResults = 25

// learnAnswer writes down how the answer is told and read: by what every replay
// that submitted has shown, except what only repeats the example's own values.
func learnAnswer(w *wizard.Wizard, sets []map[string]any, proofs []Proof) {
	if len(proofs) == 0 || slices.ContainsFunc(proofs, func(p Proof) bool { return p.Shown == nil }) {
		return
	}
	heading := proofs[0].Shown.Heading
	if len(w.SuccessWhen) > 0 || slices.ContainsFunc(w.Pages, func(p wizard.Page) bool { return strings.Contains(fold(p.PageTitle), fold(heading)) }) {
		heading = "" // a heading that stands above a step, too, proves nothing
	}
	for i, p := range proofs {
		if p.Shown.Heading != heading || repeats(heading, sets[i]) {
			heading = ""
		}
	}
	if heading != "" {
		w.SuccessWhen = []wizard.Check{{Heading: heading}}
	}
	taken := map[string]bool{}
	for _, first := range proofs[0].Shown.Pairs {
		name := slug(first.Label, 6)
		if name == "" || taken[name] || len(w.Results) == maxResults || repeats(first.Label, sets[0]) {
			continue
		}
		texts := []string{}
		for _, p := range proofs {
			if i := slices.IndexFunc(p.Shown.Pairs, func(o Pair) bool { return o.Label == first.Label }); i >= 0 {
				texts = append(texts, p.Shown.Pairs[i].Text)
			}
		}
		if len(texts) < len(proofs) {
			continue // not every branch answers it
		}
		taken[name] = true
		w.Results = append(w.Results, wizard.ResultRule{Name: name, Label: first.Label, Type: typeOf(texts)})
	}
}

// leastRepeated is the length from which a value counts as repeated.
const leastRepeated = 3

// repeats tells whether a text holds one of the values.
func repeats(text string, set map[string]any) bool {
	text = fold(text)
	for _, v := range set {
		s, ok := v.(string)
		if s = fold(s); ok && len(s) >= leastRepeated && strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// The types of results by how all of their texts look. A reference number with
// leading zeros is no number.
var resultTypes = []struct {
	name string
	like *lazyregexp.Regexp
}{
	{"currency", lazyregexp.New(`^[-−]?\s?([$€£¥]|US\$|A\$|NZ\$)\s?[\d,]+(\.\d+)?$`)},
	{"integer", lazyregexp.New(`^[-−]?(0|[1-9]\d{0,2}(,\d{3})+|[1-9]\d{0,8})$`)},
	{"number", lazyregexp.New(`^[-−]?(0|[1-9][\d,]*)\.\d+$`)},
	{"date", lazyregexp.New(`^\d{4}-\d{2}-\d{2}$`)},
}

func typeOf(texts []string) string {
	for _, t := range resultTypes {
		if !slices.ContainsFunc(texts, func(s string) bool { return !t.like.MatchString(strings.TrimSpace(s)) }) {
			return t.name
		}
	}
	return ""
}
