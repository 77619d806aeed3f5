package scout

import (
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/wizard"
)

// ending is the page with which the form answered.
type ending struct {
	heading  string
	headings []string
}

// success is how the answer can be told from the steps: by a heading that stands
// on every page with which the form answered, on no step, and repeats nothing of
// what was entered. A form that keeps one heading above everything tells it by
// another one, so that is looked for in the page's text. It is nil when there is
// none.
func (x *Explorer) success() []wizard.Check {
	var ends []*pass
	for _, p := range x.passes {
		if p.ending != nil {
			ends = append(ends, p)
		}
	}
	if len(ends) == 0 {
		return nil
	}
	everywhere := func(h string, says func(*ending) []string) bool {
		return h != "" && !x.onStep(h) && !slices.ContainsFunc(ends, func(p *pass) bool {
			return !slices.Contains(says(p.ending), h) || repeats(h, p.said())
		})
	}
	first := ends[0].ending
	if everywhere(first.heading, func(e *ending) []string { return []string{e.heading} }) {
		return []wizard.Check{{Heading: first.heading}}
	}
	for _, h := range first.headings {
		if everywhere(h, func(e *ending) []string { return e.headings }) {
			return []wizard.Check{{Text: h}}
		}
	}
	return nil
}

// onStep reports whether words are part of a heading that some step shows.
func (x *Explorer) onStep(words string) bool {
	words = fold(words)
	return slices.ContainsFunc(x.graph.nodes, func(n *node) bool {
		return slices.ContainsFunc(append(n.headings, n.place.Heading), func(h string) bool { return strings.Contains(fold(h), words) })
	})
}

// said are the answers of a pass as plain values.
func (p *pass) said() map[string]any {
	out := map[string]any{}
	for id, a := range p.answers {
		out[id] = plainAnswer(a)
	}
	return out
}

// heads notes the headings that the step shows now.
func (n *node) heads(list []string) {
	for _, h := range list {
		if !slices.Contains(n.headings, h) && len(n.headings) < maxHeads {
			n.headings = append(n.headings, h)
		}
	}
}

// maxHeads bounds the headings that are kept of one step.
const maxHeads = 100

// answered reports whether a step that comes back, without questions, has become the
// answer: after a button that may submit, it says something new. That is how a form
// in a dialog ends on the page that it was opened from.
func (w *walker) answered(n *node) bool {
	if visits(w.pass.path, n) == 0 {
		return false
	}
	last := w.pass.path[len(w.pass.path)-1]
	return last.mayAct && slices.ContainsFunc(w.inv.Headings, func(h string) bool { return !slices.Contains(n.headings, h) })
}

// unsubmitted says what nobody can know of a form that was not submitted.
func unsubmitted(w *wizard.Wizard) string {
	var open []string
	for _, p := range w.Pages {
		for _, f := range p.Fields {
			if p.Submits && !f.Required && f.RequiredWhen == nil && len(open) < 8 {
				open = append(open, f.FieldID)
			}
		}
	}
	said := "Nothing was submitted: the answer is unknown, so add results and success_when by hand"
	if len(open) > 0 {
		said += "; and the form may insist on what seems optional on its last page: " + strings.Join(open, ", ")
	}
	return said + "."
}
