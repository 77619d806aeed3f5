package wizard

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLint(t *testing.T) {
	paths := func(w *Wizard) []string {
		var list []string
		for _, p := range Lint(w) {
			list = append(list, p.Path)
		}
		return list
	}
	clean := benefitCheck(t)
	clean.Field("retired").ExampleValue = json.RawMessage(`"false"`)
	clean.Field("no_work").ExampleValue = json.RawMessage(`"false"`)
	clean.Field("email").ExampleValue = json.RawMessage(`"a@example.com"`)
	clean.Field("proof").ExampleValue = json.RawMessage(`"/tmp/x.pdf"`)
	for i := range clean.Field("birth_date").SubFields {
		clean.Field("birth_date").SubFields[i].MaskInScreenshots = true
	}
	if diff := cmp.Diff([]string(nil), paths(clean)); diff != "" {
		t.Errorf("a good wizard has warnings (-want +got):\n%s", diff)
	}

	odd := mustParse(t, readTestdata(t, "v1.1/loan-simulator-repayment.json"))
	odd.Pages[0].Fields[0].Selector = "#ember1234"
	odd.Pages[0].Fields[1].Interaction = "select"
	odd.Pages[0].Fields[2].Notes = "Appears after the job question"
	odd.Pages[0].Fields[3].ExampleValue = nil
	odd.Pages[0].Fields[4].VisibleWhen = &Condition{FieldID: "primary_repayment_goal", Value: json.RawMessage(`"x"`)}
	odd.Pages[0].Fields[5].FieldID = "ssn"
	odd.Pages[0].Validation = &Validation{ErrorSelector: ".error"}
	odd.Pages[0].ContinueButton.SelectorType = "role"
	odd.Pages[3].Fields[0].Options = []Option{{Value: "fast"}}
	odd.Pages[2], odd.Pages[3] = odd.Pages[3], odd.Pages[2]
	want := []string{
		"/success_when", "/results", "/url", "/pages",
		"/pages/0/validation", "/pages/0/continue_button/selector_type",
		"/pages/0/fields/0/selector", "/pages/0/fields/1/interaction", "/pages/0/fields/2/notes", "/pages/0/fields/3/example_value",
		"/pages/0/fields/4/visible_when/field_id", "/pages/0/fields/4/visible_when/value", "/pages/0/fields/5/mask_in_screenshots",
		"/pages/1/fields/0/row_selector", "/pages/1/fields/0/remove_button_selector", "/pages/1/fields/0/sub_fields/0/options",
		"/pages/2/fields/0/example_value", "/pages/3/fields/0/options",
	}
	if diff := cmp.Diff(want, paths(odd)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLintNotesUnknownKeysOnEveryLevel(t *testing.T) {
	data := edited(t, func(w map[string]any) {
		w["$schema"], w["descripton"], w["zzz_own_notes"] = "wizard.json", "x", 1
		field := at(w, "pages", 0, "fields", 0)
		field["mask_in_screenshot"] = true
		at(field, "sub_fields", 1)["exampel_value"] = "x"
		at(w, "pages", 0, "fields", 1, "options", 0)["lable"] = "x"
		at(w, "pages", 0, "continue_button")["selector_typ"] = "css"
		at(w, "pages", 1, "visible_when")["feild_id"] = "x"
		at(w, "success_when", 0)["headng"] = "x"
	})
	w := mustParse(t, data)
	var got []string
	for _, p := range Lint(w) {
		if strings.Contains(p.Message, "unknown key") {
			got = append(got, p.String())
		}
	}
	want := []string{
		`/descripton: unknown key "descripton": did you mean "description"?`,
		`/zzz_own_notes: unknown key "zzz_own_notes"`,
		`/pages/0/fields/0/mask_in_screenshot: unknown key "mask_in_screenshot": did you mean "mask_in_screenshots"?`,
		`/pages/0/fields/0/sub_fields/1/exampel_value: unknown key "exampel_value": did you mean "example_value"?`,
		`/pages/0/fields/1/options/0/lable: unknown key "lable": did you mean "label"?`,
		`/pages/0/continue_button/selector_typ: unknown key "selector_typ": did you mean "selector_type"?`,
		`/pages/1/visible_when/feild_id: unknown key "feild_id": did you mean "field_id"?`,
		`/success_when/0/headng: unknown key "headng": did you mean "heading"?`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again, err := plainJSON(w)
	if err != nil || !strings.Contains(string(again), `"mask_in_screenshot":true`) || !strings.Contains(string(again), `"lable":"x"`) {
		t.Errorf("a rewrite loses unknown keys: %v", err)
	}
}

func TestUnstableSelectors(t *testing.T) {
	for selector, want := range map[string]bool{
		"#fsa_Input_DateOfBirthMonth": false, "#fsa_Checkbox_SelectWhatApplies_0": false, "#month": false, "input[name='a']": false,
		"#ember1234": true, "#react-select-3-input": true, "#:r1:": true, "#input-3f2504e0-4f89-11d3": true, "#field_1698423123": true,
		"#fsa_LinkButton_LoanSimulatorLandingRepayStrategyStartUnauth3": false,
	} {
		if got := unstable(selector); got != want {
			t.Errorf("unstable(%q) = %v", selector, got)
		}
	}
}

func TestDiff(t *testing.T) {
	a, b := benefitCheck(t), benefitCheck(t)
	if changes := Diff(a, b); len(changes) != 0 {
		t.Errorf("a wizard differs from itself: %v", changes)
	}
	b.Name = "Benefits"
	b.Pages[0].Fields[1].Options = append(b.Pages[0].Fields[1].Options[1:], Option{Value: "divorced", Label: "Divorced"})
	b.Pages[0].Fields[3].Selector = "#household"
	b.Pages[2].Fields = append(b.Pages[2].Fields[1:], b.Pages[2].Fields[0])
	b.Pages[1].VisibleWhen = nil
	b.SuccessWhen[0].Heading = "Result"
	var got []string
	for _, change := range Diff(a, b) {
		got = append(got, change.String())
	}
	want := []string{
		`~ name: "Benefit Check" -> "Benefits"`,
		`- pages[1].fields[marital_status].options[single]: "Never married"`,
		`+ pages[1].fields[marital_status].options[divorced]: "Divorced"`,
		`~ pages[1].fields[household_size].selector: "#size" -> "#household"`,
		`- pages[2].visible_when: {"field_id":"household_size","op":"gte","value":5}`,
		`~ pages[3].fields (order): has_job, retired, no_work, email, proof -> retired, no_work, email, proof, has_job`,
		`~ success_when: [{"heading":"Your result"}] -> [{"heading":"Result"}]`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
