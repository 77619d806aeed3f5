package page_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
)

func optionTexts(list []page.ControlOption) []string {
	var out []string
	for _, o := range list {
		out = append(out, o.Value, o.Label, o.Selector)
	}
	return out
}

// TestInventoryIsBounded: what a page stretches, a look at it does not take in: it
// says how much there is, and keeps to what it takes.
func TestInventoryIsBounded(t *testing.T) {
	v := show(t, `<form id=f></form><script>
		let s = ''; for (let i = 0; i < 30; i++) { s += '<label for=s' + i + '>List ' + i + '</label><select id=s' + i + '>'; for (let j = 0; j < 1000; j++) s += '<option value=' + j + '>Choice ' + j; s += '</select>'; }
		for (let i = 0; i < 3000; i++) s += '<input aria-label="Question ' + i + '" id=q' + i + '>';
		f.innerHTML = s; const long = 'x'.repeat(1e5);
		const odd = document.createElement('input'); odd.id = long; odd.name = long; odd.placeholder = long; odd.pattern = long; f.prepend(odd);
		const list = document.createElement('select'); list.id = 'odd'; list.innerHTML = '<option value="' + long + '">A long value</option>'; f.prepend(list);</script>`)
	inv, err := v.Controls(v.ctx, 600)
	if err != nil {
		t.Fatal(err)
	}
	if inv.Total != 3032 || len(inv.Controls) != 600 {
		t.Errorf("%d of %d controls", len(inv.Controls), inv.Total)
	}
	options := 0
	for _, c := range inv.Controls {
		options += len(c.Options)
		if whole := len(c.Options) == c.OptionsTotal; c.Kind == "select" && c.OptionsKnown != whole {
			t.Errorf("%s has %d of %d options, and says that it is whole: %v", c.ID, len(c.Options), c.OptionsTotal, c.OptionsKnown)
		}
		for _, s := range append([]string{c.ID, c.Name, c.Placeholder, c.Pattern, c.Selector}, optionTexts(c.Options)...) {
			if len(s) > 1100 {
				t.Errorf("a word of %d characters", len(s))
			}
		}
		if c.Selector == "" {
			t.Error("a control without a selector")
		}
	}
	if options != 20_000 {
		t.Errorf("%d options of 30,001", options)
	}
	if c := inv.Controls[0]; c.ID != "odd" || c.Options[0].Value != "" || c.Options[0].Label != "A long value" {
		t.Errorf("an option with an endless value: %.200v", c)
	}
}

// TestInventoryOfManyFrames: the frames of one look are counted, and their time is
// one for all of them.
func TestInventoryOfManyFrames(t *testing.T) {
	v := visit(t, pool, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/inner" {
			fmt.Fprint(w, `<label>Inner <input name=city></label>`)
			return
		}
		fmt.Fprint(w, `<h1>Form</h1>`+strings.Repeat(`<iframe src=/inner width=100 height=40></iframe>`, 55))
	}))
	inv, err := v.Controls(v.ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(inv.Controls) > 40 || len(inv.Controls) == 0 {
		t.Errorf("%d controls of 55 frames", len(inv.Controls))
	}
	if said := strings.Join(inv.Untested, "; "); !strings.Contains(said, "15 more frames") {
		t.Errorf("it does not say what it left out: %q", said)
	}
	v.FramesTime = time.Nanosecond
	if inv, err = v.Controls(v.ctx, 0); err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(inv.Untested, "; "); len(inv.Controls) > 1 || !strings.Contains(said, "54 more frames") {
		t.Errorf("without time %d frames are looked into: %q", len(inv.Controls), said)
	}
}
