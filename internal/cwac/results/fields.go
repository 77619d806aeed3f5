package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// field ties one key of a JSON object to the Go value that holds it.
type field struct {
	key   string
	value any  // a pointer
	quiet bool // written only when it is not the zero value, or was read
}

// decodeFields reads what o has of the fields. A value of the wrong type is a
// problem, and leaves its field as it was.
func decodeFields(o object, fields []field) []string {
	var problems []string
	for _, f := range fields {
		raw, ok := o.get(f.key)
		if !ok {
			continue
		}
		fresh := reflect.New(reflect.TypeOf(f.value).Elem())
		if err := json.Unmarshal(raw, fresh.Interface()); err != nil {
			problems = append(problems, fmt.Sprintf("%s %s", f.key, wrongType(err, raw, fresh.Type().Elem())))
			continue
		}
		if string(raw) != "null" {
			reflect.ValueOf(f.value).Elem().Set(fresh.Elem())
		}
	}
	return problems
}

// encodeFields puts the fields into o. A value that is still what was read keeps
// the text in which it was written.
func encodeFields(o object, fields []field) (object, error) {
	out := append(object(nil), o...)
	for _, f := range fields {
		now := reflect.ValueOf(f.value).Elem()
		if raw, ok := out.get(f.key); ok {
			was := reflect.New(now.Type())
			if json.Unmarshal(raw, was.Interface()) == nil && reflect.DeepEqual(was.Elem().Interface(), now.Interface()) {
				continue
			}
		} else if f.quiet && now.IsZero() {
			continue
		}
		raw, err := encode(f.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.key, err)
		}
		out.set(f.key, raw)
	}
	return out, nil
}

func wrongType(err error, raw json.RawMessage, want reflect.Type) string {
	var typ *json.UnmarshalTypeError
	if !errors.As(err, &typ) {
		return err.Error()
	}
	text := string(raw)
	if len(text) > 40 {
		text = text[:40] + "…"
	}
	return fmt.Sprintf("must be %s, and is %s", jsonKind(want), text)
}

func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return "a list of texts"
		}
		return "a list"
	default:
		return "an object"
	}
}
