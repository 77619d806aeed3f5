package wizard

import (
	"encoding/json"
	"testing"
)

// TestDatesAreOrdered compares what a condition says about a date with what the
// contract's expression for it says.
func TestDatesAreOrdered(t *testing.T) {
	dates := []string{"1935-06-30", "1999-12-31", "2002-12-31", "2003-01-01", "2003-01-02", "2003-09-09", "2003-09-10", "2003-12-31", "2004-01-01", "2019-11-30", "9999-12-31"}
	for _, bound := range []string{"2003-01-01", "2003-09-09", "1999-12-31", "2019-11-30"} {
		for _, op := range []string{opGT, opGTE, opLT, opLTE} {
			c := &Condition{FieldID: "born", Op: op, Value: json.RawMessage(`"` + bound + `"`)}
			schema := compiled(t, c)
			for _, d := range dates {
				want := map[string]bool{opGT: d > bound, opGTE: d >= bound, opLT: d < bound, opLTE: d <= bound}[op]
				if got := c.Holds(Answers{"born": d}); got != want {
					t.Errorf("%s %s %s: the condition says %v", d, op, bound, got)
				}
				if got := schema.Validate(map[string]any{"born": d}) == nil; got != want {
					t.Errorf("%s %s %s: the schema says %v", d, op, bound, got)
				}
			}
			for _, other := range []any{"soon", "", "2003-13-01", json.Number("20030101"), nil} {
				if c.Holds(Answers{"born": other}) {
					t.Errorf("%v %s %s holds", other, op, bound)
				}
			}
		}
	}
}
