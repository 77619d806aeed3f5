package scout

import (
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
)

// Element is one thing on the page that can be filled in or pressed. Empty
// members are left out.
type Element struct {
	Tag      string   `json:"tag"`
	Type     string   `json:"type,omitempty"`
	ID       string   `json:"id,omitempty"`
	Class    string   `json:"class,omitempty"`
	Name     string   `json:"name,omitempty"`
	Text     string   `json:"text,omitempty"`
	Label    string   `json:"label,omitempty"`
	Group    string   `json:"group,omitempty" jsonschema:"the question that it belongs to"`
	Hint     string   `json:"hint,omitempty"`
	Role     string   `json:"role,omitempty"`
	Kind     string   `json:"kind,omitempty" jsonschema:"the widget that it is"`
	Format   string   `json:"format,omitempty"`
	Selector string   `json:"selector"`
	Score    int      `json:"score,omitempty" jsonschema:"0 to 100: how likely the selector lasts"`
	Frame    []string `json:"frame,omitempty"`
	Shadow   []string `json:"shadow_path,omitempty" jsonschema:"elements whose shadow roots it is in, outermost first; selectors look into them"`
	Required bool     `json:"required,omitempty"`
	Visible  *bool    `json:"visible,omitempty"`
	State    string   `json:"state,omitempty" jsonschema:"checked, disabled, readonly, invalid, expanded"`
	Value    string   `json:"value,omitempty"`
	Decoy    string   `json:"decoy,omitempty" jsonschema:"why it is no question for a person"`

	Bounds

	Options         []string `json:"options,omitempty"`
	OptionValues    []string `json:"option_values,omitempty" jsonschema:"where they differ from options"`
	OptionSelectors []string `json:"option_selectors,omitempty"`
	OptionsTotal    int      `json:"options_total,omitempty" jsonschema:"how many there are, when not all are listed"`
	OptionsLate     bool     `json:"options_late,omitempty" jsonschema:"options come only when it is opened: ask with options_of"`
	Parts           []string `json:"parts,omitempty" jsonschema:"selectors of the parts of a date"`
	Href            string   `json:"href,omitempty"`
	Primary         bool     `json:"primary,omitempty" jsonschema:"looks like the main action"`
}

// Bounds are what a control says about the values that it takes.
type Bounds struct {
	Min          string `json:"min,omitempty"`
	Max          string `json:"max,omitempty"`
	Step         string `json:"step,omitempty"`
	Pattern      string `json:"pattern,omitempty"`
	MinLength    int    `json:"minlength,omitempty"`
	MaxLength    int    `json:"maxlength,omitempty"`
	Placeholder  string `json:"placeholder,omitempty"`
	Autocomplete string `json:"autocomplete,omitempty"`
	Accept       string `json:"accept,omitempty"`
	Multiple     bool   `json:"multiple,omitempty"`
}

// Bounds of one element in a reply.
const (
	longestText    = 200
	longestValue   = 100
	shownOptions   = 200
	brieflyOptions = 12 // in a reply that is about something else
	brieflyLinks   = 15
)

// elementOf describes a control in full.
func elementOf(c page.Control) Element {
	e := Element{
		Tag: c.Tag, Type: c.Type, ID: c.ID, Class: clip(c.Class, longestText), Name: c.Name, Label: clip(c.Label, longestText), Hint: clip(c.Hint, longestText),
		Kind: string(c.Kind), Format: c.Format, Selector: c.Selector, Frame: c.Frame, Shadow: c.ShadowPath,
		Required: c.Required, Decoy: c.Decoy, State: stateOf(c),
		Bounds: Bounds{
			Min: c.Min, Max: c.Max, Step: c.Step, Pattern: clip(c.Pattern, longestText), MinLength: c.MinLength, MaxLength: c.MaxLength,
			Placeholder: clip(c.Placeholder, longestText), Autocomplete: c.Autocomplete, Accept: c.Accept, Multiple: c.Multiple,
		},
		OptionsLate: !c.OptionsKnown && len(c.Options) == 0 && (c.Kind == page.KindSelect || c.Kind == page.KindTypeahead),
	}
	if fold(c.Group) != fold(c.Label) {
		e.Group = clip(c.Group, longestText)
	}
	if c.Role != "" && c.Role != string(c.Kind) {
		e.Role = c.Role
	}
	if e.Kind == e.Type {
		e.Kind = ""
	}
	if len(c.Ways) > 0 {
		e.Score = c.Ways[0].Score
	}
	visible := c.Visible
	e.Visible = &visible
	if !private(c) && len(c.Options) == 0 && c.Kind != page.KindCheckbox {
		e.Value = clip(c.Value, longestValue)
	}
	for _, p := range c.Parts {
		e.Parts = append(e.Parts, p.Part+" "+p.Selector)
	}
	e.offer(c.Options, max(c.OptionsTotal, len(c.Options)), shownOptions)
	return e
}

// offer lists options, at most limit of them.
func (e *Element) offer(options []page.ControlOption, total, limit int) {
	e.Options, e.OptionValues, e.OptionSelectors, e.OptionsTotal = nil, nil, nil, 0
	differ, selectors := false, false
	for _, o := range options[:min(limit, len(options))] {
		label := clip(o.Label, longestText)
		if label == "" {
			label = o.Value
		}
		if o.On {
			e.Value = label
		}
		if o.Disabled {
			label += " (disabled)"
		}
		e.Options = append(e.Options, label)
		e.OptionValues = append(e.OptionValues, o.Value)
		e.OptionSelectors = append(e.OptionSelectors, o.Selector)
		differ, selectors = differ || o.Value != label, selectors || o.Selector != ""
	}
	if !differ {
		e.OptionValues = nil
	}
	if !selectors {
		e.OptionSelectors = nil
	}
	if total > len(e.Options) {
		e.OptionsTotal = total
	}
}

func stateOf(c page.Control) string {
	var s []string
	if c.Checked {
		s = append(s, "checked")
	}
	if !c.Enabled {
		s = append(s, "disabled")
	}
	if c.ReadOnly {
		s = append(s, "readonly")
	}
	if c.Invalid {
		s = append(s, "invalid")
	}
	return strings.Join(s, " ")
}

// pressElement describes something to press.
func pressElement(b page.Press) Element {
	e := Element{
		Tag: b.Tag, Type: b.Type, Role: b.Role, Class: clip(b.Class, longestText), Text: clip(b.Text, longestText), Selector: b.Selector,
		Frame: b.Frame, Shadow: b.ShadowPath,
		Href: clip(b.Href, longestText), Primary: b.Primary,
	}
	if e.Role == e.Tag {
		e.Role = ""
	}
	if len(b.Ways) > 0 {
		e.Score = b.Ways[0].Score
		for _, w := range b.Ways {
			if w.Basis == "id" && strings.HasPrefix(w.Selector, "#") {
				e.ID = w.Selector[1:]
			}
		}
	}
	var s []string
	if !b.Enabled {
		s = append(s, "disabled")
	}
	if b.Expanded != "" {
		s = append(s, "expanded="+b.Expanded)
	}
	e.State = strings.Join(s, " ")
	return e
}

// Elements are those of the page by kind, in the order of the page.
type Elements struct {
	Inputs    []Element `json:"inputs"`
	Selects   []Element `json:"selects"`
	Textareas []Element `json:"textareas"`
	Buttons   []Element `json:"buttons"`
	Links     []Element `json:"links,omitempty"`
}

// The kinds of elements, as the replies name them.
const (
	kindInputs    = "inputs"
	kindSelects   = "selects"
	kindTextareas = "textareas"
	kindButtons   = "buttons"
	kindLinks     = "links"
)

var kinds = []string{kindInputs, kindSelects, kindTextareas, kindButtons, kindLinks}

// of is the list of one kind.
func (e *Elements) of(kind string) *[]Element {
	switch kind {
	case kindSelects:
		return &e.Selects
	case kindTextareas:
		return &e.Textareas
	case kindButtons:
		return &e.Buttons
	case kindLinks:
		return &e.Links
	}
	return &e.Inputs
}

// elements are all that the inventory has, hidden controls only when asked for.
func elements(inv page.Inventory, hidden bool) Elements {
	var out Elements
	for _, c := range inv.Controls {
		if !c.Visible && !hidden {
			continue
		}
		kind := kindInputs
		switch {
		case c.Tag == "select" || c.Kind == page.KindSelect:
			kind = kindSelects
		case c.Tag == "textarea":
			kind = kindTextareas
		}
		l := out.of(kind)
		*l = append(*l, elementOf(c))
	}
	for _, b := range inv.Buttons {
		kind := kindButtons
		if b.Tag == "a" && b.Role != "button" {
			kind = kindLinks
		}
		l := out.of(kind)
		*l = append(*l, pressElement(b))
	}
	return out
}

// hiddenControls counts what is on the page and not shown.
func hiddenControls(inv page.Inventory) int {
	n := 0
	for _, c := range inv.Controls {
		if !c.Visible {
			n++
		}
	}
	return n
}

// keep drops what does not match and returns how many there were.
func (e *Elements) keep(match func(kind string, x Element) bool) {
	for _, kind := range kinds {
		l := e.of(kind)
		*l = slices.DeleteFunc(*l, func(x Element) bool { return !match(kind, x) })
	}
}

// page cuts every kind to limit elements from offset on, and says how many there
// were.
func (e *Elements) page(offset, limit int) (totals map[string]int, cut bool) {
	totals = map[string]int{}
	for _, kind := range kinds {
		l := e.of(kind)
		n := len(*l)
		totals[kind] = n
		*l = (*l)[min(offset, n):min(offset+limit, n)]
		cut = cut || offset+limit < n
	}
	return totals, cut
}

// all are the elements in one list, as html_context has them.
func (e *Elements) all() []Element {
	out := []Element{}
	for _, kind := range kinds {
		out = append(out, *e.of(kind)...)
	}
	return out
}
