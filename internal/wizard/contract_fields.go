package wizard

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Expressions for the formats that have one. A field's own pattern wins.
const (
	integerText  = `^-?[0-9]+$`
	currencyText = `^-?[0-9]+(\.[0-9]{1,2})?$`
	dateText     = `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`
	monthText    = `^[0-9]{4}-(0[1-9]|1[0-2])$`
	timeText     = `^([01][0-9]|2[0-3]):[0-5][0-9]$`
	phoneText    = `^\+?[0-9(][0-9 ().-]{5,18}[0-9]$`
	ssnText      = `^[0-9]{3}-?[0-9]{2}-?[0-9]{4}$`
	zipText      = `^[0-9]{5}(-[0-9]{4})?$`
	urlText      = `^https?://[^\s]+$`
)

// patternWords says what the expressions mean.
var patternWords = map[string]string{
	numericText: "a number: digits only, like 1200.50", integerText: "a whole number: digits only, like 1200",
	currencyText: "an amount: digits only, like 1200.50", dateText: "a date: YYYY-MM-DD",
	monthText: "a month: YYYY-MM", timeText: "a time: HH:MM, 24 hours",
	phoneText: "a telephone number", ssnText: "a Social Security number: 123-45-6789",
	zipText: "a ZIP code: 12345 or 12345-6789", urlText: "a web address",
	`\S`: "a text that is not blank",
}

var datePattern = lazyregexp.New(dateText)

// formatWords says what the formats of JSON Schema mean.
func formatWords(format string) string {
	switch format {
	case "date":
		return patternWords[dateText]
	case "email":
		return "an e-mail address"
	case "uri":
		return patternWords[urlText]
	}
	return "a valid " + format
}

// fieldSchema is the property of one field.
func fieldSchema(f *Field) pairs {
	switch f.shape() {
	case shapeRows:
		return rowsSchema(f)
	case shapeObject:
		return append(intro(f.question()), groupSchema(f)...)
	}
	return questionSchema(f.question(), f.shape())
}

func rowsSchema(f *Field) pairs {
	schema := intro(f.question()).with("type", "array")
	if n := f.fewest(); n > 0 {
		schema = append(schema, pair{"minItems", n})
	}
	if f.MaxInstances > 0 {
		schema = append(schema, pair{"maxItems", f.MaxInstances})
	}
	return append(schema, pair{"items", groupSchema(f)})
}

// fewest is how many rows are needed when rows are given at all. The group of a
// required field without a minimum needs one.
func (f *Field) fewest() int {
	if f.Required {
		return max(1, f.MinInstances)
	}
	return f.MinInstances
}

func groupSchema(f *Field) pairs {
	required, properties := []any{}, pairs{}
	for i := range f.SubFields {
		sub := &f.SubFields[i]
		q := sub.question()
		properties = append(properties, pair{sub.FieldID, questionSchema(q, q.shape())})
		if sub.Required && sub.VisibleWhen == nil {
			required = append(required, sub.FieldID)
		}
	}
	schema := pairs{{"type", "object"}, {"required", required}, {"properties", properties}, {"additionalProperties", false}}
	return schema.with("allOf", demandRules(nil, f.subDemands(true), renderer{}))
}

// intro is what a person reads first.
func intro(q question) pairs {
	return pairs{}.with("title", q.label).with("description", q.describe())
}

func questionSchema(q question, s shape) pairs {
	schema := append(intro(q), valueSchema(q, s)...)
	if example, ok := coerce(q.example, s); ok {
		if n, isNumber := example.(json.Number); isNumber && q.traits.Pattern != "" {
			example = string(n)
		}
		schema = append(schema, pair{"examples", []any{example}})
	}
	return schema
}

func valueSchema(q question, s shape) pairs {
	t := q.traits
	switch s {
	case shapeBoolean:
		if t.MustBeTrue {
			return pairs{{"type", "boolean"}, {"const", true}}
		}
		return pairs{{"type", "boolean"}}
	case shapeChoice:
		return pairs{{"type", "string"}, {"enum", optionValues(t.Options)}}
	case shapeChoices:
		return choicesSchema(q)
	case shapeDate:
		return pairs{{"type", "string"}, {"format", "date"}, {"pattern", dateText}}
	case shapeFile:
		return fileSchema(q)
	case shapeInteger:
		return numberSchema(q, "integer", integerText)
	case shapeNumber:
		if t.Format == "currency" {
			return numberSchema(q, "number", currencyText)
		}
		return numberSchema(q, "number", numericText)
	}
	return textSchema(q)
}

// numberSchema takes the number and the text that spells it: forms are typed in
// digits, and models send both. Each keyword concerns one of the two types. With
// a pattern of its own a field takes only the text: no schema can hold a number
// to a spelling such as "05".
func numberSchema(q question, jsonType, pattern string) pairs {
	t := q.traits
	types := any([]any{jsonType, "string"})
	if t.Pattern != "" {
		types, pattern = "string", t.Pattern
	}
	return pairs{{"type", types}, {"pattern", pattern}}.
		with("minimum", t.Minimum).with("maximum", t.Maximum).
		with("minLength", t.MinLength).with("maxLength", t.MaxLength)
}

func choicesSchema(q question) pairs {
	items := pairs{{"type", "string"}}.with("enum", optionValues(q.traits.Options))
	schema := pairs{{"type", "array"}, {"items", items}, {"uniqueItems", true}}
	if q.required {
		schema = append(schema, pair{"minItems", 1})
	}
	var rules []any
	for _, option := range q.traits.Options {
		if option.Exclusive {
			rules = append(rules, object{
				"if":   object{"contains": object{"const": option.Value}},
				"then": object{"maxItems": 1},
			})
		}
	}
	return schema.with("allOf", rules)
}

// fileSchema takes the file itself, or a path on the machine that runs the form.
func fileSchema(q question) pairs {
	file := pairs{
		{"type", []any{"object", "string"}}, {"minLength", 1},
		{"required", []any{"name", "content_base64"}},
		{"properties", pairs{
			{"name", pairs{{"type", "string"}, {"minLength", 1}}},
			{"content_base64", pairs{{"type", "string"}, {"contentEncoding", "base64"}}},
			{"content_type", pairs{{"type", "string"}}},
		}},
		{"additionalProperties", false},
	}
	if !q.traits.Multiple {
		return file
	}
	schema := pairs{{"type", "array"}, {"items", file}}
	if q.required {
		schema = append(schema, pair{"minItems", 1})
	}
	return schema
}

func textSchema(q question) pairs {
	t := q.traits
	schema := pairs{{"type", "string"}}
	pattern := t.Pattern
	switch t.Format {
	case "email":
		schema = append(schema, pair{"format", "email"})
	case "month":
		pattern = orElse(pattern, monthText)
	case "time":
		pattern = orElse(pattern, timeText)
	case "phone":
		pattern = orElse(pattern, phoneText)
	case "ssn":
		pattern = orElse(pattern, ssnText)
	case "zip":
		pattern = orElse(pattern, zipText)
	case "url":
		pattern = orElse(pattern, urlText)
	}
	if q.required {
		pattern = orElse(pattern, notBlank.String())
	}
	return schema.with("pattern", pattern).with("minLength", t.MinLength).with("maxLength", t.MaxLength)
}

func orElse(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

func optionValues(options []Option) []any {
	values := make([]any, len(options))
	for i, option := range options {
		values[i] = option.Value
	}
	return values
}

const maxExplained = 20 // options whose labels a description spells out

// describe is the field's own description (or the notes of v1.1), followed by
// what the page calls the options when that differs from their values.
func (q question) describe() string {
	text := orElse(q.traits.Description, q.notes)
	var named []string
	for _, option := range q.traits.Options {
		if option.Label != "" && option.Label != option.Value {
			named = append(named, fmt.Sprintf("%s = %s", option.Value, option.Label))
		}
	}
	if len(named) == 0 || len(named) > maxExplained {
		return text
	}
	return strings.TrimSpace(text + " Options: " + strings.Join(named, "; ") + ".")
}
