package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// TestRecordAndRun records sessions, writes them down, reads them again and runs them:
// they pass on the same server.
func TestRecordAndRun(t *testing.T) {
	for _, over := range []fixture.Transport{fixture.HTTP, fixture.Stdio} {
		for _, era := range []wire.Era{wire.EraLegacy, wire.EraModern} {
			t.Run(string(over)+" "+string(era), func(t *testing.T) {
				target := started(t, "everything", over)
				s := recorded(t, target, era)
				text, err := s.YAML()
				if err != nil {
					t.Fatal(err)
				}
				again, err := Parse(text)
				if err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				if diff := cmp.Diff(canonical(t, s), canonical(t, again)); diff != "" {
					t.Errorf("the suite changes when it is written:\n%s", diff)
				}
				o := options()
				o.Target, o.Wire.Era = target, era
				r, err := Run(t.Context(), again, o)
				if err != nil || !r.Passed || len(r.Steps) != len(s.Steps) || len(r.Steps) != 12 {
					t.Errorf("%v, %d of %d steps\n%s\n%s", err, len(r.Steps), len(s.Steps), asText(r), text)
				}
			})
		}
	}
}

// canonical is a suite as JSON.
func canonical(t *testing.T, s *Suite) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestEachChangeIsSeen runs a recorded suite against a server of which one field of one
// answer is another: every one turns it red.
func TestEachChangeIsSeen(t *testing.T) {
	target := started(t, "everything", fixture.HTTP)
	s := recorded(t, target, wire.EraLegacy)
	for _, c := range []struct{ step, old, new string }{
		{"connect", `"name":"fixture"`, `"name":"other"`},
		{"connect", `"completions":{},`, ``},
		{"list tools", `"name":"picture"`, `"name":"image"`},
		{"list prompts", `"name":"greet"`, `"name":"hello"`},
		{"list resources", `"uri":"memo://pixel"`, `"uri":"memo://pixels"`},
		{"call echo", `at 2026`, `on 2026`},
		{"call sum", `"structuredContent":{"total":3.5`, `"structuredContent":{"total":4.5`},
		{"call sum", `"text":"{\"total\":3.5`, `"text":"{\"total\":4.5`},
		{"call sum", `"parts":[1,2.5]}}`, `"parts":[1,2.5],"more":1}}`}, // the tool's own schema forbids it
		{"call picture", `"type":"image"`, `"type":"audio"`},
		{"call fail", `"isError":true`, `"isError":false`},
		{"call no_such_tool", `-32602`, `-32603`},
		{"read memo://note", `remember 0`, `remember 1`},
		{"prompt greet", `Greet Ada.`, `Greet Bob.`},
		{"prompt greet", `"role":"user"`, `"role":"assistant"`},
	} {
		t.Run(c.step+" "+c.new, func(t *testing.T) {
			changed := 0
			o := options()
			o.Target, o.Wire.Era = wire.Target{URL: changing(t, target.URL, c.old, c.new, &changed)}, wire.EraLegacy
			r, err := Run(t.Context(), s, o)
			if err != nil || changed == 0 {
				t.Fatalf("%v, %d answers were changed", err, changed)
			}
			for _, step := range r.Steps {
				if step.Passed == (step.Name == c.step) {
					t.Errorf("%s passed: %v\n%s", step.Name, step.Passed, asText(r))
				}
			}
		})
	}
}

// changing stands before a server and changes a part of its answers.
func changing(t *testing.T, to, old, replacement string, changed *int) string {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: u.Scheme, Host: u.Host}) },
		ModifyResponse: func(r *http.Response) error {
			if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
				return nil
			}
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			*changed += bytes.Count(body, []byte(old))
			body = bytes.ReplaceAll(body, []byte(old), []byte(replacement))
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			r.Header.Del("Content-Length")
			return nil
		},
		Transport: &http.Transport{DisableKeepAlives: true},
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept-Encoding")
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL + "/mcp"
}

// TestRunsThatGoWrong runs suites against servers that cannot be reached, end on the way,
// or answer nothing.
func TestRunsThatGoWrong(t *testing.T) {
	s, err := Parse([]byte("version: 1\nsuite: x\nsteps:\n  - connect: true\n  - {call: echo, arguments: {text: a}}\n  - {call: echo, arguments: {text: b}}\n  - {list: tools}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		server                  string
		over                    fixture.Transport
		connected               bool
		passed, failed, skipped int
	}{
		{"port-closed", fixture.HTTP, false, 0, 1, 3},
		{"start-fails", fixture.Stdio, false, 0, 1, 3},
		{"dies-in-call", fixture.Stdio, true, 1, 1, 2},
		{"call-hangs", fixture.Stdio, true, 2, 2, 0},
		{"tools-null", fixture.HTTP, true, 1, 3, 0},
		{"cursor-repeats", fixture.HTTP, true, 3, 1, 0},
	} {
		t.Run(c.server, func(t *testing.T) {
			o := options()
			o.Target, o.Wire.Era = started(t, c.server, c.over), wire.EraLegacy
			if c.server == "call-hangs" {
				o.CallTimeout /= 50
			}
			r, err := Run(t.Context(), s, o)
			passed, failed, skipped := r.Count()
			if err != nil || r.Passed || r.Connected != c.connected || passed != c.passed || failed != c.failed || skipped != c.skipped {
				t.Errorf("%v\n%s", err, asText(r))
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := options()
	o.Target = started(t, "plain", fixture.HTTP)
	if r, err := Run(ctx, s, o); err == nil || r.Passed {
		t.Errorf("a run that was cancelled: %v", err)
	}
}

// TestLatency holds a server that takes two seconds to a limit that it keeps, and to one
// that it cannot keep.
func TestLatency(t *testing.T) {
	for within, passes := range map[string]bool{"1m": true, "500ms": false} {
		s, err := Parse([]byte("version: 1\nsuite: x\nsteps:\n  - {call: echo, arguments: {text: a}, within: " + within + "}\n"))
		if err != nil {
			t.Fatal(err)
		}
		o := options()
		o.Target, o.Wire.Era = started(t, "call-slow", fixture.HTTP), wire.EraLegacy
		r, err := Run(t.Context(), s, o)
		if err != nil || r.Passed != passes || !passes && r.Steps[0].Failures[0].Expected != "an answer within 500ms" {
			t.Errorf("%s: %v\n%s", within, err, asText(r))
		}
	}
}

// TestStability says which texts are expected as they are, which as a pattern, and which
// only as a text.
func TestStability(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"text", `"three"`, `{"at":"/x","equals":"three"}`},
		{"id", `"fsa-estimator"`, `{"at":"/x","equals":"fsa-estimator"}`},
		{"uri", `"memo://notes/17"`, `{"at":"/x","equals":"memo://notes/17"}`},
		{"protocol", `"2025-11-25T00:00:00Z"`, `{"at":"/x","type":"string"}`},
		{"text", `"ready in 12.5 ms at port"`, `{"at":"/x","matches":"(?s)^ready in .+? at port$"}`},
		{"run_id", `"01J8ZQ4X7M2N9P3R5T6V8W0Y1Z"`, `{"at":"/x","type":"string"}`},
		{"created_at", `"yesterday"`, `{"at":"/x","type":"string"}`},
		{"durationMs", `17`, `{"at":"/x","type":"number"}`},
		{"count", `17`, `{"at":"/x","equals":17}`},
		{"big", `9007199254740993`, `{"at":"/x","equals":9007199254740993}`},
		{"when", `1790000000`, `{"at":"/x","type":"number"}`},
		{"page", `null`, `{"at":"/x","equals":null}`},
		{"tags", `["a"]`, `{"at":"/x","equals":["a"]}`},
		{"runs", `["a","2026-01-01T00:00:00Z"]`, `{"at":"/x","count":2} {"at":"/x/0","equals":"a"} {"at":"/x/1","type":"string"}`},
		{"empty", `{}`, `{"at":"/x","type":"object"}`},
		{"file", `"saved to /tmp/a1b2/shot.png"`, `{"at":"/x","matches":"(?s)^saved to .+?$"}`},
	} {
		v, err := decode([]byte(c.value))
		if err != nil {
			t.Fatal(err)
		}
		p := &picker{root: v, unstable: map[string]bool{}}
		p.value("/x", c.name, v)
		var got []string
		for _, e := range p.out {
			b, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(b))
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s %s:\n%s", c.name, c.value, diff)
		}
	}
}

// TestRecordLearns expects nothing of what the same request was answered otherwise.
func TestRecordLearns(t *testing.T) {
	conn := connected(t, started(t, "everything", fixture.HTTP), wire.EraLegacy)
	for _, c := range []struct{ method, params string }{
		{"resources/read", `{"uri":"memo://note"}`}, {"tools/call", `{"name":"touch"}`}, {"resources/read", `{"uri":"memo://note"}`},
	} {
		if _, err := conn.Call(t.Context(), c.method, json.RawMessage(c.params), wire.CallOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Record("notes", conn.Transcript(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.YAML()
	if err != nil || strings.Contains(string(text), "remember") || !strings.Contains(string(text), `{at: /contents/0/text, type: string}`) {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestRecordNothing has nothing to record.
func TestRecordNothing(t *testing.T) {
	if s, err := Record("x", wire.Transcript{}); err == nil {
		t.Errorf("a suite of nothing: %+v", s)
	}
}
