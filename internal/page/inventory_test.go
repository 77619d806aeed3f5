package page_test

import (
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// TestNamelessGroups: a group without a name is no question; the one around it is.
func TestNamelessGroups(t *testing.T) {
	v := show(t, `<form><div role=group aria-label="Medicines that you take"><div role=group><label>Medicine <input></label></div></div><div role=group><label>Other <input></label></div></form>`)
	got, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	var groups []string
	for _, c := range got.Controls {
		groups = append(groups, c.Group)
	}
	same(t, "groups", []string{"Medicines that you take", ""}, groups)
}

// TestControls describes controls with their questions, options and limits.
func TestControls(t *testing.T) {
	v := show(t, `<fieldset><legend>Status</legend><label><input type=radio name=s value=a required>Single</label><label><input type=radio name=s value=b>Married</label></fieldset>
		<label for=age>Age</label><span id=h>In years</span><input id=age type=number min=0 max=120 aria-describedby=h autocomplete=off>
		<label for=state>State</label><select id=state><option value="">-<option value=OH>Ohio</select><button>Continue</button><input type=password value=secret aria-label=Pin>`)
	got, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	type short struct {
		Kind               page.Kind
		Label, Hint, Value string
		Required           bool
		Options            int
	}
	var list []short
	for _, c := range got.Controls {
		list = append(list, short{c.Kind, c.Label, c.Hint, c.Value, c.Required, len(c.Options)})
	}
	same(t, "controls", []short{
		{page.KindRadio, "Status", "", "", true, 2}, {page.KindNumber, "Age", "In years", "", false, 0},
		{page.KindSelect, "State", "", "", false, 1}, {page.KindText, "Pin", "", "", false, 0},
	}, list)
	same(t, "buttons", "Continue", got.Buttons[0].Text)
}
