package check

import (
	"errors"
	"math"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// errComplex is why a schema is not used: a small one can branch so often that reading
// a value with it takes for ever, and a hostile server would send it for that.
var errComplex = errors.New("the schema branches too often")

// affordable is how many nodes of a schema are visited for one value.
const affordable = 200_000

// visits counts the nodes that a schema has when its references are written out, and
// those references that lead back into themselves.
type visits struct {
	root        any
	nodes, back int
	open        map[string]bool
}

func count(root any) visits {
	v := visits{root: root, open: map[string]bool{"#": true}}
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
		if ref, ok := s["$ref"].(string); ok {
			v.ref(ref)
		}
		for _, k := range keys(s) {
			switch k {
			case "$defs", "definitions", "enum", "const", "default", "examples": // reached by reference, or no schemas
			default:
				v.node(s[k])
			}
		}
	}
}

func (v *visits) ref(ref string) {
	if v.open[ref] {
		v.back++
		return
	}
	target, ok := resolve(v.root, ref)
	if !ok || !strings.HasPrefix(ref, "#") {
		return
	}
	v.open[ref] = true
	v.node(target)
	delete(v.open, ref)
}

// conforms validates a value, unless that would take too long.
func conforms(s *jsonschema.Schema, schema, value any) error {
	v := count(schema)
	if cost := float64(v.nodes) * math.Pow(float64(max(v.back, 1)), float64(depth(value))); cost > affordable*10 {
		return errComplex
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
