package scout

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// examples are values for all fields that fit each other, as the contract makes
// them of the fields' own examples.
func examples(w *wizard.Wizard) wizard.Answers {
	c, err := wizard.NewContract(w)
	if err != nil {
		return wizard.Answers{}
	}
	raw, err := json.Marshal(c.Example())
	if err != nil {
		return wizard.Answers{}
	}
	a, err := wizard.DecodeAnswers(raw)
	if err != nil {
		return wizard.Answers{}
	}
	return a
}

// fieldAnswers sets a saved field to a value of the contract. Rows are left out:
// going on needs none of them in most forms, and adding one changes the form.
func fieldAnswers(f *wizard.Field, value any) []page.Answer {
	if f.Repeatable || value == nil {
		return nil
	}
	in := page.Input{
		ID: f.FieldID, Label: f.Label, Target: fieldTarget(f), Kind: fieldKind(f.FieldType, f.Format), Format: f.Format,
		Mask: f.InputMask, Multiple: f.Multiple, Keys: f.Interaction == "fill_enter",
	}
	for _, o := range f.Options {
		in.Options = append(in.Options, page.Option{Value: o.Value, Label: o.Label, Selector: o.Selector, Exclusive: o.Exclusive})
	}
	if f.IsDate() {
		in.Parts = map[string]page.Target{}
		for i := range f.SubFields {
			sub := &f.SubFields[i]
			in.Parts[sub.DatePart()] = page.Target{Selector: sub.Selector, Frame: inFrame(sub.Frame, f.Frame)}
		}
		return []page.Answer{{Input: in, Value: plain(value)}}
	}
	if f.FieldType == "group" {
		return groupAnswers(f, value)
	}
	return []page.Answer{{Input: in, Value: plain(value)}}
}

func groupAnswers(f *wizard.Field, value any) []page.Answer {
	row, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	var out []page.Answer
	for i := range f.SubFields {
		sub := &f.SubFields[i]
		if v, ok := row[sub.FieldID]; ok {
			in := page.Input{
				ID: sub.FieldID, Label: sub.Title(), Target: page.Target{Selector: sub.Selector, Frame: inFrame(sub.Frame, f.Frame)}, Multiple: sub.Multiple,
				Kind: fieldKind(sub.FieldType, sub.Format), Format: sub.Format, Mask: sub.InputMask, Keys: sub.Interaction == "fill_enter",
			}
			for _, o := range sub.Options {
				in.Options = append(in.Options, page.Option{Value: o.Value, Label: o.Label, Selector: o.Selector})
			}
			out = append(out, page.Answer{Value: plain(v), Input: in})
		}
	}
	return out
}

func inFrame(own, around []string) []string {
	if len(own) > 0 {
		return own
	}
	return around
}

func fieldTarget(f *wizard.Field) page.Target {
	t := page.Target{Selector: f.Selector, Alternatives: f.SelectorAlternatives, Frame: f.Frame}
	if t.Selector == "" && len(f.Options) > 0 {
		t.Selector = f.Options[0].Selector
	}
	if t.Selector == "" && len(f.SubFields) > 0 {
		t.Selector, t.Frame = f.SubFields[0].Selector, inFrame(f.SubFields[0].Frame, f.Frame)
	}
	return t
}

func fieldTargets(p *wizard.Page) []page.Target {
	out := make([]page.Target, len(p.Fields))
	for i := range p.Fields {
		out[i] = fieldTarget(&p.Fields[i])
	}
	return out
}

// fieldKind is the widget behind the words of the wizard format.
func fieldKind(fieldType, format string) page.Kind {
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
	return page.Kind(fieldType)
}

// plain turns a value of the contract into one that the page can set.
func plain(v any) any {
	switch v := v.(type) {
	case []any:
		files, words := []page.File{}, []string{}
		for _, item := range v {
			if f, ok := plain(item).(page.File); ok {
				files = append(files, f)
				continue
			}
			words = append(words, fmt.Sprint(item))
		}
		if len(files) > 0 {
			return files
		}
		return words
	case map[string]any:
		name, _ := v["name"].(string)
		content, ok := v["content_base64"].(string)
		data, err := base64.StdEncoding.DecodeString(content)
		if !ok || err != nil || name == "" {
			return v
		}
		return page.File{Name: baseName(name), Data: data}
	}
	return v
}

// baseName keeps a path from reaching the page.
func baseName(name string) string {
	return name[strings.LastIndexAny(name, `/\`)+1:]
}

// decodeValue reads the value of an action: any JSON but null.
func decodeValue(raw json.RawMessage) (any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var v any
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("read the value of an action: %w", err)
	}
	if list, is := v.([]any); is && slices.ContainsFunc(list, compound) {
		return nil, errors.New("read the value of an action: an entry of a list is no text, number, boolean or file")
	}
	return plain(v), nil
}

// compound reports whether an entry of a list is no answer.
func compound(v any) bool {
	switch plain(v).(type) {
	case nil, map[string]any, []string, []page.File:
		return true
	}
	return false
}
