package scout

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/page"
	"github.com/legwork-mcp/legwork/internal/wizard"
)

// asked reports whether a control is a question for a person.
func asked(c page.Control) bool {
	return c.Decoy == "" && c.Visible && c.Enabled && !c.ReadOnly
}

// fieldOf writes one control down as a field of a wizard.
func fieldOf(c page.Control, id string, example any) wizard.Field {
	f := wizard.Field{
		Label: printable(labelOf(c)), FieldID: id, Selector: c.Selector, SelectorAlternatives: others(c.Ways),
		Required: c.Required, Traits: wizard.Traits{Frame: c.Frame, Description: describe(c), MaskInScreenshots: private(c)},
	}
	f.FieldType, f.Interaction, f.Format = kindOf(c)
	if len(c.Parts) > 0 {
		f.SubFields = partsOf(c, id, example)
	}
	f.Multiple = c.Multiple
	for _, o := range choosable(c.Options) {
		f.Options = append(f.Options, wizard.Option{Value: optionValue(o), Label: o.Label, Selector: o.Selector})
	}
	f.Options = distinct(f.Options)
	if len(f.Options) == 0 {
		limit(&f, c)
	}
	f.ExampleValue = exampleJSON(example)
	if file, ok := example.(page.File); ok && f.Multiple { // the contract has a list
		f.ExampleValue = exampleJSON([]json.RawMessage{exampleJSON(file)})
	}
	return f
}

// maxOthers is how many other selectors a field keeps.
const maxOthers = 3

func others(ways []page.Way) []string {
	var out []string
	for i, w := range ways {
		if i > 0 && len(out) < maxOthers {
			out = append(out, w.Selector)
		}
	}
	return out
}

func labelOf(c page.Control) string {
	for _, s := range []string{plainLabel(c.Label), plainLabel(c.Group), c.Placeholder, c.Name, c.ID} {
		if s != "" {
			return s
		}
	}
	return "Unnamed field"
}

// describe is what the page says about the field besides its label.
func describe(c page.Control) string {
	var parts []string
	if g := plainLabel(c.Group); g != "" && fold(g) != fold(plainLabel(c.Label)) {
		parts = append(parts, g)
	}
	if c.Hint != "" && fold(c.Hint) != fold(c.Label) {
		parts = append(parts, c.Hint)
	}
	return strings.Join(parts, " — ")
}

var secret = lazyregexp.New(`(?i)social security|\bssn\b|birth|password|account number|routing|passport|national insurance|licen[cs]e number|card number`)

// private tells what must not be readable in a picture.
func private(c page.Control) bool {
	return c.Format == "ssn" || c.Type == "password" || secret.MatchString(c.Label+" "+c.Group+" "+c.Autocomplete)
}

// kindOf maps the widget to the words of the wizard format.
func kindOf(c page.Control) (fieldType, interaction, format string) {
	switch c.Kind {
	case page.KindNumber:
		return "number", "fill", c.Format
	case page.KindTextarea:
		return "textarea", "fill", ""
	case page.KindSelect:
		return "select", "select", ""
	case page.KindRadio:
		return "radio", "click", ""
	case page.KindCheckbox:
		return "checkbox", "click", ""
	case page.KindTypeahead:
		return "typeahead", "fill_enter", ""
	case page.KindSearch:
		return "search", "fill_enter", c.Format
	case page.KindRange:
		return "number", "fill", "range"
	case page.KindFile:
		return "text", "fill", "file"
	case page.KindRichText:
		return "textarea", "fill", "richtext"
	case page.KindDate:
		if len(c.Parts) > 0 {
			return "group", "click", "date"
		}
		return "text", "fill", dateFormat(c)
	}
	return "text", "fill", c.Format
}

// dateFormat is date, month or time.
func dateFormat(c page.Control) string {
	for _, f := range []string{c.Format, c.Type} {
		if f == "month" || f == "time" {
			return f
		}
	}
	return "date"
}

func partsOf(c page.Control, id string, example any) []wizard.SubField {
	date, _ := example.(string)
	values := map[string]string{}
	if t, err := time.Parse(time.DateOnly, date); err == nil {
		values = map[string]string{"year": t.Format("2006"), "month": t.Format("01"), "day": t.Format("02")}
	}
	var out []wizard.SubField
	for _, p := range c.Parts {
		s := wizard.SubField{
			FieldID: id + "_" + p.Part, Selector: p.Selector, FieldType: "text", Interaction: "fill",
			Label: p.Label, Required: c.Required, Part: p.Part, ExampleValue: exampleJSON(values[p.Part]),
			Traits: wizard.Traits{MaskInScreenshots: private(c)},
		}
		if p.Kind == page.KindSelect {
			s.FieldType, s.Interaction = "select", "select"
		}
		out = append(out, s)
	}
	return out
}

// limit copies what the page itself enforces on what is typed.
func limit(f *wizard.Field, c page.Control) {
	if c.Kind == page.KindNumber || c.Kind == page.KindRange {
		f.Minimum, f.Maximum = floatOf(c.Min), floatOf(c.Max)
		return
	}
	if f.Format == "file" || f.FieldType == "group" || f.Format == "date" || f.Format == "month" || f.Format == "time" {
		return
	}
	if c.Pattern != "" {
		anchored := wholly(c.Pattern)
		if _, err := regexp.Compile(anchored); err == nil {
			f.Pattern = anchored
		}
	}
	if f.Format == "" || f.Format == "zip" {
		f.MinLength, f.MaxLength = lengthOf(c.MinLength), lengthOf(c.MaxLength)
	}
}

// wholly is a pattern that the whole value must match, as HTML has it (section
// 4.10.5.3.6, the pattern attribute).
func wholly(pattern string) string { return "^(?:" + pattern + ")$" }

func lengthOf(n int) *int {
	if n <= 0 {
		return nil
	}
	return &n
}

// distinct drops options that would be the same answer in the contract.
func distinct(options []wizard.Option) []wizard.Option {
	seen := map[string]bool{}
	return slices.DeleteFunc(options, func(o wizard.Option) bool {
		again := seen[o.Value]
		seen[o.Value] = true
		return again
	})
}

func exampleJSON(v any) json.RawMessage {
	switch v := v.(type) {
	case nil:
		return json.RawMessage(`""`)
	case page.File:
		v2 := map[string]string{"name": v.Name, "content_base64": base64.StdEncoding.EncodeToString(v.Data)}
		raw, _ := json.Marshal(v2) // strings always marshal
		return raw
	default:
		raw, err := json.Marshal(v)
		if err != nil {
			return json.RawMessage(`""`)
		}
		return raw
	}
}

func floatOf(s string) *float64 {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return nil
	}
	return &n
}
