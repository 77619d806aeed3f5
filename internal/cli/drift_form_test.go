package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// The form of the drift tests as its wizard knows it.
const (
	pageOne = `<!doctype html><title>Housing help</title><header><form action="/find" role="search"><input name="q" aria-label="Search this site"><button>Search</button></form></header>
<main><h1>About you</h1><form id="ask" method="post" action="/1">
<p><label for="full-name">Full name</label> <input id="full-name" name="full_name" required maxlength="40"></p>
<p><label for="email">Email address</label> <input id="email" name="email" type="email"></p>
<p><label for="county">County</label> <select id="county" name="county" required><option value="">Choose</option><option value="north">North</option><option value="south">South</option><option value="west">West</option></select></p>
<fieldset><legend>Do you rent?</legend><label><input type="radio" name="rent" value="yes" id="rent-yes" required> Yes</label> <label><input type="radio" name="rent" value="no" id="rent-no" required> No</label></fieldset>
<p id="rent-row" hidden><label for="monthly-rent">Monthly rent</label> <input id="monthly-rent" name="monthly_rent" inputmode="decimal"></p>
<button id="go" type="submit">Continue</button></form></main>
<script>for (const r of document.querySelectorAll('[name=rent]')) r.onchange = () => { document.getElementById('rent-row').hidden = r.value !== 'yes' || !r.checked }</script>`
	pageTwo = `<!doctype html><title>Housing help</title><main><h1>Your household</h1><form id="home" method="post" action="/2">
<p><label for="people">How many people live with you?</label> <input id="people" name="people" type="number" min="0" max="20" required></p>
<p><label for="notes">Anything else (optional)</label> <textarea id="notes" name="notes"></textarea></p>
<button id="send" type="submit">Send</button></form></main>`
	pageMore = `<!doctype html><title>Housing help</title><main><h1>Your landlord</h1><form method="post" action="/more">
<p><label for="landlord">Name of your landlord</label> <input id="landlord" name="landlord" required></p>
<button type="submit">Continue</button></form></main>`
)

// housing is the form. Its pages can be changed, and a page can come between.
type housing struct {
	one, two string
	more     bool
	renters  bool     // the page in between comes only to those who rent
	thanks   string   // the answer page, if it is another one
	needs    []string // names that page one insists on, besides what it marks
	sent     []string // what the last page got
}

func (h *housing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	show := func(s string) { fmt.Fprint(w, s) }
	if r.Method != http.MethodPost {
		switch r.URL.Path {
		case "/":
			show(h.one)
		case "/more":
			show(pageMore)
		case "/home":
			show(h.two)
		case "/done":
			if h.thanks != "" {
				show(h.thanks)
				return
			}
			show(`<!doctype html><title>Done</title><h1>Your result</h1><dl><dt>Monthly help</dt><dd>$120.00</dd></dl>`)
		default:
			http.NotFound(w, r)
		}
		return
	}
	switch r.URL.Path {
	case "/1":
		for _, name := range append([]string{"full_name", "county"}, h.needs...) {
			if r.PostFormValue(name) == "" && (slices.Contains(h.needs, name) || strings.Contains(h.one, `name="`+name+`" required`)) {
				show(strings.Replace(h.one, "<h1>", `<div class="error-summary" role="alert"><a href="#`+strings.ReplaceAll(name, "_", "-")+`">`+strings.ReplaceAll(name, "_", " ")+` is missing</a></div><h1>`, 1))
				return
			}
		}
		http.Redirect(w, r, map[bool]string{true: "/more", false: "/home"}[h.more && (!h.renters || r.PostFormValue("rent") == "yes")], http.StatusSeeOther)
	case "/more":
		http.Redirect(w, r, "/home", http.StatusSeeOther)
	default:
		h.sent = append(h.sent, r.PostFormValue("people"))
		http.Redirect(w, r, "/done", http.StatusSeeOther)
	}
}

// housingWizard is the wizard of the unchanged form, as a discovery drafts it.
const housingWizard = `{
 "wizard_id": "housing", "name": "Housing help", "url": "URL/", "discovered_at": "2026-11-01T00:00:00Z", "discovery_version": "1.2.0", "total_pages": 2,
 "discovery": {"proven": true},
 "pages": [
  {"page_number": 1, "page_title": "About you", "url_pattern": "URL/", "continue_button": {"text": "Continue", "selector": "#go"}, "fields": [
   {"label": "Full name", "field_id": "full_name", "selector": "#full-name", "selector_alternatives": ["input[name=\"full_name\"]"], "field_type": "text", "interaction": "fill", "required": true, "example_value": "Alex Sample", "max_length": 40},
   {"label": "Email address", "field_id": "email", "selector": "#email", "selector_alternatives": ["input[name=\"email\"]"], "field_type": "text", "format": "email", "interaction": "fill", "required": false, "example_value": "person@example.com"},
   {"label": "County", "field_id": "county", "selector": "#county", "field_type": "select", "interaction": "select", "required": true, "example_value": "south",
    "options": [{"value": "north", "label": "North"}, {"value": "south", "label": "South"}, {"value": "west", "label": "West"}]},
   {"label": "Do you rent?", "field_id": "rent", "selector": "#rent-yes", "field_type": "radio", "interaction": "click", "required": true, "example_value": "yes",
    "options": [{"value": "yes", "label": "Yes", "selector": "#rent-yes"}, {"value": "no", "label": "No", "selector": "#rent-no"}]},
   {"label": "Monthly rent", "field_id": "monthly_rent", "selector": "#monthly-rent", "field_type": "number", "interaction": "fill", "required": false, "example_value": "900", "visible_when": {"field_id": "rent", "value": "yes"}}
  ]},
  {"page_number": 2, "page_title": "Your household", "url_pattern": "URL/home", "submits": true, "continue_button": {"text": "Send", "selector": "#send"}, "fields": [
   {"label": "How many people live with you?", "field_id": "people", "selector": "#people", "field_type": "number", "interaction": "fill", "required": true, "example_value": "2", "minimum": 0, "maximum": 20},
   {"label": "Anything else", "field_id": "notes", "selector": "#notes", "field_type": "textarea", "interaction": "fill", "required": false, "example_value": "None"}
  ]}
 ],
 "results": [{"name": "help", "label": "Monthly help", "type": "currency"}], "success_when": [{"heading": "Your result"}]
}`

// serveHousing serves the form after a change to it, with its old wizard.
func serveHousing(t *testing.T, change func(*testing.T, *housing)) (*housing, *wizard.Entry) {
	t.Helper()
	h := &housing{one: pageOne, two: pageTwo}
	if change != nil {
		change(t, h)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	w, err := wizard.Parse([]byte(strings.ReplaceAll(housingWizard, "URL", srv.URL)))
	if err != nil {
		t.Fatal(err)
	}
	c, err := wizard.NewContract(w)
	if err != nil {
		t.Fatal(err)
	}
	return h, &wizard.Entry{Wizard: w, Contract: c, Hash: w.Hash(), Path: typedPrefix + "housing.json"}
}

// swap replaces something that must be there.
func swap(t *testing.T, page *string, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(*page, pairs[i]) {
			t.Fatalf("the page has no %q", pairs[i])
		}
		*page = strings.ReplaceAll(*page, pairs[i], pairs[i+1])
	}
}
