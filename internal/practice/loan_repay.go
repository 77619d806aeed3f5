package practice

func repayFlow() *flow {
	return &flow{
		Site:   repaySite,
		Answer: repayAnswer,
		Steps: []step{
			repaySituation(),
			{Path: "loans", Title: "Which loans do you have?",
				Questions: []question{loanQuestion("Your current loans", "Add at least one loan, at most three.")}},
			repayForgiveness(), repayGoal(),
		},
	}
}

func repaySituation() step {
	return step{
		Path: "about-you", Title: "Tell us about yourself",
		Questions: []question{
			{ID: "what_applies", Kind: checks, Label: "What applies to you?", Hint: "Select all that apply.", Choices: []choice{
				{Field: "has_job", Label: "I have a job or plan to get one soon", InputID: "fsa_Checkbox_SelectWhatApplies_0"},
				{Field: "filed_taxes", Label: "I’ve filed taxes in the last two years", InputID: "fsa_Checkbox_SelectWhatApplies_1"},
				{Field: "marital_status_married", Label: "I’m married or will be soon", InputID: "fsa_Checkbox_SelectWhatApplies_2"},
				{Field: "has_dependents", Label: "I have children or other dependents", InputID: "fsa_Checkbox_SelectWhatApplies_3"},
				{Field: "retirement_savings_taxable", Label: "I save for retirement and will pay tax on it later", InputID: "fsa_Checkbox_SelectWhatApplies_4"},
				{Field: "additional_taxable_income", Label: "I have other taxable income", InputID: "fsa_Checkbox_SelectWhatApplies_5"},
				{Field: "health_insurance_paycheck", Label: "I pay for health insurance through my paycheck", InputID: "fsa_Checkbox_SelectWhatApplies_6"},
				{Field: "health_savings_account", Label: "I pay into a health savings or flexible spending account", InputID: "fsa_Checkbox_SelectWhatApplies_7"},
				{Field: "none_apply", Label: "None of these apply", InputID: "fsa_Checkbox_NoneOfTheseApply", Exclusive: true},
			}},
			{ID: "annual_income", Kind: text, Label: "Yearly income from the job", InputID: "fsa_Input_AnnualIncome", Prefix: "$", Check: between(0, 5_000_000),
				Shows: []need{{ID: "has_job", Values: []string{"true"}}, {ID: "filed_taxes", Values: []string{"false"}}}},
			{ID: "adjusted_gross_income", Kind: text, Label: "Adjusted gross income on the tax return", InputID: "fsa_Input_AdjustedGrossIncome", Prefix: "$", Check: between(0, 5_000_000),
				Shows: []need{{ID: "filed_taxes", Values: []string{"true"}}}},
			{ID: "tax_filing_status", Kind: dropdown, Label: "How did you file?", InputID: "fsa_Select_TaxFilingStatus",
				Shows:   []need{{ID: "filed_taxes", Values: []string{"true"}}, {ID: "marital_status_married", Values: []string{"true"}}},
				Choices: numbered([]string{"Married filing jointly", "Married filing separately", "Don't know yet"})},
			{ID: "number_of_dependents", Kind: text, Label: "Number of dependents", InputID: "fsa_Input_NumberOfDependents", Check: whole(1, 12),
				Shows: []need{{ID: "has_dependents", Values: []string{"true"}}}},
		},
	}
}

func repayForgiveness() step {
	interested := []need{{ID: "pslf_interest", Values: []string{"yes"}}}
	return step{
		Path: "public-service", Title: "Public Service Loan Forgiveness",
		Questions: []question{
			{ID: "pslf_interest", Kind: radios, Label: "Do you want to see options for Public Service Loan Forgiveness?", Choices: []choice{
				{Value: "yes", Label: "Yes", InputID: "fsa_Radio_PslfYes"},
				{Value: "no", Label: "No", InputID: "fsa_Radio_PslfNo"},
			}},
			{ID: "pslf_employer", Kind: dropdown, Label: "Kind of employer", InputID: "fsa_Select_PslfEmployer", Shows: interested,
				Choices: numbered([]string{"Government", "501(c)(3) nonprofit", "Other nonprofit", "I don't know."})},
			{ID: "pslf_qualifying_payments", Kind: text, Label: "Qualifying payments so far", InputID: "fsa_Input_PslfPayments", Shows: interested, Check: whole(0, 119)},
		},
	}
}

func repayGoal() step {
	return step{
		Path: "repayment-goal", Title: "What is your main goal?",
		Questions: []question{
			{ID: "primary_repayment_goal", Kind: radios, Label: "Choose the goal that matters most to you", Choices: []choice{
				{Value: "fast_payoff", Label: "Pay my loans off as fast as possible", InputID: "fsa_Radio_RepaymentGoal_0"},
				{Value: "low_monthly_payment", Label: "Have a low monthly payment", InputID: "fsa_Radio_RepaymentGoal_1"},
				{Value: "lowest_total", Label: "Pay the lowest amount over time", InputID: "fsa_Radio_RepaymentGoal_2"},
				{Value: "choose_payment", Label: "Choose my monthly payment", InputID: "fsa_Radio_RepaymentGoal_3"},
				{Value: "payoff_by_date", Label: "Pay off my loans by a certain date", InputID: "fsa_Radio_RepaymentGoal_4"},
				{Value: "no_specific_goal", Label: "I don’t have a specific goal", InputID: "fsa_Radio_RepaymentGoal_5"},
			}},
			{ID: "desired_payment", Kind: text, Label: "Monthly payment that you want", InputID: "fsa_Input_DesiredPayment", Prefix: "$", Check: between(1, 100_000),
				Shows: []need{{ID: "primary_repayment_goal", Values: []string{"choose_payment"}}}},
			{ID: "payoff_years", Kind: text, Label: "Years until the loans are paid off", InputID: "fsa_Input_PayoffYears", Check: whole(1, 30),
				Shows: []need{{ID: "primary_repayment_goal", Values: []string{"payoff_by_date"}}}},
		},
		Check: func(a answers) []complaint {
			p := newRepayment(a)
			if a.is("primary_repayment_goal", "choose_payment") && a.amount("desired_payment") <= p.balance*p.rate/12 {
				return []complaint{{ID: "desired_payment", InputID: "fsa_Input_DesiredPayment",
					Text: "Monthly payment that you want: it does not cover the interest, so the loans would never be repaid"}}
			}
			return nil
		},
	}
}
