package scout

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// maxRowButtons bounds how many buttons of a step are pressed to see whether they
// open rows.
const maxRowButtons = 6

// tryRows presses the buttons of the step that seem to open rows, to see what a
// row asks, and whether the step has rows already. It is the last thing that is
// done to a step, since the rows stay there.
func (p *prober) tryRows(ctx context.Context) error {
	f := &filler{walker: p.walker, node: p.node, given: map[string]string{}}
	for range maxRowButtons {
		r := f.rowsOf(func(r *rows) bool { return !r.tried && len(r.fields) == 0 && opensHere(r.add) })
		if r == nil {
			return nil
		}
		r.tried = true
		before := slices.Clone(p.inv.Controls)
		if _, err := f.addRow(ctx, r); err != nil {
			return err
		}
		if !p.stillHere() {
			r.fields = nil
			p.remark("%s: pressing %q leaves the step", titleOf(p.node), r.add.Text)
			return nil
		}
		if r.stand(p.node, before); len(r.standing) > 0 {
			r.name(p.node)
			if id := slug(r.label, maxWords); id != "" && !p.graph.taken[id] {
				p.graph.taken[id] = true
				r.id = id
			}
		}
	}
	return nil
}

// opensHere tells whether a button can be pressed without sending the form.
func opensHere(b page.Press) bool { return b.Type != "submit" || !b.InForm }

// surplus are the controls that were not there before, counting alike ones: where
// two rows have the same words, neither keeps the selector that one had.
func surplus(before, after []page.Control) []page.Control {
	left, names := map[string]int{}, map[string]bool{}
	for _, c := range before {
		if asked(c) {
			left[alike(c)]++
			names[ident(c)] = true
		}
	}
	same := func(c page.Control) bool { return steady(c) && names[ident(c)] }
	for _, c := range after {
		if asked(c) && same(c) {
			left[alike(c)]--
		}
	}
	var out []page.Control
	for _, c := range after {
		switch {
		case !asked(c) || same(c):
		case left[alike(c)] > 0:
			left[alike(c)]--
		default:
			out = append(out, c)
		}
	}
	return out
}

var numbersIn = lazyregexp.New(`\d+`)

// alike is what a question of one row has in common with that of another.
func alike(c page.Control) string {
	return numbersIn.ReplaceAllString(strings.Join([]string{strings.Join(c.Frame, " "), kindWord(c), fold(c.Section), fold(c.Group), fold(c.Label)}, "|"), "#")
}

// stand finds the rows among the questions of the step that ask what a new one
// asks.
func (r *rows) stand(n *node, before []page.Control) {
	var row []string
	for _, k := range r.fields {
		row = append(row, alike(k.control))
	}
	var shown []*known
	for _, c := range before {
		i := slices.IndexFunc(n.controls, func(k *known) bool { return k.ident == ident(c) })
		if asked(c) && i >= 0 {
			shown = append(shown, n.controls[i])
		}
	}
	for i := 0; len(row) > 0 && i+len(row) <= len(shown); {
		if !slices.EqualFunc(shown[i:i+len(row)], row, func(k *known, words string) bool { return alike(k.control) == words }) {
			i++
			continue
		}
		r.standing = append(r.standing, shown[i:i+len(row)])
		i += len(row)
	}
}

// stands reports whether the question belongs to a row that is there from the
// beginning.
func (n *node) stands(k *known) bool {
	return slices.ContainsFunc(n.rows, func(r *rows) bool {
		return slices.ContainsFunc(r.standing, func(row []*known) bool { return slices.Contains(row, k) })
	})
}

// whole puts rows that stand on the step in place of their fields. fields are
// those of the step's questions, in their order.
func (n *node) whole(fields []wizard.Field) []wizard.Field {
	out := []wizard.Field{}
	for i, k := range n.controls {
		at := slices.IndexFunc(n.rows, func(r *rows) bool { return len(r.standing) > 0 && r.standing[0][0] == k })
		switch {
		case at >= 0:
			out = append(out, n.rows[at].standingGroup(n, fields))
		case !n.stands(k):
			out = append(out, fields[i])
		}
	}
	for _, r := range n.rows {
		if len(r.fields) > 0 && len(r.standing) == 0 {
			out = append(out, r.group())
		}
	}
	return out
}

// standingGroup is the field of rows of which some are there already. fields are
// those of the step's questions.
func (r *rows) standingGroup(n *node, fields []wizard.Field) wizard.Field {
	first := r.standing[0]
	g := wizard.Field{
		Label: r.label, FieldID: r.id, Selector: first[0].control.Selector, FieldType: "group", Interaction: "click",
		Repeatable: true, AddButtonSelector: r.add.Selector, Traits: wizard.Traits{Frame: r.add.Frame},
	}
	example := map[string]json.RawMessage{}
	for i, k := range first {
		f := fields[slices.Index(n.controls, k)]
		s := wizard.SubField{
			FieldID: r.fields[i].id, Selector: r.selector(i), FieldType: f.FieldType, Interaction: f.Interaction, ExampleValue: f.ExampleValue,
			Label: plainNumber(f.Label), Required: f.Required, Traits: f.Traits,
		}
		s.Frame, s.VisibleWhen, s.RequiredWhen = nil, nil, nil
		g.SubFields = append(g.SubFields, s)
		g.Required = g.Required || f.Required
		example[s.FieldID] = f.ExampleValue
	}
	if g.Required {
		g.MinInstances = len(r.standing)
	}
	rowList := slices.Repeat([]map[string]json.RawMessage{example}, max(1, g.MinInstances))
	if raw, err := json.Marshal(rowList); err == nil {
		g.ExampleValue = raw
	}
	return g
}

// name calls rows by the question around all of them or the heading above them,
// where there is one, rather than by the words of their button.
func (r *rows) name(n *node) {
	first := r.standing[0]
	group, section := plainLabel(first[0].control.Group), first[0].control.Section
	same := func(k *known) bool { return plainLabel(k.control.Group) == group }
	if group != "" && !numbersIn.MatchString(group) && !slices.ContainsFunc(first, func(k *known) bool { return !same(k) }) && len(first) > 1 {
		r.label = group
		return
	}
	if section != "" && !numbersIn.MatchString(section) && fold(section) != fold(n.place.Heading) {
		r.label = section
	}
}

// plainNumber is a label without the number of its row.
func plainNumber(label string) string {
	return strings.TrimSpace(strings.TrimRight(rowNumber.ReplaceAllString(label, ""), " #"))
}

var rowNumber = lazyregexp.New(`\s*#?\b\d+\s*$`)

// selector finds a question in every row: with {index} in the place of the row's
// number, by the name or the label that all rows share, or in the first row only.
func (r *rows) selector(i int) string {
	first, added := r.standing[0][i].control, r.fields[i].control
	for _, a := range first.Ways {
		for _, b := range added.Ways {
			if s := indexed(a.Selector, b.Selector, len(r.standing)); s != "" && a.Basis == b.Basis && a.Basis != "path" {
				return s
			}
		}
	}
	for _, a := range first.Ways {
		shared := a.Basis == "name" && first.Name == added.Name && strings.Contains(a.Selector, first.Name) || a.Basis == "label" && first.Label == added.Label
		if shared {
			return a.Selector
		}
	}
	return first.Selector
}

// indexed puts {index} for the one number in which the selectors of the first row
// and of row n differ. Rows are counted from 0.
func indexed(first, other string, n int) string {
	a, b := numbersIn.FindAllStringIndex(first, -1), numbersIn.FindAllStringIndex(other, -1)
	if len(a) != len(b) || numbersIn.ReplaceAllString(first, "#") != numbersIn.ReplaceAllString(other, "#") {
		return ""
	}
	at := -1
	for i := range a {
		if x, y := first[a[i][0]:a[i][1]], other[b[i][0]:b[i][1]]; x != y {
			if at >= 0 || x != "0" || y != strconv.Itoa(n) {
				return ""
			}
			at = i
		}
	}
	if at < 0 {
		return ""
	}
	return first[:a[at][0]] + "{index}" + first[a[at][1]:]
}
