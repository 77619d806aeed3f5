package results

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// object is a JSON object that keeps the order of its members: CWAC runs plugins
// and viewports in the order in which its configuration names them.
type object []member

// maxMembers bounds an object that is read: each member is looked up among the others.
const maxMembers = 5000

type member struct {
	key string
	raw json.RawMessage
}

// UnmarshalJSON reads the members in order. Of a repeated key the last value
// counts, at the place of the first, as Python reads it.
func (o *object) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil {
		return err
	} else if t != json.Delim('{') {
		return fmt.Errorf("is not an object")
	}
	*o = object{}
	for d.More() {
		if len(*o) == maxMembers {
			return fmt.Errorf("has more than %d keys", maxMembers)
		}
		t, err := d.Token()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		o.set(key, raw)
	}
	_, err := d.Token()
	return err
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := encode(m.key)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(m.raw)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (o object) get(key string) (json.RawMessage, bool) {
	for _, m := range o {
		if m.key == key {
			return m.raw, true
		}
	}
	return nil, false
}

func (o *object) set(key string, raw json.RawMessage) {
	for i := range *o {
		if (*o)[i].key == key {
			(*o)[i].raw = raw
			return
		}
	}
	*o = append(*o, member{key, raw})
}

// encode is JSON without the escaping of HTML, which Python does not do either.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
