package practice

import (
	"fmt"
	"html"
	"strings"
)

// advanceWidgets are the pages that differ in what Continue does.
func advanceWidgets() map[string]widget {
	name, city := askText("full_name", "Full name"), askText("city", "City")
	email := askPattern("email", "Email address", `^\S+@\S+\.\S+$`, "Enter an email address in the correct format, like name@example.com")
	postcode := askPattern("postcode", "ZIP code", `^\d{5}$`, "ZIP code must have 5 digits")
	longName := askPattern("full_name", "Full name", `^\S+ .*\S$`, "Enter your first and last name")
	return map[string]widget{
		"f09a": {title: "Continue opens when the answers are complete", asks: []ask{name, askCheck("agree", "I have read the notice")}},
		"f09b": {title: "Continue does nothing", asks: []ask{name}},
		"f09c": {title: "Continue lists what is wrong", asks: []ask{longName, postcode, email}, rejectStatus: 200},
		"f09d": {title: "Continue changes the address only", asks: []ask{name, city}},
		"f09e": {title: "Continue answers in a live region", asks: []ask{email, postcode}},
		"f09f": {title: "The browser itself checks the answers", asks: []ask{email, askPattern("age", "Age", `^\d+$`, "Age must be a number")}},
		"f09g": {title: "Several buttons named Continue", asks: []ask{name}},
		"f09h": {title: "Continue wants a real click", asks: []ask{name}},
		"f09i": {title: "A banner lies over Continue", asks: []ask{
			name, askProof("cookies", "Nobody has allowed additional cookies", "reject", "unanswered"),
		}},
		"f09j": {title: "The next question replaces the first", asks: []ask{name, city}},
		"f09k": {title: "A form in a drawer that scrolls", asks: []ask{name}},
	}
}

// branchWidgets are the pages whose questions depend on answers, and those with
// rows that a person adds.
func branchWidgets() map[string]widget {
	is := func(id, value string) func(widgetPost) bool {
		return func(p widgetPost) bool { return p.get(id) == value }
	}
	filed := askChoice("filed", "Did you file taxes?", "yes", "no")
	amount := askPattern("amount", "Adjusted gross income", `^\d+$`, "Income must be whole dollars").onlyWhen(is("filed", "yes"))
	zip := askPattern("zip", "ZIP code", `^\d{5}$`, "ZIP code must have 5 digits")
	remote := func(p widgetPost) bool { return strings.HasPrefix(p.get("zip"), "99") }
	all := map[string]widget{
		"f10a": {title: "A question that a radio brings", asks: []ask{filed, amount}},
		"f10b": {title: "A question that a select brings", asks: []ask{
			askChoice("marital", "Marital status", "single", "married", "divorced"),
			askText("spouse", "Name of your spouse").onlyWhen(is("marital", "married")),
			askPattern("divorce_year", "Year of the divorce", `^\d{4}$`, "Year must have 4 digits").onlyWhen(is("marital", "divorced")),
		}},
		"f10c": {title: "A question that the server brings", asks: []ask{
			zip, askText("ferry", "Name of your ferry port").onlyWhen(remote),
			askText("county", "County").onlyWhen(func(p widgetPost) bool { return !remote(p) }),
		}, parts: map[string]func(*widgetCall){"question": serveQuestion}},
		"f10d": {title: "A page that not everybody sees", steps: []string{"Your work", "Your employer", "Your home"}, asks: []ask{
			askChoice("employed", "Do you work?", "yes", "no").onPage(1),
			askText("employer", "Name of your employer").onPage(2).onlyWhen(is("employed", "yes")),
			askPattern("wage", "Monthly wage", `^\d+$`, "Wage must be whole dollars").onPage(2).onlyWhen(is("employed", "yes")),
			askText("city", "City").onPage(3),
		}},
		"f10e": {title: "A question that goes away again", asks: []ask{filed, amount}},
		"f10f": {title: "A form that is drawn anew around a question", asks: []ask{
			askText("city", "City"), askCheck("has_partner", "I have a partner"),
			askText("partner", "Name of your partner").onlyWhen(is("has_partner", "on")), askText("remarks", "Remarks"),
		}},
	}
	for name, w := range rowWidgets() {
		all[name] = w
	}
	return all
}

func rowWidgets() map[string]widget {
	number := func(id, label string) ask {
		return askPattern(id, label, `^\d+(\.\d+)?$`, label+" must be a number")
	}
	return map[string]widget{
		"f11a": {title: "Rows that are added in a dialog", asks: []ask{askRows("loans", "Your loans", 5,
			askChoice("loan_type", "Loan type", "direct_subsidized", "direct_unsubsidized", "parent_plus"),
			number("loan_rate", "Interest rate"), number("loan_balance", "Balance"),
		)}},
		"f11b": {title: "Rows that are open in the page", asks: []ask{askRows("loans", "Your loans", 3,
			askText("lender", "Lender"), number("balance", "Balance"),
		)}},
		"f11c": {title: "Rows with radios, checkboxes and a typeahead", asks: []ask{askRows("members", "People in your household", 6,
			askText("member_name", "Name"), askChoice("relation", "Relationship", "child", "parent"),
			askCheck("is_student", "Is a student"), askChoice("born_in", "Born in", stateNames...),
		)}},
		"f11d": {title: "An address in parts", asks: []ask{askGroup("address", "Mailing address",
			askText("street", "Street"), askText("city", "City"), askPattern("zip", "ZIP code", `^\d{5}$`, "ZIP code must have 5 digits"),
		)}},
	}
}

// askGroup asks for several parts at once: id.part for each.
func askGroup(id, label string, parts ...ask) ask {
	return ask{id: id, label: label, read: func(p widgetPost, id string) (any, string) {
		group := map[string]any{}
		for _, part := range parts {
			value, message := part.read(p, id+"."+part.id)
			if message != "" {
				return nil, message
			}
			if value == nil {
				return nil, fmt.Sprintf("%s: %s is missing", label, part.label)
			}
			group[part.id] = value
		}
		return group, ""
	}}
}

// serveQuestion sends the question that follows a ZIP code, as HTML.
func serveQuestion(c *widgetCall) {
	wait(c.r, 700)
	id, label := "county", "County"
	if strings.HasPrefix(c.r.URL.Query().Get("zip"), "99") {
		id, label = "ferry", "Name of your ferry port"
	}
	c.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(c.w, `<div class="field"><label for="%[1]s">%[2]s</label><input type="text" id="%[1]s" name="%[1]s"></div>`,
		html.EscapeString(id), html.EscapeString(label))
}

// dateWidgets are the pages with days, months and times.
func dateWidgets() map[string]widget {
	birth := func(layout string) []ask { return []ask{askDate("birth_date", "Date of birth", layout)} }
	visit := askDate("visit", "Day of your visit", "2006-01-02")
	inside := visit
	inside.read = func(p widgetPost, id string) (any, string) {
		day, message := visit.read(p, id)
		if text, ok := day.(string); ok && (text < "2026-01-05" || text > "2026-12-18") {
			return nil, "Day of your visit must be between January 5, 2026 and December 18, 2026"
		}
		return day, message
	}
	return map[string]widget{
		"f12a": {title: "A date in three inputs", asks: birth("")},
		"f12b": {title: "A date in three selects", asks: birth("")},
		"f12c": {title: "Native date, month and time", asks: []ask{
			askDate("start_date", "Start date", "2006-01-02"),
			askPattern("pay_month", "First month of payment", `^\d{4}-\d\d$`, "First month must be a real month"),
			askPattern("call_time", "Best time to call", `^\d\d:\d\d$`, "Best time must be a real time"),
		}},
		"f12d": {title: "A date whose slashes come by themselves", asks: birth("01/02/2006")},
		"f12e": {title: "A calendar of buttons", asks: []ask{visit}},
		"f12f": {title: "A date within limits", asks: []ask{inside}},
		"f12g": {title: "A date picker", asks: []ask{askDate("appointment", "Appointment date", "01/02/2006")}},
		"f12h": {title: "A date as plain text", asks: birth("01/02/2006")},
	}
}

// fileWidgets are the pages with uploads.
func fileWidgets() map[string]widget {
	one := []ask{askFile("document", "Proof of income", fileRule{})}
	return map[string]widget{
		"f13a": {title: "An upload", asks: one},
		"f13b": {title: "An upload behind a button", asks: one},
		"f13c": {title: "An upload by dropping", asks: one},
		"f13d": {title: "Several uploads", asks: []ask{askFile("documents", "Pay slips", fileRule{many: true, extensions: []string{".pdf", ".png"}})}},
		"f13e": {title: "An upload with limits", asks: []ask{
			askFile("document", "Proof of income", fileRule{maxBytes: 20_000, extensions: []string{".pdf"}}),
		}},
	}
}
