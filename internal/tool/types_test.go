package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/tool"
)

type severalIn struct {
	Value json.RawMessage `json:"value,omitempty" type:"string,number,boolean,array"`
}

// TestSeveralTypes: a member may be of several types, which the schema and a refusal name.
func TestSeveralTypes(t *testing.T) {
	b := of(nil, func(_ context.Context, in severalIn) (severalIn, error) { return in, nil })
	if got := string(tool.Snapshot(b)); !strings.Contains(strings.Join(strings.Fields(got), ""), `"value":{"type":["string","number","boolean","array"],"items":{}}`) {
		t.Errorf("the definition is %s", got)
	}
	for _, value := range []string{`"a"`, `1.5`, `12345678901234567890`, `true`, `["a",1]`} {
		if r := call(t, b, `{"value":`+value+`}`); r.IsError || !strings.Contains(structured(t, r), value) {
			t.Errorf("%s: %s", value, text(t, r))
		}
	}
	r := call(t, b, `{"value":{"a":1}}`)
	if !r.IsError || !strings.Contains(text(t, r), "value must be a string or a number or a boolean or an array, not an object") {
		t.Errorf("an object: %s", text(t, r))
	}
}
