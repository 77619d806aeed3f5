package practice

import (
	"fmt"
	"net/http"
	"slices"
)

// textWidgets are the pages with masks, prefilled and locked inputs.
func textWidgets() map[string]widget {
	account := askChoice("account", "Account number", "778-1204")
	return map[string]widget{
		"f07a": {title: "Amounts that are rewritten when left", asks: []ask{
			askPattern("income", "Yearly income", `^\$[\d,]+\.\d\d$`, "Yearly income must be an amount"),
			askPattern("savings", "Savings", `^\$[\d,]+\.\d\d$`, "Savings must be an amount"),
		}},
		"f07b": {title: "Numbers that are grouped while typed", asks: []ask{
			askPattern("ssn", "Social Security number", `^\d{3}-\d\d-\d{4}$`, "Social Security number must have 9 digits"),
			askPattern("phone", "Phone number", `^\(\d{3}\) \d{3}-\d{4}$`, "Phone number must have 10 digits"),
		}},
		"f07c": {title: "An amount that cannot be emptied", asks: []ask{askPattern("income", "Monthly income", `^\d+\.\d\d$`, "Monthly income must be an amount")}},
		"f07d": {title: "Thousands, percents and capitals", asks: []ask{
			askPattern("balance", "Loan balance", `^\d{1,3}(,\d{3})*$`, "Loan balance must be whole dollars"),
			askPattern("rate", "Interest rate", `^\d+\.\d\d%$`, "Interest rate must be a percentage"),
			askPattern("plate", "License plate", `^[A-Z0-9 -]+$`, "License plate must be in capitals"),
		}},
		"f08a": {title: "Inputs that are filled in already", asks: []ask{askText("growth", "Expected income growth"), askText("city", "City"), askText("about", "About you")}},
		"f08b": {title: "An input that can only be read", asks: []ask{account, askText("city", "City")}},
		"f08c": {title: "An input that is disabled", asks: []ask{account, askText("city", "City")}},
	}
}

// controlledWidgets are the pages whose scripts, not their inputs, hold the answers.
func controlledWidgets() map[string]widget {
	name, city := askText("full_name", "Full name"), askText("city", "City")
	return map[string]widget{
		"f20a": {title: "Controlled inputs with a value tracker", asks: []ask{name, askChoice("county", "County", "king", "pierce"), askCheck("agree", "I agree")}},
		"f20b": {title: "A model that is updated on blur", asks: []ask{name, city}},
		"f20c": {title: "A check that waits for the last key", asks: []ask{
			askText("email", "Email address"), askText("account", "Account number"), askProof("checked", "Wait for the check of your email address", "yes"),
		}, parts: map[string]func(*widgetCall){"check": func(c *widgetCall) {
			wait(c.r, 200)
			writeJSON(c.w, http.StatusOK, map[string]bool{"ok": c.r.URL.Query().Get("email") != ""})
		}}},
		"f20d": {title: "A text that is edited in place", asks: []ask{askText("statement", "Your statement")}},
		"f20e": {title: "A slider made of ARIA roles", asks: []ask{askPattern("hours", "Hours of work per week", `^\d+$`, "Hours must be a number")}},
		"f20f": {title: "A code in six boxes", asks: []ask{askPattern("letter_code", "Code on your letter", `^[0-9A-Z]{6}$`, "The code has six signs")}},
		"f20g": {title: "A native slider", asks: []ask{askPattern("share", "Share of the costs", `^\d+$`, "Share must be a number")}},
		"f20h": {title: "Inputs that count real typing only", asks: []ask{name, askText("age", "Age")}},
	}
}

// scaleWidgets are the pages with much of everything.
func scaleWidgets() map[string]widget {
	var many, steps []ask
	var titles, schools []string
	for n := 1; n <= 500; n++ {
		many = append(many, askText(fmt.Sprintf("field_%03d", n), fmt.Sprintf("Question %d", n)).maybe())
	}
	for n := 1; n <= 30; n++ {
		steps = append(steps, askText(fmt.Sprintf("answer_%d", n), fmt.Sprintf("Answer %d", n)).onPage(n))
		titles = append(titles, fmt.Sprintf("Step %d of 30", n))
	}
	for n := 1; n <= 2000; n++ {
		schools = append(schools, fmt.Sprintf("s%d", n))
	}
	return map[string]widget{
		"f21a": {title: "Five hundred questions", asks: many},
		"f21b": {title: "Two thousand options", asks: []ask{askChoice("school", "School", schools...)}},
		"f21c": {title: "A long statement", asks: []ask{askText("statement", "Your statement")}},
		"f21d": {title: "Thirty pages", asks: steps, steps: titles},
	}
}

// labelWidgets are the pages with every way to name an input.
func labelWidgets() map[string]widget {
	nonced := func(id, label, suffix string) ask {
		a := askText(id, label)
		a.read = func(p widgetPost, _ string) (any, string) { return readText(nil, "")(p, p.get("nonce")+suffix) }
		return a
	}
	return map[string]widget{
		"f22a": {title: "Labels of many kinds", asks: []ask{
			askText("first_name", "First name"), askText("last_name", "Last name"), askText("spouse_year", "Year of birth of your spouse"),
			askText("middle_name", "Middle name").maybe(), askText("suffix", "Suffix").maybe(), askText("nickname", "Name you go by").maybe(),
		}},
		"f22b": {title: "Labels from the legend", asks: []ask{askText("phone", "Telephone number"), askText("work_city", "City of work"), askText("home_city", "City of home")}},
		"f22c": {title: "Labels from the heads of a table", asks: []ask{
			askText("wages_2024", "Wages 2024"), askText("taxes_2024", "Taxes 2024"), askText("wages_2025", "Wages 2025"), askText("taxes_2025", "Taxes 2025"),
		}},
		"f22d": {title: "Two inputs with one id", asks: []ask{askText("your_name", "Name"), askText("spouse_name", "Name of your spouse")}},
		"f22e": {title: "Ids and names that change each time", asks: []ask{
			nonced("full_name", "Full name", "-full").postedAs("nonce"), nonced("city", "City", "-city"),
		}},
		"f22f": {title: "An id that was renamed", asks: []ask{askText("full_name", "Full name")}},
	}
}

// askProof asks for a hidden value that only the page's own script sets. It is
// checked and not recorded.
func askProof(id, message string, allowed ...string) ask {
	return ask{id: id, label: message, optional: true, read: func(p widgetPost, id string) (any, string) {
		if !slices.Contains(allowed, p.get(id)) {
			return nil, message
		}
		return nil, ""
	}}
}
