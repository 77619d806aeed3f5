package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Schema is the part of JSON Schema that tool structs can express: flat, without
// null unions, references or bare booleans, which many clients and model
// providers reject. Properties keep the order of the struct.
type Schema struct {
	Type        string   // "" means any value, or one of Types
	Types       []string // when a value may have one of several types
	Description string
	Format      string
	Enum        []json.RawMessage
	Default     json.RawMessage
	Minimum     json.Number
	Maximum     json.Number
	Items       *Schema
	Values      *Schema // of a map: the schema of each value
	Properties  []Property
	Required    []string
	// Closed refuses names that are not in Properties.
	Closed bool
}

// Property is one named member of an object.
type Property struct {
	Name   string
	Schema *Schema
}

// Property returns the schema of a member, nil when there is none.
func (s *Schema) Property(name string) *Schema {
	for _, p := range s.Properties {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// brief is the schema without what is inside its members and without words.
func (s *Schema) brief() *Schema {
	out := *s
	out.Properties, out.Required, out.Closed, out.Values, out.Description = nil, nil, false, nil, ""
	if s.Items != nil {
		out.Items = &Schema{Type: s.Items.Type} // some clients want a list to have one
	}
	return &out
}

// names lists the members in order.
func (s *Schema) names() []string {
	out := make([]string, 0, len(s.Properties))
	for _, p := range s.Properties {
		out = append(out, p.Name)
	}
	return out
}

// encoded is the schema as JSON. The SDK writes the schema of a tool anew for each
// list and, without sessions, for each call.
func (s *Schema) encoded() json.RawMessage {
	raw, err := marshal(s)
	if err != nil {
		panic(fmt.Sprintf("encode a schema: %v", err)) // schemas always marshal
	}
	return raw
}

// MarshalJSON writes the schema with a fixed key order.
func (s *Schema) MarshalJSON() ([]byte, error) {
	var o objectWriter
	switch {
	case s.Type != "":
		o.add("type", s.Type)
	case len(s.Types) > 0:
		o.add("type", s.Types)
	}
	if s.Description != "" {
		o.add("description", s.Description)
	}
	if s.Format != "" {
		o.add("format", s.Format)
	}
	if len(s.Enum) > 0 {
		o.add("enum", s.Enum)
	}
	if s.Default != nil {
		o.add("default", s.Default)
	}
	if s.Minimum != "" {
		o.add("minimum", s.Minimum)
	}
	if s.Maximum != "" {
		o.add("maximum", s.Maximum)
	}
	if s.Items != nil {
		o.add("items", s.Items)
	}
	s.marshalMembers(&o)
	return o.bytes()
}

// marshalMembers writes what only objects have.
func (s *Schema) marshalMembers(o *objectWriter) {
	if s.Closed || len(s.Properties) > 0 {
		var props objectWriter
		for _, p := range s.Properties {
			props.add(p.Name, p.Schema)
		}
		raw, err := props.bytes()
		if err != nil {
			o.err = err
			return
		}
		o.add("properties", json.RawMessage(raw))
	}
	if len(s.Required) > 0 {
		o.add("required", s.Required)
	}
	switch {
	case s.Closed:
		o.add("additionalProperties", false)
	case s.Values != nil:
		o.add("additionalProperties", s.Values)
	}
}

// objectWriter builds a JSON object whose keys stay in the order of adding.
type objectWriter struct {
	buf bytes.Buffer
	err error
}

func (o *objectWriter) add(key string, value any) {
	if o.err != nil {
		return
	}
	raw, err := marshal(value)
	if err != nil {
		o.err = fmt.Errorf("marshal %s: %w", key, err)
		return
	}
	name, _ := marshal(key) // a string always marshals
	if o.buf.Len() > 0 {
		o.buf.WriteByte(',')
	}
	o.buf.Write(name)
	o.buf.WriteByte(':')
	o.buf.Write(raw)
}

func (o *objectWriter) bytes() ([]byte, error) {
	if o.err != nil {
		return nil, o.err
	}
	return []byte("{" + o.buf.String() + "}"), nil
}

// marshal is json.Marshal without HTML escaping: models read these bytes.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// describe says in words which value a schema wants.
func (s *Schema) describe() string {
	if len(s.Enum) > 0 {
		words := make([]string, 0, len(s.Enum))
		for _, e := range s.Enum {
			words = append(words, strings.Trim(string(e), `"`))
		}
		return "one of " + strings.Join(words, ", ")
	}
	if len(s.Types) > 0 {
		words := make([]string, 0, len(s.Types))
		for _, t := range s.Types {
			words = append(words, (&Schema{Type: t}).describe())
		}
		return strings.Join(words, " or ")
	}
	switch s.Type {
	case "":
		return "any value"
	case "object", "array", "integer":
		return "an " + s.Type
	}
	if s.Format == "date-time" {
		return "a date and time such as 2026-01-31T09:00:00Z"
	}
	return "a " + s.Type
}

// indent makes JSON readable without touching its order.
func indent(raw []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
