package wizard

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/nearest"
)

// property is the schema of the value at a location, or nil.
func (c *Contract) property(tokens []string) map[string]any {
	schema := c.document
	for _, token := range tokens {
		schema = c.resolved(schema)
		properties, _ := schema["properties"].(map[string]any)
		if next, ok := properties[token].(map[string]any); ok {
			schema = next
			continue
		}
		next, ok := schema["items"].(map[string]any)
		if _, err := strconv.Atoi(token); err != nil || !ok {
			return nil
		}
		schema = next
	}
	return c.resolved(schema)
}

// resolved follows one reference inside the schema.
func (c *Contract) resolved(schema map[string]any) map[string]any {
	ref, ok := schema["$ref"].(string)
	if !ok || !strings.HasPrefix(ref, "#/") {
		return schema
	}
	target, ok := lookUp(c.document, strings.Split(ref[2:], "/")).(map[string]any)
	if !ok {
		return schema
	}
	return target
}

// lastName is the id of the innermost field of a location.
func lastName(tokens []string) string {
	for i := len(tokens) - 1; i >= 0; i-- {
		if _, err := strconv.Atoi(tokens[i]); err != nil {
			return tokens[i]
		}
	}
	return ""
}

// label is what a person calls the value at a location.
func (c *Contract) label(tokens []string) string {
	if len(tokens) == 0 {
		return ""
	}
	f := c.w.Field(tokens[0])
	if f == nil {
		return orElse(textOf(c.property(tokens)["title"]), lastName(tokens))
	}
	label := f.Label
	for _, token := range tokens[1:] {
		if sub := f.subField(token); sub != nil {
			return label + ": " + sub.Title()
		}
		if row, err := strconv.Atoi(token); err == nil && f.shape() == shapeRows {
			label = fmt.Sprintf("%s, row %d", f.Label, row+1)
		}
	}
	return label
}

// question is the field or sub-field at a location, if there is one.
func (c *Contract) question(tokens []string) (q question, s shape, ok bool) {
	if len(tokens) == 0 {
		return question{}, 0, false
	}
	f := c.w.Field(tokens[0])
	if f == nil {
		return question{}, 0, false
	}
	if sub := f.subField(lastName(tokens)); sub != nil && len(tokens) > 1 {
		q = sub.question()
		return q, q.shape(), true
	}
	return f.question(), f.shape(), true
}

// exampleText is an example for the value at a location, as text.
func (c *Contract) exampleText(tokens []string) string {
	if q, s, ok := c.question(tokens); ok {
		if example, ok := coerce(q.example, s); ok {
			return plainText(example)
		}
		if len(q.traits.Options) > 0 {
			return q.traits.Options[0].Value
		}
	}
	property := c.property(tokens)
	for _, key := range []string{"examples", "enum"} {
		if values, ok := property[key].([]any); ok && len(values) > 0 {
			return plainText(values[0])
		}
	}
	return ""
}

func plainText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	return word(value)
}

func textOf(value any) string {
	text, _ := value.(string)
	return text
}

// optionMeant points from a label, or a misspelt value, to the option's value.
func (c *Contract) optionMeant(tokens []string, got any, want []any) string {
	text, ok := got.(string)
	if !ok {
		return ""
	}
	if q, _, ok := c.question(tokens); ok {
		for _, option := range q.traits.Options {
			if nearest.Same(option.Label, text) {
				return "; did you mean " + strconv.Quote(option.Value) + "?"
			}
		}
	}
	var values []string
	for _, value := range want {
		values = append(values, plainText(value))
	}
	if best := nearest.Name(text, values); best != "" {
		return "; did you mean " + strconv.Quote(best) + "?"
	}
	return ""
}

// expected says in words what a property takes.
func expected(property map[string]any) string {
	if enum, ok := property["enum"].([]any); ok && len(enum) > 0 {
		return "one of the allowed values"
	}
	if properties, ok := property["properties"].(map[string]any); ok && properties["content_base64"] != nil {
		return "a file: an object with name and content_base64, or a path"
	}
	if words, ok := patternWords[textOf(property["pattern"])]; ok {
		return words + bounds(property)
	}
	switch t := property["type"].(type) {
	case string:
		return expectedType(t, property) + bounds(property)
	case []any:
		words := make([]string, len(t))
		for i, name := range t {
			words[i] = typeWord(textOf(name))
		}
		return strings.Join(words, " or ") + bounds(property)
	}
	return "a value that fits the schema"
}

func expectedType(t string, property map[string]any) string {
	format := textOf(property["format"])
	switch {
	case t == "string" && format != "":
		return formatWords(format)
	case t == "array":
		if items, ok := property["items"].(map[string]any); ok {
			return "a list; each entry: " + expected(items)
		}
	}
	return typeWord(t)
}

func bounds(property map[string]any) string {
	low, hasLow := property["minimum"]
	high, hasHigh := property["maximum"]
	switch {
	case hasLow && hasHigh:
		return fmt.Sprintf(", from %v to %v", low, high)
	case hasLow:
		return fmt.Sprintf(", at least %v", low)
	case hasHigh:
		return fmt.Sprintf(", at most %v", high)
	}
	return ""
}

// topLevel is the property that a JSON pointer leads into.
func topLevel(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return name
}

// suggestion is the end of a sentence about an unknown name.
func suggestion(name string, candidates []string) string {
	if best := nearest.Name(name, candidates); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}
