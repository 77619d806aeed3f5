package wizard

import (
	"encoding/json"
	"testing"
)

func TestConditionInWords(t *testing.T) {
	for raw, want := range map[string]string{
		`{"field_id":"state","value":"Ohio"}`:                                                        `state is "Ohio"`,
		`{"all":[{"field_id":"a","op":"gte","value":18},{"any":[{"field_id":"b","op":"present"}]}]}`: `a is at least 18 and (b is given)`,
		`{"not":{"field_id":"c","op":"in","value":["x","y"]}}`:                                       `not (c is one of ["x","y"])`,
	} {
		var c Condition
		if err := json.Unmarshal([]byte(raw), &c); err != nil {
			t.Fatal(err)
		}
		if got := c.String(); got != want {
			t.Errorf("%s: %q, want %q", raw, got, want)
		}
	}
	if got := (*Condition)(nil).String(); got != "always" {
		t.Errorf("no condition: %q", got)
	}
}
