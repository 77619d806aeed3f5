package scout

import (
	"slices"

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
