package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// The pages of a form with what the housing form does not have: a start page, a
// date of three boxes, a group, rows and a frame.
func visitPages() map[string]string {
	wrap := func(heading, body string) string {
		return `<!doctype html><title>Visits</title><main><h1>` + heading + `</h1>` + body + `</main>`
	}
	return map[string]string{
		"/": wrap("Plan a visit", `<p><a href="/when" role="button" class="button">Start now</a></p>`),
		"/when": wrap("Your visit", `<form method="post" action="/when"><fieldset id="day"><legend>Date of the visit</legend>
<label for="d">Day</label> <input id="d" name="visit-day" inputmode="numeric" size="2"> <label for="m">Month</label> <input id="m" name="visit-month" inputmode="numeric" size="2"> <label for="y">Year</label> <input id="y" name="visit-year" inputmode="numeric" size="4"></fieldset>
<p><label for="street">Street</label> <input id="street" name="street"></p><p><label for="town">Town</label> <input id="town" name="town"></p>
<button id="next" type="submit">Continue</button></form>`),
		"/why": wrap("Your reason", `<form method="post" action="/why"><p><label for="reason">Reason for the visit</label> <input id="reason" name="reason"></p><button id="next" type="submit">Continue</button></form>`),
		"/who": wrap("Who comes", `<iframe id="box" src="/inner" title="Guests" width="600" height="200"></iframe><form method="post" action="/who">
<ul id="guests"></ul><button id="add" type="button" onclick="const i = document.createElement('input'); i.name = 'guest'; i.className = 'guest'; i.ariaLabel = 'Name of the guest'; guests.append(document.createElement('li')); guests.lastChild.append(i)">Add a guest</button>
<p><button id="finish" type="submit">Send</button></p></form>`),
		"/inner": `<!doctype html><title>Guests</title><p><label for="host">Name of the host</label> <input id="host" name="host"></p>`,
	}
}

const visitWizard = `{
 "wizard_id": "visits", "name": "Visits", "url": "URL/", "discovered_at": "2026-11-01T00:00:00Z", "discovery_version": "1.2.0", "total_pages": 3, "discovery": {},
 "start_action": {"description": "Start now", "selector": "a.button", "selector_type": "css"},
 "pages": [
  {"page_number": 1, "page_title": "Your visit", "continue_button": {"text": "Continue", "selector": "#next"}, "advance": {"heading": "Your reason"}, "fields": [
   {"label": "Date of the visit", "field_id": "visit", "selector": "#d", "field_type": "group", "format": "date", "interaction": "fill", "required": true, "example_value": "2027-03-04", "sub_fields": [
    {"field_id": "visit_day", "part": "day", "label": "Day", "selector": "#d", "field_type": "text", "interaction": "fill", "example_value": "04"},
    {"field_id": "visit_month", "part": "month", "label": "Month", "selector": "#m", "field_type": "text", "interaction": "fill", "example_value": "03"},
    {"field_id": "visit_year", "part": "year", "label": "Year", "selector": "#y", "field_type": "text", "interaction": "fill", "example_value": "2027"}]},
   {"label": "Address", "field_id": "address", "selector": "#street", "field_type": "group", "interaction": "fill", "required": true, "example_value": {"street": "12 Main Street", "town": "Springfield"}, "sub_fields": [
    {"field_id": "street", "label": "Street", "selector": "#street", "field_type": "text", "interaction": "fill", "example_value": "12 Main Street"},
    {"field_id": "town", "label": "Town", "selector": "#town", "field_type": "text", "interaction": "fill", "example_value": "Springfield"}]}
  ]},
  {"page_number": 2, "page_title": "Your reason", "continue_button": {"text": "Continue", "selector": "#next"}, "fields": [
   {"label": "Reason for the visit", "field_id": "reason", "selector": "#reason", "field_type": "text", "interaction": "fill", "required": true, "example_value": "A talk"}
  ]},
  {"page_number": 3, "page_title": "Who comes", "submits": true, "continue_button": {"text": "Send", "selector": "#finish"}, "fields": [
   {"label": "Name of the host", "field_id": "host", "selector": "#host", "frame": ["#box"], "field_type": "text", "interaction": "fill", "required": true, "example_value": "Alex Sample"},
   {"label": "Guests", "field_id": "guests", "selector": "#add", "add_button_selector": "#add", "row_selector": "#guests li", "field_type": "group", "repeatable": true, "interaction": "click", "required": false, "example_value": [{"name": "Bo Sample"}], "sub_fields": [
    {"field_id": "name", "label": "Name", "selector": "#guests li:last-child .guest", "field_type": "text", "interaction": "fill", "example_value": "Bo Sample"}]}
  ]}
 ],
 "results": [{"name": "number", "label": "Your number"}], "success_when": [{"heading": "Thank you"}]
}`

// serveVisits serves the form after changes to some of its pages: path, old, new.
func serveVisits(t *testing.T, skip bool, changes ...string) *wizard.Entry {
	t.Helper()
	pages := visitPages()
	for i := 0; i < len(changes); i += 3 {
		p := pages[changes[i]]
		swap(t, &p, changes[i+1], changes[i+2])
		pages[changes[i]] = p
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		to := map[string]string{"/when": "/why", "/why": "/who", "/who": "/done"}[r.URL.Path]
		if skip && to == "/why" {
			to = "/who"
		}
		switch {
		case r.Method == http.MethodPost:
			http.Redirect(w, r, to, http.StatusSeeOther)
		case r.URL.Path == "/done":
			fmt.Fprint(w, `<!doctype html><title>Thank you</title><h1>Thank you</h1><dl><dt>Your number</dt><dd>A-17</dd></dl>`)
		case pages[r.URL.Path] == "":
			http.NotFound(w, r)
		default:
			fmt.Fprint(w, pages[r.URL.Path])
		}
	}))
	t.Cleanup(srv.Close)
	w, err := wizard.Parse([]byte(strings.ReplaceAll(visitWizard, "URL", srv.URL)))
	if err != nil {
		t.Fatal(err)
	}
	c, err := wizard.NewContract(w)
	if err != nil {
		t.Fatal(err)
	}
	return &wizard.Entry{Wizard: w, Contract: c, Hash: w.Hash(), Path: typedPrefix + "visits.json"}
}

// TestDriftShapes: the same for the way in, dates, groups, rows, frames and pages
// that are gone.
func TestDriftShapes(t *testing.T) {
	t.Parallel()
	k := openKit(t)
	for _, c := range []struct {
		name    string
		changes []string
		skip    bool
		want    []string
		says    string
		keep    bool // nothing to repair, or nothing that can be
	}{
		{"nothing", nil, false, []string{}, "", true},
		{"the start button renamed", []string{"/", `class="button">Start now`, `class="primary">Start now`}, false, []string{"entry_changed !"}, "the way in", false},
		{"the start page gone", []string{"/", `<p><a href="/when" role="button" class="button">Start now</a></p>`, strings.TrimSuffix(strings.SplitAfterN(visitPages()["/when"], "</h1>", 2)[1], "</main>"), "/", "Plan a visit", "Your visit"}, false, []string{"entry_changed !"}, "not needed any more", false},
		{"boxes of a date renamed", []string{"/when", `id="d"`, `id="day-1"`, "/when", `for="d"`, `for="day-1"`, "/when", `id="m"`, `id="day-2"`, "/when", `for="m"`, `for="day-2"`}, false, []string{"selector visit !"}, "", false},
		{"an input of a group renamed", []string{"/when", `"town"`, `"city"`, "/when", ">Town<", ">Town<"}, false, []string{"selector address.town !"}, "#city", false},
		{"another heading after a page", []string{"/why", "Your reason", "The reason"}, false, []string{"advance_changed !", "heading_changed"}, "", false},
		{"a page gone", nil, true, []string{"advance_changed !", "page_gone"}, "did not come", false},
		{"a frame renamed", []string{"/who", `id="box"`, `id="part"`}, false, []string{"selector host !"}, "in the frame #part", false},
		{"an input of a row renamed", []string{"/who", `i.className = 'guest'`, `i.className = 'visitor'`}, false, []string{"selector guests.name !"}, `in row 1 "#guests li:last-child .guest" matches nothing; input[name="guest"] works`, false},
		{"the button that adds a row renamed", []string{"/who", `id="add"`, `id="more"`}, false, []string{"selector guests !"}, `the button that adds a row: "#add" matches nothing; #more works`, false},
		{"several elements under one selector", []string{"/why", `<button id="next"`, `<p><label for="reason2">Remarks</label> <textarea id="reason" name="remarks" aria-label="Remarks"></textarea></p><button id="next"`}, false, []string{"selector reason !", "field_new remarks"}, "matches several elements", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := serveVisits(t, c.skip, c.changes...)
			d, err := k.checker(e, nil).Check(t.Context(), e, true)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, kinds(d)); diff != "" {
				t.Errorf("findings (-want +got):\n%s\n%v", diff, d.Findings)
			}
			all, err := json.MarshalIndent(d, "", " ")
			if err != nil || !strings.Contains(fmt.Sprint(d.Findings), c.says) {
				t.Errorf("it does not say %q: %v\n%s", c.says, err, all)
			}
			if len(d.Unreached) > 0 {
				t.Errorf("not reached: %q", d.Unreached)
			}
			if c.keep {
				return
			}
			r, err := k.checker(e, nil).Repair(t.Context(), e, d)
			if err != nil {
				t.Fatal(err)
			}
			if !r.Proven {
				t.Fatalf("the repaired wizard is not proven: %+v\n%v\n%v", r.Proofs, r.Changes, d.Findings)
			}
			c, err := wizard.NewContract(r.Wizard)
			if err != nil {
				t.Fatal(err)
			}
			again := &wizard.Entry{Wizard: r.Wizard, Contract: c, Hash: r.Wizard.Hash(), Path: e.Path}
			if fresh, err := k.checker(again, nil).Check(t.Context(), again, true); err != nil || len(fresh.Findings) > 0 {
				t.Errorf("the repaired wizard drifts: %v %v", err, fresh)
			}
		})
	}
}

// TestRepairOfEmbedded: a wizard that comes with the program is repaired into the
// user's folder, and stays a practice wizard.
func TestRepairOfEmbedded(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	out, _ := s.run(t, fault.ExitFailed, "--set", "practice_widgets=true", "wizards", "check", "f22f-selector-missing", "--repair")
	contains(t, out, `"#name_of_applicant" matches nothing; #applicant_name works`, filepath.Join(s.dir, ".review", "f22f-selector-missing.json"))
	s.run(t, fault.ExitOK, "--set", "practice_widgets=true", "wizards", "accept", "f22f-selector-missing")
	out, _ = s.run(t, fault.ExitOK, "--set", "practice_widgets=true", "wizards", "check", "f22f-selector-missing")
	contains(t, out, "ok   f22f-selector-missing")
	out, _ = s.run(t, fault.ExitOK, "--set", "practice_widgets=true", "wizards", "list", "--json")
	var list struct {
		Wizards []struct {
			ID       string `json:"wizard_id"`
			Practice bool   `json:"practice"`
		} `json:"wizards"`
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	for _, w := range list.Wizards {
		if w.ID == "f22f-selector-missing" && !w.Practice {
			t.Error("the repaired practice wizard passes for an official one")
		}
	}
}
