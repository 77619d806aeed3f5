package check

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// document is the name of the schema that is compiled; nothing is ever loaded.
const document = "schema:"

// errExternal is why another document is not loaded.
var errExternal = errors.New("another document is not loaded")

type refuse struct{}

func (refuse) Load(url string) (any, error) { return nil, fmt.Errorf("%s: %w", url, errExternal) }

// anything stands for a pattern that this engine does not have, such as a lookahead.
type anything string

func (anything) MatchString(string) bool { return true }
func (a anything) String() string        { return string(a) }

// Compile compiles a schema, decoded with its numbers as they are written: 2020-12 when it
// names no other dialect (MCP 2025-11-25, JSON Schema Usage). It loads no other document,
// and fails when reading a value with it would take for ever. Patterns that the engine
// here does not have match anything; it gives them.
func Compile(schema any) (*jsonschema.Schema, []string, error) {
	if heavy(schema) {
		return nil, nil, errHeavy
	}
	if count(schema).nodes > affordable {
		return nil, nil, errBranches
	}
	var odd []string
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(refuse{})
	c.UseRegexpEngine(func(p string) (jsonschema.Regexp, error) {
		re, err := regexp.Compile(p)
		if err != nil {
			odd = append(odd, p)
			return anything(p), nil
		}
		return re, nil
	})
	if err := c.AddResource(document, schema); err != nil {
		return nil, odd, fmt.Errorf("read schema: %w", err)
	}
	s, err := c.Compile(document)
	if err != nil {
		return nil, odd, fmt.Errorf("compile schema: %w", err)
	}
	return s, odd, nil
}

// schemaLint checks one schema of a tool.
type schemaLint struct {
	run    *run
	item   item
	root   map[string]any
	at     string
	output bool

	defs             int    // how many references there are
	def              string // the first of them
	undescribed      []string
	external, broken bool
}

func (l *schemaLint) add(rule, pointer string, evidence any) {
	l.run.add(rule, l.item.at(l.at+pointer, evidence))
}

func (l *schemaLint) all() {
	l.node(l.root, "", 0)
	if l.defs > 0 && !l.output {
		l.add("schema-defs", l.def, fmt.Sprintf("%d references", l.defs))
	}
	if len(l.undescribed) > 0 && !l.output {
		l.add("property-description-missing", l.undescribed[0], strings.Join(l.undescribed, " "))
	}
	if !l.external && !l.broken {
		_, odd, err := Compile(l.root)
		if errors.Is(err, ErrComplex) {
			l.add("schema-complex", "", err)
		} else if err != nil {
			l.add("schema-invalid", "", strings.ReplaceAll(err.Error(), document+"#", ""))
		}
		if len(odd) > 0 {
			l.add("schema-pattern", "", odd[0])
		}
	}
}

// mostNamed is how many properties are named for want of a description.
const mostNamed = 100

// deepest bounds how deep a schema is read: a hostile one has no end.
const deepest = 64

// node checks one schema and those inside it.
func (l *schemaLint) node(v any, at string, depth int) {
	m, ok := v.(map[string]any)
	if !ok || depth > deepest {
		return
	}
	if ref, ok := m["$ref"].(string); ok {
		l.ref(ref, at)
	}
	l.enum(m, at)
	if props, ok := m["properties"].(map[string]any); ok {
		l.properties(m, props, at, depth)
	}
	if m["type"] == "array" && m["items"] == nil && m["prefixItems"] == nil && !l.output {
		l.add("schema-array-items", at, nil)
	}
	for _, k := range []string{"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"} {
		l.node(m[k], at+"/"+k, depth+1)
	}
	for _, k := range []string{"oneOf", "anyOf", "allOf", "prefixItems"} {
		list, _ := m[k].([]any)
		for n, v := range list {
			l.node(v, Under(Under(at, k), strconv.Itoa(n)), depth+1)
		}
	}
	for _, k := range []string{"$defs", "definitions", "patternProperties", "dependentSchemas"} {
		group, _ := m[k].(map[string]any)
		for _, name := range keys(group) {
			l.node(group[name], Under(Under(at, k), name), depth+1)
		}
	}
}

func (l *schemaLint) properties(m, props map[string]any, at string, depth int) {
	for _, name := range keys(props) {
		here := Under(Under(at, "properties"), name)
		p, ok := props[name].(map[string]any)
		if ok {
			if d, _ := p["description"].(string); strings.TrimSpace(d) == "" {
				if len(l.undescribed) < mostNamed {
					l.undescribed = append(l.undescribed, here)
				}
			}
			if !typed(p) && !l.output {
				l.add("schema-untyped", here, shown(p))
			}
		}
		l.node(props[name], here, depth+1)
	}
	required, _ := m["required"].([]any)
	for n, v := range required {
		name, _ := v.(string)
		if _, ok := props[name]; !ok && m["additionalProperties"] == false && m["patternProperties"] == nil {
			l.add("schema-required-unknown", fmt.Sprintf("%s/required/%d", at, n), name)
		}
	}
}

// typed reports whether a property says what it takes.
func typed(p map[string]any) bool {
	for _, k := range []string{"type", "enum", "const", "$ref", "oneOf", "anyOf", "allOf", "not", "if"} {
		if _, ok := p[k]; ok {
			return true
		}
	}
	return false
}

func (l *schemaLint) enum(m map[string]any, at string) {
	list, ok := m["enum"].([]any)
	if !ok {
		return
	}
	kinds, seen := map[string]bool{}, map[string]bool{}
	repeats := false
	for _, v := range list {
		if v != nil { // a nullable enum is one type and null
			kinds[fmt.Sprintf("%T", v)] = true
		}
		key := fmt.Sprintf("%T %v", v, v)
		repeats = repeats || seen[key]
		seen[key] = true
	}
	if len(list) == 0 || repeats || len(kinds) > 1 {
		l.add("schema-enum", at+"/enum", shown(list))
	}
}

// ref checks a reference: it must lead to a place in the same schema.
func (l *schemaLint) ref(ref, at string) {
	if l.defs++; l.defs == 1 {
		l.def = Under(at, "$ref")
	}
	if !strings.HasPrefix(ref, "#") {
		if id, _ := l.root["$id"].(string); id == "" || !strings.HasPrefix(ref, id+"#") {
			l.external = true
			l.add("schema-ref-external", at+"/$ref", ref)
			return
		}
	}
	if _, ok := resolve(l.root, ref); !ok && strings.Contains(ref, "#/") {
		l.broken = true
		l.add("schema-ref-broken", at+"/$ref", ref)
		return
	}
	if target := ref[strings.Index(ref, "#")+1:]; strings.HasPrefix(at+"/", target+"/") {
		l.add("schema-ref-cycle", at+"/$ref", ref)
	}
}

// resolve follows a local reference with a JSON pointer.
func resolve(root any, ref string) (any, bool) {
	_, pointer, _ := strings.Cut(ref, "#")
	if pointer == "" {
		return root, true
	}
	v := root
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		step = unescape(step)
		switch node := v.(type) {
		case map[string]any:
			next, ok := node[step]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			n := -1
			if _, err := fmt.Sscanf(step, "%d", &n); err != nil || n < 0 || n >= len(node) {
				return nil, false
			}
			v = node[n]
		default:
			return nil, false
		}
	}
	return v, true
}
