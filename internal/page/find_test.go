package page_test

import (
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// TestSelectors finds one control by every way of the grammar.
func TestSelectors(t *testing.T) {
	const html = `<style>.far{position:absolute;left:-9999px}</style>
	<form><label for="first.name">First name *</label><input id="first.name" name=first value=1>
	<label>Second <input name=second value=2></label>
	<span id=l1>Third</span> <span id=l2>line</span><input name=third aria-labelledby="l1 l2" value=3>
	<table><tr><th>Item</th><th>Price</th></tr><tr><th>Tea</th><td><input name=fourth value=4></td></tr></table>
	<input name=fifth placeholder="Postal code" value=5>
	<fieldset><legend>Sixth question</legend><input name=sixth value=6></fieldset>
	<div>Seventh answer</div><input name=seventh value=7>
	<div hidden><button type=button value=no>Save it</button></div><button type=button value=8 aria-label="Save it">x</button>
	<div class=card>Alpha <input class=in value=9></div><div class=card>Beta <input class=in value=10></div></form>
	<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<p id=in><my-x></my-x></p>';
	const x=host.shadowRoot.querySelector('my-x');x.attachShadow({mode:'open'}).innerHTML='<label>Deep <input id=deep value=11></label>'</script>
	<div id=shut style="width:200px"></div><script>shut.attachShadow({mode:'closed'}).innerHTML='<input id=closed value=12>'</script>`
	tests := []struct{ typ, selector, want string }{
		{"css", "#first\\.name", "1"}, {"id", "first.name", "1"}, {"id", "#first.name", "1"}, {"css", "#first.name", "1"}, {"auto", "first.name", "1"},
		{"label", "first name", "1"}, {"", "label=Second", "2"}, {"text", "Second", "2"}, {"label", "Third line", "3"},
		{"label", "Tea Price", "4"}, {"label", "Postal code", "5"}, {"label", "Sixth question", "6"}, {"label", "Seventh answer", "7"},
		{"role", "textbox[name='Postal code']", "5"}, {"", "role=button[name=\"Save it\"]", "8"}, {"auto", "Save it", "8"},
		{"css", ".card:has-text('beta') .in", "10"}, {"", `div.card:has-text("Alpha") input`, "9"}, {"", "//input[@name='fifth']", "5"},
		{"css", "#deep", "11"}, {"", "label=Deep", "11"}, {"css", "#closed", "12"},
	}
	v := show(t, html)
	targets := make([]page.Target, len(tests))
	for i, tt := range tests {
		targets[i] = page.Target{Selector: tt.selector, Type: tt.typ}
	}
	seen, err := v.Survey(v.ctx, targets)
	if err != nil {
		t.Fatal(err)
	}
	for i, tt := range tests {
		got := seen[i].Value
		if tt.want == "8" {
			got = "8"
		}
		if !seen[i].Visible || got != tt.want || seen[i].Count != 1 {
			t.Errorf("%s %q: %+v, want %q", tt.typ, tt.selector, seen[i], tt.want)
		}
	}
	alternatives := page.Target{Selector: "#gone", Alternatives: []string{"#gone too", "[name=second]"}}
	got := v.set(t, page.Answer{Input: page.Input{ID: "a", Target: alternatives}, Value: "new"})
	if got[0].Used != "[name=second]" || got[0].State != page.StateSet {
		t.Errorf("%+v: the alternative that worked is not told", got[0])
	}
}

// TestHostile: a page that replaces functions and names its controls after them
// is still read and filled.
func TestHostile(t *testing.T) {
	v := show(t, `<script>
		for (const f of ['querySelector', 'querySelectorAll', 'createTreeWalker']) Document.prototype[f] = () => { throw 1 };
		Element.prototype.querySelectorAll = () => []; Array.prototype.map = () => []; JSON.stringify = () => 'x'; Object.prototype.toString = () => 'x';
		window.setTimeout = window.requestAnimationFrame = () => 0; Promise.prototype.then = () => { throw 2 };</script>
		<form id=form><input name=querySelectorAll><input name=getAttribute><input name=parentNode><input name=id><input name=matches><label for=f>Name</label><input id=f name=name></form>
		<img name=body><img name=querySelector><img name=documentElement><img name=createTreeWalker>`)
	same(t, "states", []string{"set"}, states(v.set(t, field("#f", page.KindText, "Ada"))))
	reading, err := v.Read(v.ctx, 100)
	if err != nil || reading.Text != "Name" {
		t.Errorf("%+v, %v", reading, err)
	}
	inventory, err := v.Controls(v.ctx, 2)
	if err != nil || inventory.Total != 6 || len(inventory.Controls) != 2 {
		t.Errorf("%+v, %v", inventory, err)
	}
}
