package tool_test

import (
	"context"
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/tool"
)

type embedded struct {
	Shared string `json:"shared,omitempty"`
}

type everything struct {
	Text  string `json:"text" jsonschema:"a <text> & more"`
	Mode  string `json:"mode,omitempty" enum:"fast,slow" default:"fast"`
	Count int    `json:"count,omitempty" default:"3" minimum:"1" maximum:"9"`
	embedded
	Ratio  float64           `json:"ratio,omitempty"`
	Yes    bool              `json:"yes,omitempty" default:"true"`
	When   time.Time         `json:"when,omitzero"`
	Number json.Number       `json:"number,omitempty"`
	Raw    json.RawMessage   `json:"raw,omitempty"`
	Object json.RawMessage   `json:"object,omitempty" type:"object"`
	Any    any               `json:"any,omitempty"`
	List   []string          `json:"list,omitempty" enum:"a,b"`
	Deep   []inner           `json:"deep,omitempty"`
	Map    map[string]inner  `json:"map,omitempty"`
	Open   map[string]any    `json:"open,omitempty"`
	Maybe  *int              `json:"maybe,omitempty"`
	Under  *inner            `json:"under,omitempty"`
	Hidden string            `json:"-"`
	Names  map[string]string `json:"names,omitempty"`
	secret string
}

type inner struct {
	A uint8 `json:"a"`
}

// Trap: inference publishes null unions, bare booleans and times without a
// format. None of it may reach a client.
func TestSchemasAreClean(t *testing.T) {
	b := of(func(s *tool.Spec) { s.OpenWorld = true }, func(_ context.Context, in everything) (everything, error) { _ = in.secret; return in, nil })
	const want = `{
  "description": "Does it.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "text": {"type": "string", "description": "a <text> & more"},
      "mode": {"type": "string", "enum": ["fast", "slow"], "default": "fast"},
      "count": {"type": "integer", "default": 3, "minimum": 1, "maximum": 9},
      "shared": {"type": "string"},
      "ratio": {"type": "number"},
      "yes": {"type": "boolean", "default": true},
      "when": {"type": "string", "format": "date-time"},
      "number": {"type": "number"},
      "raw": {},
      "object": {"type": "object"},
      "any": {},
      "list": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
      "deep": {"type": "array", "items": INNER},
      "map": {"type": "object", "additionalProperties": INNER},
      "open": {"type": "object", "additionalProperties": {}},
      "maybe": {"type": "integer"},
      "under": INNER,
      "names": {"type": "object", "additionalProperties": {"type": "string"}}
    },
    "required": ["text"],
    "additionalProperties": false
  }
}`
	inner := `{"type": "object", "properties": {"a": {"type": "integer", "minimum": 0}}, "required": ["a"], "additionalProperties": false}`
	var wanted, got struct {
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	snapshot := tool.Snapshot(b)
	for raw, into := range map[string]any{strings.ReplaceAll(want, "INNER", inner): &wanted, string(snapshot): &got} {
		if err := json.Unmarshal([]byte(raw), into); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(indent(t, wanted.InputSchema), indent(t, got.InputSchema)); diff != "" {
		t.Errorf("input schema (-want +got):\n%s", diff)
	}
	for _, bad := range []string{`"null"`, `": true,\n        "`, `\u003c`} {
		if strings.Contains(string(snapshot), bad) {
			t.Errorf("the snapshot has %s:\n%s", bad, snapshot)
		}
	}
}

// indent is the same text for the same document in the same order.
func indent(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var b strings.Builder
	for dec := json.NewDecoder(strings.NewReader(string(raw))); ; {
		tok, err := dec.Token()
		if err != nil {
			return b.String()
		}
		piece, err := json.Marshal(tok)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(piece)
		b.WriteByte('\n')
	}
}

func TestHintsAreExplicit(t *testing.T) {
	tests := []struct {
		effect     tool.Effect
		idempotent bool
		open       bool
		want       string
	}{
		{tool.Read, true, false, `{"destructiveHint":false,"idempotentHint":true,"openWorldHint":false,"readOnlyHint":true}`},
		{tool.Write, false, true, `{"destructiveHint":false,"idempotentHint":false,"openWorldHint":true,"readOnlyHint":false}`},
		{tool.Destroy, false, true, `{"destructiveHint":true,"idempotentHint":false,"openWorldHint":true,"readOnlyHint":false}`},
	}
	for _, tt := range tests {
		b := of(func(s *tool.Spec) { s.Effect, s.Idempotent, s.OpenWorld = tt.effect, tt.idempotent, tt.open },
			func(context.Context, none) (none, error) { return none{}, nil })
		raw, err := json.Marshal(b.Definition().Annotations)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, string(raw)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.effect, diff)
		}
	}
}

// The published output schema requires nothing: clients that check an error's
// structured content against it would hide the error.
func TestOutputSchemaFitsErrorsToo(t *testing.T) {
	b := of(nil, func(context.Context, none) (inner, error) { return inner{}, nil })
	raw, err := json.Marshal(b.Definition().OutputSchema)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"type":"object","properties":{"a":{"type":"integer","minimum":0}}}`, string(raw)); diff != "" {
		t.Errorf("output schema (-want +got):\n%s", diff)
	}
}

func TestAnOutlineKeepsTheFirstLevelOfItsMembers(t *testing.T) {
	type outer struct {
		Deep  []inner          `json:"deep" jsonschema:"many"`
		Under inner            `json:"under"`
		Map   map[string]inner `json:"map"`
		Mode  string           `json:"mode" enum:"a,b"`
		Extra string           `json:"extra"`
	}
	b := of(func(s *tool.Spec) { s.Outline = []string{"mode", "deep", "under", "map"} }, func(context.Context, none) (outer, error) { return outer{}, nil })
	raw, err := json.Marshal(b.Definition().OutputSchema)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{"mode":{"type":"string","enum":["a","b"]},` +
		`"deep":{"type":"array","items":{"type":"object"}},"under":{"type":"object"},"map":{"type":"object"}}}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Errorf("output schema (-want +got):\n%s", diff)
	}
	if b.Output.Property("under").Property("a") == nil || b.Output.Property("deep").Description == "" || b.Output.Property("extra") == nil {
		t.Error("the reference lost members")
	}
}

type (
	withDuration struct {
		D time.Duration `json:"d"`
	}
	withBytes struct {
		B []byte `json:"b"`
	}
	withMarshaler struct {
		A netip.Addr `json:"a"`
	}
	withFunc struct {
		F func() `json:"f"`
	}
	withIntMap struct {
		M map[int]string `json:"m"`
	}
	withPointer struct {
		P *int `json:"p"`
	}
	withCycle struct {
		C []withCycle `json:"c"`
	}
	withNoName  struct{ N string }
	withDefault struct {
		N int `json:"n,omitempty" default:"x"`
	}
	withRange struct {
		N int `json:"n,omitempty" default:"0" minimum:"1"`
	}
	withBadEnum struct {
		N string `json:"n,omitempty" enum:"a" default:"b"`
	}
	withRequired struct {
		N int `json:"n" default:"1"`
	}
	withDeep struct {
		D []struct {
			N int `json:"n,omitempty" default:"1"`
		} `json:"d"`
	}
	withBound struct {
		N string `json:"n" minimum:"1"`
	}
	withString struct {
		N int `json:"n,string"`
	}
)

// declare declares a tool whose input is In and returns what it panics with.
func declare[In any](change func(*tool.Spec)) (said string) {
	defer func() {
		if v := recover(); v != nil {
			said, _ = v.(string)
		}
	}()
	of(change, func(context.Context, In) (none, error) { return none{}, nil })
	return ""
}

func TestMistakesAreFoundAtDeclaration(t *testing.T) {
	tests := map[string]struct{ said, want string }{
		"duration":          {declare[withDuration](nil), "nanoseconds"},
		"bytes":             {declare[withBytes](nil), "base64"},
		"marshaler":         {declare[withMarshaler](nil), "marshals itself"},
		"function":          {declare[withFunc](nil), "no place"},
		"map of ints":       {declare[withIntMap](nil), "string keys"},
		"pointer":           {declare[withPointer](nil), "null"},
		"cycle":             {declare[withCycle](nil), "contains itself"},
		"no name":           {declare[withNoName](nil), "no json name"},
		"default type":      {declare[withDefault](nil), "default"},
		"default range":     {declare[withRange](nil), "at least 1"},
		"default enum":      {declare[withBadEnum](nil), "one of a"},
		"default required":  {declare[withRequired](nil), "optional member"},
		"default inside":    {declare[withDeep](nil), "not inside a list"},
		"bound of a string": {declare[withBound](nil), "minimum on a string"},
		"string option":     {declare[withString](nil), "not supported"},
		"no struct":         {declare[string](nil), "plain struct"},
		"name":              {declare[none](func(s *tool.Spec) { s.Name = "Desk-Do" }), "name"},
		"long name":         {declare[none](func(s *tool.Spec) { s.Name = strings.Repeat("a", 41) }), "name"},
		"no scope":          {declare[none](func(s *tool.Spec) { s.Scope = "" }), "scope"},
		"no effect":         {declare[none](func(s *tool.Spec) { s.Effect = 0 }), "effect"},
		"tiny budget":       {declare[none](func(s *tool.Spec) { s.Budget = 100 }), "budget"},
		"wrong example": {declare[inner](func(s *tool.Spec) {
			s.Examples = []tool.Example{{Name: "x", Args: map[string]any{"b": 1}}}
		}), "b is not known"},
	}
	for name, tt := range tests {
		if !strings.Contains(tt.said, tt.want) {
			t.Errorf("%s: says %q, want %q", name, tt.said, tt.want)
		}
	}
	if said := declare[everything](nil); said != "" {
		t.Errorf("a good tool: %s", said)
	}
}
