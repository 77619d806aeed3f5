package scout

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
)

// TestDependentOptions: the list of regions follows from the country, in the page
// itself; each region is written down with the country that offers it.
func TestDependentOptions(t *testing.T) {
	s := newBench(t, Settings{})
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			html(w, "<h1>Thank you</h1>")
			return
		}
		html(w, `<h1>Licence</h1><form action=/done><label for=c>Country</label><select id=c name=c required><option value="">Choose<option>Fiji<option>Samoa</select>
			<label for=r>Region</label><select id=r name=r required><option value="">Choose</select><button>Send</button></form>
			<script>c.onchange = () => { r.innerHTML = '<option value="">Choose' + ({Fiji: ['Ba', 'Ra'], Samoa: ['Tuamasaga']}[c.value] || []).map((x) => '<option>' + x).join('') }</script>`)
	}))
	d, err := Discoverer{Browser: s.pool, Width: 1280, Height: 1024, Prover: content{}, Policy: func(string) (browser.Policy, error) {
		return browser.Policy{Hosts: s.hosts, OnlyOrigins: []string{"http://practice.localhost"}}, nil
	}}.Discover(t.Context(), Request{URL: "http://practice.localhost/", AllowSubmit: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, o := range d.Wizard.Field("region").Options {
		got[o.Value] = o.AvailableWhen.String()
	}
	if diff := cmp.Diff(map[string]string{"Ba": `country is "Fiji"`, "Ra": `country is "Fiji"`, "Tuamasaga": `country is "Samoa"`}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestQuestionsThatTheServerBrings: what follows from a number that was typed has the
// border as its condition, although the page shows it late.
func TestQuestionsThatTheServerBrings(t *testing.T) {
	s := newBench(t, Settings{})
	d, err := Discoverer{Browser: s.pool, Width: 1280, Height: 1024, Prover: content{}, Policy: func(string) (browser.Policy, error) {
		return browser.Policy{Hosts: s.hosts, OnlyOrigins: []string{"http://practice.localhost"}}, nil
	}}.Discover(t.Context(), Request{URL: widgetsURL + "f10c", AllowSubmit: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range d.Wizard.Pages[0].Fields {
		got[f.FieldID] = f.VisibleWhen.String()
	}
	if diff := cmp.Diff(map[string]string{"zip_code": "always", "county": "zip_code is less than 99000", "ferry": "zip_code is at least 99000"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestOptionsWithoutReason: one option that no answer explains leaves the whole list
// without conditions.
func TestOptionsWithoutReason(t *testing.T) {
	k := &known{id: "region", control: page.Control{Kind: page.KindSelect, Options: []page.ControlOption{{Value: "Ba", Label: "Ba"}, {Value: "Ra", Label: "Ra"}}}}
	n := &node{}
	for _, at := range []struct {
		country string
		offered []string
	}{{"Fiji", []string{"Ba"}}, {"Samoa", []string{"Ra"}}, {"Fiji", []string{"Ba", "Ra"}}} {
		l := look{answers: map[string]any{"country": at.country}, shown: map[string]bool{"region": true}}
		c := page.Control{Kind: page.KindSelect}
		for _, o := range at.offered {
			c.Options = append(c.Options, page.ControlOption{Value: o, Label: o})
		}
		l.offer(k, c)
		n.looks = append(n.looks, l)
	}
	f := fieldOf(k.control, k.id, nil)
	n.conditionsOf(k, &f, []string{"country"})
	for _, o := range f.Options {
		if o.AvailableWhen != nil {
			t.Errorf("%s is said to be there when %s", o.Value, o.AvailableWhen)
		}
	}
}

// TestNeedlessWithAnotherAnswer: what the form wants with one answer, and marks with
// nothing, is required with that answer only.
func TestNeedlessWithAnotherAnswer(t *testing.T) {
	s := newBench(t, Settings{})
	const form = `<form method=post><fieldset><legend>How should we answer?</legend><label><input type=radio name=how value=mail> By e-mail</label>
		<label><input type=radio name=how value=phone> By phone</label><label><input type=radio name=how value=none> Not at all</label></fieldset>
		<label>E-mail address <input name=email></label> <label>Phone number <input name=phone></label> <label>Topic <input name=topic></label><button>Send</button></form>`
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wrong := ""
		for _, x := range []struct{ name, how, said string }{{"how", "", "Choose how we should answer"}, {"email", "mail", "Enter your e-mail address"}, {"phone", "phone", "Enter your phone number"}, {"topic", "", "Enter the topic"}} {
			if r.FormValue(x.name) == "" && (x.how == "" || x.how == r.FormValue("how")) {
				wrong += "<li>" + x.said
			}
		}
		switch {
		case r.Method == http.MethodGet:
			html(w, "<h1>Question</h1>"+form)
		case wrong != "":
			html(w, "<h1>Question</h1><div role=alert><h2>There is a problem</h2><ul>"+wrong+"</ul></div>"+form)
		default:
			html(w, "<h1>Thank you</h1>")
		}
	}))
	d, err := Discoverer{Browser: s.pool, Width: 1280, Height: 1024, Prover: content{}, Policy: func(string) (browser.Policy, error) {
		return browser.Policy{Hosts: s.hosts, OnlyOrigins: []string{"http://practice.localhost"}}, nil
	}}.Discover(t.Context(), Request{URL: "http://practice.localhost/", AllowSubmit: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range d.Wizard.Pages[0].Fields {
		got[f.FieldID] = f.RequiredWhen.String()
		if f.RequiredWhen == nil && !f.Required {
			got[f.FieldID] = "never"
		}
	}
	want := map[string]string{"how_should_we_answer": "always", "e_mail_address": `how_should_we_answer is "mail"`, "phone_number": `how_should_we_answer is "phone"`, "topic": "always"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSuggestedAddress: a search for addresses has suggestions for the beginning of one
// only, so that the example is one of those that it made.
func TestSuggestedAddress(t *testing.T) {
	s := newBench(t, Settings{})
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		html(w, `<h1>Your address</h1><form method=post action=/act><label for=a>Address</label><input id=a name=a required autocomplete=off role=combobox aria-autocomplete=list aria-expanded=false aria-controls=l><ul id=l role=listbox hidden></ul><button>Send</button></form><script>
			const a = document.getElementById('a'), l = document.getElementById('l'), open = (on) => { l.hidden = !on; a.setAttribute('aria-expanded', on) };
			a.oninput = () => setTimeout(() => { l.innerHTML = ''; if (a.value.length < 4) return open(false); for (const s of ['12 Main Street, Springfield', '12 Main Street, Shelbyville']) { const o = document.createElement('li'); o.setAttribute('role', 'option'); o.textContent = s; o.onclick = () => { a.value = s; open(false) }; l.append(o) } open(true) }, 150)</script>`)
	}))
	x := explorerOf(s, Request{})
	if _, err := x.take(t.Context(), route{}); err != nil {
		t.Fatal(err)
	}
	if got := x.graph.nodes[0].controls[0].example; got != "12 Main Street, Springfield" {
		t.Errorf("the example is %v", got)
	}
}
