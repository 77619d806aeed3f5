package scout

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// TestLearnAnswer: only what every replay has shown, and what does not repeat the
// example, becomes a rule.
func TestLearnAnswer(t *testing.T) {
	page := func(heading string, pairs ...string) Proof {
		s := &Shown{Heading: heading}
		for i := 0; i < len(pairs); i += 2 {
			s.Pairs = append(s.Pairs, Pair{pairs[i], pairs[i+1]})
		}
		return Proof{OK: true, Shown: s}
	}
	data := map[string]any{"name": "Ada Lovelace", "town": "Ely", "child": false}
	sets := []map[string]any{data, data}
	for name, c := range map[string]struct {
		proofs  []Proof
		success []wizard.Check
		results []wizard.ResultRule
	}{
		"all alike": {
			[]Proof{
				page("Your estimate", "Monthly benefit", "$1,234.50", "Index", "12", "Share", "0.5", "Reference", "0012", "Reference", "0012", "Only here", "x"),
				page("Your estimate", "Monthly benefit", "$0", "Index", "1,200", "Share", "0.75", "Reference", "0013"),
			},
			[]wizard.Check{{Heading: "Your estimate"}},
			[]wizard.ResultRule{
				{Name: "monthly_benefit", Label: "Monthly benefit", Type: "currency"}, {Name: "index", Label: "Index", Type: "integer"},
				{Name: "share", Label: "Share", Type: "number"}, {Name: "reference", Label: "Reference"},
			},
		},
		"a heading that repeats an answer": {
			[]Proof{page("Thank you, Ada Lovelace", "Ada Lovelace owes", "$1"), page("Thank you, Ada Lovelace", "Ada Lovelace owes", "$1")}, nil, nil,
		},
		"headings that differ":         {[]Proof{page("Granted", "Sum", "$1"), page("Refused", "Sum", "none")}, nil, []wizard.ResultRule{{Name: "sum", Label: "Sum"}}},
		"the heading of a step":        {[]Proof{page("Your claim", "Sum", "$1"), page("Your claim", "Sum", "$2")}, nil, []wizard.ResultRule{{Name: "sum", Label: "Sum", Type: "currency"}}},
		"a replay that did not submit": {[]Proof{page("Your estimate"), {OK: true}}, nil, nil},
		"none":                         {nil, nil, nil},
	} {
		w := &wizard.Wizard{Pages: []wizard.Page{{PageTitle: "Your claim"}}}
		learnAnswer(w, sets, c.proofs)
		if diff := cmp.Diff(c.success, w.SuccessWhen); diff != "" {
			t.Errorf("%s: success_when %s", name, diff)
		}
		if diff := cmp.Diff(c.results, w.Results); diff != "" {
			t.Errorf("%s: results %s", name, diff)
		}
	}
}
