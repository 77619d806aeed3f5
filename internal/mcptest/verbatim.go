package mcptest

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/tool"
)

// member is one member of a JSON object, its value as it was written.
type member struct {
	name  string
	value json.RawMessage
}

// members are those of an object in their order; nil when it is none.
func members(raw json.RawMessage) []member {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	out := []member{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil
		}
		out = append(out, member{name.(string), value})
	}
	return out
}

// field is a member of an object, the last of several, as most parsers take it; nil
// when there is none. Names are compared byte for byte.
func field(raw json.RawMessage, name string) json.RawMessage {
	all := members(raw)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].name == name {
			return all[i].value
		}
	}
	return nil
}

// textOf is a JSON string; ok is false for anything else.
func textOf(raw json.RawMessage) (text string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		return "", false
	}
	return text, true
}

// itemsOf are the elements of an array; ok is false when it is none.
func itemsOf(raw json.RawMessage) (items []json.RawMessage, ok bool) {
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &items) != nil {
		return nil, false
	}
	return items, true
}

// object writes members in their order, their values as they are.
func object(all []member) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoted(m.name))
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// quoted is a text as JSON, with nothing escaped that need not be.
func quoted(text string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string always encodes
	return bytes.TrimRight(b.Bytes(), "\n")
}

// nesting is how deep a server's value stands in an answer, at the most.
const nesting = 6

// sound reports whether a server's JSON can stand in an answer as it is: each key once,
// not nested too deep, and UTF-8.
func sound(raw json.RawMessage) bool {
	if !utf8.Valid(raw) {
		return false
	}
	deeper := append(bytes.Repeat([]byte{'['}, nesting), raw...)
	return tool.CheckJSON(append(deeper, bytes.Repeat([]byte{']'}, nesting)...)) == nil
}

// Cut says that something of a server is longer than an answer takes.
type Cut struct {
	Size  int    `json:"size_bytes" jsonschema:"of the whole"`
	Shown int    `json:"shown_bytes"`
	Rest  string `json:"rest" jsonschema:"how to read the rest"`
}

// restHint says where the rest is.
const restHint = "get_transcript has the whole message: name its entry, and page with offset."

// verbatim is a server's value for an answer: as it came when it fits and can stand
// there, otherwise the beginning of its bytes as a text.
func verbatim(raw json.RawMessage, most int) (json.RawMessage, *Cut) {
	switch {
	case len(raw) == 0:
		return nil, nil
	case len(raw) > most:
		text := firstOf(raw, most)
		return quoted(text), &Cut{Size: len(raw), Shown: len(text), Rest: restHint}
	case !sound(raw):
		return quoted(firstOf(raw, len(raw))), nil
	}
	return raw, nil
}
