package practice

import "math"

// aidYear holds the loan limits of one college level.
type aidYear struct{ dependent, independent float64 }

var loanLimits = map[string]aidYear{
	"freshman":        {5_500, 9_500},
	"sophomore":       {6_500, 10_500},
	"other_undergrad": {7_500, 12_500},
	"graduate":        {20_500, 20_500},
}

const (
	lowestIndex = -1_500
	highestPell = 7_395
	lowestPell  = 740
)

// fsaAnswer computes the estimate. The formula is the practice one that the
// package documents, not an agency's.
func fsaAnswer(a answers) outcome {
	index, status, limit := fsaParentShare(a)+fsaStudentShare(a), "Dependent student", loanLimits[a.text("grade_level")].dependent
	if fsaIndependent(a) {
		index, status, limit = fsaOwnIndex(a), "Independent student", loanLimits[a.text("grade_level")].independent
	}
	index = max(index, lowestIndex)
	pell := fsaPell(a, index)
	work := 0.0
	if index < 10_000 {
		work = 2_500
	}
	return outcome{
		Heading:  "Your Federal Student Aid Estimate",
		Headline: pair{"Student Aid Index (SAI)", grouped(index)},
		Pairs: []pair{
			{"Student Aid Index (SAI)", grouped(index)},
			{"Dependency status", status},
			{"Federal Pell Grant", usd(pell)},
			{"Federal Work-Study", usd(work)},
			{"Direct Loan limit", usd(limit)},
		},
		Table: [][]string{
			{"Type of aid", "Must it be repaid?", "Estimated amount"},
			{"Federal Pell Grant", "No", usd(pell)},
			{"Federal Work-Study", "No", usd(work)},
			{"Direct Loans", "Yes", usd(limit)},
			{"Total", "", usd(pell + work + limit)},
		},
		Values: map[string]any{
			"student_aid_index": index, "dependency_status": status, "pell_grant": pell,
			"work_study": work, "direct_loan_limit": limit,
		},
	}
}

// fsaPell fades out dollar by dollar above an index of nothing.
func fsaPell(a answers, index float64) float64 {
	if a.is("grade_level", "graduate") {
		return 0
	}
	pell := math.Floor((highestPell-max(index, 0))/5) * 5
	if pell < lowestPell {
		return 0
	}
	return pell
}

// fsaParentShare is what a dependent student's parents are expected to pay.
func fsaParentShare(a answers) float64 {
	net := a.amount("parent_earned_income")
	assets := 0.0
	if a.is("parent_filed_taxes", "yes") {
		net = afterTax(a.amount("parent_income") + a.amount("other_parent_income"))
		assets = math.Floor((a.amount("parent_assets") + a.amount("parent_child_support")) * 12 / 100)
	} else if a.ticked("parent_benefits_snap") || a.ticked("parent_benefits_medicaid") || a.ticked("parent_benefits_school_lunch") {
		return lowestIndex
	}
	return contribution(net - (8_236 + 4_800*float64(a.count("family_size"))) + assets)
}

// fsaStudentShare is what a dependent student is expected to pay.
func fsaStudentShare(a answers) float64 {
	if !a.is("student_filed_taxes", "yes") {
		return 0
	}
	income := max(0, afterTax(a.amount("student_income"))-11_000) * 0.5
	return math.Floor(income + a.amount("student_assets")*20/100 + 0.5)
}

// fsaOwnIndex is the index of an independent student.
func fsaOwnIndex(a answers) float64 {
	if !a.is("student_filed_taxes", "yes") {
		return lowestIndex
	}
	income := a.amount("student_income")
	if a.is("student_filed_jointly", "no") {
		income += a.amount("spouse_income")
	}
	available := afterTax(income) - (18_000 + 4_800*float64(a.count("student_family_size")))
	if a.is("has_dependents", "yes") {
		return contribution(available + math.Floor(a.amount("student_assets")*7/100))
	}
	return math.Floor(available*0.5 + a.amount("student_assets")*20/100 + 0.5)
}

// afterTax leaves 82 %, rounded down to whole dollars.
func afterTax(income float64) float64 { return math.Floor(income * 82 / 100) }

// contribution assesses available income in rising brackets. Below nothing it
// is 22 %, down to the lowest index.
func contribution(available float64) float64 {
	if available < 0 {
		return max(lowestIndex, math.Floor(available*22/100+0.5))
	}
	brackets := []struct{ width, percent float64 }{
		{20_000, 22}, {5_000, 25}, {5_000, 29}, {5_000, 34}, {5_000, 40}, {math.Inf(1), 47},
	}
	total := 0.0
	for _, b := range brackets {
		part := min(available, b.width)
		total += part * b.percent
		available -= part
	}
	return math.Floor(total/100 + 0.5)
}
