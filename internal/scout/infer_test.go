package scout

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// seen is a moment in a short notation: "a=x b=y" and whether it was there.
// A value with a tilde before it was typed.
func seen(holds bool, answers string) moment {
	m := moment{answers: map[string]any{}, holds: holds}
	for _, pair := range strings.Fields(answers) {
		id, value, _ := strings.Cut(pair, "=")
		switch {
		case strings.HasPrefix(value, "~"):
			m.answers[id] = textAnswer(value[1:])
		case value == "true", value == "false":
			m.answers[id] = value == "true"
		default:
			m.answers[id] = value
		}
	}
	return m
}

func TestExplain(t *testing.T) {
	const none = "null"
	for _, tt := range []struct {
		name    string
		moments []moment
		want    string
	}{
		{"always there", []moment{seen(true, "a=x"), seen(true, "a=y")}, none},
		{"one value", []moment{seen(false, ""), seen(true, "a=yes"), seen(false, "a=no")}, `{"field_id":"a","value":"yes"}`},
		{"several values", []moment{seen(true, "a=x"), seen(true, "a=y"), seen(false, "a=z")}, `{"field_id":"a","op":"in","value":["x","y"]}`},
		{"gone for one value", []moment{seen(true, ""), seen(true, "a=x"), seen(true, "a=y"), seen(false, "a=z")}, `{"field_id":"a","op":"not_equals","value":"z"}`},
		{"a box", []moment{seen(false, "a=false"), seen(true, "a=true")}, `{"field_id":"a","value":true}`},
		{"an unticked box", []moment{seen(true, "a=false"), seen(false, "a=true")}, `{"not":{"field_id":"a","value":true}}`},
		{"typed text", []moment{seen(false, ""), seen(true, "a=~98101"), seen(false, "b=~y")}, `{"field_id":"a","op":"present"}`},
		{"the cause goes before what it brings up", []moment{seen(false, "a=no"), seen(true, "a=yes b=one"), seen(true, "a=yes b=two"), seen(true, "a=yes")}, `{"field_id":"a","value":"yes"}`},
		{"a later answer does not mislead", []moment{seen(true, "a=x b=1"), seen(false, "a=y b=1"), seen(false, "a=y b=2"), seen(true, "a=x b=2")}, `{"field_id":"a","value":"x"}`},
		{"a typed number", []moment{seen(true, "a=~1935"), seen(true, "a=~2002"), seen(false, "a=~2003"), seen(false, "a=~2010")}, `{"field_id":"a","op":"lt","value":2003}`},
		{"a typed date", []moment{seen(true, "a=~2012-01-01"), seen(true, "a=~2003-01-01"), seen(false, "a=~2002-01-01"), seen(false, "a=~1990-04-15")}, `{"field_id":"a","op":"gte","value":"2003-01-01"}`},
		{"a typed number, which is not there at first", []moment{
			seen(false, ""), seen(true, "a=~02108"), seen(true, "a=~98999"), seen(false, "a=~99000"), seen(true, "a=~62701"), seen(false, "a=~99501"),
		}, `{"field_id":"a","op":"lt","value":99000}`},
		{"a look that came too late", []moment{
			seen(false, ""), seen(true, "a=x"), seen(true, ""), seen(false, ""), seen(false, ""), seen(false, ""), seen(false, "a=y"), seen(true, "a=z"),
		}, `{"field_id":"a","op":"in","value":["x","z"]}`},
		{"two together", []moment{seen(false, "a=no b=no"), seen(false, "a=yes b=no"), seen(false, "a=no b=yes"), seen(true, "a=yes b=yes")}, `{"all":[{"field_id":"a","value":"yes"},{"field_id":"b","value":"yes"}]}`},
		{"either", []moment{seen(false, "a=no b=no"), seen(true, "a=yes b=no"), seen(true, "a=no b=yes")}, `{"any":[{"field_id":"a","value":"yes"},{"field_id":"b","value":"yes"}]}`},
		{"unless either", []moment{seen(true, "a=u b=no c=1"), seen(false, "a=m b=no c=1"), seen(false, "a=s b=no c=1"), seen(false, "a=u b=yes c=1"), seen(true, "a=u b=no c=2")},
			`{"not":{"any":[{"field_id":"a","op":"in","value":["m","s"]},{"field_id":"b","value":"yes"}]}}`},
		{"unless a number or a choice", []moment{seen(true, "y=~2010 a=u"), seen(true, "y=~2003 a=u"), seen(false, "y=~2002 a=u"), seen(false, "y=~1935 a=u"), seen(false, "y=~2010 a=m")},
			`{"not":{"any":[{"field_id":"a","value":"m"},{"field_id":"y","op":"lt","value":2003}]}}`},
		{"unless a date or a choice", []moment{seen(true, "y=~2010-05-01 a=u"), seen(true, "y=~2003-01-01 a=u"), seen(false, "y=~2002-01-01 a=u"), seen(false, "y=~1935-01-01 a=u"), seen(false, "y=~2010-05-01 a=m")},
			`{"not":{"any":[{"field_id":"a","value":"m"},{"field_id":"y","op":"lt","value":"2003-01-01"}]}}`},
		{"a border far off separates by chance", []moment{
			seen(true, "y=~2012-01-01 a=1 b=1"), seen(true, "y=~2012-01-01 a=1 b=2"), seen(false, "y=~2012-01-01 a=2 b=2"), seen(false, "y=~1990-01-01 a=2 b=2"), seen(true, "y=~2012-01-01 a=2 b=1"),
		}, `{"not":{"all":[{"field_id":"a","value":"2"},{"field_id":"b","value":"2"}]}}`},
		{"unless one of three, and not before it is asked", []moment{
			seen(false, "b=t c=n"), seen(false, "a=no b=t c=n"), seen(true, "a=yes b=t c=n"), seen(true, "a=yes b=t c=y"), seen(true, "a=yes b=m c=n"), seen(false, "a=yes b=m c=y"), seen(false, "a=yes b=s c=n"), seen(false, "b=m c=n"),
		}, `{"not":{"any":[{"field_id":"a","value":"no"},{"field_id":"b","value":"s"},{"all":[{"field_id":"b","value":"m"},{"field_id":"c","value":"y"}]},{"field_id":"a","op":"absent"}]}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := explain(tt.moments, []string{"y", "a", "b", "c"})
			if !ok {
				t.Fatal("no condition was found")
			}
			text, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			if string(text) != tt.want {
				t.Errorf("got %s\nwant %s", text, tt.want)
			}
		})
	}
}

func TestExplainGivesUp(t *testing.T) {
	// The same answers, once with the field and once without.
	if c, ok := explain([]moment{seen(true, "a=x"), seen(false, "a=x")}, []string{"a"}); ok {
		t.Errorf("explained the inexplicable by %+v", c)
	}
	// Numbers that happened to be tried are no rule for those that were not.
	var moments []moment
	for i, holds := range []bool{true, false, false, true, false, true, true, false, true, false, false, true} {
		moments = append(moments, seen(holds, fmt.Sprintf("a=~%d", 100+7*i)))
	}
	if c, ok := explain(moments, []string{"a"}); ok && (c.Op == "in" || c.Op == "not_in") {
		t.Errorf("a list of what was tried: %s", c)
	}
}

func TestExplainedConditionsHold(t *testing.T) {
	moments := []moment{
		seen(true, "a=u b=no"), seen(false, "a=m b=no"), seen(false, "a=u b=yes"), seen(true, "a=u b=no y=~5"),
	}
	c, ok := explain(moments, []string{"a", "b", "y"})
	if !ok {
		t.Fatal("no condition was found")
	}
	for _, m := range moments {
		answers := map[string]any{}
		for k, v := range m.answers {
			answers[k] = plainAnswer(v)
		}
		if c.Holds(answers) != m.holds {
			t.Errorf("with %v the condition %+v says %v", answers, c, !m.holds)
		}
	}
}
