package nearest_test

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/nearest"
)

func TestName(t *testing.T) {
	names := []string{"birth_month", "birth_day", "marital_status", "state", "parent_income", "parent_assets", "age", "a", ""}
	for in, want := range map[string]string{
		"birthMonth": "birth_month", "State": "state", "A": "a", // the same but for case and separators
		"martial_status": "marital_status", "parent_incme": "parent_income", "aeg": "age", // misspelt
		"income": "parent_income", "marital": "marital_status", "home_state": "state", // a part, or more than the name
		"favourite_colour": "", "mar": "", "x": "", "": "", "quota": "",
		strings.Repeat("state", 26): "", // longer than a name can be
	} {
		if got := nearest.Name(in, names); got != want {
			t.Errorf("Name(%.40q) = %q, want %q", in, got, want)
		}
	}
	if got := nearest.Name("state", nil); got != "" {
		t.Errorf("of no candidates it finds %q", got)
	}
}

func TestSame(t *testing.T) {
	if !nearest.Same("Birth-Month", "birth_month ") || nearest.Same("birth_month", "birth_months") {
		t.Error("names are the same when they differ in case and separators only")
	}
}
