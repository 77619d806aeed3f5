package wizard

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// written is a data schema that somebody wrote, with definitions and the schema of
// one property.
func written(t *testing.T, definitions map[string]any, property any) []byte {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"$schema": draft07, "type": "object", "definitions": definitions, "properties": map[string]any{"country": property}})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestSchemaThatNeverEnds: forty definitions that each refer twice to the one before
// stand for a trillion, and checking one word with them would take hours.
func TestSchemaThatNeverEnds(t *testing.T) {
	t.Parallel()
	doubling := func(n int) map[string]any {
		out := map[string]any{"d0": map[string]any{"type": "string"}}
		for i := 1; i <= n; i++ {
			ref := map[string]any{"$ref": fmt.Sprintf("#/definitions/d%d", i-1)}
			out[fmt.Sprintf("d%d", i)] = map[string]any{"allOf": []any{ref, ref}}
		}
		return out
	}
	ref := func(name string) any { return map[string]any{"$ref": name} }
	var invalid *InvalidError
	for _, c := range []struct {
		name     string
		schema   []byte
		contains string // of the error
	}{
		{"doubling", written(t, doubling(40), ref("#/definitions/d40")), "more than 200000 parts"},
		{"itself", written(t, map[string]any{}, map[string]any{"items": ref("#")}), "refers to itself"},
		{"itself through others", written(t, map[string]any{"a": map[string]any{"properties": map[string]any{"b": ref("#/definitions/a")}}}, ref("#/definitions/a")), "refers to itself"},
	} {
		if _, err := ParseContract(benefitCheck(t), c.schema); !errors.As(err, &invalid) || !strings.Contains(err.Error(), c.contains) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := ParseContract(benefitCheck(t), written(t, doubling(8), ref("#/definitions/d8"))); err != nil {
		t.Errorf("a schema with references: %v", err)
	}
}

// TestManyProblems: a message does not grow with the file that it is about.
func TestManyProblems(t *testing.T) {
	t.Parallel()
	_, err := Parse(edited(t, func(w map[string]any) {
		fields := w["pages"].([]any)[0].(map[string]any)["fields"].([]any)
		for range 5000 {
			fields = append(fields, map[string]any{"field_id": "Not an id"})
		}
		w["pages"].([]any)[0].(map[string]any)["fields"] = fields
	}))
	if err == nil || len(err.Error()) > 10_000 || !strings.Contains(err.Error(), "more") {
		t.Errorf("%.300v", err)
	}
}
