package cli_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/practice"
	"github.com/legwork-mcp/legwork/internal/runner"
)

// widgetCase is one way through a widget page and what must come of it.
type widgetCase struct {
	wizard string
	Name   string         `json:"name"`
	Data   map[string]any `json:"data"`
	Expect struct {
		ending
		AnyOf []ending `json:"any_of"` // when several endings are right
	} `json:"expect"`
}

// ending is how a run through a widget page may end.
type ending struct {
	Status    string         `json:"status"`
	ErrorType string         `json:"error_type"`
	FieldID   string         `json:"field_id"`     // the field that it ends on
	Fields    []string       `json:"error_fields"` // the fields that the form complains about
	Errors    []formError    `json:"errors"`       // every complaint, each once
	Submitted map[string]any `json:"submitted"`    // what the site must hold
	Results   map[string]any `json:"results"`
}

// formError is a complaint of the form and the field that it is about.
type formError struct {
	FieldID string `json:"field_id"`
	Text    string `json:"text"`
}

// matches compares; what a case leaves out may be anything.
func (e formError) matches(got formError) bool {
	return (e.FieldID == "" || e.FieldID == got.FieldID) && (e.Text == "" || e.Text == got.Text)
}

func widgetCases(t *testing.T) []widgetCase {
	t.Helper()
	files, err := fs.Glob(practice.Widgets(), "cases/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var out []widgetCase
	for _, name := range files {
		raw, err := fs.ReadFile(practice.Widgets(), name)
		if err != nil {
			t.Fatal(err)
		}
		var cases []widgetCase
		if err := json.Unmarshal(raw, &cases); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, c := range cases {
			c.wizard = strings.TrimSuffix(path.Base(name), ".json")
			out = append(out, c)
		}
	}
	return out
}

// TestWidgetPages runs every widget page through the real program: each must
// end exactly as its case says, and the site must hold exactly what was given.
func TestWidgetPages(t *testing.T) {
	t.Parallel()
	cases := widgetCases(t)
	if len(cases) < 60 {
		t.Fatalf("only %d widget cases", len(cases))
	}
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_PRACTICE_WIDGETS=1")
	atOnce(3, cases, func(c widgetCase) {
		if wrong := runWidget(t, client, site, c); wrong != "" {
			t.Errorf("%s/%s: %s", c.wizard, c.Name, wrong)
		}
	})
}

func runWidget(t *testing.T, client *legwork, site *practiceServer, c widgetCase) string {
	limit := 120
	if c.Expect.ErrorType == runner.TypeTimeout {
		limit = 15 // it is waited for, by a page that keeps a core busy
	}
	answer, _, err := execute(t, client, c.wizard, c.Data, map[string]any{"return_screenshots": false, "timeout_seconds": limit, "wait_seconds": 150})
	if err != nil {
		return err.Error()
	}
	endings := c.Expect.AnyOf
	if len(endings) == 0 {
		endings = []ending{c.Expect.ending}
	}
	var wrong []string
	for _, e := range endings {
		w := e.differs(t, site, answer)
		if w == "" {
			return ""
		}
		wrong = append(wrong, w)
	}
	return strings.Join(wrong, "\n or ") + "\n" + answer.Text()
}

// differs says how the answer is not this ending.
func (e ending) differs(t *testing.T, site *practiceServer, answer runner.Answer) string {
	if answer.Status != e.Status || answer.ErrorType != e.ErrorType {
		return fmt.Sprintf("%s %s, want %s %s", answer.Status, answer.ErrorType, e.Status, e.ErrorType)
	}
	if e.FieldID != "" && answer.FieldID != e.FieldID {
		return fmt.Sprintf("ended on field %q, want %q", answer.FieldID, e.FieldID)
	}
	var fields []string
	var errs []formError
	for _, v := range answer.ValidationErrors {
		fields, errs = append(fields, v.FieldID), append(errs, formError{v.FieldID, v.Message})
	}
	for _, f := range e.Fields {
		if !slices.Contains(fields, f) {
			return fmt.Sprintf("no error is mapped to %s, only to %q", f, fields)
		}
	}
	if e.Errors != nil && !slices.EqualFunc(e.Errors, errs, formError.matches) {
		return fmt.Sprintf("errors %q, want %q", errs, e.Errors)
	}
	for name, want := range e.Results {
		if diff := cmp.Diff(plain(t, want), plain(t, answer.Reading.Values[name])); diff != "" && fmt.Sprint(want) != fmt.Sprint(answer.Results[name]) {
			return "result " + name + " (-want +got):\n" + diff
		}
	}
	if e.Submitted == nil {
		return ""
	}
	recorded, wrong := record(site, answer.Results)
	if wrong != "" {
		return wrong
	}
	if diff := cmp.Diff(plain(t, e.Submitted), plain(t, recorded)); diff != "" {
		return "what the site recorded differs (-want +recorded):\n" + diff
	}
	return ""
}
