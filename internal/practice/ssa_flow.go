package practice

import (
	"fmt"
	"math"
)

// The Social Security quick calculator: one plain page, posted natively.

const ssaSite = "ssa-quick-calculator"

func ssaFlow() *flow {
	return &flow{Site: ssaSite, Answer: ssaAnswer, Steps: []step{{
		Path: "", Title: "Social Security Quick Calculator",
		Questions: []question{
			{ID: "date_of_birth", Kind: date, Label: "Date of birth", Parts: []part{
				{Field: "birth_month", Label: "month", InputID: "month", Name: "dobmon", Width: 2},
				{Field: "birth_day", Label: "day", InputID: "day", Name: "dobday", Width: 2},
				{Field: "birth_year", Label: "year", InputID: "year", Name: "yob", Width: 4},
			}},
			{ID: "current_earnings", Kind: text, Label: "Earnings in the current year", InputID: "earnings", Name: "earnings", Check: between(0, 9_999_999)},
			{ID: "last_year_worked", Kind: text, Label: "Last year with covered earnings", InputID: "lastyear", Name: "lastYearEarn", Optional: true, Check: whole(1950, practiceYear-1)},
			{ID: "last_year_earnings", Kind: text, Label: "Earnings in that year", InputID: "lastearnings", Name: "lastEarn", Optional: true, Check: between(0, 9_999_999)},
			{ID: "retirement_month", Kind: text, Label: "Retirement month", InputID: "retiremonth", Name: "retiremonth", Optional: true, Check: whole(1, 12)},
			{ID: "retirement_year", Kind: text, Label: "Retirement year", InputID: "retireyear", Name: "retireyear", Optional: true, Check: whole(practiceYear, 2100)},
			{ID: "dollar_type", Kind: radios, Label: "Benefit estimate in", Name: "dollars", Choices: []choice{
				{Value: "constant", Label: "today’s dollars", Attr: "1", InputID: "constant"},
				{Value: "nominal", Label: "inflated (future) dollars", Attr: "0", InputID: "nominal"},
			}},
		},
		Check: ssaCheck,
	}}}
}

func ssaCheck(a answers) []complaint {
	var list []complaint
	add := func(id, input, text string) { list = append(list, complaint{id, input, text}) }
	age := practiceYear - a.count("birth_year")
	if age < 22 || age > 69 {
		add("date_of_birth", "year", "Date of birth: this calculator is for people from 22 to 69")
	}
	if (a.text("last_year_worked") == "") != (a.text("last_year_earnings") == "") {
		add("last_year_worked", "lastyear", "Last year with covered earnings: enter the year and the earnings, or neither")
	}
	if y := a.count("last_year_worked"); y != 0 && y < a.count("birth_year")+22 {
		add("last_year_worked", "lastyear", "Last year with covered earnings: this is before the age of 22")
	}
	if (a.text("retirement_month") == "") != (a.text("retirement_year") == "") {
		add("retirement_month", "retiremonth", "Retirement date: enter the month and the year, or neither")
	} else if a.text("retirement_year") != "" {
		if months := ssaRetirementAge(a); months < 62*12 || months > 70*12 {
			add("retirement_year", "retireyear", "Retirement date: choose a date between the ages of 62 and 70")
		}
	}
	return list
}

// ssaRetirementAge is the age at the wished date, in months.
func ssaRetirementAge(a answers) int64 {
	return (a.count("retirement_year")-a.count("birth_year"))*12 + a.count("retirement_month") - a.count("birth_month")
}

// ssaFullAge is the full retirement age in months.
func ssaFullAge(birthYear int64) int64 {
	switch {
	case birthYear <= 1954:
		return 66 * 12
	case birthYear < 1960:
		return 66*12 + 2*(birthYear-1954)
	}
	return 67 * 12
}

// ssaBase is the benefit at full retirement age, in whole dimes, by the
// practice formula that the package documents.
func ssaBase(a answers) float64 {
	earnings, years := a.amount("current_earnings"), 35.0
	if a.text("last_year_worked") != "" {
		earnings = a.amount("last_year_earnings")
		years = min(35, float64(a.count("last_year_worked")-a.count("birth_year")-21))
	}
	average := math.Floor(min(earnings, 184_500) * years / 35 / 12)
	first, second := min(average, 1_286), max(0, min(average, 7_749)-1_286)
	third := max(0, average-7_749)
	return math.Floor((first*90+second*32+third*15)/10) / 10
}

// ssaBenefit is the monthly benefit when claimed at an age in months.
func ssaBenefit(a answers, age int64) float64 {
	distance := float64(age - ssaFullAge(a.count("birth_year")))
	factor := 1.0
	switch {
	case distance > 0:
		factor += distance * 2 / 300
	case distance < -36:
		factor -= 36*5/900.0 + (-distance-36)*5/1200
	default:
		factor += distance * 5 / 900
	}
	benefit := ssaBase(a) * factor
	if a.is("dollar_type", "nominal") {
		year := a.count("birth_year") + (a.count("birth_month")-1+age)/12
		benefit *= math.Pow(1.024, float64(max(0, year-practiceYear)))
	}
	return math.Floor(benefit + 1e-6)
}

func ssaAnswer(a answers) outcome {
	full := ssaFullAge(a.count("birth_year"))
	wished := full
	if a.text("retirement_year") != "" {
		wished = ssaRetirementAge(a)
	}
	base := math.Floor(ssaBase(a))
	values := map[string]any{
		"monthly_benefit": ssaBenefit(a, wished), "claiming_age": ageText(wished), "full_retirement_age": ageText(full),
		"disability_benefit": base, "family_maximum": math.Floor(base * 1.75), "dollars": "today’s dollars",
	}
	if a.is("dollar_type", "nominal") {
		values["dollars"] = "inflated (future) dollars"
	}
	pairs := []pair{
		{"Monthly retirement benefit", usd(values["monthly_benefit"].(float64))},
		{"Age when benefits start", ageText(wished)},
		{"Full retirement age", ageText(full)},
		{"Monthly disability benefit", usd(base)},
		{"Family maximum", usd(math.Floor(base * 1.75))},
		{"Amounts in", values["dollars"].(string)},
	}
	table := [][]string{{"Age when benefits start", "Monthly benefit"}}
	for _, age := range []int64{62 * 12, full, 70 * 12} {
		table = append(table, []string{ageText(age), usd(ssaBenefit(a, age))})
	}
	return outcome{Heading: "Your Benefit Estimates", Headline: pairs[0], Pairs: pairs, Table: table, Values: values}
}

func ageText(months int64) string {
	if months%12 == 0 {
		return fmt.Sprintf("%d years", months/12)
	}
	return fmt.Sprintf("%d years and %d months", months/12, months%12)
}
