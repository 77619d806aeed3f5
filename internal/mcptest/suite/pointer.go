package suite

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// decode reads JSON with its numbers as they are written.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// at follows a pointer; false when there is nothing.
func at(v any, pointer string) (any, bool) {
	if pointer == "" {
		return v, true
	}
	for _, step := range strings.Split(pointer[1:], "/") {
		step = unescaper.Replace(step)
		switch in := v.(type) {
		case map[string]any:
			next, ok := in[step]
			if !ok {
				return nil, false
			}
			v = next
		case []any:
			next, ok := item(in, step)
			if !ok {
				return nil, false
			}
			v = next
		default:
			return nil, false
		}
	}
	return v, true
}

// item is the item of an array with an index, or with a member of a certain value.
func item(list []any, step string) (any, bool) {
	if n, err := strconv.Atoi(step); err == nil {
		if n < 0 || n >= len(list) {
			return nil, false
		}
		return list[n], true
	}
	key, value, ok := strings.Cut(step, "=")
	if !ok {
		return nil, false
	}
	for _, one := range list {
		if m, _ := one.(map[string]any); m[key] == value {
			return one, true
		}
	}
	return nil, false
}

// equal compares values; numbers by what they are worth.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			other, ok := b[k]
			if !ok || !equal(v, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for n := range a {
			if !equal(a[n], b[n]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || sameNumber(a, b))
	}
	return a == b
}

// mostExponent bounds how big a number is written out, which a hostile one would make
// gigabytes.
const mostExponent = 400

func sameNumber(a, b json.Number) bool {
	x, okX := rational(a)
	y, okY := rational(b)
	return okX && okY && x.Cmp(y) == 0
}

func rational(n json.Number) (*big.Rat, bool) {
	s := n.String()
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		if e, err := strconv.Atoi(s[i+1:]); err != nil || e > mostExponent || e < -mostExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(s)
}

// typeOf is the type of a decoded value.
func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number:
		if r, ok := rational(v); ok && r.IsInt() {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}
