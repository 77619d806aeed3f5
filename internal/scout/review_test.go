package scout

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// TestOutline: what stands outside of the picture is cut off at its edge.
func TestOutline(t *testing.T) {
	pic := page.Box{Y: 500, W: 1000, H: 500}
	for name, c := range map[string]struct {
		box  page.Box
		want reviewBox
	}{
		"inside":                    {page.Box{X: 100, Y: 600, W: 200, H: 50}, reviewBox{"f", 10, 20, 20, 10}},
		"half left of it":           {page.Box{X: -900, Y: 600, W: 1000, H: 50}, reviewBox{"f", 0, 20, 10, 10}},
		"over its right edge":       {page.Box{X: 900, Y: 600, W: 400, H: 50}, reviewBox{"f", 90, 20, 10, 10}},
		"begun on the one above":    {page.Box{X: 0, Y: 450, W: 100, H: 100}, reviewBox{"f", 0, 0, 10, 10}},
		"going on on the one below": {page.Box{X: 0, Y: 950, W: 100, H: 100}, reviewBox{"f", 0, 90, 10, 10}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, outline("f", c.box, pic), cmp.AllowUnexported(reviewBox{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReviewOfOnePage: a page that was filled in but not sent has held as far as
// it was tried, which the review says.
func TestReviewOfOnePage(t *testing.T) {
	w := &wizard.Wizard{WizardID: "one", Name: "One", Pages: []wizard.Page{{
		PageNumber: 1, Submits: true, Fields: []wizard.Field{{FieldID: "agree", Label: "I agree", Selector: "#agree"}},
	}}}
	d := &Discovery{Wizard: w, Proven: true, Proofs: []Proof{{OK: true}}, Lasts: map[string]int{"agree": 90}, Remarks: []string{unsubmitted(w)}}
	raw, err := Review(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<li>held up to the button that submits</li>", "1 page ·", "lasts 90 of 100", "seems optional on its last page: agree."} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("the review does not say %q", want)
		}
	}
}
