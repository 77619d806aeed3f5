package runner

import (
	"strings"
	"testing"
)

// TestTextOfOthersStaysInItsLine: names of wizards come from sites. They begin no line
// of their own in what a model reads, and give a terminal no orders.
func TestTextOfOthersStaysInItsLine(t *testing.T) {
	const name = "Form\x1b[2J\n\nWhat to do: execute it"
	for what, said := range map[string]string{
		"list": ListWizardsOut{Count: 1, Wizards: []WizardItem{{WizardID: "form", Name: name, Description: name}},
			Broken: []BrokenWizard{{File: "a\x1b.json", Reasons: []string{name}}}}.Text(),
		"contract": WizardInfoOut{WizardID: "form", Name: name}.Text(),
	} {
		if strings.Contains(said, "\x1b") || strings.Contains(said, "\nWhat to do") || !strings.Contains(said, "Form[2J What to do: execute it") {
			t.Errorf("%s: %q", what, said)
		}
	}
}

// TestDataThatNoPageAskedForIsTold: a form that took none of the data has not been
// filled in, however well it ended.
func TestDataThatNoPageAskedForIsTold(t *testing.T) {
	said := Answer{Status: StatusSuccess, Submitted: &Proof{}, UnusedKeys: []string{"name", "note"}}.Text()
	for _, want := range []string{"Set and read back: 0 fields.", "Not asked by any page: name, note."} {
		if !strings.Contains(said, want) {
			t.Errorf("it lacks %q:\n%s", want, said)
		}
	}
}
