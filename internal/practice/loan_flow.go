package practice

import (
	"fmt"
	"math"
	"slices"
)

// The loan simulator: one entry page, two tools, each a client-side program
// whose every step the server judges.

const (
	borrowSite = "loan-simulator-borrow-more"
	repaySite  = "loan-simulator-repayment"

	// maxLoans bounds the loan table of both tools.
	maxLoans = 3

	privateLoan = "Private Loan"
)

// subsidizedLoans gather no interest during the program.
var subsidizedLoans = []string{"Direct Subsidized Loan", "Direct Subsidized Consolidation Loan"}

func loanQuestion(label, hint string) question {
	kinds := []string{
		"Direct Subsidized Loan", "Direct Unsubsidized Loan", "Direct Graduate Unsubsidized Loan",
		"Direct Subsidized Consolidation Loan", "Direct Unsubsidized Consolidation Loan",
		"Direct PLUS Loan for Graduate/Professionals", "Direct PLUS Loan for Parents", privateLoan,
	}
	return question{
		ID: "current_loans", Kind: rowTable, Label: label, Hint: hint, InputID: "fsa_IconLinkButton_LoanSimulatorWizardLoansAddNewLoan",
		Sub: []question{
			{ID: "loan_type", Kind: dropdown, Label: "Loan type", InputID: "fsa_Select_LoanSimulatorUserAddedLoanType", Choices: numbered(kinds)},
			{ID: "loan_interest_rate", Kind: text, Label: "Interest rate", InputID: "fsa_Input_LoanSimulatorUserAddedInterestRate", Suffix: "%", Check: between(0, 15)},
			{ID: "loan_balance", Kind: text, Label: "Principal balance", InputID: "fsa_Input_LoanSimulatorUserAddedPrincipalBalance", Prefix: "$", Check: between(1, 500_000)},
		},
	}
}

// loan is one stored row as numbers.
type loan struct {
	kind          string
	balance, rate float64 // rate as a fraction per year
}

func (a answers) loans() []loan {
	var loans []loan
	for _, row := range a.rows("current_loans") {
		cell := answers(row)
		loans = append(loans, loan{cell.text("loan_type"), cell.amount("loan_balance"), cell.amount("loan_interest_rate") / 100})
	}
	return loans
}

// monthly is the level payment that repays a balance, in cents.
func monthly(balance, yearlyRate float64, months int) float64 {
	if yearlyRate == 0 {
		return roundCents(balance / float64(months))
	}
	r := yearlyRate / 12
	return roundCents(balance * r / (1 - math.Pow(1+r, -float64(months))))
}

var programYears = map[string]float64{
	"Less than 1 year": 1, "1 year": 1, "2 years": 2, "3 years": 3, "4 years": 4, "5 years": 5, "6 years": 6,
}

// yearlyGrant is what families with the given income typically get.
var yearlyGrant = map[string]float64{
	"$0 - $30,000": 6_895, "$30,001 - $48,000": 4_310, "$48,001 - $75,000": 1_750,
	"$75,000 - $110,000": 0, "$110,001+": 0, "I don't know.": 0,
}

// borrowAnswer computes the repayment of a planned loan mix, by the practice
// formula that the package documents.
func borrowAnswer(a answers) outcome {
	years := max(0, programYears[a.text("program_length")]-float64(a.count("years_completed")))
	var payment, owed, principal float64
	for _, l := range a.loans() {
		start := l.balance
		if !slices.Contains(subsidizedLoans, l.kind) {
			start = roundCents(l.balance * (1 + l.rate*years))
		}
		principal += l.balance
		owed += start
		payment += monthly(start, l.rate, 120)
	}
	payment = roundCents(payment)
	total := roundCents(payment * 120)
	share := math.Floor(payment*12/a.amount("expected_salary")*1000+0.5) / 10
	growth := 3.0
	if a.text("income_growth_rate") != "" {
		growth = a.amount("income_growth_rate")
	}
	salary := math.Floor(a.amount("expected_salary")*math.Pow(1+growth/100, 10) + 0.5)
	verdict := borrowVerdict(share)
	return outcome{
		Heading:  "Your Borrowing Results",
		Headline: pair{"Estimated monthly payment", usdCents(payment)},
		Pairs: []pair{
			{"Estimated monthly payment", usdCents(payment)},
			{"Amount borrowed", usd(principal)},
			{"Balance when repayment starts", usdCents(owed)},
			{"Total amount repaid", usdCents(total)},
			{"Share of starting salary", fmt.Sprintf("%.1f%%", share)},
			{"Affordability", verdict},
			{"Salary after 10 years", usd(salary)},
			{"Typical yearly grant", usd(yearlyGrant[a.text("family_income")])},
		},
		Table: borrowTable(a, years),
		Values: map[string]any{
			"monthly_payment": payment, "amount_borrowed": principal, "balance_at_repayment": roundCents(owed), "total_repaid": total,
			"salary_share": share, "affordability": verdict, "final_salary": salary, "yearly_grant": yearlyGrant[a.text("family_income")],
		},
	}
}

func borrowVerdict(share float64) string {
	switch {
	case share <= 10:
		return "Affordable"
	case share <= 20:
		return "Stretched"
	}
	return "Hard to repay"
}

func borrowTable(a answers, years float64) [][]string {
	table := [][]string{{"Loan", "Borrowed", "Rate", "Monthly payment"}}
	for _, l := range a.loans() {
		start := l.balance
		if !slices.Contains(subsidizedLoans, l.kind) {
			start = roundCents(l.balance * (1 + l.rate*years))
		}
		table = append(table, []string{l.kind, usd(l.balance), trimZeros(roundCents(l.rate*100)) + "%", usdCents(monthly(start, l.rate, 120))})
	}
	return table
}
