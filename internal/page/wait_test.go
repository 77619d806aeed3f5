package page_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// TestSettle waits for a form that is drawn by a late answer, and does not wait
// for a heartbeat.
func TestSettle(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><main id=m><p aria-busy=true>Loading</p></main><script>
			setInterval(() => fetch('/beat'), 300);
			fetch('/form').then((r) => r.text()).then((s) => { m.innerHTML = s })</script>`)
	})
	mux.HandleFunc("/beat", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "ok") })
	mux.HandleFunc("/form", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `<h1>Form</h1><input id=f>`) })
	v := visit(t, pool, mux)
	if err := v.Settle(v.ctx); err != nil {
		t.Fatal(err)
	}
	seen, err := v.Survey(v.ctx, []page.Target{{Selector: "#f"}})
	if err != nil || !seen[0].Visible || !seen[0].Enabled {
		t.Errorf("%+v, %v", seen, err)
	}
}

// TestSetSurvivesReload: a form that loads itself anew when a value changes is
// filled to its end.
func TestSetSurvivesReload(t *testing.T) {
	v := visit(t, pool, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		a := r.FormValue("a")
		fmt.Fprintf(w, `<!doctype html><form><select id=a name=a onchange="form.submit()"><option value="">-<option %s>x</select>`, map[bool]string{true: "selected"}[a == "x"])
		if a == "x" {
			fmt.Fprint(w, `<label>More <input id=b name=b></label>`)
		}
	}))
	got := v.set(t, field("#a", page.KindSelect, "x"), field("#b", page.KindText, "y"))
	for _, o := range got {
		if !o.State.OK() {
			t.Errorf("%+v", got)
		}
	}
	same(t, "value", "y", v.eval(t, "() => document.querySelector('#b').value"))
}

// TestSearch presses Enter and lets what it starts come to its end.
// TestFrameThatLoadsAgainBeforeThePress: answers in a frame must not be lost
// because it loaded itself again after they were read back.
func TestFrameThatLoadsAgainBeforeThePress(t *testing.T) {
	v := visit(t, pool, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/frame" {
			fmt.Fprint(w, "<!doctype html><title>Frame</title><label>City <input id=city></label>")
			return
		}
		fmt.Fprint(w, `<!doctype html><title>Form</title><main><iframe id=f src=/frame></iframe><button id=go>Continue</button></main><script>
document.getElementById('go').onclick = () => {
  const city = document.getElementById('f').contentDocument.getElementById('city').value;
  document.querySelector('main').innerHTML = '<h1>Got [' + city + ']</h1>';
};</script>`)
	}))
	city := field("#city", page.KindText, "Olympia")
	city.Target.Frame = []string{"#f"}
	same(t, "outcome", []string{"set"}, states(v.set(t, city)))
	v.eval(t, `() => new Promise((done) => {
		const f = document.getElementById('f');
		f.addEventListener('load', () => done(''), {once: true});
		f.contentWindow.location.reload();
	})`)
	step, err := v.Advance(v.ctx, page.Target{Selector: "#go"}, page.Proof{Heading: "Got"})
	if err != nil || !step.Moved {
		t.Fatalf("the page was not left: %+v, %v", step, err)
	}
	same(t, "heading", "Got [Olympia]", v.eval(t, "() => document.querySelector('h1').textContent"))
}

func TestSearch(t *testing.T) {
	v := visit(t, pool, form(`<input type=search id=f onkeydown="if(event.key==='Enter'){event.preventDefault();fetch('/next').then(()=>{o.value=this.value})}"><output id=o></output>`))
	same(t, "state", []string{"set"}, states(v.set(t, field("#f", page.KindSearch, "98101"))))
	same(t, "found", "98101", v.eval(t, "() => o.value"))
}

// TestClick presses once it can be pressed, and says why not.
func TestClick(t *testing.T) {
	v := show(t, `<button id=a disabled onclick="o.value='pressed'">Go</button><output id=o></output><script>setTimeout(() => { a.disabled = false }, 300)</script>
		<button id=b>Under</button><div style="position:fixed;left:0;right:0;bottom:0;height:500px;background:#fff">Over</div><style>#b{position:fixed;bottom:20px}</style>`)
	if err := v.Click(v.ctx, page.Target{Selector: "#a"}); err != nil {
		t.Fatal(err)
	}
	same(t, "pressed", "pressed", v.eval(t, "() => o.value"))
	if err := v.Click(v.ctx, page.Target{Selector: "#b"}); faultType(err) != "not_clickable" {
		t.Errorf("a covered button gives %v", err)
	}
	if err := v.Click(v.ctx, page.Target{Selector: "#c"}); faultType(err) != "selector_not_found" {
		t.Errorf("a missing button gives %v", err)
	}
}

// TestWithoutInitScript: a tab that was opened without the script works as well.
func TestWithoutInitScript(t *testing.T) {
	v := show(t, `<input id=f>`)
	v.eval(t, "() => { delete globalThis.legworkPage; return '' }")
	same(t, "state", []string{"set"}, states(v.set(t, field("#f", page.KindText, "Ada"))))
}

// TestSessionDialog stays signed in while fields are set.
func TestSessionDialog(t *testing.T) {
	v := show(t, `<input id=f><div role=alertdialog id=d><p>Your session is about to expire.</p><button onclick="o.value='out'">Sign out</button><button onclick="o.value='stay';d.hidden=true">Continue session</button></div><output id=o></output>`)
	v.set(t, field("#f", page.KindText, "x"))
	same(t, "answer", "stay", v.eval(t, "() => o.value"))

	other := show(t, `<input id=f><div role=dialog id=d><p>Do you want to continue with this application?</p><button onclick="o.value='yes'">Continue</button></div><output id=o></output>`)
	other.set(t, field("#f", page.KindText, "x"))
	same(t, "a dialog that is the form's own", "", other.eval(t, "() => o.value"))
}

// TestSessionWordsInTheForm: a form that speaks of the session is no session
// dialog. Its own button is only pressed when the caller presses it.
func TestSessionWordsInTheForm(t *testing.T) {
	const (
		count  = ` onclick="event.preventDefault();o.value=+o.value+1">Continue</button>`
		warned = `<p>You will be signed out due to inactivity.</p>`
		out    = `<button id=other type=button>Other</button><output id=o>0</output>`
	)
	for name, body := range map[string]string{
		"around the form":         `<div class="modal-form">` + warned + `<form><input id=f><button id=go` + count + `</form></div>`,
		"without a control":       `<input id=f><div class="timeout-note">` + warned + `<button id=go type=button` + count + `</div>`,
		"a dialog with a control": `<div role=dialog>` + warned + `<input id=f><button id=go type=button` + count + `</div>`,
		"laid over the page":      `<div class=modal style="position:fixed;top:50px;left:0">` + warned + `<input id=f><button id=go type=button` + count + `</div>`,
		"that sends the form":     `<form><input id=f><div role=dialog>` + warned + `<button id=go` + count + `</div></form>`,
	} {
		t.Run(name, func(t *testing.T) {
			v := show(t, body+out)
			same(t, "states", []string{"set"}, states(v.set(t, field("#f", page.KindText, "x"))))
			if err := v.Click(v.ctx, page.Target{Selector: "#other"}); err != nil {
				t.Fatal(err)
			}
			same(t, "presses of the form's button", "0", v.eval(t, "() => o.value"))
			if err := v.Click(v.ctx, page.Target{Selector: "#go"}); err != nil {
				t.Fatal(err)
			}
			same(t, "presses by the caller", "1", v.eval(t, "() => o.value"))
		})
	}
	own := show(t, `<div role=dialog>`+warned+`<button id=go type=button`+count+`</div>`+out)
	if err := own.Click(own.ctx, page.Target{Selector: "#go"}); err != nil {
		t.Fatal(err)
	}
	same(t, "presses of a button in a dialog", "1", own.eval(t, "() => o.value"))

	over := show(t, `<input id=f><div class=modal id=d style="position:fixed;top:50px;left:0">`+warned+`<button type=button onclick="o.value='stay';d.hidden=true">Stay signed in</button></div><output id=o></output>`)
	over.set(t, field("#f", page.KindText, "x"))
	same(t, "a box over the page", "stay", over.eval(t, "() => o.value"))
}
