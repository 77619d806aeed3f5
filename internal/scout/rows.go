package scout

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// rows is a question that is answered by rows of fields, each opened by a button.
type rows struct {
	id       string
	label    string
	add      page.Press
	save     page.Press // nothing: a row counts as it stands
	fields   []*known
	standing [][]*known // rows that are there from the beginning, which the step's questions are
	required bool
	tried    bool           // its button was pressed to see what comes
	pass     *pass          // the last in which a row was added
	row      map[string]any // the example
}

// added reports whether the pass has its row already.
func (r *rows) added(p *pass) bool { return r.pass == p }

// rowsOf finds the first button on the step that opens rows which are wanted.
func (f *filler) rowsOf(wanted func(*rows) bool) *rows {
	for _, b := range f.inv.Buttons {
		if roleOf(b) != roleAdd || !b.Enabled || b.Tag == "a" && b.Role != "button" {
			continue
		}
		if r := f.rowsBy(b); wanted(r) {
			return r
		}
	}
	return nil
}

// rowsBy are the rows that a button opens.
func (f *filler) rowsBy(b page.Press) *rows {
	i := slices.IndexFunc(f.node.rows, func(r *rows) bool { return r.add.Selector == b.Selector })
	if i >= 0 {
		return f.node.rows[i]
	}
	label := rowLabel(b, f.inv)
	id := uniqueID(cmp.Or(slug(label, maxWords), "rows"), page.Control{}, f.graph.taken)
	f.graph.taken[id] = true
	r := &rows{id: id, label: label, add: b, row: map[string]any{}}
	f.node.rows = append(f.node.rows, r)
	return r
}

// rowLabel is what the rows are: the nearest heading, or the button's own words.
func rowLabel(b page.Press, inv page.Inventory) string {
	words := strings.TrimSpace(addWords.ReplaceAllString(b.Text, ""))
	if words != "" {
		return strings.ToUpper(words[:1]) + words[1:] + "s"
	}
	if len(inv.Headings) > 0 {
		return inv.Headings[len(inv.Headings)-1]
	}
	return b.Text
}

// addRow opens a row, fills in what it asks and stores it. It reports whether the
// page has a row more.
func (f *filler) addRow(ctx context.Context, r *rows) (bool, error) {
	again := len(r.fields) > 0
	before := f.inv.Controls
	buttons := map[string]bool{}
	for _, b := range f.inv.Buttons {
		buttons[b.Selector] = true
	}
	if err := f.click(ctx, r.add); err != nil {
		return false, nil // it says nothing about the form
	}
	if err := f.calm(ctx, reaction); err != nil {
		return false, err
	}
	f.late(ctx)
	var answers []page.Answer
	for _, c := range surplus(before, f.inv.Controls) {
		k := r.field(c, again)
		list := candidates(c, f.now())
		if len(list) == 0 || c.Kind == page.KindCheckbox {
			continue
		}
		k.example = list[0]
		r.row[k.id] = list[0]
		answers = append(answers, page.Answer{Input: input(c, k.id), Value: list[0]})
	}
	if len(answers) == 0 {
		return false, nil
	}
	if _, err := f.setAll(ctx, answers); err != nil {
		return false, err
	}
	if err := f.look(ctx); err != nil {
		return false, err
	}
	for _, b := range f.inv.Buttons {
		if ro := roleOf(b); !buttons[b.Selector] && b.Text != r.add.Text && (ro == roleSave || ro == roleAdd || ro == roleContinue && f.inv.Dialog != "") {
			r.save = b
			break
		}
	}
	if r.save.Selector != "" {
		if err := f.click(ctx, r.save); err != nil {
			return false, nil
		}
		if err := f.calm(ctx, reaction); err != nil {
			return false, err
		}
	}
	return true, nil
}

// field is the question of a row that a control asks.
func (r *rows) field(c page.Control, again bool) *known {
	if i := slices.IndexFunc(r.fields, func(k *known) bool { return k.ident == ident(c) || again && k.control.Label == c.Label }); i >= 0 {
		return r.fields[i]
	}
	taken := map[string]bool{}
	for _, k := range r.fields {
		taken[k.id] = true
	}
	k := &known{id: uniqueID(baseID(c), c, taken), ident: ident(c), control: c}
	r.fields = append(r.fields, k)
	return k
}

// group writes rows down as a field that are opened one by one.
func (r *rows) group() wizard.Field {
	f := wizard.Field{
		Label: r.label, FieldID: r.id, Selector: r.add.Selector, FieldType: "group", Interaction: "click", Required: r.required,
		Repeatable: true, AddButtonSelector: r.add.Selector, SaveButtonSelector: r.save.Selector, Traits: wizard.Traits{Frame: r.add.Frame},
	}
	if r.required {
		f.MinInstances = 1
	}
	for _, k := range r.fields {
		w := fieldOf(k.control, k.id, k.example)
		f.SubFields = append(f.SubFields, wizard.SubField{
			FieldID: w.FieldID, Selector: w.Selector, FieldType: w.FieldType, Interaction: w.Interaction, ExampleValue: w.ExampleValue,
			Label: w.Label, Required: k.control.Required || k.control.Kind != page.KindCheckbox && !k.control.Optional, Traits: w.Traits,
		})
		f.SubFields[len(f.SubFields)-1].Frame = nil
	}
	if raw, err := json.Marshal([]map[string]any{r.row}); err == nil {
		f.ExampleValue = raw
	}
	return f
}
