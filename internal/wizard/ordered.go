package wizard

import "bytes"

// pairs is a JSON object that keeps its order: people and models read a
// contract from top to bottom, in the order of the form.
type pairs []pair

type pair struct {
	key   string
	value any
}

// MarshalJSON writes the keys in order.
func (p pairs) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for _, entry := range p {
		if err := writeMember(&out, entry.key, entry.value); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// with appends a key, unless the value says nothing.
func (p pairs) with(key string, value any) pairs {
	switch v := value.(type) {
	case string:
		if v == "" {
			return p
		}
	case []any:
		if len(v) == 0 {
			return p
		}
	case map[string]any:
		if len(v) == 0 {
			return p
		}
	case *int:
		if v == nil {
			return p
		}
	case *float64:
		if v == nil {
			return p
		}
	}
	return append(p, pair{key, value})
}
