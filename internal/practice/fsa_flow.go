package practice

import "slices"

// The Federal Student Aid estimator: seven pages, dependent and independent
// students, parents who filed taxes and parents who did not.

const fsaSite = "fsa-estimator"

// independentYear: who was born before it counts as independent.
const independentYear = 2003

func fsaFlow() *flow {
	return &flow{
		Site: fsaSite,
		Steps: []step{
			fsaStudent(), fsaCircumstances(), fsaParentsMarried(), fsaParents(), fsaFamilySize(),
			fsaParentMoney(), fsaStudentMoney(),
		},
		Answer: fsaAnswer,
	}
}

// fsaIndependent reports whether the student's own family counts, not the parents.
func fsaIndependent(a answers) bool {
	return a.is("marital_status", "married", "separated") || a.is("grade_level", "graduate") ||
		a.text("birth_year") != "" && a.count("birth_year") < independentYear || a.is("has_dependents", "yes") ||
		slices.ContainsFunc(fsaCircumstanceChoices(), func(c choice) bool { return !c.Exclusive && a.ticked(c.Field) })
}

func fsaDependent(a answers) bool { return !fsaIndependent(a) }

// yesOrNo are the choices of a question that can only be agreed to or not.
func yesOrNo(yesID, noID string) []choice {
	return []choice{{Value: "yes", Label: "Yes", InputID: yesID}, {Value: "no", Label: "No", InputID: noID}}
}

func fsaStudent() step {
	return step{
		Path: "student-information", Title: "Student Information",
		Intro: "Tell us about the student who will attend college or career school.",
		Questions: []question{
			{ID: "date_of_birth", Kind: date, Label: "Student’s date of birth", Hint: "For example: 05 15 2007", Parts: []part{
				{Field: "birth_month", Label: "month", InputID: "fsa_Input_DateOfBirthMonth", Name: "birth_month", Width: 2},
				{Field: "birth_day", Label: "day", InputID: "fsa_Input_DateOfBirthDay", Name: "birth_day", Width: 2},
				{Field: "birth_year", Label: "year", InputID: "fsa_Input_DateOfBirthYear", Name: "birth_year", Width: 4},
			}},
			{ID: "marital_status", Kind: radios, Label: "Student’s marital status", Look: "tile", Choices: []choice{
				{Value: "unmarried", Label: "Unmarried (single, divorced or widowed)", InputID: "fsa_Radio_MaritalStatusUnmarried"},
				{Value: "married", Label: "Married (not separated) or remarried", InputID: "fsa_Radio_MaritalStatusMarriedReMarried"},
				{Value: "separated", Label: "Separated", InputID: "fsa_Radio_MaritalStatusSeparated"},
			}},
			{ID: "state", Kind: typeahead, Label: "Student’s state of residence", InputID: "fsa_Typeahead_StateOfResidence", Known: knownState,
				Hint: "Start typing, then choose a suggestion."},
			{ID: "grade_level", Kind: radios, Label: "Student’s college level in the coming year", Look: "hidden", Shows: []need{{ID: "state"}}, Choices: []choice{
				{Value: "freshman", Label: "First year (freshman)", InputID: "fsa_Radio_CollegeLevelFreshman"},
				{Value: "sophomore", Label: "Second year (sophomore)", InputID: "fsa_Radio_CollegeLevelSophomore"},
				{Value: "other_undergrad", Label: "Other undergraduate", InputID: "fsa_Radio_CollegeLevelOther"},
				{Value: "graduate", Label: "Master’s, doctorate or other graduate program", InputID: "fsa_Radio_CollegeLevelGraduate"},
			}},
		},
	}
}

func fsaCircumstanceChoices() []choice {
	return []choice{
		{Field: "personal_circumstances_active_duty", Label: "Is on active duty or a veteran of the U.S. armed forces", InputID: "fsa_Checkbox_ActiveDuty"},
		{Field: "personal_circumstances_parents_deceased", Label: "At any time since turning 13, both parents were deceased", InputID: "fsa_Checkbox_ParentsDeceased"},
		{Field: "personal_circumstances_foster_care", Label: "At any time since turning 13, was in foster care or a ward of the court", InputID: "fsa_Checkbox_WasInFosterCare"},
		{Field: "personal_circumstances_emancipated_minor", Label: "Is or was an emancipated minor", InputID: "fsa_Checkbox_EmancipatedMinor"},
		{Field: "personal_circumstances_homeless", Label: "Is unaccompanied and homeless, or at risk of it", InputID: "fsa_Checkbox_Homeless"},
		{Field: "personal_circumstances_none", Label: "None of these apply", InputID: "fsa_Checkbox_none", Exclusive: true},
	}
}

func fsaCircumstances() step {
	return step{
		Path: "student-information/personal-circumstances", Title: "Student Personal Circumstances",
		Questions: []question{
			{ID: "has_dependents", Kind: radios, Label: "Does the student have children or other people who live with them and get more than half of their support from them?", Look: "hidden",
				Choices: yesOrNo("fsa_Radio_HaveDependentsYes", "fsa_Radio_HaveDependentsNo")},
			{ID: "dependents_count", Kind: text, Label: "How many dependents?", InputID: "fsa_Input_NumberOfDependents",
				Shows: []need{{ID: "has_dependents", Values: []string{"yes"}}}, Check: whole(1, 12)},
			{ID: "personal_circumstances", Kind: checks, Label: "Do any of these apply to the student?", Hint: "Select all that apply.", Look: "hidden",
				Shows: []need{{ID: "has_dependents", Values: []string{"no"}}}, Choices: fsaCircumstanceChoices()},
		},
	}
}

func fsaParentsMarried() step {
	return step{
		Path: "parent-marital-status", Title: "Parent Marital Status", Asked: fsaDependent,
		Questions: []question{
			{ID: "parents_married", Kind: radios, Label: "Are the student’s legal parents married to each other?", Look: "tile",
				Choices: yesOrNo("fsa_Radio_parentMaritalInformation-question1-yes", "fsa_Radio_parentMaritalInformation-question1-no")},
			{ID: "parent_support", Kind: radios, Label: "Which parent gave the student more support in the last 12 months?", Look: "tile",
				Shows: []need{{ID: "parents_married", Values: []string{"no"}}}, Choices: []choice{
					{Value: "this_parent", Label: "The parent who answers these questions", InputID: "fsa_Radio_parentMaritalInformation-question2-this"},
					{Value: "equal", Label: "Both parents gave the same", InputID: "fsa_Radio_parentMaritalInformation-question2-equal"},
				}},
		},
	}
}

func fsaParents() step {
	return step{
		Path: "parent-information", Title: "Parent Information", Asked: fsaDependent,
		Questions: []question{
			{ID: "parent_marital_status", Kind: radios, Label: "Parent’s current marital status", Look: "hidden", Choices: []choice{
				{Value: "married", Label: "Married or remarried", InputID: "fsa_Radio_ParenFamilyInfoMarried"},
				{Value: "unmarried", Label: "Unmarried, divorced, separated or widowed", InputID: "fsa_Radio_ParenFamilyInfoUnmarried"},
				{Value: "unmarried_together", Label: "Unmarried, and both legal parents live together", InputID: "fsa_Radio_ParenFamilyInfoUnmarriedTogether"},
			}},
			{ID: "parent_state", Kind: typeahead, Label: "Parent’s state of residence", InputID: "fsa_Typeahead_States", Known: knownState,
				Hint: "Start typing, then choose a suggestion."},
		},
	}
}

func fsaFamilySize() step {
	return step{
		Path: "parent-information/family-size", Title: "Family Size", Asked: fsaDependent,
		Questions: []question{
			{ID: "family_size", Kind: text, Label: "How many people are in the parent’s family?", InputID: "fsa_Input_NumInHousehold",
				Hint: "Include the parents, the student and everybody whom the parents support.", Check: whole(2, 20)},
		},
	}
}

// fsaTwoIncomes: the household has a second income that the first question
// about the parents did not cover.
func fsaTwoIncomes(a answers) bool {
	return a.is("parent_marital_status", "unmarried_together") ||
		a.is("parents_married", "no") && a.is("parent_marital_status", "married")
}

func fsaParentMoney() step {
	filed := []need{{ID: "parent_filed_taxes", Values: []string{"yes"}}}
	notFiled := []need{{ID: "parent_filed_taxes", Values: []string{"no"}}}
	money := between(0, 99_999_999)
	return step{
		Path: "financial-information/parent-information", Title: "Parent Income and Assets", Asked: fsaDependent,
		Questions: []question{
			{ID: "parent_filed_taxes", Kind: radios, Label: "Did the parent file a federal tax return?", Look: "hidden",
				Choices: yesOrNo("fsa_Radio_FamilySizeChangeYes", "fsa_Radio_FamilySizeChangeNo")},
			{ID: "parent_income", Kind: text, Label: "Parent’s income", InputID: "fsa_Input_ParentIncome", Prefix: "$", Shows: filed, Check: money},
			{ID: "other_parent_income", Kind: text, Label: "Income of the other adult in the household", InputID: "fsa_Input_OtherParentIncome", Prefix: "$",
				Shows: filed, Asked: fsaTwoIncomes, Check: money},
			{ID: "parent_assets", Kind: text, Label: "Parent’s assets", InputID: "fsa_Input_ParentAssets", Prefix: "$", Shows: filed, Check: money},
			{ID: "parent_child_support", Kind: text, Label: "Child support that the parent received", InputID: "fsa_Input_ParentChildSupport", Prefix: "$", Shows: filed, Check: money},
			{ID: "parent_earned_income", Kind: text, Label: "Parent’s earnings from work", InputID: "fsa_Input_ParentEarnedIncome", Prefix: "$", Shows: notFiled, Check: money},
			{ID: "parent_benefits", Kind: checks, Label: "Did anybody in the parent’s family get these benefits?", Look: "tile", Shows: notFiled, Choices: []choice{
				{Field: "parent_benefits_snap", Label: "Food assistance (SNAP)", InputID: "fsa_Checkbox_BenefitSnap"},
				{Field: "parent_benefits_medicaid", Label: "Medicaid", InputID: "fsa_Checkbox_BenefitMedicaid"},
				{Field: "parent_benefits_school_lunch", Label: "Free or reduced-price school lunch", InputID: "fsa_Checkbox_BenefitSchoolLunch"},
				{Field: "parent_benefits_none", Label: "None of these apply", InputID: "fsa_Checkbox_BenefitNone", Exclusive: true},
			}},
		},
	}
}

func fsaMarried(a answers) bool { return a.is("marital_status", "married") }

func fsaStudentMoney() step {
	filed := need{ID: "student_filed_taxes", Values: []string{"yes"}}
	money := between(0, 99_999_999)
	return step{
		Path: "financial-information/student-information", Title: "Student Income and Assets",
		Questions: []question{
			{ID: "student_family_size", Kind: text, Label: "How many people are in the student’s own family?", InputID: "fsa_Input_StudentNumInHousehold",
				Hint: "Include the student, a spouse and everybody whom the student supports.", Asked: fsaIndependent, Check: whole(1, 20)},
			{ID: "student_filed_taxes", Kind: radios, Label: "Did the student file a federal tax return?", Look: "hidden",
				Choices: yesOrNo("fsa_Radio_StudentFiledYes", "fsa_Radio_StudentFiledNo")},
			{ID: "student_filed_jointly", Kind: radios, Label: "Did the student file together with the spouse?", Look: "hidden",
				Asked: fsaMarried, Shows: []need{filed}, Choices: yesOrNo("fsa_Radio_StudentFiledJointlyYes", "fsa_Radio_StudentFiledJointlyNo")},
			{ID: "student_income", Kind: text, Label: "Student’s income", InputID: "fsa_Input_StudentIncome", Prefix: "$", Shows: []need{filed}, Check: money},
			{ID: "spouse_income", Kind: text, Label: "Spouse’s income", InputID: "fsa_Input_SpouseIncome", Prefix: "$", Asked: fsaMarried,
				Shows: []need{filed, {ID: "student_filed_jointly", Values: []string{"no"}}}, Check: money},
			{ID: "student_assets", Kind: text, Label: "Student’s assets", InputID: "fsa_Input_StudentAssets", Prefix: "$", Shows: []need{filed}, Check: money},
		},
		Check: func(a answers) []complaint {
			if n := a.count("student_family_size"); fsaIndependent(a) && n < 1+a.count("dependents_count") {
				return []complaint{{ID: "student_family_size", InputID: "fsa_Input_StudentNumInHousehold",
					Text: "How many people are in the student’s own family: count the dependents whom you named"}}
			}
			return nil
		},
	}
}
