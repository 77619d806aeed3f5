package scout

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/page"
)

// TestShownExamples: a value that a hint or a message shows is found, the rest of a
// sentence is not taken for one.
func TestShownExamples(t *testing.T) {
	for text, want := range map[string][]string{
		"Three capital letters and two digits, for example ABC12": {"ABC12"},
		"It’s on your card. For example, ‘QQ 12 34 56 C’.":        {"QQ 12 34 56 C"},
		"Enter a postcode, like AA1 1AA":                          {"AA1 1AA"},
		"Reference (e.g. 2024/0042)":                              {"2024/0042"},
		"Use the format 12-345, or leave it empty":                {"12-345"},
		"z. B. DE123456789":                                       {"DE123456789"},
		"par exemple : 12 AB 34 ou 34 CD 56":                      {"12 AB 34"},
		"例：１００-0001（半角）":                                          {"１００-0001"},
		"例：AB-1234":                                               {"AB-1234"},
		"For example, Anna Smith":                                 {"Anna Smith"},
		"For example, 12 Main Street, Springfield":                {"12 Main Street"},
		"for example 1,200.50":                                    {"1,200.50"},
		"For example, if you moved in 2020":                       nil,
		"For example, you share a house":                          nil,
		"Something you would like to know":                        nil,
		"Choose a format":                                         nil,
		"Such as a passport":                                      nil,
		"":                                                        nil,
	} {
		if diff := cmp.Diff(want, shownExamples(text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestShownExamplesFit: a shown example goes first where it fits the control, and the
// value of a format before it.
func TestShownExamplesFit(t *testing.T) {
	first := func(c page.Control) any { return texts(c)[0] }
	if got := first(page.Control{Kind: page.KindText, Label: "Reference code", Hint: "For example ABC12"}); got != "ABC12" {
		t.Errorf("of the hint: %v", got)
	}
	if got := first(page.Control{Kind: page.KindText, Label: "Code", Hint: "For example ABC12", Limits: page.Limits{MaxLength: 4}}); got == "ABC12" {
		t.Error("longer than the control takes")
	}
	if got := first(page.Control{Kind: page.KindText, Label: "Income", Format: "currency", Hint: "For example $1,200"}); got != "45000" {
		t.Errorf("of a format: %v", got)
	}
}
