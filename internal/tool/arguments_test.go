package tool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// decoded calls a tool that hands its input out.
func decoded(t *testing.T, args string) (got everything, said string) {
	t.Helper()
	b := of(nil, func(_ context.Context, in everything) (none, error) { got = in; return none{}, nil })
	r := call(t, b, args)
	if r.IsError {
		return got, text(t, r)
	}
	return got, ""
}

// Traps: null arguments and a default panic in the SDK; integers above 2^53 are
// rounded on their way through a map.
func TestArgumentsReachTheHandlerExactly(t *testing.T) {
	five := 5
	tests := map[string]struct {
		args string
		want everything
	}{
		"defaults": {`{"text":"x"}`, everything{}},
		"null for an optional one is its default": {`{"text":"x","mode":null,"raw":null,"maybe":null}`, everything{}},
		"a default can be overridden by zero":     {`{"text":"x","yes":false}`, everything{}},
		"verbatim": {`{"text":"x","raw":{"b":9007199254740993, "a":[1.0,1e2]},"object":{},"number":12345678901234567890,"any":9007199254740993}`,
			everything{Raw: json.RawMessage(`{"b":9007199254740993, "a":[1.0,1e2]}`), Object: json.RawMessage(`{}`), Number: "12345678901234567890", Any: json.Number("9007199254740993")}},
		"inside": {`{"text":"x","deep":[{"a":1}],"map":{"k":{"a":2}},"maybe":5,"under":{"a":3},"list":["a","b"],"shared":"s"}`,
			everything{Deep: []inner{{1}}, Map: map[string]inner{"k": {2}}, Maybe: &five, Under: &inner{3}, List: []string{"a", "b"}, embedded: embedded{"s"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			want := tt.want
			want.Text, want.Mode, want.Count, want.Yes = "x", "fast", 3, !strings.Contains(tt.args, "false")
			got, said := decoded(t, tt.args)
			if said != "" {
				t.Fatal(said)
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(everything{}), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("input (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNoArgumentsAreAnEmptyObject(t *testing.T) {
	type optional struct {
		Quality int64 `json:"quality,omitempty" default:"9007199254740993"`
	}
	for _, args := range []string{"null", "{}", "", " "} {
		var got int64
		b := of(nil, func(_ context.Context, in optional) (none, error) { got = in.Quality; return none{}, nil })
		if r := call(t, b, args); r.IsError || got != 9007199254740993 {
			t.Errorf("%q: %d, %s", args, got, text(t, r))
		}
	}
}

func TestEverythingWrongIsToldAtOnce(t *testing.T) {
	_, said := decoded(t, `{"txet":"x","mode":"quick","count":12,"yes":"true","deep":[{"a":1},{"b":2}],"list":["a","c"],"when":5,"Count":1}`)
	want := `status: error (invalid_arguments). The arguments have 10 problems:
- txet is not known; did you mean text? Valid: text, mode, count, shared, ratio, yes, when, number, raw, object, any, list, deep, map, open, maybe, under, names
- mode must be one of fast, slow
- count must be at most 9
- yes must be a boolean, not a string
- deep[1].b is not known. Valid: a
- deep[1].a is required and missing; it must be an integer
- list[1] must be one of a, b
- when must be a date and time such as 2026-01-31T09:00:00Z, not a number
- Count is not known; did you mean count? Valid: text, mode, count, shared, ratio, yes, when, number, raw, object, any, list, deep, map, open, maybe, under, names
- text is required and missing; it must be a string
What to do: Correct this and call again. Required: text.`
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestWrongArguments(t *testing.T) {
	tests := map[string]struct{ args, want string }{
		"no JSON":              {`{"text":`, "not usable JSON"},
		"a list":               {`["x"]`, "arguments must be an object, not an array"},
		"twice":                {`{"text":"a","text":"b"}`, `"text" appears twice`},
		"twice inside":         {`{"text":"a","raw":{"k":1,"k":2}}`, `"k" appears twice`},
		"null for required":    {`{"text":null}`, "text is required and missing"},
		"no integer":           {`{"text":"a","count":1.5}`, "count must be an integer, not a number"},
		"exponent":             {`{"text":"a","count":1e0}`, "count must be an integer"},
		"does not fit":         {`{"text":"a","deep":[{"a":256}]}`, "deep.a does not fit"},
		"does not fit, inside": {`{"text":"a","under":{"a":256}}`, "under.a does not fit: it must be an integer"},
		"huge":                 {`{"text":"a","maybe":99999999999999999999}`, "maybe does not fit"},
		"no date":              {`{"text":"a","when":"tomorrow"}`, "when does not fit: it must be a date and time"},
		"no object":            {`{"text":"a","object":[1]}`, "object must be an object, not an array"},
		"null in a list":       {`{"text":"a","list":[null]}`, "list[0] must be one of a, b, not null"},
		"a long name":          {`{"text":"a","` + strings.Repeat("x", 5000) + `":1}`, "is not known. Valid: text"},
		"an absurd number":     {`{"text":"a","count":` + strings.Repeat("9", 400) + `}`, "count must be at most 9"},
		"too many values":      {`{"text":"a","raw":[` + strings.Repeat("0,", 300_000) + `0]}`, "more than 250000 values"},
		"too deep":             {`{"text":"a","raw":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`, "nested too deep"},
		"deeper than parsers":  {`{"text":"a","raw":` + strings.Repeat(`["\"]",`, 1e6) + "1" + strings.Repeat("]", 1e6) + `}`, "nested too deep"},
		"deep in a string":     {`{"text":"` + strings.Repeat("[", 200) + `\"[`, "ends too early"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if _, said := decoded(t, tt.args); !strings.Contains(said, tt.want) {
				t.Errorf("says %.300q, want %q", said, tt.want)
			}
		})
	}
}

func TestAnEscapedEnumIsTheSameWord(t *testing.T) {
	if got, said := decoded(t, `{"text":"a","mode":"\u0073low"}`); said != "" || got.Mode != "slow" {
		t.Errorf("mode %q, %s", got.Mode, said)
	}
}

// TestNotAllOfManyProblemsAreTold: what is wrong with a call costs no more than a person
// would read, however much it is.
func TestNotAllOfManyProblemsAreTold(t *testing.T) {
	const many = 200_000
	var b strings.Builder
	for i := range many {
		fmt.Fprintf(&b, `"textt%d":1,`, i)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, said := decoded(t, `{`+b.String()+`"text":"a"}`)
	runtime.ReadMemStats(&after)
	if strings.Count(said, "\n- ") != 51 || !strings.Contains(said, "have 200000 problems") || !strings.Contains(said, "\n- and 199950 more") {
		t.Errorf("%.300s ... %s", said, said[max(0, len(said)-100):])
	}
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 200 {
		t.Errorf("telling them took %d MB", used)
	}
}
