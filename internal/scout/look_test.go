package scout

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestElementLists: what is known of an element is in the list, as data and in the
// text: constraints, state, all options, and the frame or shadow roots that it is in.
func TestElementLists(t *testing.T) {
	b := newBench(t, Settings{})
	b.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var options strings.Builder
		for i := range 60 {
			fmt.Fprintf(&options, "<option value=v%d>State %d</option>", i, i)
		}
		html(w, `<h1>Rich</h1><form><label for=a>Age</label><input id=a name=age class="field wide" type=number min=18 max=99 step=1 required>
			<label for=c>Code</label><input id=c name=code minlength=2 maxlength=4 pattern="[A-Z]+" aria-invalid=true>
			<label for=l>Locked</label><input id=l name=locked disabled><label for=r>Account</label><input id=r name=account readonly value=7>
			<label><input type=checkbox id=k name=kept checked> Keep</label><label for=s>State</label><select id=s name=state>`+options.String()+`</select>
			<iframe id=f srcdoc="<label for=i>Inside</label><input id=i>"></iframe><x-box id=outer></x-box>
			<button type=button id=exp aria-expanded=false class=more>Expand</button><button>Continue</button><p role=alert>Code is wrong</p></form>
			<script>
			for (const [name, inner] of [['x-box', '<y-box></y-box>'], ['y-box', '<label for=d>Deep</label><input id=d><button type=button class=x>Deeper</button>']])
				customElements.define(name, class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = inner } })
			</script>`)
	}))
	id := b.start(t, "http://practice.localhost/")
	got := b.call(t, "get_page_info", PageInfoIn{SessionID: id, IncludeScreenshot: off()})
	var info struct{ Elements Elements }
	if err := json.Unmarshal(got.raw, &info); err != nil {
		t.Fatal(err)
	}
	have := map[string]string{}
	for _, e := range info.Elements.all() {
		have[orElse(e.Label, e.Text)] = fmt.Sprintf("%s|%s-%s/%s|%s %d-%d %v|%s|%d|%v|%v", e.Class, e.Min, e.Max, e.Step, e.Pattern, e.MinLength, e.MaxLength, e.Required, e.State, len(e.Options), e.Frame, e.Shadow)
	}
	want := map[string]string{
		"Age": "field wide|18-99/1| 0-0 true||0|[]|[]", "Code": "|-/|[A-Z]+ 2-4 false|invalid|0|[]|[]", "Locked": "|-/| 0-0 false|disabled|0|[]|[]",
		"Account": "|-/| 0-0 false|readonly|0|[]|[]", "Keep": "|-/| 0-0 false|checked|0|[]|[]", "State": "|-/| 0-0 false||60|[]|[]",
		"Inside": "|-/| 0-0 false||0|[#f]|[]", "Deep": "|-/| 0-0 false||0|[]|[x-box#outer y-box]",
		"Expand": "more|-/| 0-0 false|expanded=false|0|[]|[]", "Deeper": "x|-/| 0-0 false||0|[]|[x-box#outer y-box]", "Continue": "|-/| 0-0 false||0|[]|[]",
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, word := range []string{"step=1", "minlength=2", "maxlength=4", "#c invalid", "shadow=x-box#outer > y-box", "in frame #f", "State 59"} {
		if !strings.Contains(got.text, word) {
			t.Errorf("the text lacks %q: %s", word, got.text)
		}
	}
	quietPresses(t, b, id)
}

// quietPresses: a press that sends nothing is no reason for the complaints that the
// page showed before, and what is nearest is found by ids too.
func quietPresses(t *testing.T, b *bench, id string) {
	t.Helper()
	click := func(selector string) ClickIn {
		return ClickIn{SessionID: id, Selector: selector, IncludeScreenshot: off()}
	}
	if got := b.call(t, "click_element", click("#exp")); strings.Contains(got.str("message"), "complains") || !strings.Contains(got.text, "Code is wrong") {
		t.Errorf("a press that sends nothing: %s", got.text)
	}
	if got := b.fails(t, TypeNotFound, "click_element", click("#expp")); !strings.Contains(got.str("suggestion"), "#exp") {
		t.Errorf("the nearest id: %s", got.text)
	}
	if got := b.call(t, "click_element", click("Continue")); !strings.Contains(got.str("message"), "complains") {
		t.Errorf("a press that sends the form: %s", got.text)
	}
}

// TestSelectorsThatLast: ids that nobody chose are scored down and not taken, what
// several elements share is not offered, and after a reload each selector leads to the
// element of the same question.
func TestSelectorsThatLast(t *testing.T) {
	b := newBench(t, Settings{})
	var visits atomic.Int32
	b.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := visits.Add(1)
		html(w, fmt.Sprintf(`<h1>Ids</h1><form>
			<label for=chosen>Chosen</label><input id=chosen name=a>
			<label for="frm:j_idt4%[1]d">Faces</label><input id="frm:j_idt4%[1]d" name=faces>
			<label for="radix-:r%[1]d:">Radix</label><input id="radix-:r%[1]d:" name=radix>
			<label for="f-9a8b7c6d%[1]d">Hashed</label><input id="f-9a8b7c6d%[1]d">
			<label for=input-1>Counted</label><input id=input-1>
			<label>Same <input name=same></label> <label>Twin <input name=same></label>
			<button id="frm:j_idt5%[1]d">Continue</button> <input type=submit name=op value="&lt; Back"> <input type=submit name=op value="Send it"></form>`, n))
	}))
	id := b.start(t, "http://practice.localhost/")
	look := func() map[string]Element {
		got := b.call(t, "get_page_info", PageInfoIn{SessionID: id, IncludeScreenshot: off()})
		var info struct{ Elements Elements }
		if err := json.Unmarshal(got.raw, &info); err != nil {
			t.Fatal(err)
		}
		out := map[string]Element{}
		for _, e := range info.Elements.all() {
			out[orElse(e.Label, e.Text)] = e
		}
		return out
	}
	first := look()
	for label, want := range map[string]string{"Chosen": "#chosen", "Faces": `input[name="faces"]`, "Radix": `input[name="radix"]`, "Hashed": "label=Hashed", "Same": "label=Same", "Twin": "label=Twin", "Continue": "label=Continue", "< Back": `input[type=submit][value="< Back"]`, "Send it": `input[type=submit][value="Send it"]`} {
		if first[label].Selector != want {
			t.Errorf("%s has the selector %s, want %s", label, first[label].Selector, want)
		}
	}
	if first["Chosen"].Score <= first["Faces"].Score || first["Faces"].Score <= first["Hashed"].Score || first["Hashed"].Score <= 0 {
		t.Errorf("an id, a name and a label score %d, %d and %d", first["Chosen"].Score, first["Faces"].Score, first["Hashed"].Score)
	}
	b.call(t, "undo_or_goto", UndoIn{SessionID: id, To: "start", IncludeScreenshot: off()})
	second := look()
	if visits.Load() < 2 || second["Faces"].ID == first["Faces"].ID {
		t.Fatal("the page was not loaded again")
	}
	for label, e := range first {
		if second[label].Selector != e.Selector {
			t.Errorf("%s was %s, is %s", label, e.Selector, second[label].Selector)
		}
		if e.Label == "" { // to be pressed
			continue
		}
		b.call(t, "execute_actions", ActionsIn{SessionID: id, Actions: []Action{{Action: "fill", Selector: e.Selector, Value: json.RawMessage(`"` + label + `"`)}}, IncludeScreenshot: off()})
		if got := look()[label].Value; got != label {
			t.Errorf("%s of before the reload led elsewhere: %s holds %q", e.Selector, label, got)
		}
	}
}
