package main

import "fmt"

// step is one thing to do on a page; see fill.js.
type step struct {
	Text  string `json:"text,omitempty"`
	Click string `json:"click,omitempty"`
	Pick  string `json:"pick,omitempty"`
	Value string `json:"value,omitempty"`
}

// pages is the form by heart, for a dependent student whose parents filed taxes:
// the branch with the most fields. Unknown answers lead to inputs that do not
// exist, and the run waits for them in vain.
func pages(data map[string]any) [][]step {
	v := func(id string) string { return fmt.Sprint(data[id]) }
	text := func(input, id string) step { return step{Text: "fsa_Input_" + input, Value: v(id)} }
	pick := func(input, id string) step { return step{Pick: "fsa_Typeahead_" + input, Value: v(id)} }
	choose := func(id string, radios map[string]string) step { return step{Click: "fsa_Radio_" + radios[v(id)]} }
	return [][]step{
		{
			text("DateOfBirthMonth", "birth_month"), text("DateOfBirthDay", "birth_day"), text("DateOfBirthYear", "birth_year"),
			choose("marital_status", map[string]string{"unmarried": "MaritalStatusUnmarried"}),
			pick("StateOfResidence", "state"),
			choose("grade_level", map[string]string{"freshman": "CollegeLevelFreshman", "sophomore": "CollegeLevelSophomore", "other_undergrad": "CollegeLevelOther"}),
		},
		{choose("has_dependents", map[string]string{"no": "HaveDependentsNo"}), {Click: "fsa_Checkbox_none"}},
		{choose("parents_married", map[string]string{"yes": "parentMaritalInformation-question1-yes"})},
		{choose("parent_marital_status", map[string]string{"married": "ParenFamilyInfoMarried"}), pick("States", "parent_state")},
		{text("NumInHousehold", "family_size")},
		{
			choose("parent_filed_taxes", map[string]string{"yes": "FamilySizeChangeYes"}),
			text("ParentIncome", "parent_income"), text("ParentAssets", "parent_assets"), text("ParentChildSupport", "parent_child_support"),
		},
		{choose("student_filed_taxes", map[string]string{"no": "StudentFiledNo"})},
	}
}
