package wizard

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
)

// object is a JSON object of a schema under construction.
type object = map[string]any

// schema is the condition as a JSON Schema of the whole answers. It is valid
// exactly for the answers for which the condition holds.
func (c *Condition) schema() object { return renderer{}.schema(c) }

// renderer writes conditions as schemas. Those that have a name are written as
// references to it.
type renderer struct{ names map[string]string }

func (r renderer) schema(c *Condition) object {
	if name, ok := r.names[c.key()]; ok {
		return object{"$ref": "#/definitions/" + name}
	}
	return r.spelled(c)
}

func (r renderer) spelled(c *Condition) object {
	switch {
	case len(c.All) > 0:
		return object{"allOf": r.schemas(c.All)}
	case len(c.Any) > 0:
		return object{"anyOf": r.schemas(c.Any)}
	case c.Not != nil:
		return object{"not": r.schema(c.Not)}
	}
	return c.leafSchema()
}

func (r renderer) schemas(parts []Condition) []any {
	list := make([]any, len(parts))
	for i := range parts {
		list[i] = r.schema(&parts[i])
	}
	return list
}

// key identifies a condition by what it says.
func (c *Condition) key() string { return word(c) }

// named gives a name to each compound condition that is used more than once and
// returns what the names stand for. Pages of one branch share their conditions,
// and a contract is read by models that pay for every character.
func named(conditions []*Condition) (renderer, object) {
	r := renderer{names: map[string]string{}}
	uses := map[string]int{}
	definitions := object{}
	for _, condition := range conditions {
		condition.walk("", func(part *Condition, _ string) {
			if part.FieldID != "" {
				return
			}
			key := part.key()
			if uses[key]++; uses[key] == 2 {
				r.names[key] = fmt.Sprintf("condition_%d", len(r.names)+1)
			}
		})
	}
	for _, condition := range conditions {
		condition.walk("", func(part *Condition, _ string) {
			if name, ok := r.names[part.key()]; ok && definitions[name] == nil {
				definitions[name] = r.spelled(part)
			}
		})
	}
	return r, definitions
}

func (c *Condition) leafSchema() object {
	switch c.operator() {
	case opEquals:
		return where(c.FieldID, equalSchema(c.operand()))
	case opNotEquals:
		return object{"not": where(c.FieldID, equalSchema(c.operand()))}
	case opIn:
		return where(c.FieldID, anySchema(c.operands()))
	case opNotIn:
		return object{"not": where(c.FieldID, anySchema(c.operands()))}
	case opPresent:
		return where(c.FieldID, givenSchema())
	case opAbsent:
		return object{"not": where(c.FieldID, givenSchema())}
	case opContains:
		return where(c.FieldID, containsSchema(c.operand()))
	}
	bound, ok := number(c.operand())
	if _, isDay := day(c.operand()); isDay {
		return where(c.FieldID, dateOrder(c.Op, c.operand().(string)))
	}
	if !ok {
		return object{"not": object{}}
	}
	return where(c.FieldID, orderSchema(c.Op, bound))
}

// where demands the field and a value that fits.
func where(id string, value object) object {
	return object{"required": []any{id}, "properties": object{id: value}}
}

// givenSchema is the schema of given: each keyword concerns one type only.
func givenSchema() object {
	return object{
		"type":    []any{"string", "number", "boolean", "array", "object"},
		"pattern": notBlank.String(), "minItems": 1,
	}
}

func equalSchema(want any) object {
	switch w := want.(type) {
	case bool:
		return object{"enum": []any{w, boolWord(w)}}
	case json.Number:
		value, ok := number(w)
		if !ok {
			break
		}
		return object{"anyOf": []any{
			object{"const": w},
			object{"type": "string", "pattern": equalText(value)},
		}}
	case string:
		if values := spellings(w); given(w) && len(values) == 1 {
			return object{"const": w}
		} else if given(w) {
			return object{"enum": values}
		}
	}
	return object{"not": object{}}
}

// spellings are the values that a text stands for.
func spellings(text string) []any {
	values := []any{text}
	if value, ok := number(text); ok {
		values = append(values, json.Number(exact(value)))
	}
	switch text {
	case "true":
		values = append(values, true)
	case "false":
		values = append(values, false)
	}
	return values
}

// anySchema merges plain values into one enum, which is what people read best.
func anySchema(wants []any) object {
	var values, others []any
	for _, want := range wants {
		schema := equalSchema(want)
		if plain, ok := schema["enum"].([]any); ok {
			values = append(values, plain...)
			continue
		}
		if text, ok := schema["const"]; ok {
			values = append(values, text)
			continue
		}
		others = append(others, schema)
	}
	if len(others) == 0 && len(values) > 0 {
		return object{"enum": unique(values)}
	}
	if len(values) > 0 {
		others = append(others, object{"enum": unique(values)})
	}
	if len(others) == 0 {
		return object{"not": object{}}
	}
	return object{"anyOf": others}
}

// unique drops repeated values: an enum must not have any.
func unique(values []any) []any {
	seen := map[any]bool{}
	var list []any
	for _, value := range values {
		key := value
		if n, ok := value.(json.Number); ok {
			key = "number " + string(n)
		}
		if seen[key] {
			continue
		}
		seen[key] = true
		list = append(list, value)
	}
	return list
}

func containsSchema(want any) object {
	entries := object{"type": "array", "contains": equalSchema(want)}
	part, ok := want.(string)
	if !ok {
		return entries
	}
	return object{"anyOf": []any{
		entries,
		object{"type": "string", "allOf": []any{
			object{"pattern": notBlank.String()},
			object{"pattern": regexp.QuoteMeta(part)},
		}},
	}}
}

// orderSchema compares numbers with the keywords for them, and texts that spell
// numbers with generated expressions.
func orderSchema(op string, bound *big.Rat) object {
	keyword := map[string]string{
		opGT: "exclusiveMinimum", opGTE: "minimum", opLT: "exclusiveMaximum", opLTE: "maximum",
	}[op]
	number := object{"type": "number", keyword: json.Number(exact(bound))}
	return object{"anyOf": []any{number, orderText(op, bound)}}
}

// exact is the decimal spelling of a number that came from JSON.
func exact(r *big.Rat) string {
	whole, fraction := magnitude(r)
	text := whole
	if fraction != "" {
		text += "." + fraction
	}
	if r.Sign() < 0 {
		text = "-" + text
	}
	return text
}

func orderText(op string, bound *big.Rat) object {
	switch op {
	case opGT:
		return aboveText(bound, false)
	case opGTE:
		return aboveText(bound, true)
	case opLT:
		return numericUnless(aboveText(bound, true))
	}
	return numericUnless(aboveText(bound, false))
}

// aboveText matches texts of numbers above the bound (or at it). Below zero,
// "above" means: not as far below.
func aboveText(bound *big.Rat, orEqual bool) object {
	if bound.Sign() > 0 || (bound.Sign() == 0 && !orEqual) {
		return object{"type": "string", "pattern": "^" + magnitudeAbove(bound, orEqual) + "$"}
	}
	return numericUnless(object{"pattern": "^-" + magnitudeAbove(bound, !orEqual) + "$"})
}

func numericUnless(excluded object) object {
	return object{"type": "string", "pattern": numericText, "not": excluded}
}
