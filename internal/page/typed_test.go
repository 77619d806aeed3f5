package page_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/legwork-mcp/legwork/internal/page"
)

// TestLineBreaksPressNothing: a value is text. What is in it must not press Enter,
// which sends many forms, and not Tab, which goes on to the next field, also where
// the page takes real keys only.
func TestLineBreaksPressNothing(t *testing.T) {
	const trusted = `<script>for (const e of document.querySelectorAll('.real')) e.addEventListener('input', (x) => { if (!x.isTrusted) e.value = '' })</script>`
	read := "() => [sent.value, f.value, next.value].join('|')"
	for _, tt := range []struct{ name, html, value, state, want string }{
		{"one line", `<input id=f>`, "one\ntwo", "value_mismatch", "0|onetwo|"},
		{"one line, carriage return", `<input id=f>`, "one\rtwo", "value_mismatch", "0|onetwo|"},
		{"one line, at the end", `<input id=f>`, "one\r\n", "set", "0|one|"},
		{"one line of real keys", `<input id=f class=real>`, "one\ntwo", "value_mismatch", "0||"},
		{"tab", `<input id=f class=real>`, "one\ttwo", "set", "0|one\ttwo|"},
		{"several lines", `<textarea id=f class=real></textarea>`, "one\ntwo", "set", "0|one\ntwo|"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := show(t, `<form><label for=f>Text</label>`+tt.html+`<input id=next><button>Send</button></form><output id=sent>0</output>`+trusted+
				`<script>document.querySelector('form').onsubmit = (e) => { e.preventDefault(); sent.value++ };
				f.onkeydown = (e) => { if (e.key === 'Enter') sent.value++ }</script>`)
			got := v.set(t, field("#f", page.KindText, tt.value))
			same(t, "state", []string{tt.state}, states(got))
			same(t, "sent, field, next field", tt.want, v.eval(t, read))
		})
	}
}

// TestEnterIsPressedOnce: a search whose Enter leads to a page with the same field is
// made once.
func TestEnterIsPressedOnce(t *testing.T) {
	var searches atomic.Int32
	v := visit(t, pool, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/found" {
			searches.Add(1)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><form action=/found><label>Search <input id=f name=q type=search></label></form>`)
	}))
	same(t, "state", []string{"set"}, states(v.set(t, field("#f", page.KindSearch, "Ely"))))
	if n := searches.Load(); n != 1 {
		t.Errorf("%d searches", n)
	}
}

// TestWhatThePageTakesBackIsGivenAgain: Set looks once more, since pages that draw their
// fields anew undo what was read back a moment before.
func TestWhatThePageTakesBackIsGivenAgain(t *testing.T) {
	v := show(t, `<label>Name <input id=f></label><script>
		f.addEventListener('change', (e) => { if (!e.isTrusted) requestAnimationFrame(() => { f.value = '' }) })</script>`)
	same(t, "state", []string{"set"}, states(v.set(t, field("#f", page.KindText, "Ada"))))
	same(t, "field", "Ada", v.eval(t, readValue))
}
