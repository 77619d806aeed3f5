package scout

import (
	"cmp"
	"context"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// item is one question of a page as its wizard has it: a field, a date, or an
// input of a group.
type item struct {
	id, label    string
	field        *wizard.Field
	traits       *wizard.Traits
	fieldType    string
	selector     *string
	alternatives *[]string // nil: it cannot have any
	frame        []string
	parts        []*item // of a date
	part         string  // month, day or year
}

// itemsOf are the questions of a page. Rows are none: they are not there before
// they are opened.
func itemsOf(p *wizard.Page) []*item {
	var out []*item
	for i := range p.Fields {
		f := &p.Fields[i]
		switch {
		case f.Repeatable:
		case f.FieldType == "group":
			parts := partItems(f)
			if f.IsDate() {
				out = append(out, &item{id: f.FieldID, label: f.Label, field: f, traits: &f.Traits, fieldType: "group", frame: f.Frame, parts: parts})
				continue
			}
			out = append(out, parts...)
		default:
			out = append(out, &item{
				id: f.FieldID, label: f.Label, field: f, traits: &f.Traits, fieldType: f.FieldType, selector: &f.Selector,
				alternatives: &f.SelectorAlternatives, frame: f.Frame,
			})
		}
	}
	return out
}

func partItems(f *wizard.Field) []*item {
	var out []*item
	for i := range f.SubFields {
		s := &f.SubFields[i]
		out = append(out, &item{
			id: f.FieldID + "." + s.FieldID, label: s.Title(), field: f, traits: &s.Traits, fieldType: s.FieldType, selector: &s.Selector,
			frame: inFrame(s.Frame, f.Frame), part: s.DatePart(),
		})
	}
	return out
}

// kind is the widget that the item is for.
func (it *item) kind() page.Kind {
	if it.parts != nil {
		return page.KindDate
	}
	return fieldKind(it.fieldType, it.traits.Format)
}

// selectors are the ways to the item that the wizard has, the first one first.
// Those of a date are the ways to its parts.
func (it *item) selectors() []string {
	if it.selector == nil {
		return nil
	}
	list := []string{*it.selector}
	if *it.selector == "" && len(it.traits.Options) > 0 {
		list[0] = it.traits.Options[0].Selector
	}
	if it.alternatives != nil {
		list = append(list, *it.alternatives...)
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == "" })
}

// spotted is one question as the page has it: a control, or a part of a date.
type spotted struct {
	control *page.Control
	part    *page.Part
}

func (s spotted) ways() []page.Way {
	if s.part != nil {
		return s.part.Ways
	}
	return s.control.Ways
}

func (s spotted) selector() string {
	if s.part != nil {
		return s.part.Selector
	}
	return s.control.Selector
}

func (s spotted) kind() page.Kind {
	if s.part != nil {
		return s.part.Kind
	}
	return s.control.Kind
}

func (s spotted) options() []page.ControlOption {
	if s.part != nil {
		return s.part.Options
	}
	return s.control.Options
}

// label is what a person calls it.
func (s spotted) label() string {
	if s.part != nil {
		return strings.TrimSpace(plainLabel(s.control.Label) + ": " + plainLabel(s.part.Label))
	}
	return labelOf(*s.control)
}

// spotsOf are the questions of an inventory, those that nobody should answer too.
func spotsOf(inv page.Inventory) []spotted {
	var out []spotted
	for i := range inv.Controls {
		c := &inv.Controls[i]
		out = append(out, spotted{control: c})
		for j := range c.Parts {
			out = append(out, spotted{c, &c.Parts[j]})
		}
	}
	return out
}

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

// wrapped finds the question inside of an element that stands for it, where the
// place alone did not tell.
func (s *survey) wrapped(ctx context.Context, l *located) error {
	type inside struct {
		t    *try
		spot int
	}
	var pairs []inside
	var targets []page.Target
	for it, tries := range l.tries {
		for i := range tries {
			t := &tries[i]
			if t.fails != "" || t.spot >= 0 || !plainCSS.MatchString(t.selector) {
				continue
			}
			for j, sp := range l.spots {
				if sel := cssWay(sp.ways()); sp.part == nil && sel != "" && slices.Equal(sp.control.Frame, it.frame) {
					pairs = append(pairs, inside{t, j})
					targets = append(targets, page.Target{Selector: t.selector + " " + sel, Type: "css", Frame: it.frame})
				}
			}
		}
	}
	if len(targets) == 0 {
		return nil
	}
	seen, err := s.page.Survey(ctx, targets)
	if err != nil {
		return err
	}
	several := map[*try]bool{}
	for n, sight := range seen {
		if sight.Present {
			several[pairs[n].t] = pairs[n].t.spot >= 0 || several[pairs[n].t]
			pairs[n].t.spot = pairs[n].spot
		}
	}
	for t, more := range several {
		if more {
			t.spot = -1
		}
	}
	return nil
}

// plainCSS are selectors behind which another one can stand.
var plainCSS = regexp.MustCompile(`^[#.\[][^,=]*$|^[#.\[][^,]*\]$`)

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
	inside := -1
	for i, b := range boxes {
		switch {
		case b.W <= 0:
		case near(b.X, box.X) && near(b.Y, box.Y) && near(b.W, box.W) && near(b.H, box.H):
			return l.whole(i)
		case b.X >= box.X-1 && b.Y >= box.Y-1 && b.X+b.W <= box.X+box.W+1 && b.Y+b.H <= box.Y+box.H+1:
			if inside >= 0 && l.spots[inside].control != l.spots[i].control {
				inside = len(boxes) // several are in it
			} else if inside < 0 {
				inside = i
			}
		}
	}
	if inside == len(boxes) {
		return -1
	}
	return inside
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

// stability is how likely a selector of a spot lasts. What the page does not
// offer itself is judged by its form.
func stability(selector string, sp spotted) int {
	for _, w := range sp.ways() {
		if w.Selector == selector {
			return w.Score
		}
	}
	for prefix, score := range map[string]int{"#": 90, "label=": 80, "role=": 75, "text=": 60} {
		if strings.HasPrefix(selector, prefix) {
			return score
		}
	}
	if strings.Contains(selector, "[name=") {
		return 85
	}
	return 30
}

// wayOf is the best way to a question that can be written down.
func wayOf(sp spotted) page.Way {
	for _, w := range sp.ways() {
		if printable(w.Selector) == w.Selector {
			return w
		}
	}
	return page.Way{Selector: cmp.Or(sp.selector(), sp.control.Selector)}
}
