package check

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Generate makes a value that conforms to a JSON Schema, always the same for the same
// schema: what the schema itself gives (const, default, examples, enum) is taken first,
// and only required properties are set. It fails when what it makes does not conform,
// because the schema cannot be met or is beyond it.
func Generate(schema json.RawMessage) (json.RawMessage, error) {
	root, err := decode(schema)
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	v, err := generate(root)
	if err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

func generate(root any) (any, error) {
	s, _, err := Compile(root)
	if err != nil {
		return nil, err
	}
	g := maker{root: root, left: mostValues}
	v := g.value(root, 0)
	// what was made is checked as it will be sent
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write value: %w", err)
	}
	sent, err := decode(b)
	if err != nil {
		return nil, fmt.Errorf("read value: %w", err)
	}
	if err := Conforms(s, root, sent); err != nil {
		return nil, fmt.Errorf("no value for this schema was found: %w", err)
	}
	return sent, nil
}

// maker makes values for the schemas of one document.
type maker struct {
	root any
	left int // how many values may still be made
}

// mostValues bounds a value that branches and recurs.
const mostValues = 10_000

// deepestValue bounds values of recursive schemas.
const deepestValue = 12

func (g *maker) value(schema any, depth int) any {
	m, ok := schema.(map[string]any)
	g.left--
	if !ok || depth > deepestValue || g.left < 0 {
		return map[string]any{}
	}
	m = g.merged(m, depth)
	if v, ok := m["const"]; ok {
		return v
	}
	if v, ok := m["default"]; ok && v != nil {
		return v
	}
	for _, k := range []string{"examples", "enum"} {
		if list, _ := m[k].([]any); len(list) > 0 {
			return list[0]
		}
	}
	switch kind(m) {
	case "object":
		return g.object(m, depth)
	case "array":
		return g.array(m, depth)
	case "integer", "number":
		return number(m)
	case "boolean":
		return true
	case "null":
		return nil
	}
	return text(m)
}

// merged resolves $ref and allOf, and takes the first of oneOf and anyOf.
func (g *maker) merged(m map[string]any, depth int) map[string]any {
	out := map[string]any{}
	join(out, m)
	for n := 0; n < deepestValue; n++ {
		var more []any
		if ref, ok := out["$ref"].(string); ok {
			delete(out, "$ref")
			if v, found := resolve(g.root, ref); found && strings.HasPrefix(ref, "#") {
				more = append(more, v)
			}
		}
		if list, ok := out["allOf"].([]any); ok {
			delete(out, "allOf")
			more = append(more, list...)
		}
		for _, k := range []string{"oneOf", "anyOf"} {
			if list, ok := out[k].([]any); ok {
				delete(out, k)
				if v := g.plain(list); v != nil {
					more = append(more, v)
				}
			}
		}
		if len(more) == 0 {
			break
		}
		for _, v := range more {
			if inner, ok := v.(map[string]any); ok {
				join(out, inner)
			}
		}
	}
	return out
}

// plain is the first alternative that is not null.
func (g *maker) plain(list []any) any {
	for _, v := range list {
		if m, ok := v.(map[string]any); ok && m["type"] != "null" {
			return v
		}
	}
	return nil
}

// join adds the keywords of one schema to another; properties and required add up.
func join(to, from map[string]any) {
	for k, v := range from {
		old, there := to[k]
		switch {
		case k == "properties" && there:
			all := map[string]any{}
			for _, part := range []any{old, v} {
				props, _ := part.(map[string]any)
				for name, p := range props {
					all[name] = p
				}
			}
			to[k] = all
		case (k == "required" || k == "allOf") && there:
			a, _ := old.([]any)
			b, _ := v.([]any)
			to[k] = append(append([]any{}, a...), b...)
		case !there:
			to[k] = v
		}
	}
}

// kind is the type that a schema wants: its first that is not null, or what its other
// keywords mean.
func kind(m map[string]any) string {
	switch t := m["type"].(type) {
	case string:
		return t
	case []any:
		for _, v := range t {
			if s, ok := v.(string); ok && s != "null" {
				return s
			}
		}
		return "null"
	}
	for _, k := range []string{"properties", "required", "additionalProperties", "patternProperties", "minProperties"} {
		if m[k] != nil {
			return "object"
		}
	}
	if m["items"] != nil || m["prefixItems"] != nil || m["minItems"] != nil {
		return "array"
	}
	for _, k := range []string{"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"} {
		if m[k] != nil {
			return "number"
		}
	}
	return "string"
}

func (g *maker) object(m map[string]any, depth int) any {
	out := map[string]any{}
	props, _ := m["properties"].(map[string]any)
	required, _ := m["required"].([]any)
	for _, v := range required {
		name, _ := v.(string)
		if p, ok := props[name]; ok {
			out[name] = g.value(p, depth+1)
		} else {
			out[name] = g.value(m["additionalProperties"], depth+1)
		}
	}
	for _, name := range keys(props) {
		if len(out) >= small(m, "minProperties", 0) {
			break
		}
		out[name] = g.value(props[name], depth+1)
	}
	for _, name := range keys(props) {
		if v := g.brief(name, props[name], depth+1); v != nil {
			out[name] = v
		}
	}
	return out
}

// takesTime are properties that say how long a tool takes, in seconds or in a unit that
// is not known.
var takesTime = lazyregexp.New(`(?i)^(.*[_-])?(duration|delay|sleep|wait|pause)([_-]?(s|secs?|seconds|time))?$|^(secs?|seconds)$`)

// brief is a smaller number than the default of a property that says how long a tool
// takes: nobody learns more from a tool that waits for ten seconds. Nil leaves it alone.
func (g *maker) brief(name string, schema any, depth int) any {
	m, ok := schema.(map[string]any)
	if !ok || !takesTime.MatchString(name) || depth > deepestValue {
		return nil
	}
	m = g.merged(m, depth)
	usual := rational(m["default"])
	if k := kind(m); usual == nil || m["const"] != nil || m["enum"] != nil || k != "integer" && k != "number" {
		return nil
	}
	v := number(m)
	if less := rational(v); less == nil || less.Sign() <= 0 || less.Cmp(usual) >= 0 {
		return nil
	}
	return v
}

func (g *maker) array(m map[string]any, depth int) any {
	out := []any{}
	prefix, _ := m["prefixItems"].([]any)
	for _, p := range prefix {
		out = append(out, g.value(p, depth+1))
	}
	want := small(m, "minItems", 0)
	if m["contains"] != nil && want == 0 {
		want = 1
	}
	for n := len(out); n < want; n++ {
		v := g.value(m["items"], depth+1)
		if m["items"] == nil && m["contains"] != nil {
			v = g.value(m["contains"], depth+1)
		}
		if m["uniqueItems"] == true && n > 0 { // tell them apart
			switch was := v.(type) {
			case string:
				v = fmt.Sprintf("%s%d", was, n)
			case json.Number:
				if f, ok := new(big.Rat).SetString(was.String()); ok {
					v = exact(f.Add(f, big.NewRat(int64(n), 1)))
				}
			}
		}
		out = append(out, v)
	}
	return out
}

// small reads a count, at most 100.
func small(m map[string]any, key string, otherwise int) int {
	r := rational(m[key])
	if r == nil || r.Sign() < 0 {
		return otherwise
	}
	f, _ := r.Float64()
	return int(min(f, 100))
}

func rational(v any) *big.Rat {
	n, ok := v.(json.Number)
	if !ok || len(n) > 40 || strings.ContainsAny(n.String(), "eE") { // an exponent can stand for gigabytes
		return nil
	}
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return nil
	}
	return r
}

func exact(r *big.Rat) json.Number {
	if r.IsInt() {
		return json.Number(r.Num().String())
	}
	return json.Number(strings.TrimRight(r.FloatString(12), "0"))
}

// number is the smallest number from 1 on that conforms, or the largest below.
func number(m map[string]any) any {
	v := big.NewRat(1, 1)
	step := big.NewRat(1, 1)
	if by := rational(m["multipleOf"]); by != nil && by.Sign() > 0 {
		v, step = new(big.Rat).Set(by), by
	}
	ceil := func(limit *big.Rat, past bool) *big.Rat {
		q := new(big.Rat).Quo(limit, step)
		n := new(big.Int).Div(q.Num(), q.Denom()) // Euclidean: rounds down
		if past || !q.IsInt() {
			n.Add(n, big.NewInt(1))
		}
		return new(big.Rat).Mul(new(big.Rat).SetInt(n), step)
	}
	if low := rational(m["minimum"]); low != nil && v.Cmp(low) < 0 {
		v = ceil(low, false)
	}
	if low := rational(m["exclusiveMinimum"]); low != nil && v.Cmp(low) <= 0 {
		v = ceil(low, true)
	}
	if high := rational(m["maximum"]); high != nil && v.Cmp(high) > 0 {
		v = high
	}
	if high := rational(m["exclusiveMaximum"]); high != nil && v.Cmp(high) >= 0 {
		v = new(big.Rat).Sub(high, step)
	}
	return exact(v)
}

// formats have an example of each format (JSON Schema Validation 2020-12, 7.3), on
// addresses that belong to nobody (RFC 2606, RFC 5737).
var formats = map[string]string{
	"date-time": "2025-01-31T12:00:00Z", "date": "2025-01-31", "time": "12:00:00Z", "duration": "P1D",
	"email": "someone@example.com", "idn-email": "someone@example.com", "hostname": "example.com", "idn-hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com/", "uri-reference": "/a", "iri": "https://example.com/",
	"iri-reference": "/a", "url": "https://example.com/", "uuid": "00000000-0000-4000-8000-000000000000", "uri-template": "/a/{b}",
	"json-pointer": "/a", "relative-json-pointer": "0", "regex": "a", "byte": "YQ==", "binary": "a",
}

func text(m map[string]any) any {
	if f, _ := m["format"].(string); formats[f] != "" {
		return formats[f]
	}
	if p, ok := m["pattern"].(string); ok {
		if re, err := syntax.Parse(p, syntax.Perl); err == nil {
			var b strings.Builder
			match(&b, re.Simplify())
			if s := b.String(); s != "" {
				return fit(s, small(m, "minLength", 0), s[len(s)-1:])
			}
		}
	}
	s := fit("example", small(m, "minLength", 0), "x")
	if most := small(m, "maxLength", 100); len(s) > most {
		s = s[:most]
	}
	return s
}

func fit(s string, least int, more string) string {
	for utf8.RuneCountInString(s) < least {
		s += more
	}
	return s
}

// match writes a text that a simplified expression matches.
func match(b *strings.Builder, re *syntax.Regexp) {
	if b.Len() > 1000 {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			b.WriteRune(readable(re.Rune))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpCapture, syntax.OpPlus:
		match(b, re.Sub[0])
	case syntax.OpAlternate:
		match(b, re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			match(b, sub)
		}
	}
}

// readable picks a letter or digit of a class, if it has one.
func readable(class []rune) rune {
	for _, want := range "a1A" {
		for n := 0; n+1 < len(class); n += 2 {
			if class[n] <= want && want <= class[n+1] {
				return want
			}
		}
	}
	return class[0]
}
