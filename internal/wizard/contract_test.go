package wizard

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestContractGolden(t *testing.T) {
	const name = "testdata/benefit-check-schema.golden.json"
	var got bytes.Buffer
	if err := json.Indent(&got, mustContract(t, benefitCheck(t)).Schema, "", "  "); err != nil {
		t.Fatal(err)
	}
	got.WriteByte('\n')
	if *update {
		if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("the contract differs (go test -update writes it anew):\n%s", diff)
	}
}

// What a branch does not ask must never be demanded in general.
func TestConditionalFieldsAreNotRequiredInGeneral(t *testing.T) {
	for name, data := range sampleFiles(t) {
		w := mustParse(t, data)
		c := mustContract(t, w)
		required, _ := c.document["required"].([]any)
		for _, page := range w.Pages {
			for _, f := range page.Fields {
				conditional := page.VisibleWhen != nil || f.VisibleWhen != nil
				if demanded := contains(required, f.FieldID); demanded != (f.demanded() && !conditional) {
					t.Errorf("%s: %s required: %v", name, f.FieldID, demanded)
				}
			}
		}
	}
}

func TestWrittenSchemaIsKeptAndGetsConditions(t *testing.T) {
	data := readTestdata(t, "v1.1/fsa-estimator.json")
	schema := readTestdata(t, "v1.1/fsa-estimator-schema.json")
	plain, err := ParseContract(mustParse(t, data), schema)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(plain.Schema, schema) || plain.Generated {
		t.Error("a schema whose wizard has no conditions was changed")
	}
	if r := plain.Validate(asJSON(t, plain.Example())); !r.Valid {
		t.Errorf("the example is invalid: %s", asJSON(t, r))
	}

	w := mustParse(t, data)
	for _, id := range []string{"parent_income", "parent_assets", "parent_child_support", "parent_state"} {
		w.Field(id).VisibleWhen = &Condition{FieldID: "parent_filed_taxes", Value: json.RawMessage(`"yes"`)}
	}
	c, err := ParseContract(w, schema)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(asJSON(t, c.document["required"])), "parent_state") {
		t.Error("parent_state is still required in general")
	}
	if !bytes.Contains(c.Schema, []byte(`"description": "Two digits"`)) {
		t.Error("the author's text is lost")
	}
	example := c.Example()
	if r := c.Validate(asJSON(t, example)); !r.Valid {
		t.Fatalf("the example is invalid: %s", asJSON(t, r))
	}
	for _, id := range []string{"parent_income", "parent_assets", "parent_child_support", "parent_state"} {
		delete(example, id)
	}
	var missing []string
	for _, m := range c.Validate(asJSON(t, example)).Missing {
		missing = append(missing, m.FieldID)
	}
	want := []string{"parent_state", "parent_income", "parent_assets", "parent_child_support"}
	if diff := cmp.Diff(want, missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
	example["parent_filed_taxes"] = "no"
	if r := c.Validate(asJSON(t, example)); !r.Valid {
		t.Errorf("the other branch is invalid: %s", asJSON(t, r))
	}
	again, err := ParseContract(w, c.Schema)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.document["allOf"].([]any)) != len(c.document["allOf"].([]any)) {
		t.Error("reading the extended schema adds the conditions again")
	}
}

func TestParseContractRefuses(t *testing.T) {
	w := mustParse(t, readTestdata(t, "v1.1/fsa-estimator.json"))
	outside := filepath.Join(t.TempDir(), "outside.json")
	if err := os.WriteFile(outside, []byte(`{"type":"string"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, schema := range map[string]string{
		"no JSON":           `{`,
		"no object":         `[]`,
		"no properties":     `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`,
		"no schema":         `{"type":"object","properties":{}}`,
		"another type":      `{"$schema":"http://json-schema.org/draft-07/schema#","type":"array","properties":{}}`,
		"outside reference": `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"state":{"$ref":"http://example.com/x.json"}}}`,
		"file reference":    `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"state":{"$ref":"file://` + filepath.ToSlash(outside) + `"}}}`,
		"bad keyword":       `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"state":{"minLength":"x"}}}`,
		"bad expression":    `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"state":{"pattern":"("}}}`,
	} {
		_, err := ParseContract(w, []byte(schema))
		var invalid *InvalidError
		if !errors.As(err, &invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGeneratedSchemaIsGeneratedAnew(t *testing.T) {
	w := benefitCheck(t)
	stale := bytes.Replace(mustContract(t, w).Schema, []byte(`"maximum":20`), []byte(`"maximum":99`), 1)
	c, err := ParseContract(w, stale)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Generated || !bytes.Contains(c.Schema, []byte(`"maximum":20`)) {
		t.Error("a generated schema was taken as written by hand")
	}
}

func TestMismatches(t *testing.T) {
	w := mustParse(t, readTestdata(t, "v1.1/fsa-estimator.json"))
	w.Field("parent_filed_taxes").Options = []Option{{Value: "yes"}, {Value: "will_file"}}
	schema := strings.Replace(string(readTestdata(t, "v1.1/fsa-estimator-schema.json")), `"parent_assets": {`, `"parent_asset": {`, 1)
	c, err := ParseContract(w, []byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	want := []Problem{
		{"/properties/parent_filed_taxes/enum", "no is no option of the field"},
		{"/properties/parent_filed_taxes/enum", "the option will_file is missing"},
		{"/properties/parent_assets", "the wizard has this field, the schema does not"},
		{"/properties/parent_asset", "no field of the wizard has this id; did you mean parent_assets?"},
	}
	if diff := cmp.Diff(want, c.Mismatches()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestContractOfLargeWizardsStaysSmall(t *testing.T) {
	asked := &Condition{Any: []Condition{
		{FieldID: "a", Value: json.RawMessage(`"yes"`)}, {FieldID: "b", Op: "lt", Value: json.RawMessage(`2003`)},
	}}
	w := &Wizard{WizardID: "x", Name: "x", Pages: []Page{{PageNumber: 1, Fields: []Field{{FieldID: "a"}, {FieldID: "b"}}}}}
	for i := range 20 {
		w.Pages = append(w.Pages, Page{PageNumber: i + 2, VisibleWhen: asked, Fields: []Field{{
			FieldID: "f_" + string(rune('a'+i)), Required: true,
			Traits: Traits{VisibleWhen: &Condition{FieldID: "a", Value: json.RawMessage(`"` + string(rune('a'+i)) + `"`)}},
		}}})
	}
	schema := string(mustContract(t, w).Schema)
	if n := strings.Count(schema, "2003"); n > 2 {
		t.Errorf("a condition that 20 pages share is spelled out %d times", n)
	}
}
