package practice

import (
	"fmt"
	"math"
)

// plan is one way to repay.
type plan struct {
	name     string
	payment  float64 // per month, private loans included
	months   int
	total    float64
	forgiven float64
}

// repayment is the borrower's situation in numbers.
type repayment struct {
	balance, rate float64 // of all loans; the rate is the weighted average
	standard      float64 // ten-year payment of all loans
	federal       float64 // balance of the loans that income-driven plans cover
	federalRate   float64
	private       float64 // ten-year payment of the private loans
	privateTotal  float64
	income        float64
	family        int64
}

func newRepayment(a answers) repayment {
	p := repayment{income: repayIncome(a), family: 1 + a.count("number_of_dependents")}
	if a.ticked("marital_status_married") && !a.is("tax_filing_status", "Married filing separately") {
		p.family++
	}
	var weighted, federalWeighted float64
	for _, l := range a.loans() {
		pay := monthly(l.balance, l.rate, 120)
		p.balance += l.balance
		weighted += l.balance * l.rate
		p.standard += pay
		if l.kind == privateLoan {
			p.private += pay
			continue
		}
		p.federal += l.balance
		federalWeighted += l.balance * l.rate
	}
	if p.balance > 0 {
		p.rate = weighted / p.balance
	}
	if p.federal > 0 {
		p.federalRate = federalWeighted / p.federal
	}
	p.standard, p.private = roundCents(p.standard), roundCents(p.private)
	p.privateTotal = roundCents(p.private * 120)
	return p
}

// repayIncome is the tax return's income, or the job's after the deductions
// that the borrower ticked.
func repayIncome(a answers) float64 {
	if a.ticked("filed_taxes") {
		return a.amount("adjusted_gross_income")
	}
	percent := 100.0
	for id, change := range map[string]float64{
		"retirement_savings_taxable": -5, "health_insurance_paycheck": -3, "health_savings_account": -2, "additional_taxable_income": 4,
	} {
		if a.ticked(id) {
			percent += change
		}
	}
	return math.Floor(a.amount("annual_income") * percent / 100)
}

// level repays everything in equal payments over the given months.
func (p repayment) level(name string, months int) plan {
	pay := monthly(p.balance, p.rate, months)
	return plan{name: name, payment: pay, months: months, total: roundCents(pay * float64(months))}
}

func (p repayment) standardPlan() plan {
	return plan{name: "Standard Repayment", payment: p.standard, months: 120, total: roundCents(p.standard * 120)}
}

// incomePayment is 10 % of the income above one and a half times the poverty
// line, and never more than the standard payment of the federal loans.
func (p repayment) incomePayment() float64 {
	line := 1.5 * (15_650 + 5_500*float64(p.family-1))
	pay := roundCents(max(0, p.income-line) * 0.1 / 12)
	return min(pay, roundCents(p.standard-p.private))
}

// incomeDriven pays the income payment for at most the given months and
// forgives the rest.
func (p repayment) incomeDriven(name string, limit int) plan {
	pay := p.incomePayment()
	months, paid, left := simulate(p.federal, p.federalRate, pay, limit)
	return plan{
		name: name, payment: roundCents(pay + p.private), months: max(months, p.privateMonths()),
		total: roundCents(paid + p.privateTotal), forgiven: left,
	}
}

func (p repayment) privateMonths() int {
	if p.private > 0 {
		return 120
	}
	return 0
}

// simulate pays a fixed amount each month. Interest is simple on the principal
// and unpaid interest does not grow; cents are rounded monthly.
func simulate(balance, yearlyRate, pay float64, limit int) (months int, paid, left float64) {
	interest := 0.0
	for months < limit && balance+interest >= 0.005 {
		interest = roundCents(interest + balance*yearlyRate/12)
		amount := min(pay, roundCents(balance+interest))
		paid = roundCents(paid + amount)
		toInterest := min(amount, interest)
		interest = roundCents(interest - toInterest)
		balance = roundCents(balance - (amount - toInterest))
		months++
	}
	return months, paid, roundCents(balance + interest)
}

// plans lists what the borrower can choose, the standard plan first.
func (p repayment) plans(a answers) []plan {
	list := []plan{p.standardPlan()}
	if p.balance > 30_000 {
		list = append(list, p.level("Extended Repayment", 300))
	}
	if p.federal > 0 {
		list = append(list, p.incomeDriven("Income-Based Repayment", 240))
	}
	if p.federal > 0 && a.is("pslf_interest", "yes") && a.is("pslf_employer", "Government", "501(c)(3) nonprofit") {
		list = append(list, p.incomeDriven("Public Service Loan Forgiveness", int(120-a.count("pslf_qualifying_payments"))))
	}
	switch a.text("primary_repayment_goal") {
	case "choose_payment":
		pay := a.amount("desired_payment")
		months, paid, _ := simulate(p.balance, p.rate, pay, 1200)
		list = append(list, plan{name: "Payment of your choice", payment: roundCents(pay), months: months, total: paid})
	case "payoff_by_date":
		list = append(list, p.level("Payoff by your date", int(12*a.count("payoff_years"))))
	}
	return list
}

// recommend chooses by the goal; among equals the plan listed first.
func recommend(list []plan, goal string) plan {
	best := list[0]
	for _, c := range list[1:] {
		better := false
		switch goal {
		case "fast_payoff":
			better = c.months < best.months && c.forgiven == 0
		case "low_monthly_payment":
			better = c.payment < best.payment
		case "lowest_total":
			better = c.total < best.total
		case "choose_payment", "payoff_by_date":
			better = true
		}
		if better {
			best = c
		}
	}
	return best
}

func repayAnswer(a answers) outcome {
	p := newRepayment(a)
	list := p.plans(a)
	best := recommend(list, a.text("primary_repayment_goal"))
	table := [][]string{{"Plan", "Monthly payment", "Months", "Total paid", "Forgiven"}}
	for _, c := range list {
		table = append(table, []string{c.name, usdCents(c.payment), fmt.Sprint(c.months), usdCents(c.total), usdCents(c.forgiven)})
	}
	return outcome{
		Heading:  "Your Repayment Results",
		Headline: pair{"Monthly payment", usdCents(best.payment)},
		Pairs: []pair{
			{"Recommended plan", best.name},
			{"Monthly payment", usdCents(best.payment)},
			{"Months to repay", fmt.Sprint(best.months)},
			{"Total amount paid", usdCents(best.total)},
			{"Amount forgiven", usdCents(best.forgiven)},
			{"Total balance", usdCents(p.balance)},
			{"Family size", fmt.Sprint(p.family)},
		},
		Table: table,
		Values: map[string]any{
			"recommended_plan": best.name, "monthly_payment": best.payment, "months": float64(best.months),
			"total_paid": best.total, "amount_forgiven": best.forgiven, "total_balance": roundCents(p.balance), "family_size": float64(p.family),
		},
	}
}
