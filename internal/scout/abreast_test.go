package scout

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/page"
)

// TestTogether: passes that go at the same time take turns, and are kept in the
// order of the work, whichever ends first.
func TestTogether(t *testing.T) {
	x := newExplorer(Request{}, nil, nil)
	x.passes = []*pass{{rank: 9}}
	busy, broken := 0, errors.New("broken")
	meet := make(chan struct{})
	work := func(first bool) func(context.Context, int) error {
		return func(_ context.Context, rank int) error {
			busy++
			if busy != 1 {
				t.Error("two passes work at the same time")
			}
			busy--
			x.away(func() {
				if first {
					<-meet
				} else {
					close(meet)
				}
			})
			x.passes = append(x.passes, &pass{rank: rank})
			if first {
				return broken
			}
			return nil
		}
	}
	err := x.together(t.Context(), []func(context.Context, int) error{work(true), work(false)})
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v", err)
	}
	var ranks []int
	for _, p := range x.passes {
		ranks = append(ranks, p.rank)
	}
	if diff := cmp.Diff([]int{9, 0, 1}, ranks); diff != "" {
		t.Errorf("passes (-want +got):\n%s", diff)
	}
	x.away(func() {}) // alone, nobody waits for a turn
}

// TestNowWithChangingIDs: a control whose ids change with every visit is found by
// its words, if they are those of one control only.
func TestNowWithChangingIDs(t *testing.T) {
	control := func(id, label string) page.Control {
		return page.Control{Kind: page.KindText, ID: id, Label: label, Section: id, Visible: true, Enabled: true, Ways: []page.Way{{Selector: "#" + id, Score: 10}}}
	}
	k := &known{ident: ident(control("a1", "City")), control: control("a1", "City")}
	for _, tt := range []struct {
		name string
		list []page.Control
		want string
	}{
		{"another id", []page.Control{control("b2", "Name"), control("b3", "City")}, "b3"},
		{"two of them", []page.Control{control("b2", "City"), control("b3", "City")}, ""},
		{"the same id", []page.Control{control("b2", "City"), control("a1", "City")}, "a1"},
		{"another question", []page.Control{control("b2", "Name")}, ""},
	} {
		got, ok := now(page.Inventory{Controls: tt.list}, k)
		if got.ID != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, %v", tt.name, got.ID, ok)
		}
	}
}

// TestExtremes are the low and the high of what may decide something.
func TestExtremes(t *testing.T) {
	for _, tt := range []struct {
		control page.Control
		want    []any
	}{
		{page.Control{Kind: page.KindText, Format: "zip", Label: "ZIP code"}, []any{"02108", "99501"}},
		{page.Control{Kind: page.KindNumber, Label: "How many children"}, []any{"1", "9"}},
		{page.Control{Kind: page.KindText, Label: "City"}, nil},
		{page.Control{Kind: page.KindNumber, Format: "currency", Label: "Number of dollars"}, nil},
	} {
		if diff := cmp.Diff(tt.want, extremes(&known{control: tt.control}, time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.control.Label, diff)
		}
	}
	if got := written(7000, page.Control{Format: "zip"}); got != "07000" {
		t.Errorf("a ZIP code is written %q", got)
	}
	if got := written(1990, page.Control{Kind: page.KindDate}); got != "1990-01-01" {
		t.Errorf("a date is written %q", got)
	}
}

// TestRequiredWhenItCannotBeEmptied: what always has an answer is required, what
// a person may leave out is not.
func TestRequiredWhenItCannotBeEmptied(t *testing.T) {
	for _, tt := range []struct {
		name string
		k    known
		want bool
	}{
		{"radios with a choice made", known{prefilled: true, control: page.Control{Kind: page.KindRadio}}, true},
		{"radios without", known{control: page.Control{Kind: page.KindRadio}}, false},
		{"a text that comes back", known{prefilled: true, stuck: true, control: page.Control{Kind: page.KindText}}, true},
		{"a text that was there", known{prefilled: true, control: page.Control{Kind: page.KindText}}, false},
		{"a slider", known{prefilled: true, control: page.Control{Kind: page.KindRange}}, false},
		{"radios that the form let go", known{prefilled: true, control: page.Control{Kind: page.KindRadio}, need: []moment{{holds: false}}}, false},
	} {
		if got, _ := tt.k.required(nil, false); got != tt.want {
			t.Errorf("%s: required is %v", tt.name, got)
		}
	}
}

// TestArrange: a question that stands above the one that brings it up comes behind
// it, because answers are given in order.
func TestArrange(t *testing.T) {
	n := &node{controls: []*known{{id: "partner"}, {id: "city"}, {id: "has_partner"}, {id: "remarks"}}}
	for _, has := range []bool{false, true, false} {
		n.looks = append(n.looks, look{
			answers: map[string]any{"has_partner": has}, shown: map[string]bool{"partner": has, "city": true, "has_partner": true, "remarks": true},
		})
	}
	n.arrange(nil)
	var ids []string
	for _, k := range n.controls {
		ids = append(ids, k.id)
	}
	if diff := cmp.Diff([]string{"city", "has_partner", "partner", "remarks"}, ids); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// TestUntangle: what a pass is about is not taken back by "none of these".
func TestUntangle(t *testing.T) {
	box := func(id string, exclusive bool) *known {
		return &known{id: id, control: page.Control{Kind: page.KindCheckbox, Set: "s", Exclusive: exclusive}}
	}
	job, tax, none := box("job", false), box("tax", false), box("none", true)
	year := &known{id: "year", context: map[string]any{"tax": true}}
	x := newExplorer(Request{}, nil, nil)
	x.graph.nodes = []*node{{controls: []*known{job, tax, none, year}}}
	for _, tt := range []struct {
		name string
		base map[string]any
		flip flip
		want map[string]any
	}{
		{"a box", map[string]any{"none": true, "year": "1"}, flip{known: job, value: true}, map[string]any{"job": true, "year": "1"}},
		{"what a box brings up", map[string]any{"none": true}, flip{known: year, value: "2"}, map[string]any{"tax": true, "year": "2"}},
		{"left out", map[string]any{"none": true, "year": "1"}, flip{known: year, omit: true}, map[string]any{"tax": true}},
		{"none of these", map[string]any{"job": true, "tax": true}, flip{known: none, value: true}, map[string]any{"none": true}},
		{"several", map[string]any{"job": true}, flip{known: tax, value: true}, map[string]any{"job": true, "tax": true}},
	} {
		got := x.untangle(route{base: &base{answers: tt.base}, flip: &tt.flip})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestDayOf: a date in parts is one day, whatever order the page has them in.
func TestDayOf(t *testing.T) {
	parts := func(names ...string) []page.Part {
		var out []page.Part
		for _, n := range names {
			out = append(out, page.Part{Part: n})
		}
		return out
	}
	for _, tt := range []struct {
		value string
		parts []page.Part
		want  any
	}{
		{"4/15/1990", parts("month", "day", "year"), textAnswer("1990-04-15")},
		{"15/04/1990", parts("day", "month", "year"), textAnswer("1990-04-15")},
		{"04/1990", parts("month", "day", "year"), textAnswer("04/1990")},
		{"April/15/1990", parts("month", "day", "year"), textAnswer("April/15/1990")},
	} {
		if got := answerOf(page.Control{Kind: page.KindDate, Value: tt.value, Parts: tt.parts}); got != tt.want {
			t.Errorf("%s: %v", tt.value, got)
		}
	}
}

// TestAWayStaysItself: a question that comes up on a way is changed there as it is;
// only one that does not takes the answers along that first brought it up.
func TestAWayStaysItself(t *testing.T) {
	box := &known{id: "box", context: map[string]any{"born": "1990"}}
	for name, tt := range map[string]struct {
		asked map[string]bool
		born  string
	}{
		"it comes up": {map[string]bool{"box": true}, "2012"}, "it does not": {nil, "1990"},
	} {
		b := &base{answers: map[string]any{"born": "2012"}, pass: &pass{asked: tt.asked}}
		got := route{base: b, flip: &flip{known: box, value: true}}.overrides()
		if diff := cmp.Diff(map[string]any{"born": tt.born, "box": true}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestFlips: every answer of a choice with few of them is tried, typed into or not.
func TestFlips(t *testing.T) {
	choice := func(kind page.Kind, n int) *known {
		k := &known{control: page.Control{Kind: kind}}
		for i := range n {
			k.control.Options = append(k.control.Options, page.ControlOption{Label: "Answer " + string(rune('A'+i))})
		}
		return k
	}
	for _, tt := range []struct {
		name string
		k    *known
		want int
	}{
		{"select", choice(page.KindSelect, 3), 3},
		{"long select", choice(page.KindSelect, 20), sampledFlips},
		{"typed into", choice(page.KindTypeahead, 3), 3},
		{"long and typed into", choice(page.KindTypeahead, 20), 0},
		{"open-ended", choice(page.KindTypeahead, 0), 0},
		{"text", choice(page.KindText, 0), 0},
	} {
		if got := flips(tt.k); len(got) != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
