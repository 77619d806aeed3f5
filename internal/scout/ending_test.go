package scout

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// TestSuccess: the answer is told by what no step shows, every answer does, and
// nobody entered.
func TestSuccess(t *testing.T) {
	end := func(heading string, more ...string) *pass {
		return &pass{ending: &ending{heading, append([]string{heading}, more...)}, answers: map[string]any{"name": textAnswer("Ada Lovelace")}}
	}
	for name, c := range map[string]struct {
		passes []*pass
		want   []wizard.Check
	}{
		"a page of its own":                        {[]*pass{end("Your estimate"), {end: endStuck}, end("Your estimate")}, []wizard.Check{{Heading: "Your estimate"}}},
		"one heading above everything":             {[]*pass{end("Join the club", "Welcome"), end("Join the club", "Welcome", "News")}, []wizard.Check{{Text: "Welcome"}}},
		"a part of a step's heading":               {[]*pass{end("Join", "Club")}, nil},
		"headings of steps only":                   {[]*pass{end("Join the club", "About you")}, nil},
		"a heading that only an error brought up":  {[]*pass{end("There is a problem")}, nil},
		"answers that differ":                      {[]*pass{end("Granted"), end("Refused")}, nil},
		"answers that differ below one heading":    {[]*pass{end("Decision", "Granted"), end("Decision", "Refused")}, []wizard.Check{{Heading: "Decision"}}},
		"a heading that repeats what was entered":  {[]*pass{end("Thank you, Ada Lovelace")}, nil},
		"another one beside it":                    {[]*pass{end("Thank you, Ada Lovelace", "What comes next")}, []wizard.Check{{Text: "What comes next"}}},
		"no heading":                               {[]*pass{{ending: &ending{}}}, nil},
		"the form was never seen to its answer":    {[]*pass{{end: endFinal}}, nil},
		"an answer of which one branch says less":  {[]*pass{end("Join the club", "Welcome"), end("Join the club")}, nil},
		"an answer of which one branch says other": {[]*pass{end("Join the club", "Welcome", "Card"), end("Join the club", "Card", "Welcome")}, []wizard.Check{{Text: "Welcome"}}},
	} {
		step := &node{place: page.Place{Heading: "Join the club"}}
		step.heads([]string{"About you"})
		step.heads([]string{"There is a problem", "About you"})
		x := &Explorer{passes: c.passes, graph: graph{nodes: []*node{step}}}
		if diff := cmp.Diff(c.want, x.success()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
