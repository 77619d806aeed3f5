package check

import (
	"encoding/json"
	"regexp/syntax"
	"strconv"
	"strings"
)

// What costs a validator as much as one more node.
const (
	textUnit  = 16 // bytes of a text that is compared, matched or written into an error
	digitUnit = 8  // zeros that an exponent stands for: numbers are compared exactly
	freePath  = 64 // bytes of a pointer that cost nothing: each place has one
)

// aSchema is what a schema inside another costs: the compiler looks for each of them among
// all, and ten thousand take it half a second, a hundred thousand a minute.
const aSchema = 50

// mostHeavy bounds a schema as it is written: its places, the bytes of their pointers, the
// instructions of its patterns. A compiler keeps all of them.
const mostHeavy = 500_000

// heavy reports whether a schema as it is written, whatever of it is used, is too much to
// be compiled.
func heavy(schema any) bool {
	h := hoard{left: mostHeavy}
	h.add(schema, 0)
	return h.left < 0
}

// hoard counts what a compiler keeps of a schema, until nothing is left of its bound.
type hoard struct{ left int }

func (h *hoard) add(v any, path int) {
	if h.left -= 1 + pathCost(path); h.left < 0 {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, inner := range v {
			h.add(inner, path+2)
		}
	case bool: // which is a schema too
		h.left -= aSchema
	case map[string]any:
		h.left -= aSchema
		for k, inner := range v {
			h.keyword(k, inner)
			h.add(inner, path+1+len(k))
		}
	case json.Number:
		h.left -= zeros(v)
	}
}

// keyword adds the patterns of a keyword.
func (h *hoard) keyword(k string, v any) {
	switch v := v.(type) {
	case string:
		if k == "pattern" {
			h.left -= instructions(v)
		}
	case map[string]any:
		if k == "patternProperties" {
			for p := range v {
				h.left -= instructions(p)
			}
		}
	}
}

// pathCost is what a pointer costs.
func pathCost(path int) int { return max(0, path-freePath) / textUnit }

// weigh is what a value costs a validator that looks at it once, as a whole.
func weigh(value any, path int) int {
	n := 1 + pathCost(path)
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			n += weigh(inner, path+2)
		}
	case map[string]any:
		for k, inner := range v {
			n += len(k)/textUnit + weigh(inner, path+1+len(k))
		}
	case string:
		n += len(v) / textUnit
	case json.Number:
		n += len(v)/textUnit + zeros(v)
	}
	return n
}

// zeros is what the exponent of a number costs who writes it out, as package math/big
// does up to this bound and no further.
func zeros(n json.Number) int {
	const most = 1_000_000
	at := strings.IndexAny(n.String(), "eE")
	if at < 0 {
		return 0
	}
	e, err := strconv.Atoi(strings.TrimPrefix(n.String()[at+1:], "+"))
	if err != nil {
		return most / digitUnit
	}
	return min(max(e, -e), most) / digitUnit
}

// instructions is how long the program of a pattern is: what matching costs for each
// byte, and what a compiler keeps. One that this engine does not have costs nothing.
func instructions(pattern string) int {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return len(pattern) / textUnit
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return len(pattern) / textUnit
	}
	return len(program.Inst)
}
