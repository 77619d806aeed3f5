package wizard

import (
	"encoding/json"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/legwork-mcp/legwork/internal/nearest"
)

// candidates are values that may suit a field, best first: its own example,
// then what its kind, its options and its limits suggest.
func (c *Contract) candidates(f *Field) []any {
	var list []any
	if example, ok := coerce(f.ExampleValue, f.shape()); ok {
		list = append(list, example)
		if text, isText := example.(string); isText {
			list = append(list, optionsNamed(f.Options, text)...)
		}
		if n, isNumber := example.(json.Number); isNumber {
			list = append(list, string(n))
		}
	}
	switch f.shape() {
	case shapeObject:
		list = append(list, c.rowFrom(f))
	case shapeRows:
		rows := make([]any, max(1, f.MinInstances))
		for i := range rows {
			rows[i] = c.rowFrom(f)
		}
		list = append(list, rows)
	}
	return append(list, derive(c.property([]string{f.FieldID}))...)
}

// optionsNamed are the options whose label a person would spell like this.
func optionsNamed(options []Option, text string) []any {
	var list []any
	for _, option := range options {
		if nearest.Same(option.Label, text) || nearest.Same(option.Value, text) {
			list = append(list, option.Value)
		}
	}
	return list
}

// rowFrom is one row, from the examples of the sub-fields.
func (c *Contract) rowFrom(f *Field) map[string]any {
	row := map[string]any{}
	items := c.property([]string{f.FieldID, "0"})
	if f.shape() == shapeObject {
		items = c.property([]string{f.FieldID})
	}
	properties, _ := items["properties"].(map[string]any)
	for i := range f.SubFields {
		sub := &f.SubFields[i]
		q := sub.question()
		property, known := properties[sub.FieldID].(map[string]any)
		if !known {
			continue
		}
		if value, ok := subValue(q, property); ok {
			row[sub.FieldID] = value
		}
	}
	return row
}

func subValue(q question, property map[string]any) (any, bool) {
	example, ok := coerce(q.example, q.shape())
	enum, closed := property["enum"].([]any)
	if n, isNumber := example.(json.Number); isNumber && property["type"] == "string" {
		example = string(n)
	}
	if ok && (!closed || slices.Contains(enum, example)) {
		return example, true
	}
	if text, isText := example.(string); isText {
		if named := optionsNamed(q.traits.Options, text); len(named) > 0 {
			return named[0], true
		}
	}
	if values := derive(property); len(values) > 0 {
		return values[0], true
	}
	return nil, false
}

// derive lists values from a property's schema alone.
func derive(property map[string]any) []any {
	if enum, ok := property["enum"].([]any); ok {
		return enum
	}
	var list []any
	for _, t := range typesOf(property) {
		list = append(list, deriveType(t, property)...)
	}
	return list
}

func typesOf(property map[string]any) []string {
	switch t := property["type"].(type) {
	case string:
		return []string{t}
	case []any:
		var names []string
		for _, name := range t {
			names = append(names, textOf(name))
		}
		return names
	}
	return nil
}

func deriveType(t string, property map[string]any) []any {
	switch t {
	case "boolean":
		return []any{false, true}
	case "number", "integer":
		return deriveNumber(property)
	case "string":
		return deriveText(property)
	case "array":
		return deriveList(property)
	case "object":
		return []any{deriveObject(property)}
	}
	return nil
}

func deriveNumber(property map[string]any) []any {
	list := []any{json.Number("1"), json.Number("0")}
	for _, key := range []string{"minimum", "maximum"} {
		if bound, ok := property[key].(json.Number); ok {
			list = append([]any{bound}, list...)
		}
	}
	return list
}

// typicalTexts suit the formats and the usual patterns.
var typicalTexts = []any{
	"Example", "2000-01-15", "person@example.com", "https://example.com/", "05", "15", "1",
	"1000", "2000", "62701", "123-45-6789", "555-010-0199", "2000-01", "12:30",
}

// Bounds of values that are derived.
const (
	maxDerivedLength  = 1000
	maxDerivedEntries = 20
)

func deriveText(property map[string]any) []any {
	list := slices.Clone(typicalTexts)
	if pattern := textOf(property["pattern"]); pattern != "" {
		list = append(list, Matching(pattern))
	}
	if least, ok := number(property["minLength"]); ok && least.IsInt() && least.Num().IsInt64() {
		n := int(min(least.Num().Int64(), maxDerivedLength))
		list = append(list, strings.Repeat("a", n), strings.Repeat("1", n))
	}
	return list
}

// Matching is a short text that the expression most likely matches; empty when
// it cannot be read.
func Matching(pattern string) string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	return shortest(parsed)
}

// shortest is a text that the expression matches.
func shortest(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		return string(firstRune(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpCapture, syntax.OpPlus, syntax.OpAlternate:
		return shortest(re.Sub[0])
	case syntax.OpRepeat:
		return strings.Repeat(shortest(re.Sub[0]), re.Min)
	case syntax.OpConcat:
		var out strings.Builder
		for _, part := range re.Sub {
			out.WriteString(shortest(part))
		}
		return out.String()
	}
	return ""
}

// firstRune prefers a letter or a digit over the control characters that a
// negated class begins with.
func firstRune(ranges []rune) rune {
	for _, wanted := range []rune{'a', 'A', '1'} {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= wanted && wanted <= ranges[i+1] {
				return wanted
			}
		}
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}

func deriveList(property map[string]any) []any {
	items, _ := property["items"].(map[string]any)
	entries := derive(items)
	if len(entries) == 0 {
		return []any{[]any{}}
	}
	n := 1
	if least, ok := number(property["minItems"]); ok && least.IsInt() && least.Num().Int64() > 1 {
		n = int(min(least.Num().Int64(), maxDerivedEntries))
	}
	list := make([]any, n)
	for i := range list {
		list[i] = entries[i%len(entries)]
	}
	return []any{list, []any{}}
}

func deriveObject(property map[string]any) map[string]any {
	properties, _ := property["properties"].(map[string]any)
	required, _ := property["required"].([]any)
	result := map[string]any{}
	for _, name := range required {
		inner, _ := properties[textOf(name)].(map[string]any)
		if values := derive(inner); len(values) > 0 {
			result[textOf(name)] = values[0]
		}
	}
	if _, ok := result["content_base64"]; ok {
		result["content_base64"] = "ZXhhbXBsZQo="
	}
	return result
}
