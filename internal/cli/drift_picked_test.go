package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// stayForm asks for the days of a stay in a box that is locked for typing, and whose
// calendar takes two of them.
const stayForm = `<!doctype html><html lang=en><title>Stay</title><main><h1>Your stay</h1><form method=post action=/send><label for=who>Full name</label><input id=who name=who required><label for=stay>Stay</label><input id=stay name=stay readonly><button>Send request</button></form>
<div class=x-picker style="display:none;position:absolute"><button type=button aria-label="Previous month">&lt;</button><b class=x-title></b><button type=button aria-label="Next month">&gt;</button><div class=x-days></div></div></main><script>
const box = document.getElementById('stay'), pop = document.querySelector('.x-picker'), days = pop.querySelector('.x-days'), [back, forth] = pop.querySelectorAll('button'); let at = new Date(), on = [];
const draw = () => { pop.querySelector('b').textContent = at.toLocaleString('en', {month: 'long', year: 'numeric'}); days.innerHTML = ''; const last = new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate();
	for (let i = 1; i <= last; i++) { const d = new Date(at.getFullYear(), at.getMonth(), i), s = document.createElement('span'); s.textContent = i; s.className = 'x-day' + (on.some((o) => +o === +d) ? ' range-start' : ''); s.style = 'display:inline-block;width:30px';
		s.onclick = () => { on = on.length === 1 ? on.concat(d) : [d]; box.value = on.length === 2 ? on.map((o) => o.toLocaleDateString('en-GB')).join(' - ') : ''; draw(); if (on.length === 2) pop.style.display = 'none' }; days.append(s) } };
back.onclick = () => { at = new Date(at.getFullYear(), at.getMonth() - 1, 1); draw() }; forth.onclick = () => { at = new Date(at.getFullYear(), at.getMonth() + 1, 1); draw() };
box.onclick = () => { draw(); pop.style.display = 'block' }; document.addEventListener('mousedown', (e) => { if (!pop.contains(e.target) && e.target !== box) pop.style.display = 'none' })</script></html>`

// TestCheckOfPickedDays: a form whose calendar takes an interval is proven, and a check
// of what was found says that nothing has changed.
func TestCheckOfPickedDays(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if _, err := io.WriteString(w, stayForm); err != nil {
			t.Error(err)
		}
	}))
	defer srv.Close()
	s := newShell(t)
	out, _ := s.run(t, fault.ExitOK, "discover", srv.URL, "--id", "stay")
	contains(t, out, "proven: 1 branch replayed")
	out, _ = s.run(t, fault.ExitOK, "wizards", "check", "stay", "--allow-private")
	contains(t, out, "ok   stay")
	out, _ = s.run(t, fault.ExitOK, "wizards", "show", "stay", "--example")
	contains(t, out, `"stay": "2`, "/")
}
