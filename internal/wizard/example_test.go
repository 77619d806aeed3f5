package wizard

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExampleOfEveryWizardIsValid(t *testing.T) {
	for name, data := range sampleFiles(t) {
		c := mustContract(t, mustParse(t, data))
		example := c.Example()
		if report := c.Validate(asJSON(t, example)); !report.Valid || len(report.Warnings) > 0 {
			t.Errorf("%s: example %s\nreport %s", name, asJSON(t, example), asJSON(t, report))
		}
		document, err := decodeAny(asJSON(t, example))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.schema.Validate(document); err != nil {
			t.Errorf("%s: the example does not fit the schema: %v", name, err)
		}
	}
}

func TestExampleUsesTheWizardsOwnExamples(t *testing.T) {
	c := mustContract(t, benefitCheck(t))
	want := map[string]any{
		"birth_date": "1990-05-15", "marital_status": "single", "household_size": json.Number("2"), "has_job": true, "email": "person@example.com",
	}
	if diff := cmp.Diff(want, map[string]any(c.Example())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestExampleIsDerivedWhereItIsMissing(t *testing.T) {
	three, seven := 3, 7.5
	w := &Wizard{WizardID: "x", Name: "X", Pages: []Page{{PageNumber: 1, Fields: []Field{
		{FieldID: "code", FieldType: "text", Required: true, Traits: Traits{Pattern: `^[A-Z]{2}-[0-9]{3}(/x)?$`}},
		{FieldID: "long", FieldType: "text", Required: true, Traits: Traits{MinLength: &three}},
		{FieldID: "amount", FieldType: "number", Required: true, Traits: Traits{Minimum: &seven}},
		{FieldID: "choice", FieldType: "select", Required: true, ExampleValue: json.RawMessage(`"Second one"`),
			Traits: Traits{Options: []Option{{Value: "1", Label: "First"}, {Value: "2", Label: "Second one"}}}},
		{FieldID: "when", FieldType: "text", Required: true, ExampleValue: json.RawMessage(`"soon"`), Traits: Traits{Format: "date"}},
		{FieldID: "files", FieldType: "text", Required: true, Traits: Traits{Format: "file", Multiple: true}},
		{FieldID: "due_month", FieldType: "number", Required: true, ExampleValue: json.RawMessage(`"2"`)},
		{FieldID: "due_day", FieldType: "number", Required: true, ExampleValue: json.RawMessage(`"31"`)},
		{FieldID: "due_year", FieldType: "number", Required: true, ExampleValue: json.RawMessage(`"2027"`)},
		{FieldID: "optional", FieldType: "text"},
	}}}}
	c := mustContract(t, w)
	example := c.Example()
	if report := c.Validate(asJSON(t, example)); !report.Valid {
		t.Fatalf("example %s\nreport %s", asJSON(t, example), asJSON(t, report))
	}
	if example["choice"] != "2" || example["code"] != "AA-111" {
		t.Errorf("example %s", asJSON(t, example))
	}
	if _, there := example["optional"]; there {
		t.Error("an optional field without an example is in the example")
	}
}

func TestExampleRespectsExclusiveCheckboxes(t *testing.T) {
	box := func(id string, exclusive bool) Field {
		return Field{FieldID: id, FieldType: "checkbox", ExampleValue: json.RawMessage(`"true"`),
			Traits: Traits{ExclusiveGroup: "g", Exclusive: exclusive}}
	}
	w := &Wizard{WizardID: "x", Name: "X", Pages: []Page{{PageNumber: 1, Fields: []Field{box("a", false), box("b", false), box("none", true)}}}}
	c := mustContract(t, w)
	want := map[string]any{"a": true, "b": true, "none": false}
	if diff := cmp.Diff(want, map[string]any(c.Example())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// "None of these" is needed ticked when nothing else is: to leave it out and to say
// false are the same to a form.
func TestNoneOfTheseIsNeededTicked(t *testing.T) {
	box := func(id string) Field {
		return Field{FieldID: id, FieldType: "checkbox", Traits: Traits{ExclusiveGroup: "g"}}
	}
	none := box("none")
	none.Exclusive = true
	none.RequiredWhen = &Condition{Not: &Condition{Any: []Condition{{FieldID: "a", Value: json.RawMessage(`true`)}, {FieldID: "b", Value: json.RawMessage(`true`)}}}}
	c := mustContract(t, &Wizard{WizardID: "x", Name: "X", Pages: []Page{{PageNumber: 1, Fields: []Field{box("a"), box("b"), none}}}})
	for data, valid := range map[string]bool{
		`{}`: false, `{"none":false}`: false, `{"a":false,"b":false,"none":false}`: false,
		`{"none":true}`: true, `{"a":true}`: true, `{"a":true,"none":false}`: true, `{"a":true,"none":true}`: false,
	} {
		if got := c.Validate(json.RawMessage(data)); got.Valid != valid {
			t.Errorf("%s is valid: %v\n%s", data, got.Valid, asJSON(t, got))
		}
	}
	for _, set := range c.DataSets() {
		if set["none"] != true && set["a"] != true && set["b"] != true {
			t.Errorf("a set answers nothing: %s", asJSON(t, set))
		}
	}
}

// Every option and both sides of every condition, in valid sets only.
func TestDataSetsCoverEveryBranch(t *testing.T) {
	for name, data := range sampleFiles(t) {
		c := mustContract(t, mustParse(t, data))
		sets := c.DataSets()
		if len(sets) == 0 || len(sets) > maxDataSets {
			t.Errorf("%s: %d data sets", name, len(sets))
		}
		for _, set := range sets {
			if report := c.Validate(asJSON(t, set)); !report.Valid || len(report.Warnings) > 0 {
				t.Errorf("%s: set %s\nreport %s", name, asJSON(t, set), asJSON(t, report))
			}
		}
		if len(sets) == maxDataSets {
			continue
		}
		for _, goal := range c.goals() {
			if !slices.ContainsFunc(sets, func(set map[string]any) bool { return goal.met(set) }) {
				t.Errorf("%s: no set reaches field %q %q = %v, condition %s is %v",
					name, goal.field, goal.sub, goal.value, asJSON(t, goal.condition), goal.want)
			}
		}
	}
}

func TestDataSetsAreBoundedAndEndOnContradictions(t *testing.T) {
	never := &Condition{All: []Condition{
		{FieldID: "a", Value: json.RawMessage(`"1"`)}, {FieldID: "a", Value: json.RawMessage(`"2"`)},
	}}
	many := make([]Option, 2000)
	for i := range many {
		many[i] = Option{Value: string(asJSONText(i))}
	}
	w := &Wizard{WizardID: "x", Name: "X", Pages: []Page{{PageNumber: 1, Fields: []Field{
		{FieldID: "a", FieldType: "select", Required: true, Traits: Traits{Options: many}},
		{FieldID: "b", FieldType: "checkbox", Required: true, Traits: Traits{VisibleWhen: never}},
	}}}}
	if n := len(GenerateDataSets(w)); n != maxDataSets {
		t.Errorf("%d data sets", n)
	}
}

func asJSONText(i int) []byte {
	data, _ := json.Marshal(i)
	return data
}

// The goals themselves must not forget anything: this looks at the sample
// without them.
func TestDataSetsOfTheSample(t *testing.T) {
	w := benefitCheck(t)
	sets := GenerateDataSets(w)
	some := func(what string, holds func(a Answers) bool) {
		if !slices.ContainsFunc(sets, func(set map[string]any) bool { return holds(set) }) {
			t.Errorf("no set: %s", what)
		}
	}
	conditions := map[string]*Condition{
		"page 2": w.Pages[1].VisibleWhen, "spouse_income": w.Field("spouse_income").VisibleWhen, "email": w.Field("email").RequiredWhen,
	}
	for name, c := range conditions {
		some(name+" holds", func(a Answers) bool { return c.Holds(a) })
		some(name+" does not hold", func(a Answers) bool { return !c.Holds(a) })
	}
	for _, status := range []string{"single", "married", "widowed"} {
		some(status, func(a Answers) bool { return a["marital_status"] == status })
	}
	for _, choice := range []string{"children", "disability", "none"} {
		some(choice, func(a Answers) bool { return contains(a["applies"], choice) })
	}
	for _, box := range []string{"has_job", "retired", "no_work"} {
		some(box, func(a Answers) bool { return a[box] == true })
		some("not "+box, func(a Answers) bool { return a[box] == false })
	}
	for _, kind := range []string{"federal", "private"} {
		some(kind, func(a Answers) bool {
			rows, _ := a["loans"].([]any)
			return len(rows) > 0 && rows[0].(map[string]any)["loan_type"] == kind
		})
	}
}
