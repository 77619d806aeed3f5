package wizard

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestParseReadsNaiveDatesAsUTC(t *testing.T) {
	w := mustParse(t, readTestdata(t, "v1.1/fsa-estimator.json"))
	want := time.Date(2025, 10, 20, 13, 27, 7, 716185000, time.UTC)
	if !w.DiscoveredAt.Equal(want) {
		t.Errorf("discovered_at = %v, want %v", w.DiscoveredAt, want)
	}
	data, err := w.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(`"discovered_at": "2025-10-20T13:27:07.716185Z"`)) {
		t.Errorf("the date is not written as RFC 3339 with Z:\n%.300s", data)
	}
	if got := w.Pages[0].ContinueButton.SelectorType; got != "css" {
		t.Errorf("selector_type = %q", got)
	}
}

// Every file must come back as it was, and old readers must accept what we write.
func TestRoundTripAndOldReaders(t *testing.T) {
	old := oldRules(t)
	for name, data := range sampleFiles(t) {
		w, err := Parse(data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		first, err := w.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		again := mustParse(t, first)
		second, err := again.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(first), string(second)); diff != "" {
			t.Errorf("%s changes when it is written twice:\n%s", name, diff)
		}
		if w.Hash() != again.Hash() || w.Hash() == "" {
			t.Errorf("%s: hash %q became %q", name, w.Hash(), again.Hash())
		}
		document, err := decodeAny(first)
		if err != nil {
			t.Fatal(err)
		}
		if err := old.Validate(document); err != nil {
			t.Errorf("%s: a v1.1 reader refuses our output: %v", name, err)
		}
	}
}

func oldRules(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := decodeAny(readTestdata(t, "v1.1.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("mem:///old.json", document); err != nil {
		t.Fatal(err)
	}
	return compiler.MustCompile("mem:///old.json")
}

func TestUnknownKeysSurvive(t *testing.T) {
	data := edited(t, func(w map[string]any) {
		w["zz_top"] = map[string]any{"a": 1}
		at(w, "pages", 0)["x_page"] = "p"
		at(w, "pages", 0, "continue_button")["x_button"] = true
		at(w, "pages", 0, "fields", 1)["x_field"] = 12345678901234567
		at(w, "pages", 0, "fields", 1, "options", 0)["x_option"] = "<b>"
		at(w, "pages", 0, "fields", 0, "sub_fields", 0)["x_sub"] = []any{nil}
		at(w, "pages", 0, "fields", 2, "visible_when")["x_condition"] = 1
		at(w, "results", 0)["x_result"] = 1
		at(w, "success_when", 0)["x_check"] = 1
		at(w, "start_action")["x_start"] = 1
	})
	out, err := mustParse(t, data).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"zz_top": {`, `"x_page": "p"`, `"x_button": true`, `"x_field": 12345678901234567`, `"x_option": "<b>"`,
		`"x_sub": [`, `"x_condition": 1`, `"x_result": 1`, `"x_check": 1`, `"x_start": 1`,
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s is lost", want)
		}
	}
	order := []string{`"wizard_id"`, `"name"`, `"url"`, `"discovered_at"`, `"total_pages"`, `"pages"`, `"results"`, `"zz_top"`}
	last := -1
	for _, key := range order {
		place := bytes.Index(out, []byte("\n  "+key))
		if place < last {
			t.Errorf("%s is not in its place", key)
		}
		last = place
	}
}

func TestExtraCannotRepeatAKnownKey(t *testing.T) {
	w := benefitCheck(t)
	w.Extra = map[string]json.RawMessage{"name": json.RawMessage(`"twice"`), "own": json.RawMessage(`1`)}
	data, err := w.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if again := mustParse(t, data); again.Name != "Benefit Check" || string(again.Extra["own"]) != "1" {
		t.Errorf("name %q, extra %v", again.Name, again.Extra)
	}
}

func TestExampleIsWrittenForOldReaders(t *testing.T) {
	for in, want := range map[string]string{
		`4`: `"4"`, `true`: `"true"`, `"x"`: `"x"`, `["a"]`: `["a"]`, `{"a":1}`: `{"a":1}`, ``: `""`, `null`: `""`,
	} {
		if got := string(exampleForOldReaders(json.RawMessage(in))); got != want {
			t.Errorf("field example %s is written as %s, want %s", in, got, want)
		}
	}
	if got := string(exampleText(json.RawMessage(`["a"]`))); got != `"[\"a\"]"` {
		t.Errorf("sub-field example is written as %s", got)
	}
}

// field is one field of a decoded wizard.
func field(w map[string]any, page, i int) map[string]any { return at(w, "pages", page, "fields", i) }

// brokenWizards are changes to the sample wizard and the paths of the problems
// that they make.
var brokenWizards = map[string]struct {
	change func(w map[string]any)
	want   []string // paths
}{
	"shape": {func(w map[string]any) {
		w["wizard_id"] = "../etc"
		delete(w, "name")
		w["url"] = "file:///etc/passwd"
		w["discovered_at"] = "yesterday"
		field(w, 0, 1)["field_type"] = "slider"
		field(w, 0, 3)["field_id"] = "Size"
	}, []string{"/discovered_at", "/name", "/pages/0/fields/1/field_type", "/pages/0/fields/3/field_id", "/url", "/wizard_id"}},
	"numbers": {func(w map[string]any) {
		w["total_pages"] = 4
		at(w, "pages", 2)["page_number"] = 2
	}, []string{"/pages/2/page_number", "/total_pages"}},
	"number out of range": {func(w map[string]any) { at(w, "pages", 2)["page_number"] = 7 }, []string{"/pages/2/page_number"}},
	"ids":                 {func(w map[string]any) { field(w, 2, 4)["field_id"] = "household_size" }, []string{"/pages/2/fields/4/field_id"}},
	"groups": {func(w map[string]any) {
		field(w, 1, 1)["add_button_selector"] = ""
		field(w, 1, 1)["min_instances"] = 5
		at(w, "pages", 1, "fields", 1, "sub_fields", 0)["field_type"] = "group"
		field(w, 0, 0)["sub_fields"] = field(w, 0, 0)["sub_fields"].([]any)[:2]
		field(w, 0, 1)["repeatable"] = true
	}, []string{
		"/pages/0/fields/0/sub_fields", "/pages/0/fields/1/repeatable", "/pages/1/fields/1/add_button_selector",
		"/pages/1/fields/1/max_instances", "/pages/1/fields/1/sub_fields/0/field_type",
	}},
	"empty group": {func(w map[string]any) { delete(field(w, 1, 1), "sub_fields") }, []string{"/pages/1/fields/1/sub_fields"}},
	"options": {func(w map[string]any) {
		at(w, "pages", 0, "fields", 1, "options", 1)["value"] = "single"
		at(w, "pages", 0, "fields", 1, "options", 2)["value"] = " "
		delete(at(w, "pages", 0, "fields", 1, "options", 0), "selector")
		delete(field(w, 1, 0), "options")
	}, []string{
		"/pages/0/fields/1/options/1/value", "/pages/0/fields/1/options/2/value", "/pages/0/fields/1/selector", "/pages/1/fields/0/multiple",
	}},
	"conditions": {func(w map[string]any) {
		field(w, 0, 2)["visible_when"] = map[string]any{"field_id": "marital_statsu", "value": "married"}
		at(w, "pages", 1)["visible_when"] = map[string]any{"field_id": "household_size", "op": "gte", "value": "many"}
		field(w, 2, 0)["visible_when"] = map[string]any{"all": []any{map[string]any{}}}
		field(w, 2, 1)["visible_when"] = map[string]any{"field_id": "retired", "op": "present"}
		field(w, 2, 2)["visible_when"] = map[string]any{"field_id": "has_job", "op": "near", "value": 1}
		field(w, 2, 3)["required_when"] = map[string]any{"field_id": "has_job", "op": "in", "value": "x"}
		field(w, 2, 4)["required_when"] = map[string]any{"field_id": "has_job", "op": "absent", "value": "x"}
	}, []string{
		"/pages/0/fields/2/visible_when/field_id", "/pages/1/visible_when/value", "/pages/2/fields/0/visible_when/all/0",
		"/pages/2/fields/1/visible_when/field_id", "/pages/2/fields/2/visible_when/op",
		"/pages/2/fields/3/required_when/value", "/pages/2/fields/4/required_when/value",
	}},
	"mixed condition in a row": {func(w map[string]any) {
		at(w, "pages", 1, "fields", 1, "sub_fields", 1)["visible_when"] = map[string]any{"all": []any{
			map[string]any{"field_id": "loan_type", "value": "private"}, map[string]any{"field_id": "marital_status", "value": "single"},
		}}
	}, []string{"/pages/1/fields/1/sub_fields/1/visible_when"}},
	"expressions and bounds": {func(w map[string]any) {
		field(w, 0, 3)["pattern"] = "(["
		field(w, 0, 3)["maximum"] = 0
		field(w, 2, 3)["min_length"] = 5
		field(w, 2, 3)["max_length"] = 2
		at(w, "pages", 0)["advance"] = map[string]any{}
		field(w, 2, 0)["exclusive_group"] = ""
		field(w, 2, 2)["exclusive_group"] = ""
	}, []string{
		"/pages/0/advance", "/pages/0/fields/3/maximum", "/pages/0/fields/3/pattern", "/pages/2/fields/2/exclusive", "/pages/2/fields/3/max_length",
	}},
	"results": {func(w map[string]any) {
		at(w, "results", 0)["regex"] = "x"
		w["success_when"] = []any{map[string]any{}}
		w["results"] = append(w["results"].([]any), map[string]any{"name": "amount", "label": "x"})
	}, []string{"/results/0", "/results/1/name", "/success_when/0"}},
}

func TestParseReportsAllProblemsAtOnce(t *testing.T) {
	for name, test := range brokenWizards {
		t.Run(name, func(t *testing.T) {
			_, err := Parse(edited(t, test.change))
			var invalid *InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("error = %v", err)
			}
			var paths []string
			for _, p := range invalid.Problems {
				paths = append(paths, p.Path)
			}
			if diff := cmp.Diff(test.want, unrepeated(paths)); diff != "" {
				t.Errorf("paths (-want +got):\n%s\n%v", diff, err)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat(`{"a":`, 60) + "1" + strings.Repeat("}", 60)
	for name, data := range map[string]string{
		"nothing": "", "no object": "[]", "text after": "{} {}", "cut off": `{"a":`, "twice": `{"wizard_id":"a","wizard_id":"b"}`,
		"deep": deep, "huge number": `{"total_pages": 1e99999999}`, "huge": `"` + strings.Repeat("a", 5<<20) + `"`,
	} {
		if _, err := Parse([]byte(data)); err == nil {
			t.Errorf("%s is accepted", name)
		} else if len(err.Error()) > 2000 {
			t.Errorf("%s: the error has %d bytes", name, len(err.Error()))
		}
	}
}

func TestNullsCountAsAbsent(t *testing.T) {
	data := edited(t, func(w map[string]any) {
		w["start_action"] = nil
		at(w, "pages", 0)["validation"] = nil
		at(w, "pages", 0, "fields", 1)["notes"] = nil
	})
	if w := mustParse(t, data); w.StartAction != nil {
		t.Error("start_action is there")
	}
}

func TestNormalizeID(t *testing.T) {
	for in, want := range map[string]string{"fsa-estimator": "fsa-estimator", "fsa-estimator.json": "fsa-estimator", " a1 ": "a1"} {
		if got, err := NormalizeID(in); err != nil || got != want {
			t.Errorf("NormalizeID(%q) = %q, %v", in, got, err)
		}
	}
	for _, in := range []string{"", ".json", "../x", "a/b", "A", "a.json.json", "a\x00", strings.Repeat("a", 101)} {
		if got, err := NormalizeID(in); !errors.Is(err, ErrInvalidID) {
			t.Errorf("NormalizeID(%q) = %q, %v", in, got, err)
		}
	}
}

func TestCheckFindsWhatAProgramBuiltWrong(t *testing.T) {
	w := benefitCheck(t)
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
	w.TotalPages = 9
	if err := w.Check(); err == nil {
		t.Error("a wrong page count passes")
	}
}

func TestHashIgnoresSpelledOutDefaults(t *testing.T) {
	short := benefitCheck(t)
	long := mustParse(t, edited(t, func(w map[string]any) {
		at(w, "pages", 0, "continue_button")["selector_type"] = "css"
	}))
	if short.Hash() != long.Hash() {
		t.Error("a default that is spelled out changes the hash")
	}
	long.Pages[0].PageTitle = "Other"
	if short.Hash() == long.Hash() {
		t.Error("another title has the same hash")
	}
}

func FuzzParse(f *testing.F) {
	for _, data := range sampleFiles(f) {
		if len(data) < 64<<10 {
			f.Add(data)
		}
	}
	f.Add([]byte(`{"wizard_id":"a","pages":[{"fields":[{"visible_when":{"not":{}}}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := Parse(data)
		if err != nil {
			return
		}
		out, err := w.Marshal()
		if err != nil {
			t.Fatalf("a wizard that was read cannot be written: %v", err)
		}
		again, err := Parse(out)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if again.Hash() != w.Hash() {
			t.Fatal("the hash changes on the way")
		}
		Lint(w)
		if _, err := NewContract(w); err != nil {
			t.Fatalf("no contract for a valid wizard: %v", err)
		}
	})
}

// The published schema is what people link to: it must be valid draft-07.
func TestStructureSchemaIsPublished(t *testing.T) {
	data, err := os.ReadFile("schema/wizard-structure-v1.2.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, StructureSchema()) {
		t.Error("the embedded schema differs from the file")
	}
	if structureSchema().DraftVersion != 7 {
		t.Errorf("draft %d", structureSchema().DraftVersion)
	}
}
