package scout

import (
	"context"
	"encoding/json"
	"slices"
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
	f := &filler{walker: p.walker, node: p.node, given: map[string]string{}, probing: true}
	for range maxRowButtons {
		r := f.rowsOf(func(r *rows) bool { return !r.tried && opensHere(r.add) })
		if r == nil {
			return nil
		}
		r.tried = true
		if _, err := f.addRow(ctx, r); err != nil {
			return err
		}
		if !p.stillHere() {
			r.fields = nil
			p.remark("%s: pressing %q leaves the step", titleOf(p.node), r.add.Text)
			return nil
		}
		if r.stand(p.node); len(r.standing) > 0 {
			r.name(p.node)
			if id := slug(r.label, maxWords); id != "" && !p.graph.taken[id] {
				p.graph.taken[id] = true
				r.id = id
			}
		} else if err := f.secondRow(ctx, r); err != nil {
			return err
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

// secondRow opens one more row where rows are not kept by a button of their own,
// to see how the page tells them apart.
func (f *filler) secondRow(ctx context.Context, r *rows) error {
	open := slices.ContainsFunc(f.inv.Buttons, func(b page.Press) bool { return b.Selector == r.add.Selector && b.Enabled })
	if r.save.Selector != "" || len(r.fields) == 0 || !open {
		return nil
	}
	o, err := f.openRow(ctx, r)
	if o != nil {
		r.second = o.questions(f.inv)
	}
	return err
}

// stand finds the rows among the questions of the step that ask what a new one
// asks.
func (r *rows) stand(n *node) {
	for i := 0; i < len(n.controls); {
		row, used := r.rowAt(n.controls[i:])
		if used == 0 {
			i++
			continue
		}
		r.standing = append(r.standing, row)
		i += used
	}
}

// rowAt is the row with which a list of questions begins, and how many of them it
// takes. Questions that come only with an answer may be missing: they are nil.
func (r *rows) rowAt(list []*known) (row []*known, used int) {
	row = make([]*known, len(r.fields))
	for i, k := range r.fields {
		switch {
		case used < len(list) && alike(list[used].control) == alike(k.control):
			row[i] = list[used]
			used++
		case i == 0 || r.condition(i) == nil:
			return nil, 0
		}
	}
	return row, used
}

// stands reports whether the question belongs to a row that is there from the
// beginning.
func (n *node) stands(k *known) bool {
	return slices.ContainsFunc(n.rows, func(r *rows) bool {
		return slices.ContainsFunc(r.standing, func(row []*known) bool { return slices.Contains(row, k) })
	})
}

// mates are the other questions of the row that a question stands in.
func (n *node) mates(k *known) []string {
	var out []string
	for _, r := range n.rows {
		for _, row := range r.standing {
			if !slices.Contains(row, k) {
				continue
			}
			for _, m := range row {
				if m != nil && m != k {
					out = append(out, m.id)
				}
			}
		}
	}
	return out
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
		f := fieldOf(r.fields[i].control, r.fields[i].id, r.fields[i].example)
		if k != nil {
			f = fields[slices.Index(n.controls, k)]
		}
		s := wizard.SubField{
			FieldID: r.fields[i].id, Selector: r.selector(i), FieldType: f.FieldType, Interaction: f.Interaction, ExampleValue: f.ExampleValue,
			Label: plainNumber(f.Label), Required: f.Required, Traits: f.Traits,
		}
		s.Frame, s.Options, s.VisibleWhen, s.RequiredWhen = nil, r.options(i, f.Options), r.condition(i), nil
		g.SubFields = append(g.SubFields, s)
		g.Required = g.Required || f.Required
		if s.VisibleWhen == nil {
			example[s.FieldID] = f.ExampleValue
		}
	}
	if g.Required {
		g.MinInstances = len(r.standing)
	}
	g.ExampleValue = r.examples(example, g.MinInstances)
	return g
}

// name calls rows by the question around all of them or the heading above them,
// where there is one, rather than by the words of their button.
func (r *rows) name(n *node) {
	first := r.standing[0]
	group, section := plainLabel(first[0].control.Group), first[0].control.Section
	same := func(k *known) bool { return k == nil || plainLabel(k.control.Group) == group }
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
