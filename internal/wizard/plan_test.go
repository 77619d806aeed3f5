package wizard

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlanFollowsPageNumbersAndConditions(t *testing.T) {
	w := benefitCheck(t)
	w.Pages[0], w.Pages[2] = w.Pages[2], w.Pages[0] // file order is not form order
	describe := func(data string) []string {
		answers, err := DecodeAnswers(json.RawMessage(data))
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, page := range w.Plan(answers) {
			list = append(list, page.Page.PageTitle)
			for _, f := range page.Fields {
				list = append(list, f.FieldID)
			}
		}
		return list
	}
	work := []string{"Work", "has_job", "retired", "no_work", "email", "proof"}
	want := append([]string{"About you", "birth_date", "marital_status", "household_size"}, work...)
	if diff := cmp.Diff(want, describe(`{"marital_status":"single","household_size":4}`)); diff != "" {
		t.Errorf("short branch (-want +got):\n%s", diff)
	}
	want = append([]string{"About you", "birth_date", "marital_status", "spouse_income", "household_size", "Large households", "applies", "loans"}, work...)
	if diff := cmp.Diff(want, describe(`{"marital_status":"married","household_size":"5"}`)); diff != "" {
		t.Errorf("long branch (-want +got):\n%s", diff)
	}
	if w.Page(1).PageTitle != "About you" || w.Page(9) != nil {
		t.Error("Page does not go by number")
	}
}

// An answer to a question that is not asked must not open further questions.
func TestHiddenAnswersDoNotCount(t *testing.T) {
	yes := func(id string) *Condition { return &Condition{FieldID: id, Value: json.RawMessage(`"yes"`)} }
	w := &Wizard{Pages: []Page{
		{PageNumber: 1, Fields: []Field{{FieldID: "a"}, {FieldID: "c", Traits: Traits{VisibleWhen: yes("b")}}}},
		{PageNumber: 2, VisibleWhen: yes("a"), Fields: []Field{{FieldID: "b"}}},
		{PageNumber: 3, Fields: []Field{{FieldID: "d", Traits: Traits{VisibleWhen: &Condition{Not: yes("b")}}}}},
	}}
	all := Answers{"a": "no", "b": "yes", "c": "x", "d": "y"}
	if diff := cmp.Diff(Answers{"a": "no", "d": "y"}, w.Effective(all)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	all["a"] = "yes"
	if diff := cmp.Diff(Answers{"a": "yes", "b": "yes", "c": "x"}, w.Effective(all)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	contradiction := &Wizard{Pages: []Page{{PageNumber: 1, Fields: []Field{
		{FieldID: "a", Traits: Traits{VisibleWhen: &Condition{FieldID: "b", Op: opAbsent}}},
		{FieldID: "b", Traits: Traits{VisibleWhen: &Condition{FieldID: "a", Op: opPresent}}},
	}}}}
	contradiction.Effective(Answers{"a": "1", "b": "2"}) // must end
}

func TestEffectiveRows(t *testing.T) {
	w := benefitCheck(t)
	answers, err := DecodeAnswers(json.RawMessage(`{"household_size":6,"loans":[
		{"loan_type":"federal","lender":"Bank","balance":1},{"loan_type":"private","lender":"Bank","balance":2}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []any{
		map[string]any{"loan_type": "federal", "balance": json.Number("1")},
		map[string]any{"loan_type": "private", "lender": "Bank", "balance": json.Number("2")},
	}
	if diff := cmp.Diff(want, w.Effective(answers)["loans"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if row := answers["loans"].([]any)[0].(map[string]any); row["lender"] != "Bank" {
		t.Error("the caller's answers were changed")
	}
}

func TestEffectiveDropsBlanksExceptTexts(t *testing.T) {
	w := &Wizard{Pages: []Page{{PageNumber: 1, Fields: []Field{
		{FieldID: "name", FieldType: "text"}, {FieldID: "age", FieldType: "number"},
		{FieldID: "state", FieldType: "select", Traits: Traits{Options: []Option{{Value: "x"}}}},
	}}}}
	got := w.Effective(Answers{"name": "", "age": " ", "state": ""})
	if diff := cmp.Diff(Answers{"name": ""}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
