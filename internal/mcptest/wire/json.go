package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// member is one member of a JSON object, its value as it was written.
type member struct {
	key   string
	value json.RawMessage
}

// splitter walks over JSON without decoding it: what it gives are parts of the bytes
// that came. It works on valid JSON, and on the beginning of it.
type splitter struct {
	b []byte
	i int
}

func (s *splitter) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

// take steps over one byte, after white space.
func (s *splitter) take(c byte) bool {
	s.space()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// text steps over a string that begins here.
func (s *splitter) text() bool {
	for s.i++; s.i < len(s.b); s.i++ {
		switch s.b[s.i] {
		case '\\':
			s.i++
		case '"':
			s.i++
			return true
		}
	}
	return false
}

// value steps over one value and gives its bytes.
func (s *splitter) value() (json.RawMessage, bool) {
	s.space()
	start, depth := s.i, 0
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case '"':
			if !s.text() {
				return nil, false
			}
			if depth == 0 {
				return s.b[start:s.i], true
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // the end of a number or word, and of what it is in
				return s.b[start:s.i], s.i > start
			}
			if depth--; depth == 0 {
				s.i++
				return s.b[start:s.i], true
			}
		case ',', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return s.b[start:s.i], s.i > start
			}
		}
		s.i++
	}
	return s.b[start:s.i], depth == 0 && s.i > start
}

// members are those of an object in their order; whole is false when it is no object
// or breaks off.
func members(raw []byte) (out []member, whole bool) {
	s := &splitter{b: raw}
	if !s.take('{') {
		return nil, false
	}
	if s.take('}') {
		return nil, true
	}
	for {
		s.space()
		start := s.i
		if s.i >= len(s.b) || s.b[s.i] != '"' || !s.text() {
			return out, false
		}
		key := unquote(s.b[start:s.i])
		if !s.take(':') {
			return out, false
		}
		value, ok := s.value()
		if !ok {
			return out, false
		}
		out = append(out, member{key, value})
		if !s.take(',') {
			return out, s.take('}')
		}
	}
}

// items are the elements of an array.
func items(raw []byte) (out []json.RawMessage, whole bool) {
	s := &splitter{b: raw}
	if !s.take('[') {
		return nil, false
	}
	if s.take(']') {
		return nil, true
	}
	for {
		value, ok := s.value()
		if !ok {
			return out, false
		}
		out = append(out, value)
		if !s.take(',') {
			return out, s.take(']')
		}
	}
}

// unquote gives the text of a string. One without escapes costs nothing but itself.
func unquote(raw []byte) string {
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}

// field is the last member of an object with a name, which is what most parsers take;
// nil when there is none.
func field(raw []byte, name string) json.RawMessage {
	all, _ := members(raw)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].key == name {
			return all[i].value
		}
	}
	return nil
}

// textField is a member that is a string; "" when it is none.
func textField(raw []byte, name string) string {
	if v := field(raw, name); isText(v) {
		return unquote(v)
	}
	return ""
}

func isText(raw []byte) bool   { return len(raw) > 0 && raw[0] == '"' }
func isObject(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' }
func isNull(raw []byte) bool   { return string(raw) == "null" }

// idKey makes ids comparable: a string keeps its quotes, a number that is an integer
// loses its fraction and exponent. sound is false for what may not be an id (MCP,
// Basic Protocol, Requests: a string or an integer, never null).
func idKey(raw json.RawMessage) (key string, sound bool) {
	switch {
	case isText(raw):
		return strconv.Quote(unquote(raw)), true
	case len(raw) == 0 || isNull(raw):
		return "", false
	}
	if _, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return string(raw), true
	}
	if f, err := strconv.ParseFloat(string(raw), 64); err == nil && f == float64(int64(f)) {
		return strconv.FormatInt(int64(f), 10), false
	}
	return string(raw), false
}

// join writes an object of members; their values are taken as they are.
func join(all []member) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quote(m.key))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// quote writes a JSON string without escaping what only HTML needs escaped.
func quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be written
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// marshal writes a value without escaping what only HTML needs escaped. Raw JSON is
// left as it is.
func marshal(v any) (json.RawMessage, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case json.RawMessage:
		return v, nil
	case []byte:
		return v, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
