package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// Forms with rows: one whose rows stand open in the page and carry their number,
// and one that asks for them in a dialog.
var rowForms = map[string]string{
	"open": `<!doctype html><title>Household</title><h1>Your household</h1><form method=post action=/done><div id=rows></div><button type=button id=more>Add a person</button> <button id=send>Send</button></form><script>
let n = 0; const add = () => { n++; rows.insertAdjacentHTML('beforeend', '<fieldset class=person><legend>Person ' + n + '</legend><label for=who-' + n + '>Name</label><input id=who-' + n + ' name=who-' + n + ' required>' +
'<fieldset><legend>Relationship</legend><label><input type=radio id=rel-' + n + '-a name=rel-' + n + ' value=child> Child</label><label><input type=radio id=rel-' + n + '-b name=rel-' + n + ' value=other> Other</label></fieldset></fieldset>') };
more.onclick = add; add()</script>`,
	"dialog": `<!doctype html><title>Household</title><h1>Your household</h1><form method=post action=/done><ul id=list></ul><button type=button id=more>Add a person</button> <button id=send>Send</button></form>
<dialog id=box aria-label="A person"><label for=who>Name</label><input id=who><label for=age>Age</label><input id=age type=number><button type=button id=keep>Save</button></dialog><script>
more.onclick = () => { who.value = age.value = ''; box.showModal() }; keep.onclick = () => { if (!who.value) return; const li = document.createElement('li'); li.className = 'person'; li.textContent = who.value; list.append(li); box.close() }</script>`,
}

// rowWizards are their wizards, as they were.
var rowWizards = map[string]string{
	"open": `{"field_id": "name", "label": "Name", "selector": "#who-{number}", "field_type": "text", "interaction": "fill", "required": true, "example_value": "Ann"},
 {"field_id": "relationship", "label": "Relationship", "selector": "#rel-{number}-a", "field_type": "radio", "interaction": "click", "example_value": "other",
  "options": [{"value": "child", "label": "Child", "selector": "#rel-{number}-a"}, {"value": "other", "label": "Other", "selector": "#rel-{number}-b"}]}`,
	"dialog": `{"field_id": "name", "label": "Name", "selector": "#who", "field_type": "text", "interaction": "fill", "required": true, "example_value": "Ann"},
 {"field_id": "age", "label": "Age", "selector": "#age", "field_type": "number", "interaction": "fill", "example_value": "40"}`,
}

// TestDriftRows: in the rows of a form, too, a selector that fails is told with
// what works instead, for every row, and repaired.
func TestDriftRows(t *testing.T) {
	t.Parallel()
	k := openKit(t)
	for _, c := range []struct {
		name, form string
		swaps      []string
		want       []string
		fixed      string // part of the repaired wizard
	}{
		{"nothing changed in open rows", "open", nil, []string{}, ""},
		{"numbered inputs renamed", "open", []string{"who-", "person-"}, []string{"selector people.name !"}, `"#person-{number}"`},
		{"numbered options renamed", "open", []string{"rel-", "kin-"}, []string{"selector people.relationship !"}, `"#kin-{number}-b"`},
		{"nothing changed in a dialog", "dialog", nil, []string{}, ""},
		{"inputs of a dialog renamed", "dialog", []string{`<label for=who>Name</label><input id=who>`, `<label for=person>Name</label><input id=person>`, "who.value", "person.value"}, []string{"selector people.name !"}, `"#person"`},
		{"the button that saves renamed", "dialog", []string{"id=keep", "id=store", "keep.onclick", "store.onclick"}, []string{"selector people !"}, `"#store"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			html := rowForms[c.form]
			swap(t, &html, c.swaps...)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				if r.URL.Path == "/done" {
					fmt.Fprint(w, "<!doctype html><title>Done</title><h1>Thank you</h1>")
					return
				}
				fmt.Fprint(w, html)
			}))
			t.Cleanup(srv.Close)
			more := map[string]string{"open": `"relationship": "other"`, "dialog": `"age": "40"`}[c.form]
			save := map[string]string{"dialog": `"save_button_selector": "#keep",`}[c.form]
			raw := fmt.Sprintf(`{"wizard_id": "household", "name": "Household", "url": "%s/", "discovered_at": "2026-11-01T00:00:00Z", "discovery_version": "1.2.0", "total_pages": 1, "discovery": {},
 "pages": [{"page_number": 1, "page_title": "Your household", "submits": true, "continue_button": {"text": "Send", "selector": "#send"}, "fields": [
 {"label": "People", "field_id": "people", "selector": "#more", "add_button_selector": "#more", %s "row_selector": ".person", "field_type": "group", "repeatable": true, "interaction": "click", "required": true, "min_instances": 1,
  "example_value": [{"name": "Ann", %s}, {"name": "Ben", %s}], "sub_fields": [%s]}]}], "success_when": [{"heading": "Thank you"}]}`, srv.URL, save, more, more, rowWizards[c.form])
			w, err := wizard.Parse([]byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			contract, err := wizard.NewContract(w)
			if err != nil {
				t.Fatal(err)
			}
			e := &wizard.Entry{Wizard: w, Contract: contract, Hash: w.Hash(), Path: typedPrefix + "household.json"}
			d, err := k.checker(e, nil).Check(t.Context(), e, true)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, kinds(d)); diff != "" || len(d.Unreached) > 0 {
				t.Fatalf("findings (-want +got):\n%s\n%v\nnot reached: %q", diff, d.Findings, d.Unreached)
			}
			if c.fixed == "" {
				return
			}
			r, err := k.checker(e, nil).Repair(t.Context(), e, d)
			if err != nil || !r.Proven {
				t.Fatalf("the repaired wizard is not proven: %v %+v\n%v", err, r, d.Findings)
			}
			if fixed, err := r.Wizard.Marshal(); err != nil || !strings.Contains(string(fixed), c.fixed) {
				t.Errorf("the repaired wizard lacks %s: %v\n%s", c.fixed, err, fixed)
			}
		})
	}
}
