package scout

import (
	"net/http"
	"strings"
	"testing"
)

// TestNoButtonYet: a step whose only choice brings up the rest of it, with the button,
// needs that choice; one that is left by answering it is told, with where it led.
func TestNoButtonYet(t *testing.T) {
	s := newBench(t, Settings{})
	const choice = `<label for=r>Region</label><select id=r name=region onchange="%s"><option value="">Choose<option value=n>North<option value=s>South</select>`
	const form = `<form method=post action=/act><label for=n>Name</label><input id=n name=n required><button>Send order</button></form>`
	pages := map[string]string{
		"/stays": "<h1>Order a bin</h1><form>" + strings.Replace(choice, "%s", "this.form.submit()", 1) + "</form>",
		"/goes":  "<h1>Collection</h1>" + strings.Replace(choice, "%s", "location = '/order?region=' + this.value", 1),
		"/order": "<h1>Order</h1>" + form,
	}
	s.serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := pages[r.URL.Path]
		if v := r.URL.Query().Get("region"); r.URL.Path == "/stays" && v != "" {
			body = strings.Replace(body, "value="+v+">", "selected value="+v+">", 1) + form
		}
		html(w, body)
	}))
	for path, want := range map[string]string{"stays": endFinal, "goes": endStuck} {
		x := explorerOf(s, Request{})
		x.plan.URL += path
		p, err := x.take(t.Context(), route{})
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(strings.Join(x.remarks, " "), "/order?region="); p.end != want || told != (path == "goes") {
			t.Errorf("%s: %s, %q", path, p.end, x.remarks)
		}
		if k := x.graph.nodes[0].controls[0]; len(k.need) == 0 {
			t.Errorf("%s: %s is not known to be needed", path, k.id)
		}
	}
}
