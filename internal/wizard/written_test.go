package wizard

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// writtenContract is a one-page wizard with a hand-written property for "x".
func writtenContract(t testing.TB, property string, fields ...Field) *Contract {
	t.Helper()
	if len(fields) == 0 {
		fields = []Field{{FieldID: "x", Label: "X", FieldType: "text"}}
	}
	w := &Wizard{WizardID: "w", Name: "W", Pages: []Page{{PageNumber: 1, Fields: fields}}}
	c, err := ParseContract(w, []byte(`{"$schema":"`+draft07+`","type":"object","required":["x"],"properties":{"x":`+property+`},
		"definitions":{"code":{"type":"string","pattern":"^[a-c]+$","description":"Letters"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Whatever keyword an author uses, the error must be a sentence.
func TestWrittenSchemasGiveSentences(t *testing.T) {
	tests := []struct{ property, value, want, expected string }{
		{`{"type":"string","minLength":3}`, `"a"`, "is too short: at least 3 characters", "a text"},
		{`{"type":"string","maxLength":1}`, `"ab"`, "is too long: at most 1 characters", "a text"},
		{`{"const":"yes"}`, `"no"`, `must be "yes"`, "a value that fits the schema"},
		{`{"type":"number","exclusiveMinimum":0}`, `0`, "must be more than 0", "a number"},
		{`{"type":"number","exclusiveMaximum":1.5}`, `1.5`, "must be less than 1.5", "a number"},
		{`{"type":"number","multipleOf":0.05}`, `0.07`, "must be a multiple of 0.05", "a number"},
		{`{"type":"integer","minimum":1}`, `"x"`, "must be a whole number, not a text", "a whole number, at least 1"},
		{`{"type":"integer","maximum":9}`, `10`, "must be at most 9", "a whole number, at most 9"},
		{`{"type":"array","minItems":1}`, `[]`, "has 0 entries; at least 1 are needed", "a list"},
		{`{"type":"array","maxItems":1,"items":{"type":"string"}}`, `["a","b"]`, "has 2 entries; at most 1 are allowed", "a list; each entry: a text"},
		{`{"type":"array","uniqueItems":true}`, `[1,1]`, "must not name the same entry twice", "a list"},
		{`{"type":"array","contains":{"const":1}}`, `[2]`, "lacks an entry that is needed", "a list"},
		{`{"anyOf":[{"type":"number"},{"type":"string","maxLength":1}]}`, `"ab"`, "is too long: at most 1 characters, or must be a number, not a text", "a value that fits the schema"},
		{`{"not":{"const":"a"}}`, `"a"`, "does not fit the schema", "a value that fits the schema"},
		{`false`, `"a"`, "must not be given here", "a value that fits the schema"},
		{`{"$ref":"#/definitions/code"}`, `"z"`, "must have the form of this field: Letters (pattern ^[a-c]+$)", "a text"},
		{`{"type":"string","format":"email"}`, `"z"`, "must be an e-mail address", "an e-mail address"},
		{`{"type":"string","format":"uri"}`, `"z"`, "must be a web address", "a web address"},
		{`{"type":"string","format":"ipv4"}`, `"z"`, "must be a valid ipv4", "a valid ipv4"},
		{`{"type":"object","dependencies":{"a":["b"]}}`, `{"a":1}`, "with a, b is needed too", "an object"},
		{`{"type":["boolean","null"]}`, `{}`, "must be null or true or false, not an object", "true or false or null"},
	}
	for _, test := range tests {
		c := writtenContract(t, test.property)
		report := c.Validate(json.RawMessage(`{"x":` + test.value + `}`))
		if len(report.Invalid) != 1 {
			t.Errorf("%s: %s", test.property, asJSON(t, report))
			continue
		}
		got := report.Invalid[0]
		if got.Error != test.want || got.ExpectedType != test.expected || got.Path != "/x" {
			t.Errorf("%s with %s:\n got %q, %q at %s\nwant %q, %q", test.property, test.value, got.Error, got.ExpectedType, got.Path, test.want, test.expected)
		}
	}
}

func TestLargeReportsAreBounded(t *testing.T) {
	c := mustContract(t, benefitCheck(t))
	var data strings.Builder
	data.WriteString(`{"household_size":9,"proof":{"name":1,"content_base64":"` + strings.Repeat("A", 5000) + `"},"marital_status":"` + strings.Repeat("m", 5000) + `"`)
	for i := range 3000 {
		fmt.Fprintf(&data, `,"unknown_key_%d":1`, i)
	}
	data.WriteString(`,"loans":[`)
	for i := range 3000 {
		if i > 0 {
			data.WriteByte(',')
		}
		data.WriteString(`{"loan_type":"x"}`)
	}
	data.WriteString(`]}`)
	report := c.Validate(json.RawMessage(data.String()))
	if len(report.Missing) > maxReported || len(report.Invalid) > maxReported || len(report.Unknown) != maxReported {
		t.Errorf("%d missing, %d invalid, %d unknown", len(report.Missing), len(report.Invalid), len(report.Unknown))
	}
	var messages []string
	for _, w := range report.Warnings {
		messages = append(messages, w.Severity)
	}
	if diff := cmp.Diff([]string{"high"}, messages); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
	if size := len(asJSON(t, report)); size > 150_000 {
		t.Errorf("the report has %d bytes", size)
	}
}

// A row can depend on the rest of the form, and a schema can require what no
// field of the wizard has.
func TestRowsDependOnTheForm(t *testing.T) {
	w := benefitCheck(t)
	sub := w.Field("loans").subField("balance")
	sub.Required = false
	sub.RequiredWhen = &Condition{FieldID: "marital_status", Value: json.RawMessage(`"single"`)}
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
	c := mustContract(t, w)
	data := `{"birth_date":"1990-05-15","marital_status":%q,"spouse_income":1,"household_size":9,"applies":["none"],"retired":true,"loans":[{"loan_type":"federal"}]}`
	single := c.Validate(json.RawMessage(fmt.Sprintf(data, "single")))
	if len(single.Missing) != 1 || single.Missing[0].Path != "/loans/0/balance" {
		t.Errorf("single: %s", asJSON(t, single))
	}
	if married := c.Validate(json.RawMessage(fmt.Sprintf(data, "married"))); !married.Valid {
		t.Errorf("married: %s", asJSON(t, married))
	}
}

func TestExampleFillsWhatOnlyTheSchemaRequires(t *testing.T) {
	c := writtenContract(t, `{"type":"object","required":["a"],"properties":{"a":{"type":"integer","minimum":3}}}`,
		Field{FieldID: "y", Label: "Y", FieldType: "text"})
	want := map[string]any{"x": map[string]any{"a": json.Number("3")}}
	if diff := cmp.Diff(want, map[string]any(c.Example())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestErrorsReadWell(t *testing.T) {
	_, err := Parse([]byte(`{"wizard_id":"A","name":"","url":"http://x/","discovered_at":"2026-01-01","total_pages":1,
		"pages":[{"page_number":1,"page_title":"","fields":[],"continue_button":{"text":"","selector":"#x"}}]}`))
	want := "wizard file is invalid, 2 problems:\n- /name: is too short: at least 1 characters\n- /wizard_id: must have the form ^[a-z0-9-]+$"
	if err == nil || err.Error() != want {
		t.Errorf("error = %v", err)
	}
	broken := Broken{ID: "a", Path: "/w/a.json", Problems: []Problem{{"/name", "this key is required"}}}
	if got := broken.Error(); got != "/w/a.json is invalid: /name: this key is required" {
		t.Errorf("error = %q", got)
	}
}

func TestCoerce(t *testing.T) {
	tests := []struct {
		raw   string
		shape shape
		want  string // JSON, empty: not possible
	}{
		{`"Yes"`, shapeBoolean, `true`}, {`"off"`, shapeBoolean, `false`}, {`true`, shapeBoolean, `true`}, {`"maybe"`, shapeBoolean, ``},
		{`"12"`, shapeNumber, `"12"`}, {`12`, shapeNumber, `12`}, {`"x"`, shapeNumber, ``},
		{`"a"`, shapeChoices, `["a"]`}, {`"[\"a\",\"b\"]"`, shapeChoices, `["a","b"]`}, {`["a"]`, shapeChoices, `["a"]`}, {`{"a":1}`, shapeChoices, ``},
		{`"{\"a\":1}"`, shapeObject, `{"a":1}`}, {`"x"`, shapeObject, ``}, {`"[1"`, shapeRows, ``},
		{`"1/2/2030"`, shapeDate, `"2030-01-02"`}, {`"January 2, 2030"`, shapeDate, `"2030-01-02"`}, {`"soon"`, shapeDate, ``},
		{`5`, shapeText, `"5"`}, {`true`, shapeText, `"true"`}, {`""`, shapeText, ``}, {``, shapeText, ``}, {`{}`, shapeText, ``},
		{`"{\"name\":\"a\"}"`, shapeFile, `{"name":"a"}`}, {`"/a.pdf"`, shapeFile, `"/a.pdf"`},
	}
	for _, test := range tests {
		got := ""
		if value, ok := coerce([]byte(test.raw), test.shape); ok {
			got = word(value)
		}
		if got != test.want {
			t.Errorf("coerce(%s, %d) = %s, want %s", test.raw, test.shape, got, test.want)
		}
	}
}
