package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/check"
)

// direction is who writes what a schema describes: the client writes arguments, the server
// results. What is loosened is more work for who reads.
type direction bool

const (
	input  direction = false
	output direction = true
)

// looser and tighter are the verdicts on a schema that allows more or less than before.
func (r direction) looser() Verdict {
	if r == output {
		return Breaking
	}
	return Additive
}

func (r direction) tighter() Verdict {
	if r == output {
		return Additive
	}
	return Breaking
}

// mostNested bounds how deep schemas are compared.
const mostNested = 40

// schemas compares two schemas.
func (d *differ) schemas(pointer string, r direction, s [2]any) {
	c := &comparison{differ: d, dir: r, roots: s, other: !equal(s[0], s[1]), seen: map[string]bool{"# #": true}}
	c.compare(pointer, s, 0)
}

// comparison is that of two schemas with their definitions.
type comparison struct {
	*differ
	dir   direction
	roots [2]any
	other bool            // the roots are not the same
	seen  map[string]bool // pairs of references that are compared already
}

// compare compares two schemas at one place.
func (c *comparison) compare(pointer string, s [2]any, depth int) {
	if equal(s[0], s[1]) && !c.refers(s) {
		return
	}
	if depth > mostNested {
		c.turned(Breaking, pointer, "a schema is nested too deep to be compared", s)
		return
	}
	pair := fmt.Sprint(reference(s[0]), " ", reference(s[1]))
	if pair != " " {
		if c.seen[pair] {
			return
		}
		c.seen[pair] = true
	}
	a, okA := c.resolve(0, s[0])
	b, okB := c.resolve(1, s[1])
	if !okA || !okB {
		c.booleans(pointer, s)
		return
	}
	for _, k := range both(a, b) {
		v, had := a[k]
		w, has := b[k]
		c.keyword(keyword{check.Under(pointer, k), k, had, has, [2]any{v, w}}, [2]map[string]any{a, b}, depth)
	}
}

// refers reports whether schemas that look the same may mean something else.
func (c *comparison) refers(s [2]any) bool {
	if !c.other {
		return false
	}
	b, err := json.Marshal(s[0])
	return err == nil && strings.Contains(string(b), `"$ref"`)
}

func reference(v any) string {
	m, _ := v.(map[string]any)
	ref, _ := m["$ref"].(string)
	return ref
}

// resolve follows references within the same schema.
func (c *comparison) resolve(side int, v any) (map[string]any, bool) {
	for range mostNested {
		m, ok := v.(map[string]any)
		ref := reference(v)
		if !ok || ref == "" || !strings.HasPrefix(ref, "#") {
			return m, ok
		}
		target, found := at(c.roots[side], ref[1:])
		if !found || len(ref) > 1 && ref[1] != '/' {
			return m, ok
		}
		more, isMap := target.(map[string]any)
		if !isMap {
			return m, ok
		}
		joined := maps.Clone(more) // what stands beside the reference counts too
		for k, w := range m {
			if k != "$ref" {
				joined[k] = w
			}
		}
		v = joined
	}
	return nil, false
}

// booleans compares schemas of which one is true, false or absent.
func (c *comparison) booleans(pointer string, s [2]any) {
	allows := func(v any) bool { return v != false }
	switch {
	case equal(s[0], s[1]):
	case allows(s[0]) && !allows(s[1]), s[0] == true || s[0] == nil:
		c.turned(c.dir.tighter(), pointer, "less is allowed", s)
	case !allows(s[0]) || s[1] == true || s[1] == nil:
		c.turned(c.dir.looser(), pointer, "more is allowed", s)
	default:
		c.turned(Breaking, pointer, "the schema is another", s)
	}
}

// keyword is one keyword of two schemas.
type keyword struct {
	at       string
	name     string
	had, has bool
	values   [2]any
}

// words are the keywords that constrain nothing.
var words = map[string]bool{"description": true, "title": true, "examples": true, "$comment": true, "$id": true, "$schema": true, "deprecated": true, "readOnly": true, "writeOnly": true}

// keyword compares one keyword.
func (c *comparison) keyword(k keyword, schemas [2]map[string]any, depth int) {
	switch {
	case k.name == "properties":
		c.properties(k, schemas, depth)
	case k.name == "required":
		c.required(k, schemas)
	case k.name == "$defs" || k.name == "definitions" || k.name == "$ref":
	case k.name == "items" || k.name == "additionalProperties" || k.name == "contains" || k.name == "propertyNames":
		c.nested(k, depth)
	case equal(k.values[0], k.values[1]) && k.had == k.has:
		c.alike(k, depth)
	case words[k.name]:
		c.turned(Cosmetic, k.at, k.name+" changed", k.values)
	case k.name == "type":
		c.sets(k, typeSet)
	case k.name == "enum":
		c.sets(k, enumSet)
	case strings.HasPrefix(k.name, "x-") && k.name != "x-mcp-header":
		c.turned(Cosmetic, k.at, k.name+" changed", k.values)
	case k.name == "default" && !k.had:
		c.turned(Cosmetic, k.at, "the default is told", k.values)
	case k.name == "default":
		c.turned(Breaking, k.at, "the default changed", k.values)
	default:
		c.bound(k)
	}
}

// alike compares the schemas in a keyword that looks the same: what they refer to may be
// another thing, such as the definition of an alternative.
func (c *comparison) alike(k keyword, depth int) {
	switch k.name {
	case "anyOf", "oneOf", "allOf", "prefixItems":
		list, _ := k.values[0].([]any)
		for n, v := range list {
			c.compare(check.Under(k.at, strconv.Itoa(n)), [2]any{v, v}, depth+1)
		}
	case "patternProperties", "dependentSchemas":
		group, _ := k.values[0].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(group)) {
			c.compare(check.Under(k.at, name), [2]any{group[name], group[name]}, depth+1)
		}
	}
}

// properties compares the properties of an object.
func (c *comparison) properties(k keyword, schemas [2]map[string]any, depth int) {
	a, _ := k.values[0].(map[string]any)
	b, _ := k.values[1].(map[string]any)
	for _, name := range both(a, b) {
		v, had := a[name]
		w, has := b[name]
		here := check.Under(k.at, name)
		switch {
		case !has:
			c.turned(Breaking, here, "a property is gone", [2]any{v, nil})
		case !had && slices.Contains(requiredOf(schemas[1]), name):
			c.turned(c.dir.tighter(), here, "a property is new, and required", [2]any{nil, w})
		case !had:
			c.turned(Additive, here, "a property is new", [2]any{nil, w})
		default:
			c.compare(here, [2]any{v, w}, depth+1)
		}
	}
}

func requiredOf(schema map[string]any) []string {
	list, _ := schema["required"].([]any)
	var out []string
	for _, v := range list {
		if name, ok := v.(string); ok {
			out = append(out, name)
		}
	}
	return out
}

// required compares what must be there, of properties that both have.
func (c *comparison) required(k keyword, schemas [2]map[string]any) {
	a, b := requiredOf(schemas[0]), requiredOf(schemas[1])
	known := func(side int, name string) bool {
		p, _ := schemas[side]["properties"].(map[string]any)
		_, ok := p[name]
		return ok
	}
	for _, name := range b {
		if !slices.Contains(a, name) && (known(0, name) || !known(1, name)) {
			c.add(c.dir.tighter(), k.at, "the property "+shown(name)+" is required now")
		}
	}
	for _, name := range a {
		if !slices.Contains(b, name) && (known(1, name) || !known(0, name)) {
			c.add(c.dir.looser(), k.at, "the property "+shown(name)+" is no longer required")
		}
	}
}

// nested compares the schema of what is inside.
func (c *comparison) nested(k keyword, depth int) {
	open := map[string]bool{"additionalProperties": true}[k.name]
	values := k.values
	for n, given := range []bool{k.had, k.has} {
		if !given && open {
			values[n] = true // what is not forbidden is allowed
		}
	}
	c.compare(k.at, values, depth+1)
}

// sets compares what is allowed as sets.
func (c *comparison) sets(k keyword, set func(any) ([]string, bool)) {
	a, okA := set(k.values[0])
	b, okB := set(k.values[1])
	lost := slices.ContainsFunc(a, func(v string) bool { return !slices.Contains(b, v) })
	won := slices.ContainsFunc(b, func(v string) bool { return !slices.Contains(a, v) })
	switch {
	case !okA && !okB:
		c.turned(Breaking, k.at, k.name+" changed", k.values)
	case !okA:
		c.turned(c.dir.tighter(), k.at, "only certain values are allowed now", k.values)
	case !okB:
		c.turned(c.dir.looser(), k.at, "any value is allowed now", k.values)
	case lost && won:
		c.turned(Breaking, k.at, k.name+" changed", k.values)
	case lost:
		c.turned(c.dir.tighter(), k.at, k.name+" allows less", k.values)
	case won:
		c.turned(c.dir.looser(), k.at, k.name+" allows more", k.values)
	}
}

// typeSet are the types that a schema allows; false when it allows all.
func typeSet(v any) ([]string, bool) {
	var out []string
	switch v := v.(type) {
	case string:
		out = []string{v}
	case []any:
		for _, one := range v {
			name, _ := one.(string)
			out = append(out, name)
		}
	default:
		return nil, false
	}
	if slices.Contains(out, "number") && !slices.Contains(out, "integer") {
		out = append(out, "integer") // which are numbers
	}
	return out, true
}

// enumSet are the values of an enum; false when there is none.
func enumSet(v any) ([]string, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	out := make([]string, len(list))
	for n, one := range list {
		b, err := json.Marshal(one)
		if err != nil {
			return nil, false
		}
		out[n] = string(b)
	}
	return out, true
}

// bounds are the keywords whose number bounds something: true from below.
var bounds = map[string]bool{
	"minimum": true, "exclusiveMinimum": true, "minLength": true, "minItems": true, "minProperties": true, "minContains": true,
	"maximum": false, "exclusiveMaximum": false, "maxLength": false, "maxItems": false, "maxProperties": false, "maxContains": false,
}

// constraints are the other keywords that only ever allow less.
var constraints = map[string]bool{"pattern": true, "format": true, "const": true, "multipleOf": true, "uniqueItems": true, "not": true, "dependentRequired": true, "allOf": true}

// bound compares keywords that bound or constrain.
func (c *comparison) bound(k keyword) {
	below, isBound := bounds[k.name]
	a, okA := number(k.values[0])
	b, okB := number(k.values[1])
	switch {
	case !isBound && !constraints[k.name]:
		c.turned(Breaking, k.at, k.name+" changed, in a way that is not understood here", k.values)
	case !k.had:
		c.turned(c.dir.tighter(), k.at, k.name+" is new", k.values)
	case !k.has:
		c.turned(c.dir.looser(), k.at, k.name+" is gone", k.values)
	case !isBound || !okA || !okB:
		c.turned(Breaking, k.at, k.name+" changed", k.values)
	case (b > a) == below:
		c.turned(c.dir.tighter(), k.at, k.name+" allows less", k.values)
	default:
		c.turned(c.dir.looser(), k.at, k.name+" allows more", k.values)
	}
}

func number(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}
