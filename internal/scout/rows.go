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
	probed   bool           // the answers of a row were tried
	tried    bool           // its button was pressed to see what comes
	pass     *pass          // the last in which a row was added
	row      map[string]any // the example
	looks    []look         // at a row while its answers were tried
	second   []page.Control // the questions of the row after the first one that was opened
}

// added reports whether the pass has its row already.
func (r *rows) added(p *pass) bool { return r.pass == p }

// rowsOf finds the first button on the step that opens rows which are wanted.
func (f *filler) rowsOf(wanted func(*rows) bool) *rows {
	for _, b := range f.inv.Buttons {
		if roleOf(b) != roleAdd || acts(b) || !b.Enabled || b.Tag == "a" && b.Role != "button" {
			continue
		}
		if r := f.rowsBy(b); wanted(r) {
			return r
		}
	}
	return nil
}

// acts reports whether a button that seems to open or to keep a row says that it does
// more, such as "Add and submit".
func acts(b page.Press) bool { return page.Acts(b.Text) || page.Acts(b.Also) || b.Notice != "" }

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
	o, err := f.openRow(ctx, r)
	if o == nil || err != nil {
		return false, err
	}
	var answers []page.Answer
	for _, c := range o.questions(f.inv) {
		k := r.field(c, o.again)
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
	f.see(r, o)
	if f.probing && !r.probed {
		r.probed = true
		if err := f.probeRow(ctx, r, o); err != nil {
			return false, err
		}
	}
	if err := f.settleRow(ctx, r, o); err != nil {
		return false, err
	}
	return f.storeRow(ctx, r, o)
}

// openRow is a row under way: what the page had before it.
type openRow struct {
	rows     *rows
	controls []page.Control
	buttons  map[string]bool
	again    bool // there was a row of the kind before
}

// questions are those that the row has brought.
func (o *openRow) questions(inv page.Inventory) []page.Control {
	return surplus(o.controls, inv.Controls)
}

// openRow presses the button that opens a row; nil when that says nothing.
func (f *filler) openRow(ctx context.Context, r *rows) (*openRow, error) {
	o := &openRow{rows: r, controls: f.inv.Controls, buttons: map[string]bool{}, again: len(r.fields) > 0}
	for _, b := range f.inv.Buttons {
		o.buttons[b.Selector] = true
	}
	if err := f.click(ctx, r.add); err != nil {
		return nil, nil // it says nothing about the form
	}
	if err := f.calm(ctx, reaction); err != nil {
		return nil, err
	}
	f.late(ctx)
	return o, nil
}

// storeRow presses the button that keeps the row, if there is one.
func (f *filler) storeRow(ctx context.Context, r *rows, o *openRow) (bool, error) {
	for _, b := range f.inv.Buttons {
		if ro := roleOf(b); !acts(b) && !o.buttons[b.Selector] && b.Text != r.add.Text && (ro == roleSave || ro == roleAdd || ro == roleContinue && f.inv.Dialog != "") {
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
	for i, k := range r.fields {
		w := fieldOf(k.control, k.id, k.example)
		s := wizard.SubField{
			FieldID: w.FieldID, Selector: r.selector(i), FieldType: w.FieldType, Interaction: w.Interaction, ExampleValue: w.ExampleValue,
			Label: w.Label, Required: k.control.Required || k.control.Kind != page.KindCheckbox && !k.control.Optional, Traits: w.Traits,
		}
		s.Frame, s.Options, s.VisibleWhen = nil, r.options(i, w.Options), r.condition(i)
		f.SubFields = append(f.SubFields, s)
	}
	f.ExampleValue = r.examples(r.row, f.MinInstances)
	return f
}

// examples are rows to try the group with: two where a second one was seen, so
// that a replay proves that each row is told from the others.
func (r *rows) examples(row any, least int) json.RawMessage {
	if len(r.second) > 0 || len(r.standing) > 0 {
		least = max(2, least)
	}
	list := slices.Repeat([]any{row}, max(1, least))
	raw, err := json.Marshal(list)
	if err != nil {
		return nil // texts and booleans marshal
	}
	return raw
}
