package page_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/page"
)

// form is a site of two pages: / with the given body, /next with a heading.
func form(body string) http.Handler {
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><meta charset=utf-8><title>Form</title><main>", body, "</main>")
	}
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) { page(w, body) })
	mux.HandleFunc("/next", func(w http.ResponseWriter, r *http.Request) {
		page(w, "<h1>Your answer</h1><p>Amount: $5")
	})
	mux.HandleFunc("/reject", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		page(w, `<div class="govuk-error-summary" role=alert><h2>There is a problem</h2><ul><li><a href="#f">Enter your name</a></li></ul></div>`+
			`<h1>Question</h1><form action=/reject><label for=f>Name</label><p id=f-error class="govuk-error-message"><span>Error:</span> Enter your name</p>`+
			`<input id=f name=f aria-invalid=true aria-describedby="f-error"><button id=go>Continue</button></form>`)
	})
	return mux
}

const question = `<h1>Question</h1><form action=%s><label for=f>Name</label><input id=f name=f %s><button id=go>Continue</button></form>`

// TestAdvance presses Continue in every way in which a form can react.
func TestAdvance(t *testing.T) {
	inPage := func(script string) string {
		return `<div id=app><h1>Question</h1><label for=f>Name</label><input id=f><button id=go type=button>Continue</button></div><script>` + script + `</script>`
	}
	tests := []struct {
		name, body string
		button     page.Target
		proof      page.Proof
		moved      bool
		how        string
		errors     []page.FormError
	}{
		{name: "another document", body: fmt.Sprintf(question, "/next", ""), moved: true, how: page.HowNavigation},
		{name: "another document, proved", body: fmt.Sprintf(question, "/next", ""), moved: true, how: page.HowNavigation,
			proof: page.Proof{Heading: "your answer", URLPattern: "/next"}},
		{name: "another document, another heading", body: fmt.Sprintf(question, "/next", ""), how: page.HowNavigation, proof: page.Proof{Heading: "Results"}},
		{name: "another document, another address", body: fmt.Sprintf(question, "/next", ""), how: page.HowNavigation, proof: page.Proof{URLPattern: "/results$"}},
		{name: "the same page with errors", body: fmt.Sprintf(question, "/reject", ""), how: page.HowNavigation,
			errors: []page.FormError{{Text: "Enter your name", Label: "Name", Selector: "#f"}}},
		{name: "the same page again", body: fmt.Sprintf(question, "/", ""), how: page.HowNavigation},
		{name: "the browser's own check", body: fmt.Sprintf(question, "/next", "required"),
			errors: []page.FormError{{Text: "Please fill out this field.", Label: "Name", Selector: "#f"}}},
		{name: "another address in the document", moved: true, how: page.HowSameDocument,
			body: inPage(`go.onclick = () => { history.pushState({}, '', '/two'); setTimeout(() => { app.innerHTML = '<h1>Second</h1><input id=g>' }, 50) }`)},
		{name: "other fields, same address", moved: true, how: page.HowContent,
			body: inPage(`go.onclick = () => setTimeout(() => { app.innerHTML = '<h1>Second</h1><input id=g>' }, 150)`)},
		{name: "other fields after a request", moved: true, how: page.HowContent,
			body: inPage(`go.onclick = async () => { await fetch('/next'); app.innerHTML = '<h1>Second</h1><input id=g>' }`)},
		{name: "the next question in the same control", moved: true, how: page.HowContent,
			body: inPage(`go.onclick = () => { document.querySelector('h1').textContent = 'Second'; document.querySelector('label').textContent = 'Age' }`)},
		{name: "inline errors", body: inPage(`go.onclick = () => { f.setAttribute('aria-invalid', 'true'); f.setAttribute('aria-describedby', 'e'); f.insertAdjacentHTML('afterend', '<p id=e class=error-message>Too short</p>') }`),
			errors: []page.FormError{{Text: "Too short", Label: "Name", Selector: "#f"}}},
		{name: "errors after a request", body: inPage(`go.onclick = async () => { await fetch('/next'); f.insertAdjacentHTML('afterend', '<p role=alert>Not known</p>') }`),
			errors: []page.FormError{{Text: "Not known", Label: "Name", Selector: "#f"}}},
		{name: "nothing", body: inPage(``)},
		{name: "disabled for ever", body: inPage(`go.disabled = true`)},
		{name: "enabled later", moved: true, how: page.HowContent,
			body: inPage(`go.disabled = true; setTimeout(() => { go.disabled = false }, 400); go.onclick = () => { app.innerHTML = '<h1>Second</h1>' }`)},
		{name: "several buttons, one visible", moved: true, how: page.HowContent, button: page.Target{Selector: "button:has-text('Continue')", Type: "css"},
			body: `<div hidden><button>Continue</button></div>` + inPage(`go.onclick = () => { app.innerHTML = '<h1>Second</h1>' }`)},
		{name: "only trusted clicks", moved: true, how: page.HowContent,
			body: inPage(`go.onclick = (e) => { if (e.isTrusted) app.innerHTML = '<h1>Second</h1>' }`)},
		{name: "by its text", moved: true, how: page.HowNavigation, button: page.Target{Selector: "#gone", Type: "css", Text: "continue"}, body: fmt.Sprintf(question, "/next", "")},
		{name: "own error selector", proof: page.Proof{ErrorSelectors: []string{".oops"}},
			body:   inPage(`go.onclick = () => { f.insertAdjacentHTML('afterend', '<b class=oops>Wrong name</b>') }`),
			errors: []page.FormError{{Text: "Wrong name", Label: "Name", Selector: "#f"}}},
		{name: "session dialog in the way", moved: true, how: page.HowContent,
			body: inPage(`go.onclick = () => { app.innerHTML = '<h1>Second</h1>' }`) +
				`<div role=dialog id=d style="position:fixed;inset:0;background:#fff"><p>Are you still there?</p><button onclick="d.remove()">Stay signed in</button><button onclick="document.body.innerHTML='gone'">Sign out</button></div>`},
		{name: "cookie notice in the way", moved: true, how: page.HowContent,
			body: inPage(`go.onclick = () => { app.innerHTML = '<h1>Second</h1>' }`) +
				`<div id=c style="position:fixed;inset:0;background:#fff"><p>We use cookies</p><button onclick="document.body.innerHTML='agreed'">Accept all</button><button onclick="c.remove()">Reject all</button></div>`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := visit(t, pool, form(tt.body))
			if tt.button.None() {
				tt.button = page.Target{Selector: "#go"}
			}
			tt.proof.Fields = []page.Target{{Selector: "#f"}}
			step, err := v.Advance(v.ctx, tt.button, tt.proof)
			if err != nil {
				t.Fatal(err)
			}
			if step.Moved != tt.moved || step.How != tt.how {
				t.Errorf("moved %v %q, want %v %q: %+v", step.Moved, step.How, tt.moved, tt.how, step)
			}
			same(t, "errors", tt.errors, step.Errors)
		})
	}
}

// TestAdvanceDialogs reports what message boxes said.
func TestAdvanceDialogs(t *testing.T) {
	v := visit(t, pool, form(`<button id=go type=button onclick="alert('Name is missing')">Go</button>`))
	step, err := v.Advance(v.ctx, page.Target{Selector: "#go"}, page.Proof{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "dialogs", []string{"Name is missing"}, step.Dialogs)
	if step.Moved {
		t.Error("a message box counts as the next page")
	}
}

// TestAdvanceManyDialogs: a page with more message boxes than are kept.
func TestAdvanceManyDialogs(t *testing.T) {
	v := visit(t, pool, form(`<button id=go type=button onclick="for (let i = 0; i < 130; i++) alert(i)">Go</button><button id=two type=button onclick="alert('one more')">Go</button>`))
	step, err := v.Advance(v.ctx, page.Target{Selector: "#go"}, page.Proof{})
	if n := len(step.Dialogs); err != nil || n != 100 || step.Dialogs[n-1] != "129" {
		t.Fatalf("%d dialogs, %v", n, err)
	}
	if step, err = v.Advance(v.ctx, page.Target{Selector: "#two"}, page.Proof{}); err != nil {
		t.Fatal(err)
	}
	same(t, "dialogs", []string{"one more"}, step.Dialogs)
}

// TestAdvanceRestores: a form that draws itself anew while its button is
// disabled gets its answers again before the press.
func TestAdvanceRestores(t *testing.T) {
	v := visit(t, pool, form(`<form id=form action=/next><h1>Question</h1><input id=f name=f><button id=go disabled>Go</button></form>
		<script>setTimeout(() => { const n = form.cloneNode(true); n.querySelector('#f').value = ''; n.querySelector('#go').disabled = false; form.replaceWith(n) }, 700)</script>`))
	v.set(t, field("#f", page.KindText, "Ada"))
	step, err := v.Advance(v.ctx, page.Target{Selector: "#go"}, page.Proof{Fields: []page.Target{{Selector: "#f"}}})
	if err != nil {
		t.Fatal(err)
	}
	if want := v.url + "/next?f=Ada"; !step.Moved || step.Place.URL != want {
		t.Errorf("at %s, want %s", step.Place.URL, want)
	}
}

// TestAdvanceMissing: no button is an error, and so are two.
func TestAdvanceMissing(t *testing.T) {
	v := visit(t, pool, form(`<a href=/next>Go</a><p>or</p><a href=/next>Go</a>`))
	for selector, want := range map[string]string{"#none": "selector_not_found", "text=Go": "ambiguous_selector"} {
		_, err := v.Advance(v.ctx, page.Target{Selector: selector}, page.Proof{})
		if got := faultType(err); got != want {
			t.Errorf("%s: %q, want %q (%v)", selector, got, want, err)
		}
	}
}

// TestFrames fills and leaves a form in frames of two sites, on both binaries,
// which keep them in one process or in several.
func TestFrames(t *testing.T) {
	for _, engine := range []string{browser.EngineHeadlessShell, browser.EngineChromium} {
		t.Run(engine, func(t *testing.T) {
			from := pool
			if engine == browser.EngineChromium {
				from = browser.NewPool(browser.Options{Engine: engine})
				t.Cleanup(func() { closePool(t, from) })
			}
			inner := http.NewServeMux()
			serve := func(path, body string) {
				inner.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "text/html")
					fmt.Fprint(w, "<!doctype html>", body)
				})
			}
			serve("/middle", `<p style="height:700px">far down</p><iframe id=inner src=/inner></iframe>`)
			serve("/inner", `<form action=/done><label for=f>Name</label><input id=f name=f required><input type=checkbox id=c onclick="if(!event.isTrusted)event.preventDefault()"><label for=c>Agree</label><button id=go>Go</button></form>`)
			serve("/done", `<h1>Done</h1><dl><dt>Reference</dt><dd>R-1</dd></dl>`)
			partner := httptestServer(t, inner)
			v := visit(t, from, form(fmt.Sprintf(`<h1>Outer</h1><iframe id=outer src="http://localhost:%s/middle" width=700 height=400></iframe>`, port(partner))))
			path := []string{"#outer", "#inner"}
			at := func(s string) page.Target { return page.Target{Selector: s, Frame: path} }
			got := v.set(t,
				page.Answer{Input: page.Input{ID: "name", Kind: page.KindText, Target: at("#f")}, Value: "Ada"},
				page.Answer{Input: page.Input{ID: "agree", Kind: page.KindCheckbox, Target: at("#c")}, Value: true})
			same(t, "states", []string{"set", "set"}, states(got))
			if got[1].Via != page.ViaClick {
				t.Errorf("the checkbox was set via %q, want a trusted click", got[1].Via)
			}
			step, err := v.Advance(v.ctx, at("#go"), page.Proof{Fields: []page.Target{at("#f")}})
			if err != nil || !step.Moved {
				t.Fatalf("%+v, %v", step, err)
			}
			reading, err := v.Read(v.ctx, 0)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff([]page.Pair{{Label: "Reference", Value: "R-1"}}, reading.Pairs); d != "" {
				t.Error(d)
			}
			seen, err := v.Survey(v.ctx, []page.Target{at("#f"), {Selector: "#nowhere", Frame: []string{"#gone"}}})
			if err != nil || seen[0].Present || seen[1].Present {
				t.Errorf("%+v, %v", seen, err)
			}
		})
	}
}

// TestSetTimes: an element that comes later is waited for, and one that does not
// come ends the wait before the timeout when the page is quiet.
func TestSetTimes(t *testing.T) {
	v := visit(t, pool, form(`<input id=a oninput="setTimeout(async () => { await fetch('/next'); b.hidden = false }, 300)"><input id=b hidden><input id=c hidden>`))
	v.ElementTimeout = time.Minute
	got := v.set(t, field("#a", page.KindText, "x"), field("#b", page.KindText, "y"), field("#c", page.KindText, "z"))
	same(t, "states", []string{"set", "set", "hidden"}, states(got))
}

// TestOddFragments: an address and a link whose fragments are no proper escapes
// are read as they are.
func TestOddFragments(t *testing.T) {
	v := visit(t, pool, form(`<div class="error-summary" role=alert><a href="#50%">Enter a name</a></div><input id="50%"><button type=button id=go>Go</button>`))
	v.eval(t, "() => { location.hash = '#100%'; return '' }")
	step, err := v.Advance(v.ctx, page.Target{Selector: "#go"}, page.Proof{Fields: []page.Target{{Selector: "[id='50%']", Type: "css"}}})
	if err != nil {
		t.Fatal(err)
	}
	if step.Moved || len(step.Errors) != 1 || step.Errors[0].Text != "Enter a name" || step.Errors[0].FieldIndex != 0 {
		t.Errorf("%+v", step)
	}
	v = visit(t, pool, form(`<p><input id="f"><button type=button id=go onclick="location.hash='100%'">Go</button>`))
	if step, err = v.Advance(v.ctx, page.Target{Selector: "#go"}, page.Proof{Fields: []page.Target{{Selector: "#f"}}}); err != nil {
		t.Fatalf("%+v, %v", step, err)
	}
}

// TestAdvanceKeepsAnswers: a page that has lost an answer is not left, its own
// frame's or another one's, and the button sees no press.
func TestAdvanceKeepsAnswers(t *testing.T) {
	site := pages{
		"/inner": `<label>Town <input id=town></label>`,
		"/": `<label>Name <input id=name></label><iframe src=/inner></iframe><p id=heard>no</p>
			<button type=button onclick="heard.textContent='yes'">Go on</button>`,
	}
	for _, where := range []string{"", "iframe"} {
		v := visit(t, pool, site)
		answers := []page.Answer{field("#name", page.KindText, "Ada"), field("#town", page.KindText, "Ely")}
		answers[1].Target.Frame = []string{"iframe"}
		v.set(t, answers...)
		lost, in := "#name", "document"
		if where != "" {
			lost, in = "#town", "document.querySelector('iframe').contentDocument"
		}
		v.eval(t, "() => { "+in+".querySelector('"+lost+"').value = ''; return '' }")
		step, err := v.Advance(v.ctx, page.Target{Text: "Go on"}, page.Proof{Answers: answers})
		if err != nil || step.Moved || len(step.Lost) != 1 || step.Lost[0].Used != lost || step.Lost[0].State != page.StateValueMismatch {
			t.Errorf("lost %s: %+v, %v", lost, step, err)
		}
		if heard := v.eval(t, "() => document.querySelector('#heard').textContent"); heard != "no" {
			t.Errorf("lost %s: the button was pressed", lost)
		}
		v.set(t, answers...)
		step, err = v.Advance(v.ctx, page.Target{Text: "Go on"}, page.Proof{Answers: answers})
		if err != nil || len(step.Lost) > 0 {
			t.Errorf("kept %s: %+v, %v", lost, step, err)
		}
	}
}

// TestAdvanceLooksAhead: the targets of the next page are seen with it, unless a
// closed root may hide some.
func TestAdvanceLooksAhead(t *testing.T) {
	for path, next := range map[string]string{
		"/open":   `<h1>Next</h1><label>Age <input id=age value=7></label>`,
		"/closed": `<h1>Next</h1><x-age></x-age><script>customElements.define('x-age', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'closed' }).innerHTML = '<label>Age <input id=age value=7></label>' } })</script>`,
	} {
		v := visit(t, pool, pages{"/": `<h1>First</h1><form action="` + path + `"><input name=a aria-label=A><button>Go on</button></form>`, path: next})
		ahead := []page.Target{{Selector: "#age"}, {Selector: "#none"}}
		step, err := v.Advance(v.ctx, page.Target{Text: "Go on"}, page.Proof{Next: ahead})
		if err != nil || !step.Moved {
			t.Fatalf("%s: %+v, %v", path, step, err)
		}
		if path == "/closed" {
			if step.Next != nil {
				t.Errorf("%s: seen without its closed root: %+v", path, step.Next)
			}
			continue
		}
		want, err := v.Survey(v.ctx, ahead)
		if err != nil {
			t.Fatal(err)
		}
		same(t, path, want, step.Next)
		if !step.Next[0].Visible || step.Next[0].Value != "7" || step.Next[1].Present {
			t.Errorf("%s: %+v", path, step.Next)
		}
	}
}

// TestAdvanceAsksAgain: a page that changes its address, and then asks the server
// what stands there, has not been left before the answer is shown.
func TestAdvanceAsksAgain(t *testing.T) {
	v := visit(t, pool, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/answer" {
			select { // a server that takes its time
			case <-time.After(600 * time.Millisecond):
			case <-r.Context().Done():
			}
		}
		pages{"/": `<h1>Question</h1><label>Name <input id=name></label><button type=button id=go>Go on</button><script>
			document.getElementById('go').onclick = () => fetch('/save').then(() => setTimeout(async () => {
				history.pushState(null, '', '/done');
				const text = await (await fetch('/answer')).text();
				document.querySelector('main').innerHTML = '<h1>Answer</h1>';
			}, 250));
			</script>`}.ServeHTTP(w, r)
	}))
	step, err := v.Advance(v.ctx, page.Target{Selector: "#go"}, page.Proof{Fields: []page.Target{{Selector: "#name"}}})
	if err != nil || !step.Moved || step.Place.Heading != "Answer" {
		t.Errorf("%+v, %v", step, err)
	}
}

// pages is a site: what stands at each path.
type pages map[string]string

func (p pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, "<!doctype html><meta charset=utf-8><title>Form</title><main>", p[r.URL.Path], "</main>")
}

// TestAdvanceTellsWhetherTheButtonWasPressed: where it was not, nothing can have been
// sent, and what a message box says is told apart from what it asks.
func TestAdvanceTellsWhetherTheButtonWasPressed(t *testing.T) {
	for _, tt := range []struct {
		name, button string
		pressed      bool
		alerts       []string
		dialogs      int
	}{
		{"closed", `<button id=go disabled>Continue</button>`, false, nil, 0},
		{"dead", `<button id=go type=button>Continue</button>`, true, nil, 0},
		{"says", `<button id=go type=button onclick="confirm('Sure?'); alert('Your age is missing')">Continue</button>`, true, []string{"Your age is missing"}, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, `<h1>Form</h1><input id=f>`+tt.button)
			step, err := v.Advance(v.ctx, page.Target{Selector: "#go"}, page.Proof{})
			if err != nil || step.Moved || step.Pressed != tt.pressed || len(step.Dialogs) != tt.dialogs {
				t.Errorf("%+v %v", step, err)
			}
			same(t, "alerts", tt.alerts, step.Alerts)
		})
	}
}

// TestAButtonThatSaysItWorksIsWaitedFor: pages show that they were understood before
// they do anything, and some do nothing else for seconds.
func TestAButtonThatSaysItWorksIsWaitedFor(t *testing.T) {
	for name, says := range map[string]string{
		"another label": "go.textContent = 'Please wait'", "closed": "go.disabled = true", "gone": "go.hidden = true",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := show(t, `<h1>Form</h1><input id=f><button id=go type=button>Continue</button><script>
				go.onclick = () => { `+says+`; setTimeout(() => { document.querySelector('main').innerHTML = '<h1>Done</h1>' }, 4000) }</script>`)
			step, err := v.Advance(v.ctx, page.Target{Selector: "#go"}, page.Proof{Fields: []page.Target{{Selector: "#f"}}})
			if err != nil || !step.Moved {
				t.Errorf("%+v %v", step, err)
			}
		})
	}
}

// TestErrorsOfEveryFrame: what a form says is told with the field that it is about,
// whichever frames the fields are in.
func TestErrorsOfEveryFrame(t *testing.T) {
	v := visit(t, pool, pages{
		"/inner": `<label>Town <input id=town></label> <span class=field-error></span>`,
		"/": `<label>Name <input id=name></label> <span class=field-error></span><iframe src=/inner></iframe>
			<button type=button onclick="for (const d of [document, document.querySelector('iframe').contentDocument]) d.querySelector('.field-error').textContent = 'Wrong: ' + d.querySelector('input').id">Go on</button>`,
	})
	fields := []page.Target{{Selector: "#town", Frame: []string{"iframe"}}, {Selector: "#name"}}
	step, err := v.Advance(v.ctx, page.Target{Text: "Go on"}, page.Proof{Fields: fields})
	if err != nil || step.Moved {
		t.Fatalf("%+v, %v", step, err)
	}
	about := map[string]int{}
	for _, e := range step.Errors {
		about[e.Text] = e.FieldIndex
	}
	same(t, "errors and their fields", map[string]int{"Wrong: town": 0, "Wrong: name": 1}, about)
}
