package practice

import (
	"net/http"
	"slices"
	"strings"
)

// choiceWidgets are the pages with radios, checkboxes and native selects.
func choiceWidgets() map[string]widget {
	housing := []ask{askChoice("housing", "Where do you live now?", "own", "rent", "shelter")}
	return map[string]widget{
		"f01a": {title: "Radios that look like radios", asks: housing},
		"f01b": {title: "Radios that are not displayed, with styled labels", asks: housing},
		"f01c": {title: "Radios that are transparent under a picture", asks: housing},
		"f01d": {title: "Radios made of ARIA roles", asks: housing},
		"f01e": {title: "Radios with numbers as values, off the screen", asks: []ask{askChoice("housing", "Where do you live now?", "0", "1", "2")}},
		"f02a": {title: "Checkboxes that are partly ticked already", asks: []ask{
			askCheck("by_mail", "By mail"), askCheck("by_phone", "By phone"), askCheck("by_email", "By email"), askCheck("by_text", "By text message"),
		}},
		"f02b": {title: "Checkboxes with none of these", asks: exclusiveAsks()},
		"f02c": {title: "Checkboxes in the mixed state", asks: []ask{
			askCheck("all_records", "All records"), askCheck("tax_records", "Tax records"), askCheck("school_records", "School records"),
		}},
		"f02d": {title: "Switches and ticks made of ARIA roles", asks: []ask{
			askCheck("paperless", "Paperless notices"), askCheck("reminders", "Reminders"), askCheck("agree", "I agree to the terms"),
		}},
		"f02e": {title: "Checkboxes that are not displayed", asks: []ask{
			askCheck("gets_snap", "Food assistance"), askCheck("gets_wic", "WIC"), askCheck("gets_ssi", "Supplemental income"),
		}},
		"f02f": {title: "Checkboxes whose state arrives late", asks: []ask{askCheck("agree", "I confirm"), askCheck("copy", "Send me a copy")}},
		"f06a": {title: "Options with curly apostrophes", asks: []ask{
			askChoice("filing", "Parents’ filing status", "joint", "mothers", "none", "unknown"),
			askChoice("degree", "Degree you want", "Associate’s degree", "Bachelor’s degree", "Master's degree"),
		}},
		"f06b": {title: "Options with odd spaces", asks: []ask{askChoice("county", "County", "king ", "san\u00a0juan", "walla", "pend")}},
		"f06c": {title: "Options with the same label", asks: []ask{askChoice("city", "City", "spr-il", "spr-ma", "spr-mo", "sea-wa")}},
		"f06d": {title: "Options in groups", asks: []ask{askChoice("program", "Program", "l-direct", "l-plus", "g-pell", "g-direct")}},
		"f06e": {title: "Several options at once", asks: []ask{askChoices("benefits", "Benefits you receive", "snap", "wic", "ssi", "tanf", "medicaid")}},
		"f06f": {title: "Options that depend on another answer", parts: map[string]func(*widgetCall){"towns": serveTowns}, asks: []ask{
			askChoice("region", "Region", "north", "south"), {id: "town", label: "Town", read: readTown},
		}},
	}
}

func exclusiveAsks() []ask {
	all := []ask{
		askCheck("is_veteran", "I am a veteran"), askCheck("is_orphan", "I was an orphan"),
		askCheck("is_homeless", "I am homeless"), askCheck("none_apply", "None of these apply"),
	}
	all[3].read = func(p widgetPost, id string) (any, string) {
		some := p.has("is_veteran") || p.has("is_orphan") || p.has("is_homeless")
		if some == p.has(id) {
			return nil, "Select what applies to you, or select “None of these apply”"
		}
		return p.has(id), ""
	}
	return all
}

var townsOf = map[string][]string{"north": {"Aurora", "Birch", "Cedar"}, "south": {"Dune", "Ember", "Ferry"}}

func serveTowns(c *widgetCall) {
	wait(c.r, 600)
	writeJSON(c.w, http.StatusOK, townsOf[c.r.URL.Query().Get("region")])
}

func readTown(p widgetPost, id string) (any, string) {
	town := p.get(id)
	same := func(name string) bool { return strings.EqualFold(name, town) }
	switch {
	case town == "":
		return nil, ""
	case !slices.ContainsFunc(townsOf[p.get("region")], same):
		return nil, "Select a town of your region"
	}
	return town, ""
}

// pickerWidgets are the pages where an answer is picked from suggestions.
func pickerWidgets() map[string]widget {
	state := askChoice("state", "State or territory", stateNames...)
	suggest := map[string]func(*widgetCall){"suggest": serveStates}
	country := []ask{askChoice("country", "Country of birth", "CA", "CG", "CD", "CI", "JP", "KP", "KR", "MX", "NE", "NG", "US", "UM")}
	return map[string]widget{
		"f03a": {title: "A typeahead that waits before it filters", asks: []ask{state, askText("city", "City")}},
		"f03b": {title: "A typeahead where Enter may send the form", asks: []ask{
			askText("city", "City"), state, askPattern("zip", "ZIP code", `^\d{5}$`, "ZIP code must have 5 digits"),
		}},
		"f03c": {title: "A typeahead whose first suggestion is the wrong one", asks: []ask{state}},
		"f03d": {title: "A typeahead that asks the server", asks: []ask{state}, parts: suggest},
		"f03e": {title: "A typeahead that reacts to keys only", asks: []ask{state}},
		"f03f": {title: "A search that starts with Enter", asks: []ask{
			askPattern("zip", "ZIP code", `^\d{5}$`, "ZIP code must have 5 digits"),
			{id: "office", label: "Office", optional: true, read: readOffice},
		}, parts: map[string]func(*widgetCall){"office": serveOffice}},
		"f04a": {title: "An autocomplete over a select", asks: country},
		"f04b": {title: "A combo box over a select", asks: country},
		"f04c": {title: "An autocomplete that keeps last year's answer", asks: country},
		"f04d": {title: "A combo box with last year's answer", asks: country},
		"f04e": {title: "An autocomplete without a select", asks: []ask{state}},
		"f05a": {title: "A long list that is drawn in parts at the end of the page", asks: []ask{
			askPattern("office", "Field office", `^Office (0\d\d|1\d\d|2\d\d|300)$`, "Choose an office of the list"),
		}},
		"f05b": {title: "A list that is made when it is opened", asks: []ask{
			askChoice("relation", "Relationship to the applicant", "spouse", "partner", "child", "stepchild", "other"),
		}},
		"f05c": {title: "Plain text boxes that call themselves combo boxes", asks: []ask{askText("case_number", "Case number"), askText("remarks", "Remarks")}},
		"f05d": {title: "A list of several choices made of ARIA roles", asks: []ask{askChoices("languages", "Languages you speak", "en", "es", "fr", "ja", "so")}},
	}
}

// serveStates suggests states; short questions take longer to answer.
func serveStates(c *widgetCall) {
	q := strings.ToLower(c.r.URL.Query().Get("q"))
	wait(c.r, max(0, 600-100*len(q)))
	found := []string{}
	for _, name := range stateNames {
		if q != "" && strings.Contains(strings.ToLower(name), q) && len(found) < 8 {
			found = append(found, name)
		}
	}
	writeJSON(c.w, http.StatusOK, found)
}

func serveOffice(c *widgetCall) {
	wait(c.r, 400)
	zip := c.r.URL.Query().Get("zip")
	writeJSON(c.w, http.StatusOK, map[string]string{"code": "office-" + zip, "name": "Your office is in the area " + zip})
}

func readOffice(p widgetPost, id string) (any, string) {
	if p.get(id) != "office-"+p.get("zip") {
		return nil, "Press Enter after the ZIP code to find your office"
	}
	return nil, ""
}
