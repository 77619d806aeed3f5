package check

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ErrComplex is why a schema is not used: a small one can branch so often that reading
// a value with it takes for ever, and a hostile server would send it for that.
var ErrComplex = errors.New("the schema is too complex to be used")

var (
	errBranches = fmt.Errorf("%w: it branches too often", ErrComplex)
	errHeavy    = fmt.Errorf("%w: its names, patterns or values cost too much", ErrComplex)
	errTooLarge = fmt.Errorf("%w with this value: it branches too often, or the value is too large", ErrComplex)
)

// ErrBroken is a value that breaks its schema at a place that is not looked for.
var ErrBroken = errors.New("the value breaks the schema, and is too large to say where")

// affordable is how many nodes of a schema are visited for one value.
const affordable = 200_000

// visits counts the nodes that a schema has when its references are written out, and
// those references that lead back into themselves.
type visits struct {
	root        any
	whole       string // what the schema as a whole is called
	names       naming // of its parts
	nodes, back int
	constants   int // what values are compared with and matched against, beside the nodes
	open        map[string]bool
}

func count(root any) visits {
	v := visits{root: root, open: map[string]bool{"#": true}}
	own, _ := root.(map[string]any)
	v.whole, _ = own["$id"].(string)
	dialect, _ := own["$schema"].(string)
	v.names = naming{whole: v.whole, old: strings.Contains(dialect, "draft-04"), anchors: map[string]any{}}
	v.names.collect(root)
	v.node(root)
	return v
}

func (v *visits) node(schema any) {
	if v.nodes > affordable {
		return
	}
	v.nodes++
	switch s := schema.(type) {
	case []any:
		for _, inner := range s {
			v.node(inner)
		}
	case map[string]any:
		for _, k := range keys(s) {
			switch k {
			case "$ref", "$dynamicRef", "$recursiveRef":
				if ref, ok := s[k].(string); ok {
					v.ref(ref)
				}
			case "enum", "const":
				v.constants += weigh(s[k], 0)
			case "$defs", "definitions", "default", "examples": // reached by reference, or no schemas
			case "properties", "patternProperties", "dependentSchemas", "dependencies": // have names that may be those of keywords
				named, _ := s[k].(map[string]any)
				for _, name := range keys(named) {
					v.matched(k == "patternProperties", name)
					v.node(named[name])
				}
			default:
				v.matched(k == "pattern", s[k])
				v.node(s[k])
			}
		}
	}
}

// matched adds what a pattern costs.
func (v *visits) matched(is bool, pattern any) {
	if p, text := pattern.(string); is && text {
		v.constants += instructions(p)
	}
}

func (v *visits) ref(ref string) {
	v.nodes += len(ref) / textUnit // to follow it costs time too
	direct := ref == "#" || strings.HasPrefix(ref, "#/")
	target, ok := resolve(v.root, ref)
	if anchored, named := v.names.anchors[strings.TrimPrefix(ref, "#")]; named && !direct && strings.HasPrefix(ref, "#") {
		direct, target, ok = true, anchored, true
	}
	switch {
	case v.names.unclear, !direct && v.whole != "" && strings.HasPrefix(ref, v.whole):
		v.nodes = affordable + 1 // where it leads is not followed here
		return
	case v.open[ref]:
		v.back++
		return
	case !direct || !ok:
		return
	}
	v.open[ref] = true
	v.node(target)
	delete(v.open, ref)
}

// naming are the names in a schema: what it is called as a whole, and its anchors.
type naming struct {
	whole   string
	old     bool           // the name of a part is its id, as in draft 4
	anchors map[string]any // what they stand at
	unclear bool           // parts have names that are not followed here, or one name is at two places
}

// collect finds the parts of a schema that can be referred to by another name than their
// place (JSON Schema 2020-12, 8.2). What the whole is called does not count.
func (n *naming) collect(schema any) {
	switch s := schema.(type) {
	case []any:
		for _, inner := range s {
			n.collect(inner)
		}
	case map[string]any:
		for k, inner := range s {
			name, text := inner.(string)
			switch {
			case text && (k == "$anchor" || k == "$dynamicAnchor"):
				_, twice := n.anchors[name]
				n.unclear = n.unclear || twice
				n.anchors[name] = s
			case text && (k == "$id" && name != n.whole || k == "id" && n.old), k == "$recursiveAnchor":
				n.unclear = true
			default:
				n.collect(inner)
			}
		}
	}
}

// expense is about how many steps reading a value with a schema takes, or how many errors it
// gives. Both are as jsonschema.UnmarshalJSON gives them, and the schema is one that can be
// compiled.
func expense(schema, value any) float64 {
	v := count(schema)
	if again := float64(v.nodes) * math.Pow(float64(max(v.back, 1)), float64(depth(value))); again > affordable*10 {
		return math.Inf(1)
	}
	return (float64(v.nodes) + float64(v.constants)) * float64(weigh(value, 0))
}

// Conforms holds a value against a schema, both as jsonschema.UnmarshalJSON gives them, and
// the schema as Compile gives it too. It gives a *jsonschema.ValidationError, or ErrBroken
// for a value that is too large to say where it breaks the schema; and ErrComplex when to
// know it would take longer than anybody waits, or more memory than anybody has: nothing can
// end it.
func Conforms(s *jsonschema.Schema, schema, value any) error {
	switch c := expense(schema, value); {
	case c > affordable*100:
		return errTooLarge
	case c > affordable: // a million errors would take gigabytes; whether there is one is found out without them
		if (&jsonschema.Schema{DraftVersion: 2020, Location: document, Not: s}).Validate(value) == nil {
			return ErrBroken
		}
		return nil
	}
	return s.Validate(value)
}

// depth is how deep a value is nested.
func depth(value any) int {
	deepest := 0
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			deepest = max(deepest, depth(inner))
		}
	case map[string]any:
		for _, inner := range v {
			deepest = max(deepest, depth(inner))
		}
	default:
		return 0
	}
	return deepest + 1
}
