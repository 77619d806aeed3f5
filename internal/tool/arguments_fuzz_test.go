package tool

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
)

type fuzzIn struct {
	Name  string           `json:"name" enum:"a,b"`
	Count int64            `json:"count,omitempty" default:"3" minimum:"-5"`
	Raw   json.RawMessage  `json:"raw,omitempty"`
	List  []fuzzInner      `json:"list,omitempty"`
	Map   map[string]uint8 `json:"map,omitempty"`
}

type fuzzInner struct {
	OK bool `json:"ok"`
}

// FuzzArguments: no input panics, every refusal has words, and what is accepted
// keeps its promises.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a"}`, `null`, `{"name":"b","count":-6,"list":[{"ok":true}],"map":{"x":256}}`, `{"name":"a","raw":9007199254740993}`,
		`{"NAME":"a"}`, `{"name":"a","name":"b"}`, `{"name":"\u0061","raw":{"k":[1.0,null]}}`, `[`, "{\"name\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	schema, err := infer(reflect.TypeFor[fuzzIn](), true)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var in fuzzIn
		if err := decodeInput(schema, data, &in); err != nil {
			if f := fault.From(err); f.Kind != fault.Invalid || f.Message == "" || f.Action == "" {
				t.Fatalf("a refusal without words: %+v", f)
			}
			return
		}
		if (in.Name != "a" && in.Name != "b") || in.Count < -5 {
			t.Fatalf("accepted %+v", in)
		}
		if in.Raw != nil && !bytes.Contains(data, in.Raw) {
			t.Fatalf("%s is not what was sent", in.Raw)
		}
	})
}
