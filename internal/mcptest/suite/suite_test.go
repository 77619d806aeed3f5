package suite

import (
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParse reads suites, and says what is wrong with those that are none.
func TestParse(t *testing.T) {
	step := func(s string) string { return "version: 1\nsuite: x\nsteps:\n  - " + s + "\n" }
	for _, c := range []struct{ name, text, wrong string }{
		{"YAML", step("{call: echo, arguments: {n: 9007199254740993, x: 1.50, on: yes}, within: 2s}"), ""},
		{"JSON", `{"version":1,"suite":"x","steps":[{"read":"a:b","expect":[{"at":"/contents","count":1}]}]}`, ""},
		{"a pointer to an item", step("{list: tools, expect: [{at: /tools/name=echo, exists: true}]}"), ""},
		{"nothing", ``, "it is empty"},
		{"no steps", "version: 1\nsuite: x\n", "0 steps"},
		{"another version", "version: 2\nsuite: x\nsteps: [{connect: true}]\n", "version is 2"},
		{"two documents", step("{connect: true}") + "---\n" + step("{connect: true}"), "more than one document"},
		{"an alias", "version: 1\nsuite: &a x\nsteps: [{call: *a}]\n", "anchors and aliases"},
		{"a key twice", step("{call: a, call: b}"), "twice"},
		{"a word that is not known", step("{call: a, expects: []}"), "expects"},
		{"binary data", step("{call: a, arguments: {x: !!binary aGk=}}"), "not read"},
		{"infinity", step("{call: a, arguments: {x: .inf}}"), "no number"},
		{"two requests", step("{call: a, read: b}"), "2 of connect"},
		{"no request", step("{name: a}"), "0 of connect"},
		{"no such list", step("{list: things}"), "no list"},
		{"arguments that are none", step("{call: a, arguments: [1]}"), "no object"},
		{"a time that is none", step("{call: a, within: soon}"), "no duration"},
		{"error and result", step("{call: a, fails: -32602, expect: [{at: /x, exists: true}]}"), "an error is expected"},
		{"no pointer", step("{call: a, expect: [{at: x, exists: true}]}"), "no JSON pointer"},
		{"no expectation", step("{call: a, expect: [{at: /x}]}"), "expects nothing"},
		{"a pattern that is none", step("{call: a, expect: [{at: /x, matches: '('}]}"), "matches"},
		{"a type that is none", step("{call: a, expect: [{at: /x, type: text}]}"), "no type"},
		{"the schema of no tool", step("{read: 'a:b', expect: [{at: /x, schema: output}]}"), "no call"},
		{"a schema that is fetched", step("{call: a, expect: [{at: /x, schema: {$ref: 'https://example.com/s.json'}}]}"), "not loaded"},
		{"a pattern that this engine lacks", step("{call: a, expect: [{at: /x, schema: {pattern: '(?=a)b'}}]}"), "none of RE2"},
		{"an era that is none", "version: 1\nsuite: x\nserver: {url: 'https://example.com', era: modrn}\nsteps: [{connect: true}]\n", "no era"},
		{"a member that is misspelt", step("{cal: x}"), "call is the nearest"},
		{"a member that does not exist", step("{frobnicate: x}"), "await, call, "},
		{"deep", step("{call: a, arguments: {x: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}}"), "too deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse([]byte(c.text))
			switch {
			case c.wrong == "" && err != nil:
				t.Error(err)
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
				t.Errorf("%v, want %q", err, c.wrong)
			case c.wrong == "" && c.name == "YAML" && string(s.Steps[0].Arguments) != `{"n":9007199254740993,"x":1.50,"on":"yes"}`:
				t.Errorf("arguments %s", s.Steps[0].Arguments)
			}
		})
	}
}

// TestTextsSurvive writes texts that YAML could take for something else.
func TestTextsSurvive(t *testing.T) {
	for _, text := range []string{"", " ", "yes", "null", "~", "1.0", "0x10", "2026-01-01", "- a", "a: b", "# no", "two\nlines\n", "\ttab", `"quoted"`, "\x1b[2J", "\u202e", "ü", "*a", "&a", "!tag", "%", "@", "`", "{", "}", "a, b", "<&>"} {
		s := &Suite{Version: 1, Name: "x", Steps: []Step{{Call: "a", Expect: []Expectation{{At: "/x", Equals: encode(text)}}}}}
		y, err := s.YAML()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(y)
		if err != nil {
			t.Errorf("%q: %v\n%s", text, err, y)
			continue
		}
		var back string
		if err := json.Unmarshal(again.Steps[0].Expect[0].Equals, &back); err != nil || back != text {
			t.Errorf("%q came back as %q\n%s", text, back, y)
		}
	}
}

// TestExpectations holds one result against each kind of expectation.
func TestExpectations(t *testing.T) {
	result, err := decode([]byte(`{"content":[{"type":"text","text":"{\"n\":1.0}"},{"type":"image","mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="}],
		"structuredContent":{"n":1,"list":[{"name":"a"},{"name":"b","v":2}],"big":9007199254740993,"huge":1e999999999,"a/b":{"~":true},"none":null}}`))
	if err != nil {
		t.Fatal(err)
	}
	own := func() (json.RawMessage, error) { return json.RawMessage(`{"required":["n","m"]}`), nil }
	for _, c := range []struct {
		expectation string
		holds       bool
	}{
		{`{"at":"/structuredContent/n","equals":1.0}`, true},
		{`{"at":"/structuredContent/n","equals":1.1}`, false},
		{`{"at":"/structuredContent/n","equals":"1"}`, false},
		{`{"at":"/structuredContent/big","equals":9007199254740993}`, true},
		{`{"at":"/structuredContent/big","equals":9007199254740992}`, false},
		{`{"at":"/structuredContent/huge","type":"number"}`, true},
		{`{"at":"/structuredContent/huge","equals":1e999999999}`, true},
		{`{"at":"/structuredContent/huge","equals":1e999999998}`, false},
		{`{"at":"/structuredContent/a~1b/~0","equals":true}`, true},
		{`{"at":"/structuredContent/list/name=b/v","equals":2}`, true},
		{`{"at":"/structuredContent/list/name=c","exists":true}`, false},
		{`{"at":"/structuredContent/list/name=c","exists":false}`, true},
		{`{"at":"/structuredContent/list/2","exists":false}`, true},
		{`{"at":"/structuredContent/list/-1","exists":false}`, true},
		{`{"at":"/structuredContent/list","equals":[{"name":"a"},{"v":2,"name":"b"}]}`, true},
		{`{"at":"/structuredContent/list","equals":[{"name":"a"}]}`, false},
		{`{"at":"/structuredContent/list","count":2}`, true},
		{`{"at":"/structuredContent/n","count":2}`, false},
		{`{"at":"/structuredContent/none","type":"null"}`, true},
		{`{"at":"/structuredContent/none","exists":true}`, true},
		{`{"at":"/structuredContent/n","type":"integer"}`, true},
		{`{"at":"/structuredContent/n","type":"number"}`, true},
		{`{"at":"/structuredContent/n","type":"string"}`, false},
		{`{"at":"/missing","type":"string"}`, false},
		{`{"at":"/content/0/text","matches":"^\\{"}`, true},
		{`{"at":"/content/0/text","matches":"^x"}`, false},
		{`{"at":"/structuredContent/n","matches":"1"}`, false},
		{`{"at":"/content/0/text","same_as":"/structuredContent"}`, false},
		{`{"at":"/structuredContent/list/0","same_as":"/structuredContent/list/name=a"}`, true},
		{`{"at":"/structuredContent","schema":{"type":"object","required":["n"]}}`, true},
		{`{"at":"/structuredContent","schema":{"type":"object","required":["m"]}}`, false},
		{`{"at":"/structuredContent","schema":"output"}`, false},
		{`{"at":"/content/1","content":"image","mime":"image/png","width":1,"height":1,"min_bytes":60,"max_bytes":80}`, true},
		{`{"at":"/content/1","width":2}`, false},
		{`{"at":"/content/1","min_bytes":100}`, false},
		{`{"at":"/content/1","mime":"image/jpeg"}`, false},
		{`{"at":"/content/0","content":"image"}`, false},
		{`{"at":"/content/0","width":1}`, false},
	} {
		var e Expectation
		if err := json.Unmarshal([]byte(c.expectation), &e); err != nil {
			t.Fatal(err)
		}
		if got := e.failures(result, own); (len(got) == 0) != c.holds {
			t.Errorf("%s: %+v", c.expectation, got)
		}
	}
}

// TestReports writes a result for people and for CI, with what a server said made
// harmless.
func TestReports(t *testing.T) {
	hostile := "\x1b[2J</failure>" + strings.Repeat("x", 1000)
	r := &Result{Suite: "a", Connected: true, Millis: 1500, Steps: []StepResult{
		{Name: "connect", Passed: true, Millis: 5},
		{Name: "call a", Millis: 7, Failures: []Failure{{At: "/x", Expected: `"1"`, Got: shown(hostile)}}},
		{Name: "call b", Skipped: true},
	}}
	text := asText(r)
	for _, want := range []string{"ok         5 ms  connect", "FAIL       7 ms  call a", "at       /x", "FAILED: 1 steps passed, 1 failed, 1 left out."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.ContainsRune(text, 0x1b) || len(text) > 1500 {
		t.Errorf("%d bytes: %q", len(text), text)
	}
	var b strings.Builder
	if err := r.WriteJUnit(&b); err != nil {
		t.Fatal(err)
	}
	var read struct {
		Suite struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Skipped  int `xml:"skipped,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Failure *struct {
					Text string `xml:",chardata"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &read); err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	s := read.Suite
	if s.Tests != 3 || s.Failures != 1 || s.Skipped != 1 || s.Cases[1].Failure == nil || !strings.Contains(s.Cases[1].Failure.Text, "expected \"1\"") {
		t.Errorf("JUnit says %+v\n%s", s, b.String())
	}
}

// TestYAMLIsReadable writes what people see first of a suite.
func TestYAMLIsReadable(t *testing.T) {
	n := 2
	s := &Suite{Version: 1, Name: "demo", Server: &Server{Command: []string{"demo", "--stdio"}}, Steps: []Step{
		{Connect: true, Expect: []Expectation{{At: "/serverInfo/name", Equals: json.RawMessage(`"demo"`)}}},
		{Call: "add", Arguments: json.RawMessage(`{"a":5,"b":[1,2]}`), Within: "2s", Expect: []Expectation{{At: "/content", Count: &n}}},
	}}
	got, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	want := `version: 1
suite: demo
server:
  command:
    - demo
    - "--stdio"
steps:
  - connect: true
    expect:
      - {at: /serverInfo/name, equals: demo}
  - call: add
    arguments:
      a: 5
      b:
        - 1
        - 2
    within: 2s
    expect:
      - {at: /content, count: 2}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

// TestForeignPatterns holds a result against an output schema with a pattern that this
// engine of regular expressions does not have: that is no fault of the result.
func TestForeignPatterns(t *testing.T) {
	own := func() (json.RawMessage, error) {
		return json.RawMessage(`{"properties":{"p":{"type":"string","pattern":"^(?=a)a"}}}`), nil
	}
	e := Expectation{Schema: json.RawMessage(`"output"`)}
	for value, holds := range map[string]bool{"a": true, "": true} {
		if out := e.failures(map[string]any{"p": value}, own); (len(out) == 0) != holds {
			t.Errorf("%q: %v", value, out)
		}
	}
	if out := e.failures(map[string]any{"p": 7.0}, own); len(out) == 0 {
		t.Error("a number passes for a text")
	}
}
