package scout

import (
	"context"
	"math"
	"slices"

	"github.com/legwork-mcp/legwork/internal/page"
)

// try is what one selector of an item leads to now.
type try struct {
	selector string
	fails    string   // how it fails, empty when it does not
	spot     int      // index of what it leads to, -1 when that is unknown
	found    []string // what it matches, when those are several
}

// located is what all selectors of some items lead to.
type located struct {
	spots []spotted
	tries map[*item][]try
	// foreign are the spots that lie in another form of the page.
	foreign map[int]bool
}

// locate tries every selector of the items on the page as it stands.
func (s *survey) locate(ctx context.Context, items []*item) (located, error) {
	out := located{spots: spotsOf(s.inv), tries: map[*item][]try{}}
	var targets []page.Target
	var owners []*item
	for _, it := range items {
		for _, leaf := range append([]*item{it}, it.parts...) {
			for _, sel := range leaf.selectors() {
				targets, owners = append(targets, page.Target{Selector: sel, Frame: leaf.frame}), append(owners, leaf)
			}
		}
	}
	n := len(targets)
	seen, err := s.page.Survey(ctx, targets)
	if err != nil {
		return out, err
	}
	for _, sp := range out.spots {
		targets = append(targets, page.Target{Selector: sp.selector(), Frame: sp.control.Frame})
	}
	boxes, err := s.page.Boxes(ctx, targets)
	if err != nil {
		return out, err
	}
	for i, sight := range seen {
		t := try{selector: targets[i].Selector, spot: out.spotOf(targets[i], boxes[i], boxes[n:])}
		switch {
		case !sight.Present:
			t.fails = failsNothing
		case !sight.Visible:
			t.fails = failsHidden
		case sight.Count > 1:
			several, err := s.several(ctx, owners[i], targets[i])
			if err != nil {
				return out, err
			}
			if several {
				t.fails, t.found = failsSeveral, []string{itoa(sight.Count)}
			}
		}
		out.tries[owners[i]] = append(out.tries[owners[i]], t)
	}
	return out, s.wrapped(ctx, &out)
}

// several asks the setter itself whether it would take several elements for one
// question, as radios and boxes for single letters are.
func (s *survey) several(ctx context.Context, it *item, t page.Target) (bool, error) {
	in := page.Input{ID: it.id, Target: t, Kind: it.kind(), Multiple: it.traits.Multiple}
	for _, o := range it.traits.Options {
		in.Options = append(in.Options, page.Option{Value: o.Value, Label: o.Label, Selector: o.Selector})
	}
	var value any = ""
	if it.traits.Multiple {
		value = []string{}
	}
	got, err := s.page.Verify(ctx, []page.Answer{{Input: in, Value: value}})
	return err == nil && len(got) > 0 && got[0].State == page.StateAmbiguous, err
}

// spotOf is what a selector leads to: by the selectors that the page itself
// offers, else by where it is drawn.
func (l *located) spotOf(t page.Target, box page.Box, boxes []page.Box) int {
	for i, sp := range l.spots {
		if slices.Equal(sp.control.Frame, t.Frame) && slices.ContainsFunc(sp.ways(), func(w page.Way) bool { return w.Selector == t.Selector }) {
			return l.whole(i)
		}
		if slices.ContainsFunc(sp.options(), func(o page.ControlOption) bool { return o.Selector != "" && o.Selector == t.Selector }) && slices.Equal(sp.control.Frame, t.Frame) {
			return i
		}
	}
	if box.W <= 0 {
		return -1
	}
	var within, around []int
	for i, b := range boxes {
		switch {
		case b.W <= 0:
		case near(b.X, box.X) && near(b.Y, box.Y) && near(b.W, box.W) && near(b.H, box.H):
			return l.whole(i)
		case holds(box, b):
			within = append(within, i)
		case holds(b, box):
			around = append(around, i)
		}
	}
	if len(within) == 0 {
		within = around // a part of a component that is the question
	}
	for _, i := range within {
		if l.spots[i].control != l.spots[within[0]].control {
			return -1
		}
	}
	if len(within) == 0 {
		return -1
	}
	return within[0]
}

// holds tells whether one box lies in another.
func holds(outer, inner page.Box) bool {
	return inner.X >= outer.X-1 && inner.Y >= outer.Y-1 && inner.X+inner.W <= outer.X+outer.W+1 && inner.Y+inner.H <= outer.Y+outer.H+1
}

// whole prefers the part of a date over the date that begins at the same place.
func (l *located) whole(i int) int {
	if l.spots[i].part != nil {
		return i
	}
	for j := i + 1; j < len(l.spots) && l.spots[j].control == l.spots[i].control; j++ {
		if l.spots[j].selector() == l.spots[i].selector() {
			return j
		}
	}
	return i
}

func near(a, b float64) bool { return math.Abs(a-b) < 0.75 }
