package scout

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/page"
)

// TestBlamed maps what forms say to their questions, with and without a hint of
// which control is meant.
func TestBlamed(t *testing.T) {
	ask := func(label, group, name string) *known {
		return &known{id: name, control: page.Control{Label: label, Group: group, Name: name}}
	}
	say := func(texts ...string) []page.FormError {
		var out []page.FormError
		for _, s := range texts {
			out = append(out, page.FormError{Text: s, FieldIndex: -1})
		}
		return out
	}
	for _, tt := range []struct {
		name  string
		shown []*known
		said  []page.FormError
		want  map[string]string
	}{
		{
			"one line for two questions",
			[]*known{ask("Email address", "", "email"), ask("ZIP code", "", "postcode")},
			say("Enter an email address in the correct format, like name@example.com. Answer the question: ZIP code"),
			map[string]string{"email": "Enter an email address in the correct format, like name@example.com", "postcode": "Answer the question: ZIP code"},
		},
		{
			"the same label, other names",
			[]*known{ask("Name", "", "your_name"), ask("Name", "", "spouse_name")},
			say("Answer the question: Name of your spouse"),
			map[string]string{"spouse_name": "Answer the question: Name of your spouse"},
		},
		{
			"the same label in other groups",
			[]*known{ask("City", "Work address", "x1"), ask("City", "Home address", "x2")},
			say("Answer the question: City of home"),
			map[string]string{"x2": "Answer the question: City of home"},
		},
		{
			"a message that names its control",
			[]*known{ask("Street", "", "street"), ask("City", "", "city")},
			[]page.FormError{{Text: "This is missing. City, too", FieldIndex: 0}},
			map[string]string{"street": "This is missing. City, too", "city": "This is missing. City, too"},
		},
		{
			"a word that is the name of another",
			[]*known{ask("Enter earnings in the current year", "", "earnings"), ask("If you are retired, the last year in which you had covered earnings", "", "lastYearEarn")},
			say("Last year with covered earnings: enter a whole number from 1950 to 2025"),
			map[string]string{"lastYearEarn": "Last year with covered earnings: enter a whole number from 1950 to 2025"},
		},
		{"about nothing that is asked", []*known{ask("Street", "", "street")}, say("Try again later"), map[string]string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &filler{walker: &walker{}}
			got := map[string]string{}
			for k, text := range f.blamed(page.Step{Errors: tt.said}, tt.shown) {
				got[k.id] = text
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("blamed (-want +got):\n%s", diff)
			}
		})
	}
}
