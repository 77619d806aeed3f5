package scout

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// conditionalRow draws a row whose questions depend on each other. N is its
// number, counted as people do.
const conditionalRow = `const row = (n) => { const box = document.createElement('fieldset'); box.innerHTML =
	'<legend>Person ' + n + '</legend><label for=who-' + n + '>Name</label><input id=who-' + n + ' name=who-' + n + ' required>' +
	'<fieldset><legend>Relationship</legend><label><input type=radio id=rel-' + n + '-a name=rel-' + n + ' value=child required> Child</label><label><input type=radio id=rel-' + n + '-b name=rel-' + n + ' value=other> Other</label></fieldset>' +
	'<p class=say hidden><label for=say-' + n + '>Which relationship?</label><input id=say-' + n + ' name=say-' + n + '></p>' +
	'<label><input type=checkbox id=works-' + n + ' name=works-' + n + '> Works</label>' +
	'<p class=pay hidden><label for=pay-' + n + '>Monthly pay</label><input id=pay-' + n + ' name=pay-' + n + ' inputmode=decimal></p>';
	const [say, pay] = [box.querySelector('.say'), box.querySelector('.pay')];
	box.onchange = () => { say.hidden = !box.querySelector('#rel-' + n + '-b').checked; say.querySelector('input').required = !say.hidden; pay.hidden = !box.querySelector('#works-' + n).checked; };
	return box; };`

// TestConditionsInRows: what a row asks only for some of its answers is found, with
// the answers, in rows that stand, in rows that are opened, and in a dialog; and
// each row has its own number in the selectors.
func TestConditionsInRows(t *testing.T) {
	for name, c := range map[string]struct{ html, selector string }{
		"rows that stand": {
			`<section><h2>Your household</h2><div id=rows></div><button type=button id=more>Add a person</button></section><script>` + conditionalRow + `
			let n = 0; more.onclick = () => rows.append(row(++n)); more.onclick()</script>`, "#who-{number}",
		},
		"rows that are opened": {
			`<section><h2>Your household</h2><div id=rows></div><button type=button id=more>Add a person</button></section><script>` + conditionalRow + `
			let n = 0; more.onclick = () => rows.append(row(++n))</script>`, "#who-{number}",
		},
		"a row that is saved": {
			`<section><h2>Your household</h2><ul id=list></ul><button type=button id=more>Add a person</button></section><dialog id=box><div id=one></div></dialog><script>` + conditionalRow + `
			const save = document.createElement('button'); save.type = 'button'; save.textContent = 'Save';
			more.onclick = () => { one.replaceChildren(row(1), save); box.showModal() };
			save.onclick = () => { const v = document.getElementById('who-1').value; if (!v) return; const li = document.createElement('li'); li.textContent = v; list.append(li); one.replaceChildren(); box.close() }</script>`, "#who-1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := discovered(t, `<form action=/done><label>Address <input name=address required></label>`+c.html+`<button>Submit</button></form>`)
			var groups []*wizard.Field
			for i, f := range d.Wizard.Pages[0].Fields {
				if f.Repeatable {
					groups = append(groups, &d.Wizard.Pages[0].Fields[i])
				}
			}
			if len(groups) != 1 || len(d.Wizard.Pages[0].Fields) != 2 {
				t.Fatalf("%d groups of %d fields; %q", len(groups), len(d.Wizard.Pages[0].Fields), d.Remarks)
			}
			var subs []string
			for _, s := range groups[0].SubFields {
				when := ""
				if s.VisibleWhen != nil {
					when = " when " + s.VisibleWhen.String()
				}
				subs = append(subs, strings.TrimSpace(fmt.Sprint(s.FieldID, " ", s.FieldType, when)))
			}
			want := []string{"name text", "relationship radio", `which_relationship text when relationship is "other"`, "works checkbox", "monthly_pay text when works is true"}
			if diff := cmp.Diff(want, subs); diff != "" {
				t.Errorf("sub-fields (-want +got):\n%s", diff)
			}
			if got := groups[0].SubFields[0].Selector; got != c.selector {
				t.Errorf("the name is at %s, want %s", got, c.selector)
			}
			for _, o := range groups[0].SubFields[1].Options {
				if o.Selector != "" && strings.Contains(c.selector, "{number}") != strings.Contains(o.Selector, "{number}") {
					t.Errorf("option %s is at %s", o.Value, o.Selector)
				}
			}
			for _, r := range d.Remarks {
				t.Errorf("remark: %s", r)
			}
			if bad := d.Wizard.Check(); bad != nil {
				t.Error(bad)
			}
		})
	}
}
