package page_test

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// sections is a form with questions in closed sections: a details, a box that a button
// shows, and a tab. The button of the form, and one without questions, show boxes too.
const sections = `<form onsubmit="sent.value = '1'; return false"><input type=hidden id=sent>
	<details><summary>Contact</summary><label for=mail>E-mail address</label><input id=mail type=email required></details>
	<details><summary>About this form</summary>Nothing is asked here.</details>
	<h2><button type=button aria-expanded=false aria-controls=home onclick="home.hidden = !home.hidden; this.setAttribute('aria-expanded', !home.hidden)">Address</button></h2><div id=home hidden><label for=street>Street</label><input id=street required></div>
	<div role=tablist><button type=button role=tab aria-controls=one aria-selected=true>One</button><button type=button role=tab aria-controls=two aria-selected=false onclick="one.hidden = true; two.hidden = false">Two</button></div>
	<div role=tabpanel id=one><label for=a>First</label><input id=a></div><div role=tabpanel id=two hidden><label for=b>Second</label><input id=b></div>
	<button aria-expanded=false aria-controls=more onclick="more.hidden = false">Send</button><div id=more hidden><label for=c>More</label><input id=c></div></form>`

// TestSections: closed sections with questions in them are opened, to look and to
// fill in, and nothing that sends the form is pressed for it.
func TestSections(t *testing.T) {
	v := show(t, sections)
	for _, want := range []int{2, 0} {
		n, err := v.OpenSections(v.ctx)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "opened", want, n)
	}
	inv, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range inv.Controls {
		if c.Visible {
			got = append(got, c.Label)
		}
	}
	same(t, "questions", "E-mail address, Street, First", strings.Join(got, ", "))
	v = show(t, sections)
	v.ElementTimeout = 0
	outcomes := v.set(t, field("#mail", page.KindText, "a@example.org"), field("#street", page.KindText, "12 Main Street"), field("#b", page.KindText, "two"), field("#c", page.KindText, "more"))
	same(t, "states", "set set set hidden", strings.Join(states(outcomes), " "))
	same(t, "sent", "", v.eval(t, "() => sent.value"))
}

// TestDrawnBoxes names the boxes to sign in, and no other picture of a form.
func TestDrawnBoxes(t *testing.T) {
	v := show(t, `<form><div><label for=pad>Your signature</label><canvas id=pad width=300 height=90></canvas></div><div><label for=chart>Income</label><canvas id=chart></canvas></div><div class=signature-pad><canvas aria-label="Unterschrift der Eltern"></canvas></div></form><canvas id=map></canvas>`)
	inv, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "boxes", "Your signature, Unterschrift der Eltern", strings.Join(inv.Drawn, ", "))
}
