package suite

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// TestMoreSteps runs completion, subscription, events and tasks in both eras, and has each
// of them fail for what does not come.
func TestMoreSteps(t *testing.T) {
	const text = `version: 1
suite: more
steps:
  - complete: {prompt: greet, argument: who, value: A, context: {tone: kind}}
    expect: [{at: /completion/values, count: 2}]
  - complete: {template: "memo://notes/{id}", argument: id}
    expect: [{at: /completion/values/0, equals: %s}]
  - subscribe: memo://note
  - call: touch
  - await: notifications/resources/updated
    within: %s
    expect: [{at: /uri, equals: memo://note}]
  - call: work
    task: true
    expect: [{at: /content/0/text, equals: worked}, {at: /isError, exists: false}]
`
	for _, era := range []wire.Era{wire.EraLegacy, wire.EraModern} {
		t.Run(string(era), func(t *testing.T) {
			good, err := Parse(fmt.Appendf(nil, text, "Ada", "10s"))
			if err != nil {
				t.Fatal(err)
			}
			o := options()
			o.Target, o.Wire.Era = started(t, "everything", fixture.HTTP), era
			r, err := Run(t.Context(), good, o)
			if err != nil || !r.Passed || len(r.Steps) != 6 {
				t.Errorf("%v\n%s", err, asText(r))
			}
			conn := connected(t, o.Target, era)
			wrong, err := Parse([]byte(`{"version":1,"suite":"x","steps":[
				{"complete":{"prompt":"greet","argument":"who"},"expect":[{"at":"/completion/values/0","equals":"Bob"}]},
				{"call":"touch"},
				{"await":"notifications/resources/updated","within":"50ms"},
				{"await":"notifications/tools/list_changed","within":"50ms"}]}`))
			if err != nil {
				t.Fatal(err)
			}
			bad := RunOn(t.Context(), conn, wrong, options())
			if said := asText(bad); bad.Passed || strings.Count(said, "FAIL ") != 3 || !strings.Contains(said, "no notifications/tools/list_changed came within 50ms") {
				t.Errorf("it says\n%s", said)
			}
		})
	}
}

// TestEventsOnce: a step awaits what came after the event of the step before, and not that
// again.
func TestEventsOnce(t *testing.T) {
	s, err := Parse([]byte(`{"version":1,"suite":"x","steps":[{"subscribe":"memo://note"},{"call":"touch"},
		{"await":"notifications/resources/updated"},{"await":"notifications/resources/updated","within":"50ms"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	o := options()
	o.Target, o.Wire.Era = started(t, "everything", fixture.HTTP), wire.EraLegacy
	r, err := Run(t.Context(), s, o)
	if err != nil || len(r.Steps) != 4 || !r.Steps[2].Passed || r.Steps[3].Passed {
		t.Errorf("%v\n%s", err, asText(r))
	}
}

// TestMoreMistakes: what makes no sense is refused before anything runs.
func TestMoreMistakes(t *testing.T) {
	for step, wrong := range map[string]string{
		`{"complete":{"prompt":"a"}}`:                               "needs argument",
		`{"complete":{"prompt":"a","template":"b","argument":"c"}}`: "either prompt or template",
		`{"read":"a:b","task":true}`:                                "only a call",
		`{"await":"notifications/x","fails":-1}`:                    "cannot fail",
		`{"subscribe":"a:b","await":"notifications/x"}`:             "2 of connect",
	} {
		if _, err := Parse([]byte(`{"version":1,"suite":"x","steps":[` + step + `]}`)); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v", step, err)
		}
	}
}

// TestRecordMore: completions and calls as tasks are written down so that they pass again.
func TestRecordMore(t *testing.T) {
	target := started(t, "everything", fixture.HTTP)
	conn := connected(t, target, wire.EraLegacy)
	for _, c := range []struct{ method, params string }{
		{"completion/complete", `{"ref":{"type":"ref/resource","uri":"memo://notes/{id}"},"argument":{"name":"id","value":"1"}}`},
		{"tools/call", `{"name":"work","arguments":{},"task":{"ttl":60000}}`},
	} {
		if _, err := conn.Call(t.Context(), c.method, json.RawMessage(c.params), wire.CallOptions{FollowTasks: true}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Record("more", conn.Transcript(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(text)
	if err != nil || len(again.Steps) != 3 || again.Steps[1].Complete == nil || len(again.Steps[1].Expect) == 0 || !again.Steps[2].Task || len(again.Steps[2].Expect) != 0 {
		t.Fatalf("%v\n%s", err, text)
	}
	if r := RunOn(t.Context(), conn, again, options()); !r.Passed {
		t.Errorf("it says\n%s", asText(r))
	}
}
