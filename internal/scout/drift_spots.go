package scout

import (
	"cmp"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
)

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
