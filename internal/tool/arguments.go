package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/nearest"
)

// problem is one thing that is wrong with the arguments of a call.
type problem struct {
	Argument string `json:"argument"`
	Message  string `json:"message"`
}

// checker collects everything that is wrong, so that one answer is enough to
// repair a call.
type checker struct {
	problems []problem
	more     int // that are not told
}

// maxProblems bounds what is told. A call of 6 MB can have a few hundred thousand
// problems, which would cost seconds, and hundreds of megabytes of words.
const maxProblems = 50

// full counts a problem that is too many.
func (c *checker) full() bool {
	if len(c.problems) < maxProblems {
		return false
	}
	c.more++
	return true
}

func (c *checker) add(path, format string, args ...any) {
	if c.full() {
		return
	}
	const longest = 120 // a name that nobody declared can be of any length
	if len(path) > longest {
		path = strings.ToValidUTF8(path[:longest], "") + "..."
	}
	c.problems = append(c.problems, problem{path, fmt.Sprintf(format, args...)})
}

// decodeInput fills the struct that into points to from raw arguments. Absent
// arguments and null are an empty object; defaults are set first; numbers are
// never rounded, since nothing passes through a generic map.
func decodeInput(s *Schema, raw json.RawMessage, into any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	n, err := parseInput(raw)
	if err != nil {
		return fault.New(fault.Invalid, "invalid_arguments", "The arguments are not usable JSON: "+err.Error()+".",
			"Send one JSON object with each argument once.")
	}
	if n.isNull() {
		n = &node{kind: '{'}
	}
	var c checker
	c.value(s, n, "")
	if len(c.problems) == 0 {
		c.fill(s, n, reflect.ValueOf(into).Elem(), "")
	}
	if len(c.problems) > 0 {
		return c.fault(s)
	}
	return nil
}

// value checks one value against its schema.
func (c *checker) value(s *Schema, n *node, path string) {
	if !s.takes(n) {
		c.add(path, "must be %s, not %s", s.describe(), n.word())
		return
	}
	switch n.kind {
	case '{':
		c.object(s, n, path)
	case '[':
		for i, item := range n.items {
			if s.Items != nil {
				c.value(s.Items, item, path+"["+strconv.Itoa(i)+"]")
			}
		}
	default:
		c.scalar(s, n, path)
	}
}

// takes reports whether a value is of a type that the schema allows.
func (s *Schema) takes(n *node) bool {
	if len(s.Types) > 0 {
		return slices.ContainsFunc(s.Types, n.is)
	}
	return n.is(s.Type)
}

func (c *checker) object(s *Schema, n *node, path string) {
	for _, m := range n.members {
		at := join(path, m.name)
		p := s.Property(m.name)
		switch {
		case p != nil && m.value.isNull():
			// null means absent; whether it may be is decided below.
		case p != nil:
			c.value(p, m.value, at)
		case s.Closed:
			c.unknown(s, m.name, at)
		case s.Values != nil:
			c.value(s.Values, m.value, at)
		}
	}
	for _, name := range s.Required {
		if v := n.member(name); v == nil || v.isNull() {
			c.add(join(path, name), "is required and missing; it must be %s", s.Property(name).describe())
		}
	}
}

// unknown names the valid arguments, the nearest first.
func (c *checker) unknown(s *Schema, name, path string) {
	if c.full() {
		return
	}
	names := s.names()
	switch near := nearest.Name(name, names); {
	case len(names) == 0:
		c.add(path, "is not known; nothing is expected here")
	case near != "":
		c.add(path, "is not known; did you mean %s? Valid: %s", near, strings.Join(names, ", "))
	default:
		c.add(path, "is not known. Valid: %s", strings.Join(names, ", "))
	}
}

func (c *checker) scalar(s *Schema, n *node, path string) {
	if len(s.Enum) > 0 && !inEnum(s.Enum, n) {
		c.add(path, "must be %s", s.describe())
	}
	if n.kind != 'n' {
		return
	}
	v, _ := strconv.ParseFloat(string(n.raw), 64) // out of range is an infinity, which compares well
	if low, err := s.Minimum.Float64(); err == nil && v < low {
		c.add(path, "must be at least %s", s.Minimum)
	}
	if high, err := s.Maximum.Float64(); err == nil && v > high {
		c.add(path, "must be at most %s", s.Maximum)
	}
}

// inEnum compares decoded strings, so that an escape makes no difference.
func inEnum(enum []json.RawMessage, n *node) bool {
	for _, e := range enum {
		if bytes.Equal(e, n.raw) {
			return true
		}
		var a, b string
		if json.Unmarshal(e, &a) == nil && json.Unmarshal(n.raw, &b) == nil && a == b {
			return true
		}
	}
	return false
}

// fill decodes each member straight into its field. Going field by field keeps
// encoding/json from matching names without regard to case.
func (c *checker) fill(s *Schema, n *node, into reflect.Value, path string) {
	list, _ := fields(into.Type()) // checked when the tool was declared
	for _, f := range list {
		raw, v := s.Property(f.name).Default, n.member(f.name)
		if v != nil && !v.isNull() {
			if inner, ok := structAt(into.FieldByIndex(f.index)); ok {
				c.fill(s.Property(f.name), v, inner, join(path, f.name))
				continue
			}
			raw = v.raw
		}
		if raw == nil {
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if err := dec.Decode(into.FieldByIndex(f.index).Addr().Interface()); err != nil {
			at := join(path, f.name)
			var te *json.UnmarshalTypeError
			if errors.As(err, &te) && te.Field != "" {
				at = join(at, te.Field)
			}
			c.add(at, "does not fit: it must be %s", s.Property(f.name).describe())
		}
	}
}

// structAt is the struct to fill for a field that has members of its own, made
// when it is a nil pointer.
func structAt(v reflect.Value) (reflect.Value, bool) {
	t := v.Type()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == timeType {
		return v, false
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(t))
		}
		v = v.Elem()
	}
	return v, true
}

// fault puts all problems into one readable text.
func (c *checker) fault(s *Schema) *fault.Error {
	var b strings.Builder
	if len(c.problems) == 1 {
		b.WriteString("The arguments have a problem:")
	} else {
		fmt.Fprintf(&b, "The arguments have %d problems:", len(c.problems)+c.more)
	}
	for _, p := range c.problems {
		name := p.Argument
		if name == "" {
			name = "arguments"
		}
		b.WriteString("\n- " + name + " " + p.Message)
	}
	if c.more > 0 {
		fmt.Fprintf(&b, "\n- and %d more", c.more)
	}
	action := "Correct this and call again."
	if len(s.Required) > 0 {
		action = "Correct this and call again. Required: " + strings.Join(s.Required, ", ") + "."
	}
	f := fault.New(fault.Invalid, "invalid_arguments", b.String(), action)
	f.Data = map[string]any{"problems": c.problems}
	return f
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// member returns the value of a key, nil when it is absent.
func (n *node) member(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}
