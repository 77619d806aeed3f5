package practice

import (
	"fmt"
	"strings"
)

func borrowFlow() *flow {
	return &flow{
		Site:   borrowSite,
		Answer: borrowAnswer,
		Steps: []step{
			borrowTiming(), borrowProgram(), borrowFamily(),
			{Path: "borrow-amount", Title: "How much do you need to borrow?", Questions: []question{
				{ID: "borrow_amount", Kind: text, Label: "Amount to borrow", Hint: "For the whole program", InputID: "fsa_Input_BorrowAmount", Prefix: "$", Check: between(1, 500_000)},
			}},
			{Path: "income", Title: "What do you expect to earn?", Questions: []question{
				{ID: "expected_salary", Kind: text, Label: "Yearly salary after the program", InputID: "fsa_Input_YearlySalary", Prefix: "$", Check: between(1_000, 5_000_000)},
				{ID: "income_growth_rate", Kind: text, Label: "Yearly income growth", InputID: "fsa_Input_IncomeGrowth", Suffix: "%", Default: "3", Optional: true, Check: between(0, 20)},
			}},
			{Path: "loans", Title: "Which loans will cover this amount?",
				Intro:     "These are the loans that you plan to take, not loans that you already have.",
				Questions: []question{loanQuestion("Planned loans", "Add at least one loan, at most three. Together they must equal the amount that you need.")},
				Check:     borrowSum},
		},
	}
}

func borrowSum(a answers) []complaint {
	sum := 0.0
	for _, l := range a.loans() {
		sum += l.balance
	}
	if sum != a.amount("borrow_amount") {
		return []complaint{{ID: "current_loans", InputID: "fsa_IconLinkButton_LoanSimulatorWizardLoansAddNewLoan",
			Text: fmt.Sprintf("Planned loans: they add up to %s, but you need %s", usd(sum), usd(a.amount("borrow_amount")))}}
	}
	return nil
}

func borrowTiming() step {
	return step{
		Path: "program-timing", Title: "When is the program?",
		Questions: []question{
			{ID: "program_timing", Kind: radios, Label: "Are you borrowing for a program that you attend now?", Choices: []choice{
				{Value: "current", Label: "Yes, my current program", InputID: "fsa_Radio_WizardCurrentProgram"},
				{Value: "future", Label: "No, a future program", InputID: "fsa_Radio_WizardFutureProgram"},
			}},
			{ID: "years_completed", Kind: text, Label: "Years of the program already completed", InputID: "fsa_Input_YearsCompleted",
				Shows: []need{{ID: "program_timing", Values: []string{"current"}}}, Check: whole(0, 6)},
		},
	}
}

// undergraduatePrograms are the ones that ask whether the student is dependent.
var undergraduatePrograms = []string{
	"Undergraduate certificate or diploma program", "Associate degree", "Bachelor's degree",
	"Non-credential program (preparatory coursework/teacher certification)",
}

func borrowProgram() step {
	programs := []string{
		"Undergraduate certificate or diploma program", "Associate degree", "Bachelor's degree", "Post-baccalaureate certificate",
		"Master's degree", "Doctoral degree", "First professional degree", "Graduate/Professional certificate",
		"Non-credential program (preparatory coursework/teacher certification)",
	}
	lengths := []string{"Less than 1 year", "1 year", "2 years", "3 years", "4 years", "5 years", "6 years"}
	return step{
		Path: "program-information", Title: "Tell us about the program",
		Questions: []question{
			{ID: "program_type", Kind: dropdown, Label: "Type of program", InputID: "fsa_Select_LoanSimulatorBorrowMoreWizardProgramInfoProgramType", Choices: numbered(programs)},
			{ID: "program_length", Kind: dropdown, Label: "Length of program", InputID: "fsa_Select_LoanSimulatorBorrowMoreWizardProgramInfoProgramLength", Choices: numbered(lengths)},
			{ID: "dependency_status", Kind: radios, Label: "Are you a dependent or an independent student?", Shows: []need{{ID: "program_type", Values: undergraduatePrograms}}, Choices: []choice{
				{Value: "dependent", Label: "Dependent: my parents support me", InputID: "fsa_Radio_LoanSimulatorDependentStatus"},
				{Value: "independent", Label: "Independent", InputID: "fsa_Radio_LoanSimulatorIndependentStatus"},
			}},
			{ID: "school_location", Kind: typeahead, Label: "State where the school is (optional)", InputID: "fsa_Typeahead_LoanSimulatorBorrowMoreWizardIncomeSchoolState",
				Optional: true, Known: knownState, Source: "/loan-simulator/api/states"},
			{ID: "school_name", Kind: typeahead, Label: "Name of the school (optional)", InputID: "fsa_Typeahead_LoanSimulatorBorrowMoreWizardSchoolName",
				Optional: true, Known: knownSchool, Source: "/loan-simulator/api/schools", Shows: []need{{ID: "school_location"}}},
		},
	}
}

func borrowFamily() step {
	incomes := []string{"$0 - $30,000", "$30,001 - $48,000", "$48,001 - $75,000", "$75,000 - $110,000", "$110,001+", "I don't know."}
	return step{
		Path: "family-income", Title: "What is your family’s income?",
		Asked: func(a answers) bool { return a.is("dependency_status", "dependent") },
		Questions: []question{
			{ID: "family_income", Kind: dropdown, Label: "Your parents’ yearly income", InputID: "fsa_Select_BorrowMoreFamilyIncome", Choices: numbered(incomes)},
		},
	}
}

// numbered makes choices of a select as a component framework does: the value
// attribute is a position, and the label has typographic apostrophes.
func numbered(values []string) []choice {
	var choices []choice
	for i, v := range values {
		choices = append(choices, choice{Value: v, Label: strings.ReplaceAll(v, "'", "’"), Attr: fmt.Sprint(i + 1)})
	}
	return choices
}
