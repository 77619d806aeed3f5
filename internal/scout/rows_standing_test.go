package scout

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// rowPages are forms with rows that stand there and a button that opens more of
// them. ADDED counts the rows.
var rowPages = map[string]string{
	"numbered": `<section><h2>Your team</h2><div id=rows></div><button type=button id=more>Add a player</button></section><script>
		let n = 0; more.onclick = () => { rows.insertAdjacentHTML('beforeend', '<fieldset><legend>Player ' + (n + 1) + '</legend><label for=p-' + n + '>Name</label><input id=p-' + n + ' required><label for=s-' + n + '>Shirt number</label><input id=s-' + n + ' type=number></fieldset>'); n++ }; more.onclick()</script>`,
	"with other ids every time": `<div role=group aria-label="Your team"><div id=rows></div><button type=button id=more>Append</button></div><script>
		let n = 12; more.onclick = () => { rows.insertAdjacentHTML('beforeend', '<div role=group><label for=q_' + n + 'i>Name</label><input id=q_' + n + 'i required><label for=q_' + (n + 1) + 'i>Shirt number</label><input id=q_' + (n + 1) + 'i type=number></div>'); n += 17 }; more.onclick()</script>`,
}

// TestRowsThatStand: rows are one question, also when the first of them is there
// from the beginning.
func TestRowsThatStand(t *testing.T) {
	for name, html := range rowPages {
		t.Run(name, func(t *testing.T) {
			d := discovered(t, `<form action=/done><label>Club <input name=club required></label>`+html+`<button>Submit</button></form>`)
			var ids []string
			for _, f := range d.Wizard.Pages[0].Fields {
				ids = append(ids, f.FieldID+" "+f.FieldType)
			}
			if diff := cmp.Diff([]string{"club text", "your_team group"}, ids); diff != "" {
				t.Fatalf("fields (-want +got):\n%s", diff)
			}
			g := d.Wizard.Field("your_team")
			var subs []string
			for _, s := range g.SubFields {
				subs = append(subs, strings.TrimSpace(s.FieldID+" "+s.FieldType+map[bool]string{true: " required"}[s.Required]))
			}
			if diff := cmp.Diff([]string{"name text required", "shirt_number number"}, subs); diff != "" {
				t.Errorf("sub-fields (-want +got):\n%s", diff)
			}
			if !g.Repeatable || !g.Required || g.MinInstances != 1 || g.AddButtonSelector == "" || g.Label != "Your team" {
				t.Errorf("the group: %+v", g)
			}
			want := map[string]string{"numbered": "#p-{index}", "with other ids every time": "label=Name"}[name]
			if got := g.SubFields[0].Selector; got != want {
				t.Errorf("a row's name is %s, want %s", got, want)
			}
		})
	}
}

// TestButtonsThatOpenNoRows: what only sounds so changes nothing, and what would
// send the form is not pressed.
func TestButtonsThatOpenNoRows(t *testing.T) {
	for name, html := range map[string]string{
		"another question": `<button type=button onclick="if(!document.getElementById('x'))this.insertAdjacentHTML('beforebegin','<label>Note <input id=x></label>')">Add a note</button>`,
		"nothing":          `<button type=button>Add to calendar</button>`,
		"the form itself":  `<button name=add value=1>Add and send</button>`,
		"another page":     `<button type=button onclick="location.href='/elsewhere'">Add an account</button>`,
	} {
		t.Run(name, func(t *testing.T) {
			d := discovered(t, `<form action=/done><label>Club <input name=club required></label>`+html+`<button>Submit</button></form>`)
			f := d.Wizard.Pages[0].Fields[0]
			if f.FieldID != "club" || f.FieldType != "text" || !f.Required {
				t.Errorf("%+v", f)
			}
			for _, g := range d.Wizard.Pages[0].Fields[1:] {
				if name != "another question" || g.FieldType != "group" || g.Required {
					t.Errorf("there is %s, too", g.FieldID)
				}
			}
		})
	}
}

// discovered is what is found about a form of one page.
func discovered(t *testing.T, body string) *Discovery {
	t.Helper()
	s := newBench(t, Settings{})
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		shown := `<h1>Last step</h1>` + body
		if r.URL.Path != "/" {
			shown = "<h1>Thank you</h1>"
		}
		_, _ = w.Write([]byte("<!doctype html><title>T</title>" + shown))
	}))
	d, err := Discoverer{Browser: s.pool, Width: 1280, Height: 1024, Policy: func(string) (browser.Policy, error) {
		return browser.Policy{Hosts: s.hosts, OnlyOrigins: []string{"http://practice.localhost"}}, nil
	}}.Discover(t.Context(), Request{URL: "http://practice.localhost/", AllowSubmit: true})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestIndexed(t *testing.T) {
	for _, tt := range []struct {
		first, other string
		n            int
		want         string
	}{
		{"#player-0", "#player-1", 1, "#player-{index}"},
		{`input[name="cart.0.line2"]`, `input[name="cart.2.line2"]`, 2, `input[name="cart.{index}.line2"]`},
		{"#player-1", "#player-2", 1, "#player-{number}"}, // the page counts from 1
		{"#player-1", "#player-3", 2, "#player-{number}"},
		{"#player-2", "#player-3", 1, ""},
		{"#player-1", "#player-3", 1, ""},
		{"#q_12i", "#q_29i", 1, ""},
		{"#a-0-0", "#a-1-1", 1, ""},
		{"#a-0", "#b-1", 1, ""},
		{"#a", "#a", 1, ""},
	} {
		if got := indexed(tt.first, tt.other, tt.n); got != tt.want {
			t.Errorf("%s and %s: %q, want %q", tt.first, tt.other, got, tt.want)
		}
	}
}

// TestSurplus: of controls that say the same, those that came are found, although
// none of them keeps the selector that the first one had.
func TestSurplus(t *testing.T) {
	control := func(selector, label string, score int) page.Control {
		return page.Control{Kind: page.KindText, Label: label, Selector: selector, Visible: true, Enabled: true, Ways: []page.Way{{Selector: selector, Score: score}}}
	}
	before := []page.Control{control("#club", "Club", 95), control("label=Name", "Name", 80)}
	after := []page.Control{control("#club", "Club", 95), control("p:nth-of-type(1) > input", "Name", 30), control("p:nth-of-type(2) > input", "Name", 30), control("#n2", "Note", 95)}
	var got []string
	for _, c := range surplus(before, after) {
		got = append(got, c.Selector)
	}
	if diff := cmp.Diff([]string{"p:nth-of-type(2) > input", "#n2"}, got); diff != "" {
		t.Errorf("new ones (-want +got):\n%s", diff)
	}
}

// TestTwinValues: options that share a value are told apart by their labels.
func TestTwinValues(t *testing.T) {
	c := page.Control{Kind: page.KindSelect, Options: []page.ControlOption{
		{Value: "AE", Label: "Armed Forces Africa"}, {Value: "AE", Label: "Armed Forces Europe"}, {Value: "AE", Label: "Armed Forces Africa"}, {Value: "AP", Label: "Armed Forces Pacific"},
	}}
	var got []string
	for _, o := range fieldOf(c, "state", nil).Options {
		got = append(got, o.Value+"="+o.Label)
	}
	if diff := cmp.Diff([]string{"AE=Armed Forces Africa", "Armed Forces Europe=Armed Forces Europe", "AP=Armed Forces Pacific"}, got); diff != "" {
		t.Errorf("options (-want +got):\n%s", diff)
	}
}

// TestWaitingButton: what was answered only because the button could not be pressed
// yet is required if it cannot be pressed without it.
func TestWaitingButton(t *testing.T) {
	d := discovered(t, `<form action=/done><label>Comment <textarea name=c></textarea></label><label>Name <input name=n id=n></label><label><input type=checkbox id=news> Send me news</label><label><input type=checkbox id=old> I am an adult</label><label><input type=checkbox id=ok> I agree</label>
		<button id=go disabled>Submit</button></form><script>document.forms[0].oninput = () => { go.disabled = !(ok.checked && old.checked && n.value) }</script>`)
	got := map[string]bool{}
	for _, f := range d.Wizard.Pages[0].Fields {
		got[f.FieldID] = f.Required
	}
	if diff := cmp.Diff(map[string]bool{"comment": false, "name": true, "send_me_news": false, "i_am_an_adult": true, "i_agree": true}, got); diff != "" {
		t.Errorf("required (-want +got):\n%s", diff)
	}
}

// TestRequiredByMarks: a form that does not say step by step what it needs is
// believed where it marks what must be answered.
func TestRequiredByMarks(t *testing.T) {
	question := func(required bool) *known {
		return &known{control: page.Control{Kind: page.KindText, Required: required}}
	}
	for _, tt := range []struct {
		name string
		n    node
		want bool
	}{
		{"it marks some", node{controls: []*known{question(false), question(true)}}, false},
		{"it marks none", node{controls: []*known{question(false), question(false)}}, true},
	} {
		if got, _ := tt.n.controls[0].required(nil, !tt.n.marks()); got != tt.want {
			t.Errorf("%s: the first is required: %v", tt.name, got)
		}
	}
}

// TestOfRow: the fields of all rows that stand on a page belong to them.
func TestOfRow(t *testing.T) {
	f := &wizard.Field{MinInstances: 2, SubFields: []wizard.SubField{{Selector: "#p-{index}"}, {Selector: "label=Note"}}}
	for _, tt := range []struct {
		sub      int
		selector string
		want     bool
	}{{0, "#p-0", true}, {0, "#p-1", true}, {0, "#p-2", false}, {1, "label=Note", true}, {1, "#p-0", false}} {
		if got := ofRow(f, tt.sub, tt.selector); got != tt.want {
			t.Errorf("sub-field %d, %s: %v", tt.sub, tt.selector, got)
		}
	}
}
