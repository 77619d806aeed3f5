package runner

import (
	"strconv"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

func itoa(n int) string { return strconv.Itoa(n) }

// fieldTarget is where a field shows on its page. A field of options may hold
// one selector per option: any of them tells that the field is there.
func fieldTarget(f *wizard.Field) page.Target {
	t := page.Target{Selector: f.Selector, Alternatives: f.SelectorAlternatives, Frame: f.Frame}
	for _, o := range f.Options {
		if o.Selector != "" && o.Selector != f.Selector {
			t.Alternatives = append(t.Alternatives[:len(t.Alternatives):len(t.Alternatives)], o.Selector)
		}
	}
	if f.IsDate() && len(f.SubFields) > 0 {
		t.Alternatives = append(t.Alternatives[:len(t.Alternatives):len(t.Alternatives)], f.SubFields[0].Selector)
	}
	if f.Repeatable && f.AddButtonSelector != "" {
		t.Alternatives = append(t.Alternatives[:len(t.Alternatives):len(t.Alternatives)], f.AddButtonSelector)
	}
	return t
}

// buttonTarget is a page's way onward. The text helps when the selector fails.
func buttonTarget(b wizard.Button) page.Target {
	typ := b.SelectorType
	if typ == "" {
		typ = "css"
	}
	return page.Target{Selector: b.Selector, Type: typ, Frame: b.Frame, Text: b.Text}
}

// inputOf describes a field to the page.
func inputOf(f *wizard.Field) page.Input {
	in := page.Input{
		ID: f.FieldID, Label: f.Label,
		Target: page.Target{Selector: f.Selector, Alternatives: f.SelectorAlternatives, Frame: f.Frame},
		Kind:   kindOf(f.FieldType, f.Format),
		Format: f.Format, Mask: f.InputMask, Multiple: f.Multiple,
		Keys: f.Interaction == "fill_enter", Hide: f.MaskInScreenshots,
		Options: optionsOf(f.Options),
	}
	if f.IsDate() {
		in.Kind = page.KindDate
		in.Parts = map[string]page.Target{}
		for i := range f.SubFields {
			s := &f.SubFields[i]
			in.Parts[s.DatePart()] = page.Target{Selector: s.Selector, Frame: frameOf(s.Frame, f.Frame)}
		}
	}
	return in
}

// subInputOf describes one input of a group to the page.
func subInputOf(f *wizard.Field, s *wizard.SubField) page.Input {
	label := s.Label
	if label == "" {
		label = s.FieldID
	}
	return page.Input{
		ID: f.FieldID + "." + s.FieldID, Label: label,
		Target: page.Target{Selector: s.Selector, Frame: frameOf(s.Frame, f.Frame)},
		Kind:   kindOf(s.FieldType, s.Format),
		Format: s.Format, Mask: s.InputMask, Multiple: s.Multiple,
		Keys: s.Interaction == "fill_enter", Hide: s.MaskInScreenshots || f.MaskInScreenshots,
		Options: optionsOf(s.Options),
	}
}

func frameOf(own, outer []string) []string {
	if len(own) > 0 {
		return own
	}
	return outer
}

func optionsOf(opts []wizard.Option) []page.Option {
	var out []page.Option
	for _, o := range opts {
		out = append(out, page.Option{Value: o.Value, Label: o.Label, Selector: o.Selector})
	}
	return out
}

// kindOf maps the words of the wizard format to the widget.
func kindOf(fieldType, format string) page.Kind {
	switch format {
	case "date", "month", "time":
		return page.KindDate
	case "file":
		return page.KindFile
	case "range":
		return page.KindRange
	case "richtext":
		return page.KindRichText
	}
	switch fieldType {
	case "number":
		return page.KindNumber
	case "textarea":
		return page.KindTextarea
	case "select":
		return page.KindSelect
	case "radio":
		return page.KindRadio
	case "checkbox":
		return page.KindCheckbox
	case "typeahead":
		return page.KindTypeahead
	case "search":
		return page.KindSearch
	}
	return page.KindText
}
