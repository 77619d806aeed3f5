package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxDepth bounds the nesting of a document, so that a small hostile body
// cannot use up the stack.
const maxDepth = 128

// node is a JSON value with the exact bytes that it came in. encoding/json would
// round numbers, keep the last of two equal keys and lose the order.
type node struct {
	kind    byte   // { [ " n(umber) t(rue or false) 0 (null)
	raw     []byte // the value as it came
	members []member
	items   []*node
}

type member struct {
	name  string
	value *node
}

// ErrTooDeep says that a value is nested deeper than any tool needs.
var ErrTooDeep = errors.New("nested too deep: more")

// CheckJSON reports whether data is exactly one JSON value in which no object
// has the same key twice. Two parsers can disagree about such a body, so a
// decision made on it must not be trusted.
func CheckJSON(data []byte) error {
	_, err := parseJSON(data)
	return err
}

func parseJSON(data []byte) (*node, error) {
	p := &parser{dec: json.NewDecoder(bytes.NewReader(data)), data: data}
	p.dec.UseNumber()
	n, err := p.value(0)
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the JSON ends too early")
		}
		return nil, err
	}
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the JSON value")
	}
	return n, nil
}

type parser struct {
	dec  *json.Decoder
	data []byte
}

// value parses the next value and keeps the bytes that it was made of.
func (p *parser) value(depth int) (*node, error) {
	start := p.dec.InputOffset()
	n, err := p.next(depth)
	if err != nil {
		return nil, err
	}
	n.raw = bytes.TrimLeft(p.data[start:p.dec.InputOffset()], " \t\r\n:,")
	return n, nil
}

func (p *parser) next(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("%w than %d levels", ErrTooDeep, maxDepth)
	}
	tok, err := p.dec.Token()
	if err != nil {
		return nil, err
	}
	switch v := tok.(type) {
	case nil:
		return &node{}, nil
	case bool:
		return &node{kind: 't'}, nil
	case json.Number:
		return &node{kind: 'n'}, nil
	case string:
		return &node{kind: '"'}, nil
	case json.Delim:
		if v == '[' {
			return p.array(depth)
		}
		return p.object(depth)
	}
	return nil, fmt.Errorf("unexpected %v", tok)
}

func (p *parser) array(depth int) (*node, error) {
	n := &node{kind: '['}
	for p.dec.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	_, err := p.dec.Token() // the closing bracket
	return n, err
}

func (p *parser) object(depth int) (*node, error) {
	n := &node{kind: '{'}
	seen := map[string]bool{}
	for p.dec.More() {
		tok, err := p.dec.Token()
		if err != nil {
			return nil, err
		}
		name, _ := tok.(string)
		if seen[name] {
			return nil, fmt.Errorf("the key %q appears twice in one object", name)
		}
		seen[name] = true
		value, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.members = append(n.members, member{name, value})
	}
	_, err := p.dec.Token() // the closing brace
	return n, err
}

// is reports whether the value fits a schema type.
func (n *node) is(typ string) bool {
	switch typ {
	case "":
		return true
	case "object":
		return n.kind == '{'
	case "array":
		return n.kind == '['
	case "string":
		return n.kind == '"'
	case "boolean":
		return n.kind == 't'
	case "number":
		return n.kind == 'n'
	case "integer":
		return n.kind == 'n' && !bytes.ContainsAny(n.raw, ".eE")
	}
	return false
}

// isNull reports whether the value is null.
func (n *node) isNull() bool { return n.kind == 0 }

// word names the type of the value for a message.
func (n *node) word() string {
	switch n.kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't':
		return "a boolean"
	case 'n':
		return "a number"
	}
	return "null"
}

// write appends the value as compact JSON, scalars as they came.
func (n *node) write(b *bytes.Buffer) {
	switch n.kind {
	case '{':
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			name, _ := marshal(m.name) // a string always marshals
			b.Write(name)
			b.WriteByte(':')
			m.value.write(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.write(b)
		}
		b.WriteByte(']')
	default:
		b.Write(n.raw)
	}
}

func (n *node) json() []byte {
	var b bytes.Buffer
	n.write(&b)
	return b.Bytes()
}
