package wizard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// extraField is the struct field that keeps the keys that a type does not know.
const extraField = "Extra"

// member is one JSON key of a struct, embedded structs flattened.
type member struct {
	key       string
	index     []int
	omitEmpty bool
}

// members lists the keys of a struct type in declaration order, which is the
// order of the file.
func members(t reflect.Type) []member {
	var list []member
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			for _, m := range members(f.Type) {
				m.index = append([]int{i}, m.index...)
				list = append(list, m)
			}
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "-" || key == "" {
			continue
		}
		list = append(list, member{key, []int{i}, options == "omitempty"})
	}
	return list
}

// decodeObject fills the struct that target points to. Keys match exactly
// (encoding/json folds case), null counts as absent, and unknown keys go to Extra.
func decodeObject(data []byte, target any) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	v := reflect.ValueOf(target).Elem()
	for _, m := range members(v.Type()) {
		value, ok := raw[m.key]
		if !ok {
			continue
		}
		delete(raw, m.key)
		if string(value) == "null" {
			continue
		}
		if err := decodeMember(value, v.FieldByIndex(m.index).Addr().Interface()); err != nil {
			return fmt.Errorf("%s: %w", m.key, err)
		}
	}
	if len(raw) > 0 {
		v.FieldByName(extraField).Set(reflect.ValueOf(raw))
	}
	return nil
}

func decodeMember(value []byte, target any) error {
	at, ok := target.(*time.Time)
	if !ok {
		return json.Unmarshal(value, target)
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return err
	}
	parsed, err := parseTime(text)
	*at = parsed
	return err
}

// encodeObject writes a struct's known keys in declaration order, then the
// unknown ones in alphabetical order.
func encodeObject(value any) ([]byte, error) {
	v := reflect.ValueOf(value)
	var out bytes.Buffer
	out.WriteByte('{')
	known := map[string]bool{}
	for _, m := range members(v.Type()) {
		known[m.key] = true
		field := v.FieldByIndex(m.index)
		if m.omitEmpty && isEmpty(field) {
			continue
		}
		if err := writeMember(&out, m.key, encodable(field)); err != nil {
			return nil, err
		}
	}
	extra, _ := v.FieldByName(extraField).Interface().(map[string]json.RawMessage)
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		if known[key] {
			continue // a key is written once, whatever a program put into Extra
		}
		if err := writeMember(&out, key, extra[key]); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

func writeMember(out *bytes.Buffer, key string, value any) error {
	if out.Len() > 1 {
		out.WriteByte(',')
	}
	name, err := plainJSON(key)
	if err != nil {
		return err
	}
	text, err := plainJSON(value)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	out.Write(name)
	out.WriteByte(':')
	out.Write(text)
	return nil
}

// encodable turns the values that old readers refuse into ones that they take:
// a list is never null and a date has a zone.
func encodable(field reflect.Value) any {
	if at, ok := field.Interface().(time.Time); ok {
		return at.UTC().Format(time.RFC3339Nano)
	}
	if raw, ok := field.Interface().(json.RawMessage); ok && len(raw) == 0 {
		return ""
	}
	if field.Kind() == reflect.Slice && field.IsNil() {
		return []string{}
	}
	return field.Interface()
}

func isEmpty(field reflect.Value) bool {
	switch field.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return field.Len() == 0
	default:
		return field.IsZero()
	}
}

// plainJSON is json.Marshal without the HTML escapes: selectors are full of
// ">" and people read these files.
func plainJSON(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}

// naiveLayouts are the timestamps without a zone that v1.1 files carry.
var naiveLayouts = []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02"}

// parseTime reads RFC 3339, and a naive timestamp as UTC.
func parseTime(text string) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.UTC(), nil
	}
	for _, layout := range naiveLayouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date and time such as 2026-01-31T12:00:00Z", text)
}
