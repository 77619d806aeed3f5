package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of a document, so that a small hostile body
// cannot use up the stack.
const maxDepth = 128

// maxValues bounds the values of a document that somebody sent: each takes fifty times
// the memory of the two bytes in which it can be written.
const maxValues = 250_000

var errTooMany = fmt.Errorf("too large: more than %d values", maxValues)

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
	_, err := parseInput(data)
	return err
}

// Document is one JSON value that CheckJSON accepts. The zero value is none.
type Document struct{ root *node }

// ReadJSON reads what CheckJSON accepts. The document refers to data.
func ReadJSON(data []byte) (Document, error) {
	n, err := parseInput(data)
	return Document{n}, err
}

// Members are the members of the object at the end of the path, each exactly as it
// came; nil when no object is there. The path is the names from the outside in.
func (d Document) Members(path ...string) map[string]json.RawMessage {
	n := d.root
	for _, name := range path {
		if n != nil {
			n = n.member(name)
		}
	}
	if n == nil || n.kind != '{' {
		return nil
	}
	out := make(map[string]json.RawMessage, len(n.members))
	for _, m := range n.members {
		out[m.name] = m.value.raw
	}
	return out
}

func parseJSON(data []byte) (*node, error) { return parseUpTo(math.MaxInt, data) }

// parseInput is parseJSON for what somebody sent.
func parseInput(data []byte) (*node, error) { return parseUpTo(maxValues, data) }

func parseUpTo(most int, data []byte) (*node, error) {
	if !json.Valid(data) {
		return nil, whyInvalid(data)
	}
	return (&parser{data: data, room: most}).value(0)
}

// whyInvalid says what is wrong with data that is not one JSON value.
func whyInvalid(data []byte) error {
	var first json.RawMessage
	err := json.NewDecoder(bytes.NewReader(data)).Decode(&first)
	switch {
	case err == nil:
		return errors.New("something follows the JSON value")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the JSON ends too early")
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && nested(data[:min(int(syntax.Offset), len(data))]) > maxDepth {
		return errTooDeep() // what the decoder gives up on may be right all the same
	}
	return err
}

// nested is how many objects and arrays are open at the end of data, which is the
// beginning of a JSON value.
func nested(data []byte) int {
	depth, text, escaped := 0, false, false
	for _, c := range data {
		switch {
		case escaped:
			escaped = false
		case text:
			text, escaped = c != '"', c == '\\'
		case c == '"':
			text = true
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			depth--
		}
	}
	return depth
}

func errTooDeep() error { return fmt.Errorf("%w than %d levels", ErrTooDeep, maxDepth) }

// parser reads JSON that is known to be valid: each byte is what the grammar
// wants there, so that nothing is checked twice.
type parser struct {
	data []byte
	at   int
	room int // for how many values
}

// value parses the next value and keeps the bytes that it was made of.
func (p *parser) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errTooDeep()
	}
	if p.room--; p.room < 0 {
		return nil, errTooMany
	}
	p.space()
	n, start := &node{}, p.at
	var err error
	switch p.data[p.at] {
	case '{':
		n.kind, err = '{', p.object(n, depth)
	case '[':
		n.kind, err = '[', p.array(n, depth)
	case '"':
		n.kind = '"'
		p.text()
	case 't':
		n.kind, p.at = 't', p.at+len("true")
	case 'f':
		n.kind, p.at = 't', p.at+len("false")
	case 'n':
		p.at += len("null")
	default:
		n.kind = 'n'
		for p.at < len(p.data) && strings.IndexByte("+-.0123456789Ee", p.data[p.at]) >= 0 {
			p.at++
		}
	}
	n.raw = p.data[start:p.at]
	return n, err
}

func (p *parser) array(n *node, depth int) error {
	for p.more(']') {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	return nil
}

// few members are compared one by one, more are looked up.
const few = 16

func (p *parser) object(n *node, depth int) error {
	var seen map[string]bool
	for p.more('}') {
		name := p.name()
		if seen[name] || seen == nil && n.member(name) != nil {
			return fmt.Errorf("the key %q appears twice in one object", name)
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.members = append(n.members, member{name, value})
		if len(n.members) == few {
			seen = map[string]bool{}
			for _, m := range n.members {
				seen[m.name] = true
			}
		}
		if seen != nil {
			seen[name] = true
		}
	}
	return nil
}

// more steps into an object or array, or over a comma, and reports whether
// something comes before the end, over which it steps too.
func (p *parser) more(end byte) bool {
	p.space()
	if p.data[p.at] != end {
		p.at++ // the opening bracket or a comma
		p.space()
	}
	if p.data[p.at] == end {
		p.at++
		return false
	}
	return true
}

// name reads the name of a member and steps over its colon.
func (p *parser) name() string {
	start, plain := p.at, true
	p.text()
	raw := p.data[start:p.at]
	for _, c := range raw {
		plain = plain && c != '\\' && c < utf8.RuneSelf
	}
	p.space()
	p.at++
	if plain {
		return string(raw[1 : len(raw)-1])
	}
	var name string
	_ = json.Unmarshal(raw, &name) // a valid string, whatever it is made of
	return name
}

// text steps over a string.
func (p *parser) text() {
	for p.at++; p.data[p.at] != '"'; p.at++ {
		if p.data[p.at] == '\\' {
			p.at++
		}
	}
	p.at++
}

// space steps over white space.
func (p *parser) space() {
	for p.at < len(p.data) && strings.IndexByte(" \t\r\n", p.data[p.at]) >= 0 {
		p.at++
	}
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
