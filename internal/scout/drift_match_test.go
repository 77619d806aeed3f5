package scout

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// textControl is a text field of a page under some selectors, the first of them an id.
func textControl(label string, selectors ...string) page.Control {
	c := page.Control{Label: label, Kind: page.KindText, Visible: true, Enabled: true, Selector: selectors[0]}
	for _, s := range selectors {
		c.Ways = append(c.Ways, page.Way{Selector: s, Basis: "id", Score: 90})
	}
	return c
}

// lostField is a field of a wizard whose first selector matches nothing.
func lostField(label, id string, alternatives ...string) wizard.Field {
	return wizard.Field{Label: label, FieldID: id, Selector: "#was-" + id, SelectorAlternatives: alternatives, FieldType: "text"}
}

// TestMatch: which question of the page is which of the wizard, and when it is
// better not to say so.
func TestMatch(t *testing.T) {
	trap := textControl("Email", "#trap")
	trap.Decoy = decoyTrap
	unseen := textControl("Email", "#unseen")
	unseen.Visible = false
	choice := textControl("Email", "#choice")
	choice.Kind = page.KindCheckbox
	for _, c := range []struct {
		name     string
		controls []page.Control
		fields   []wizard.Field
		foreign  map[int]bool
		want     []string // what the fields are found by, and where
	}{
		{"same label", []page.Control{textControl("Name", "#a"), textControl("Email", "#b")}, []wizard.Field{lostField("Email", "email"), lostField("Name", "name")}, nil, []string{"page #b", "page #a"}},
		{"label in other words, same name", []page.Control{textControl("Your electronic address", "#email")}, []wizard.Field{lostField("Email", "email")}, nil, []string{"page #email"}},
		{"nothing alike", []page.Control{textControl("Favourite colour", "#colour")}, []wizard.Field{lostField("Email", "email")}, nil, []string{"-"}},
		{"two alike", []page.Control{textControl("Email", "#b"), textControl("Email", "#c")}, []wizard.Field{lostField("Email", "email")}, nil, []string{"-"}},
		{"two alike, one has its place", []page.Control{textControl("Email", "#a"), textControl("Name", "#n"), textControl("Email", "#b")},
			[]wizard.Field{{Label: "Name", FieldID: "name", Selector: "#n", FieldType: "text"}, lostField("Email", "email")}, nil, []string{"first #n", "page #b"}},
		{"trap", []page.Control{trap}, []wizard.Field{lostField("Email", "email")}, nil, []string{"-"}},
		{"trap by alternative", []page.Control{trap, textControl("Email", "#b")}, []wizard.Field{lostField("Email", "email", "#trap")}, nil, []string{"page #b"}},
		{"not shown", []page.Control{unseen}, []wizard.Field{lostField("Email", "email", "#unseen")}, nil, []string{"-"}},
		{"another form", []page.Control{textControl("Email", "#other")}, []wizard.Field{lostField("Email", "email", "#other")}, map[int]bool{0: true}, []string{"-"}},
		{"another kind", []page.Control{choice}, []wizard.Field{lostField("Email", "email", "#choice")}, nil, []string{"-"}},
		{"alternative", []page.Control{textControl("E-mail, please", "#b")}, []wizard.Field{lostField("Email", "email", "#gone", "#b")}, nil, []string{"alternative #b"}},
		{"alternative of another question", []page.Control{textControl("Phone", "#b"), textControl("Email", "#c")}, []wizard.Field{lostField("Email", "email", "#b")}, nil, []string{"page #c"}},
		{"first selector of another question", []page.Control{textControl("Phone", "#was-email"), textControl("Email", "#c")}, []wizard.Field{lostField("Email", "email")}, nil, []string{"page #c"}},
		{"trap by the first selector", []page.Control{func() page.Control {
			c := trap
			c.Selector, c.Ways = "#was-email", []page.Way{{Selector: "#was-email"}}
			return c
		}()}, []wizard.Field{lostField("Email", "email")}, nil, []string{"-"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			items := itemsOf(&wizard.Page{Fields: c.fields})
			l := located{spots: spotsOf(page.Inventory{Controls: c.controls}), tries: map[*item][]try{}, foreign: c.foreign}
			for _, it := range items {
				for _, sel := range it.selectors() {
					tr := try{selector: sel, spot: l.spotOf(page.Target{Selector: sel}, page.Box{}, nil)}
					if tr.spot < 0 {
						tr.fails = failsNothing
					} else if !l.spots[tr.spot].control.Visible {
						tr.fails = failsHidden
					}
					l.tries[it] = append(l.tries[it], tr)
				}
			}
			var got []string
			for _, p := range match(l, items, func(*item) bool { return true }) {
				if p.spot < 0 {
					got = append(got, "-")
					continue
				}
				got = append(got, p.how+" "+l.spots[p.spot].selector())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestPrintable: nothing that a page says acts on a terminal or turns a line
// around.
func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[31mred\x1b[0m": "[31mred[0m", "a\r\nb": "a  b", "ab\u202ecd": "abcd", "\u009b2J": "2J", "é 日本": "é 日本", "a\u2028b": "ab",
	} {
		if got := printable(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

// TestSpotOf: where a selector leads is told by its place, unless several
// questions are there.
func TestSpotOf(t *testing.T) {
	l := located{spots: spotsOf(page.Inventory{Controls: []page.Control{textControl("A", "#a"), textControl("B", "#b"), textControl("C", "#c")}})}
	boxes := []page.Box{{X: 10, Y: 10, W: 50, H: 20}, {X: 10, Y: 40, W: 50, H: 20}, {X: 10, Y: 70, W: 50, H: 20}}
	for _, c := range []struct {
		name string
		sel  string
		box  page.Box
		want int
	}{
		{"by its own selector", "#b", page.Box{}, 1},
		{"by its place", ".x", page.Box{X: 10.2, Y: 70, W: 50, H: 20}, 2},
		{"around one", ".x", page.Box{X: 0, Y: 0, W: 100, H: 35}, 0},
		{"inside of one", ".x", page.Box{X: 12, Y: 42, W: 30, H: 10}, 1},
		{"around two", ".x", page.Box{X: 0, Y: 0, W: 100, H: 65}, -1},
		{"around all", ".x", page.Box{X: 0, Y: 0, W: 100, H: 100}, -1},
		{"elsewhere", ".x", page.Box{X: 200, Y: 200, W: 5, H: 5}, -1},
		{"not drawn", ".x", page.Box{}, -1},
	} {
		if got := l.spotOf(page.Target{Selector: c.sel}, c.box, boxes); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
