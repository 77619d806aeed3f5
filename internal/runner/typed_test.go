package runner

import (
	"encoding/json"
	"testing"
)

func TestTypedValue(t *testing.T) {
	for _, c := range []struct {
		text, typ string
		want      any
		ok        bool
	}{
		{"$24,789", "currency", json.Number("24789"), true},
		{"about 1,234.50 a month", "number", json.Number("1234.50"), true},
		{"(1,200)", "currency", json.Number("-1200"), true},
		{"\u2212$1,500", "currency", json.Number("-1500"), true},
		{"-1500", "integer", json.Number("-1500"), true},
		{"0045", "integer", json.Number("45"), true},
		{"007.5 %", "number", json.Number("7.5"), true},
		{"0", "number", json.Number("0"), true},
		{"5.9 years", "integer", json.Number("5"), true},
		{"9007199254740993", "integer", json.Number("9007199254740993"), true},
		{"none", "currency", "none", false},
		{"November 5, 2046", "date", "2046-11-05", true},
		{"11/05/2046", "date", "2046-11-05", true},
		{"some day", "date", "some day", false},
		{"Yes", "boolean", true, true},
		{"Not eligible", "boolean", false, true},
		{"perhaps", "boolean", "perhaps", false},
		{"PR-000123", "string", "PR-000123", true},
	} {
		got, ok := typedValue(c.text, c.typ)
		if got != c.want || ok != c.ok {
			t.Errorf("typedValue(%q, %s) = %v %v, want %v %v", c.text, c.typ, got, ok, c.want, c.ok)
		}
		if n, isNumber := got.(json.Number); isNumber {
			if raw, err := json.Marshal(n); err != nil || string(raw) != n.String() {
				t.Errorf("%q is no JSON number: %v", n, err)
			}
		}
	}
}
