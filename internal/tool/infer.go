package tool

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

var (
	timeType          = reflect.TypeFor[time.Time]()
	rawType           = reflect.TypeFor[json.RawMessage]()
	numberType        = reflect.TypeFor[json.Number]()
	durationType      = reflect.TypeFor[time.Duration]()
	anyType           = reflect.TypeFor[any]()
	jsonMarshalerType = reflect.TypeFor[json.Marshaler]()
	textMarshalerType = reflect.TypeFor[encoding.TextMarshaler]()
)

// field is one member of a tool struct.
type field struct {
	name     string
	index    []int
	optional bool
	tag      reflect.StructTag
	typ      reflect.Type
}

// fields lists the JSON members of a struct in order, those of embedded structs
// in their place.
func fields(t reflect.Type) ([]field, error) {
	var out []field
	for _, sf := range reflect.VisibleFields(t) {
		name, opts, _ := strings.Cut(sf.Tag.Get("json"), ",")
		switch {
		case sf.Anonymous && sf.Type.Kind() == reflect.Struct && name == "":
			continue
		case sf.Anonymous:
			return nil, fmt.Errorf("%s: embed plain structs only", sf.Name)
		case !sf.IsExported() || (name == "-" && opts == ""):
			continue
		case name == "":
			return nil, fmt.Errorf("%s has no json name", sf.Name)
		}
		list := strings.Split(opts, ",")
		if slices.Contains(list, "string") {
			return nil, fmt.Errorf("%s: the json option string is not supported", sf.Name)
		}
		out = append(out, field{
			name: name, index: sf.Index, tag: sf.Tag, typ: sf.Type,
			optional: slices.Contains(list, "omitempty") || slices.Contains(list, "omitzero"),
		})
	}
	return out, nil
}

// inference walks a type. Inputs are closed objects, outputs open ones: an
// answer may carry more than its schema says, a question may not.
type inference struct {
	closed bool
	seen   []reflect.Type
	lists  int // how many lists and maps deep
}

// infer makes the schema of a struct type, or says which part of it no schema
// can express.
func infer(t reflect.Type, closed bool) (*Schema, error) {
	if t.Kind() != reflect.Struct || t == timeType {
		return nil, fmt.Errorf("%v is not a plain struct", t)
	}
	in := &inference{closed: closed}
	return in.object(t)
}

func (in *inference) object(t reflect.Type) (*Schema, error) {
	if slices.Contains(in.seen, t) {
		return nil, fmt.Errorf("%v contains itself: use json.RawMessage for the inner part", t)
	}
	in.seen = append(in.seen, t)
	defer func() { in.seen = in.seen[:len(in.seen)-1] }()
	list, err := fields(t)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", t, err)
	}
	s := &Schema{Type: "object", Closed: in.closed}
	for _, f := range list {
		p, err := in.member(f)
		if err != nil {
			return nil, fmt.Errorf("%v.%s: %w", t, f.name, err)
		}
		s.Properties = append(s.Properties, Property{f.name, p})
		if !f.optional {
			s.Required = append(s.Required, f.name)
		}
	}
	return s, nil
}

// member infers one field and applies its tags.
func (in *inference) member(f field) (*Schema, error) {
	t := f.typ
	if t.Kind() == reflect.Pointer {
		if !f.optional {
			return nil, fmt.Errorf("a pointer would be sent as null: add omitempty or use the value")
		}
		t = t.Elem()
	}
	s, err := in.of(t)
	if err != nil {
		return nil, err
	}
	if t == rawType {
		if s.Type = f.tag.Get("type"); strings.Contains(s.Type, ",") {
			s.Type, s.Types = "", strings.Split(s.Type, ",")
			if slices.Contains(s.Types, "array") {
				s.Items = &Schema{} // model providers want an array to say what is in it
			}
		}
	}
	if err := applyTags(s, f); err != nil {
		return nil, err
	}
	if s.Default != nil && (in.lists > 0 || !f.optional) {
		return nil, fmt.Errorf("a default works only on an optional member, and not inside a list or map")
	}
	return s, nil
}

// of infers any type. What it does not know it refuses: a type with a marshaler
// of its own would be described wrongly.
func (in *inference) of(t reflect.Type) (*Schema, error) {
	switch t {
	case timeType:
		return &Schema{Type: "string", Format: "date-time"}, nil
	case rawType, anyType:
		return &Schema{}, nil
	case numberType:
		return &Schema{Type: "number"}, nil
	case durationType:
		return nil, fmt.Errorf("a time.Duration would be nanoseconds: use a number with the unit in its name")
	}
	if p := reflect.PointerTo(t); p.Implements(jsonMarshalerType) || p.Implements(textMarshalerType) {
		return nil, fmt.Errorf("%v marshals itself: use json.RawMessage", t)
	}
	switch t.Kind() {
	case reflect.String:
		return &Schema{Type: "string"}, nil
	case reflect.Bool:
		return &Schema{Type: "boolean"}, nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &Schema{Type: "integer"}, nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &Schema{Type: "integer", Minimum: "0"}, nil
	case reflect.Float32, reflect.Float64:
		return &Schema{Type: "number"}, nil
	case reflect.Struct:
		return in.object(t)
	case reflect.Slice:
		return in.list(t)
	case reflect.Map:
		return in.dictionary(t)
	}
	return nil, fmt.Errorf("%v has no place in a tool struct", t)
}

func (in *inference) list(t reflect.Type) (*Schema, error) {
	if t.Elem().Kind() == reflect.Uint8 {
		return nil, fmt.Errorf("bytes would be base64: use a string, an image or a link")
	}
	items, err := in.within(t.Elem())
	if err != nil {
		return nil, err
	}
	return &Schema{Type: "array", Items: items}, nil
}

func (in *inference) dictionary(t reflect.Type) (*Schema, error) {
	if t.Key().Kind() != reflect.String {
		return nil, fmt.Errorf("%v: a map needs string keys", t)
	}
	values, err := in.within(t.Elem())
	if err != nil {
		return nil, err
	}
	return &Schema{Type: "object", Values: values}, nil
}

// within infers the entries of a list or map.
func (in *inference) within(t reflect.Type) (*Schema, error) {
	in.lists++
	defer func() { in.lists-- }()
	return in.of(t)
}

// applyTags reads jsonschema (the description), enum, default, minimum, maximum
// and format.
func applyTags(s *Schema, f field) error {
	s.Description = f.tag.Get("jsonschema")
	if v := f.tag.Get("format"); v != "" {
		s.Format = v
	}
	target := s
	if s.Type == "array" && s.Items != nil {
		target = s.Items // an enum or a bound of a list is meant for each entry
	}
	if v := f.tag.Get("enum"); v != "" {
		for _, word := range strings.Split(v, ",") {
			raw, err := literal(target.Type, word)
			if err != nil {
				return fmt.Errorf("enum: %w", err)
			}
			target.Enum = append(target.Enum, raw)
		}
	}
	for key, bound := range map[string]*json.Number{"minimum": &target.Minimum, "maximum": &target.Maximum} {
		v := f.tag.Get(key)
		if v == "" {
			continue
		}
		if target.Type != "integer" && target.Type != "number" {
			return fmt.Errorf("%s on a %s", key, target.Type)
		}
		raw, err := literal("number", v)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		*bound = json.Number(raw)
	}
	if v, ok := f.tag.Lookup("default"); ok {
		raw, err := literal(s.Type, v)
		if err != nil {
			return fmt.Errorf("default: %w", err)
		}
		s.Default = raw
		return checkDefault(s)
	}
	return nil
}

// checkDefault makes sure that a call with the default spelled out would pass.
func checkDefault(s *Schema) error {
	n, err := parseJSON(s.Default)
	if err != nil {
		return fmt.Errorf("default: %w", err)
	}
	var c checker
	if c.value(s, n, ""); len(c.problems) > 0 {
		return fmt.Errorf("default: %s", c.problems[0].Message)
	}
	return nil
}

// literal turns the text of a tag into JSON of the wanted type.
func literal(typ, text string) (json.RawMessage, error) {
	if typ == "string" {
		return marshal(text)
	}
	n, err := parseJSON([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%q is not JSON: %w", text, err)
	}
	if typ != "" && !n.is(typ) {
		return nil, fmt.Errorf("%q is not of type %s", text, typ)
	}
	return json.RawMessage(text), nil
}
