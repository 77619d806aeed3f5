package scout

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/page"
)

// graph is everything that was seen of a form so far: its steps, and what each
// asks.
type graph struct {
	nodes []*node
	taken map[string]bool // field ids
}

// node is one step of the form, as all visits together show it.
type node struct {
	place    page.Place
	controls []*known
	button   page.Press
	pressed  bool // button is one that led on, or that ends the form
	final    bool // its button is the last one, or may be
	mayAct   bool // what is known of its button before it is pressed
	probed   bool
	looks    []look
	context  map[string]any // answers with which it was first reached
	sight    *Sight
	rows     []*rows
	headings []string
	slow     bool // the page draws late what an answer brings up: only calm looks count
}

// known is one question of a step.
type known struct {
	id, ident string
	control   page.Control
	example   any
	context   map[string]any // overrides with which it was first seen
	need      []moment       // whether the step could be left without it
	prefilled bool           // it held a value when it was first seen
	dependent bool           // its options follow from another answer
	stuck     bool           // it cannot be emptied again
	silent    bool           // it was answered with others, when the form said nothing
	awaited   bool           // it was answered while the button could not be pressed
	told      string         // what the form said about answers that it refused
	exclusive bool           // ticking it clears the others of its set
	borders   []float64      // numbers, in pairs, between which the form goes another way
}

// look is what a step showed in one moment.
type look struct {
	answers map[string]any
	shown   map[string]bool            // by field id
	offered map[string]map[string]bool // the options of closed lists, by field id and value
	calm    bool                       // the page had been quiet for a while
}

// at finds the node of the step that is shown, or makes one.
func (g *graph) at(place page.Place, inv page.Inventory) (n *node, fresh bool) {
	if n := g.find(place, inv); n != nil {
		return n, false
	}
	n = &node{place: place}
	g.nodes = append(g.nodes, n)
	return n, true
}

// find is the node of the step that is shown, or nil.
func (g *graph) find(place page.Place, inv page.Inventory) *node {
	idents := namesOf(inv)
	if i := slices.IndexFunc(g.nodes, func(n *node) bool { return n.same(place, idents) }); i >= 0 {
		return g.nodes[i]
	}
	return nil
}

// same tells whether a sight is this step: by address and heading, or by what it
// asks.
func (n *node) same(place page.Place, idents map[string]bool) bool {
	path := pathOf(place.URL) == pathOf(n.place.URL)
	heading := fold(place.Heading) == fold(n.place.Heading)
	common := 0
	for _, k := range n.controls {
		if idents[k.ident] || idents[loose(k.control)] {
			common++
		}
	}
	asks := len(idents) / 2 // each is there under two names
	switch {
	case path && heading:
		// One address for all steps and one heading above all of them: then what it
		// asks tells the steps apart.
		return common > 0 || asks == 0 && len(n.controls) == 0
	case path:
		return common > 0 && 2*common >= min(asks, len(n.controls))
	case heading:
		return common > 0 && common >= asks && common == len(n.controls)
	}
	return false
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Host + strings.TrimSuffix(u.Path, "/") + "#" + strings.TrimPrefix(u.Fragment, "!")
}

// namesOf are the names of all questions that are shown, each in both ways.
func namesOf(inv page.Inventory) map[string]bool {
	out := map[string]bool{}
	for _, c := range inv.Controls {
		if asked(c) {
			out[ident(c)], out[loose(c)] = true, true
		}
	}
	return out
}

// merge takes in what a sight of the step shows and returns its questions in the
// order of the page.
func (g *graph) merge(n *node, inv page.Inventory, context map[string]any) []*known {
	var shown []*known
	there := map[string]bool{}
	for _, c := range inv.Controls {
		there[ident(c)] = asked(c)
	}
	at := 0
	for _, c := range inv.Controls {
		name := ident(c)
		if !asked(c) || n.inRow(name) {
			continue
		}
		i := slices.IndexFunc(n.controls, func(k *known) bool { return k.ident == name })
		if i < 0 {
			words := loose(c)
			i = slices.IndexFunc(n.controls, func(k *known) bool { return !there[k.ident] && loose(k.control) == words })
			if i >= 0 {
				n.controls[i].ident = name
			}
		}
		if i < 0 {
			id := uniqueID(baseID(c), c, g.taken)
			g.taken[id] = true
			k := &known{id: id, ident: name, control: c, context: copyOf(context), prefilled: answerOf(c) != nil && answerOf(c) != false}
			n.controls = slices.Insert(n.controls, at, k)
			i = at
		}
		k := n.controls[i]
		k.update(c)
		shown = append(shown, k)
		at = i + 1
	}
	return shown
}

// update takes in another sight of the same control.
func (k *known) update(c page.Control) {
	before := k.control
	k.control = c
	k.control.Required = c.Required || before.Required
	if !before.OptionsKnown && len(before.Options) == 0 || len(c.Options) == 0 && !c.OptionsKnown {
		if len(c.Options) == 0 {
			k.control.Options, k.control.OptionsKnown = before.Options, before.OptionsKnown
		}
		return
	}
	for _, o := range before.Options {
		if !slices.ContainsFunc(c.Options, func(x page.ControlOption) bool { return x.Value == o.Value && x.Label == o.Label }) {
			k.dependent = true
			o.On = false
			k.control.Options = append(k.control.Options, o)
		}
	}
	if len(choosable(before.Options)) > 0 && len(choosable(c.Options)) > len(choosable(before.Options)) {
		k.dependent = true
	}
}

// now is the control as it stands on the page at this moment.
func now(inv page.Inventory, k *known) (page.Control, bool) {
	for _, c := range inv.Controls {
		if asked(c) && ident(c) == k.ident {
			return c, true
		}
	}
	// Ids that change with every visit: a single control with the same words is it.
	at, words := -1, loose(k.control)
	for i, c := range inv.Controls {
		if !asked(c) || loose(c) != words {
			continue
		}
		if at >= 0 {
			return page.Control{}, false // more than one
		}
		at = i
	}
	if at >= 0 && !steady(inv.Controls[at]) {
		return inv.Controls[at], true
	}
	return page.Control{}, false
}

func copyOf(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

// answerOf is what a control holds: nil when it holds nothing.
func answerOf(c page.Control) any {
	switch {
	case c.Kind == page.KindCheckbox:
		return c.Checked
	case c.Kind == page.KindRadio, len(c.Options) > 0 && c.Kind == page.KindSelect,
		c.Kind == page.KindTypeahead && strings.TrimSpace(c.Value) == "": // a choice may stand behind an empty box
		var on []string
		for _, o := range choosable(c.Options) {
			if o.On {
				on = append(on, optionValue(o))
			}
		}
		switch {
		case len(on) == 0:
			return nil
		case c.Multiple:
			return on
		}
		return on[0]
	case strings.TrimSpace(c.Value) == "":
		return nil
	case c.Kind == page.KindDate && len(c.Parts) > 0:
		if day := dayOf(c); day != "" {
			return textAnswer(day)
		}
	}
	return textAnswer(c.Value)
}

// dayOf is the day that a date in parts holds, as the contract writes it: the page
// puts the parts together in their own order.
func dayOf(c page.Control) string {
	values := strings.Split(c.Value, "/")
	if len(values) != len(c.Parts) {
		return ""
	}
	by := map[string]string{}
	for i, p := range c.Parts {
		by[p.Part] = strings.TrimSpace(values[i])
	}
	t, err := time.Parse("2006-1-2", by["year"]+"-"+by["month"]+"-"+by["day"])
	if err != nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

// input is the control as the page's own setter wants it.
func input(c page.Control, id string) page.Input {
	in := page.Input{
		ID: id, Label: c.Label, Kind: c.Kind, Format: c.Format, Mask: c.Mask, Multiple: c.Multiple,
		Target: page.Target{Selector: c.Selector, Alternatives: others(c.Ways), Frame: c.Frame},
		Keys:   c.Kind == page.KindTypeahead || c.Kind == page.KindSearch,
	}
	for _, o := range choosable(c.Options) {
		in.Options = append(in.Options, page.Option{Value: optionValue(o), Label: o.Label, Selector: o.Selector})
	}
	if len(c.Parts) > 0 {
		in.Parts = map[string]page.Target{}
		for _, p := range c.Parts {
			in.Parts[p.Part] = page.Target{Selector: p.Selector, Frame: c.Frame}
		}
	}
	return in
}

// order sorts the nodes so that every one comes after those that led to it.
func (g *graph) order(paths [][]*node) {
	after := map[*node]map[*node]bool{}
	for _, path := range paths {
		for i := 1; i < len(path); i++ {
			if path[i] == path[i-1] {
				continue
			}
			if after[path[i]] == nil {
				after[path[i]] = map[*node]bool{}
			}
			after[path[i]][path[i-1]] = true
		}
	}
	var out []*node
	state := map[*node]int{}
	var visit func(n *node)
	visit = func(n *node) {
		if state[n] != 0 {
			return // done, or a form that goes round: the first order stands
		}
		state[n] = 1
		for _, before := range g.nodes {
			if after[n][before] {
				visit(before)
			}
		}
		out = append(out, n)
	}
	for _, n := range g.nodes {
		visit(n)
	}
	g.nodes = out
}

// inRow tells the fields of rows from the step's own.
func (n *node) inRow(name string) bool {
	return slices.ContainsFunc(n.rows, func(r *rows) bool {
		return slices.ContainsFunc(r.fields, func(k *known) bool { return k.ident == name })
	})
}
