package runner

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// TestPrivate: only the answers to masked fields are looked for in pictures, in
// the forms that a page writes them in.
func TestPrivate(t *testing.T) {
	mask := wizard.Traits{MaskInScreenshots: true}
	w := &wizard.Wizard{Pages: []wizard.Page{{Fields: []wizard.Field{
		{FieldID: "ssn", Traits: mask},
		{FieldID: "city"},
		{FieldID: "status", Traits: wizard.Traits{MaskInScreenshots: true, Options: []wizard.Option{{Value: "m", Label: "Married"}, {Value: "s", Label: "Single"}}}},
		{FieldID: "letter", Traits: wizard.Traits{MaskInScreenshots: true, Format: "file"}},
		{FieldID: "income", Traits: mask},
		{FieldID: "loans", SubFields: []wizard.SubField{{FieldID: "account", Traits: mask}, {FieldID: "kind"}}},
		{FieldID: "home", Traits: mask, SubFields: []wizard.SubField{{FieldID: "street"}}},
		{FieldID: "agree", Traits: mask},
	}}}}
	answers, err := wizard.DecodeAnswers([]byte(`{"ssn":"123-45-6789","city":"Boston","status":"m","letter":"/secret.pdf","income":54321,
		"loans":[{"account":"A-1234","kind":"direct"},{"account":"A-5678","kind":"plus"}],"home":{"street":"Example Street 1"},"agree":true}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"123-45-6789", "m", "Married", "54321", "A-1234", "A-5678", "Example Street 1"}
	if d := cmp.Diff(want, private(w, answers)); d != "" {
		t.Error("private texts differ (-want +got):", d)
	}
	dates := written("1990-05-07")
	for _, as := range []string{"1990-05-07", "05/07/1990", "5/7/1990", "May 7, 1990", "7 May 1990"} {
		found := false
		for _, d := range dates {
			found = found || d == as
		}
		if !found {
			t.Errorf("a date is not looked for as %s: %v", as, dates)
		}
	}
}
