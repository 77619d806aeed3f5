package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

const discovered = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"hi","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"new","version":"2"}}}`

// modern has server/discover answered, and one more method by f.
func modern(method string, f func(http.ResponseWriter, *message)) func(http.ResponseWriter, *http.Request, *message) bool {
	return func(w http.ResponseWriter, r *http.Request, m *message) bool {
		if m.Method == "server/discover" {
			reply(w, result(m.ID, discovered))
			return true
		}
		return on(method, f)(w, r, m)
	}
}

func TestModernRequests(t *testing.T) {
	tools := `{"tools":[{"name":"wé","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"deep":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}},"bad":{"type":"string","x-mcp-header":"a b"}}}}]}`
	s := serveWeb(t, modern("tools/list", func(w http.ResponseWriter, m *message) { reply(w, result(m.ID, tools)) }))
	c := dial(t, Target{URL: s.URL}, Options{Capabilities: json.RawMessage(`{"roots":{}}`), LogLevel: "debug"})
	if info := c.Server(); c.Era() != EraModern || info.Name != "new" || info.Instructions != "hi" || len(s.all()) != 1 {
		t.Errorf("it speaks %s with %+v after %d requests", c.Era(), info, len(s.all()))
	}
	if _, err := c.List(t.Context(), "tools/list", nil, CallOptions{}); err != nil {
		t.Fatal(err)
	}
	params := `{"name":"wé","arguments":{"region":" öst","deep":{"n":42},"bad":"x"},"_meta":{"mine":1}}`
	if _, err := c.Call(t.Context(), "tools/call", json.RawMessage(params), CallOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Call(t.Context(), "resources/read", map[string]string{"uri": "file:///a b"}, CallOptions{}); err != nil {
		t.Fatal(err)
	}
	call := s.of("tools/call")[0]
	for name, want := range map[string]string{
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "=?base64?d8Op?=", "Mcp-Param-Region": "=?base64?IMO2c3Q=?=",
		"Mcp-Param-N": "42", "Mcp-Session-Id": "", "Mcp-Param-Bad": "",
	} {
		if got := call.header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if got := s.of("resources/read")[0].header.Get("Mcp-Name"); got != "file:///a b" {
		t.Errorf("Mcp-Name is %q", got)
	}
	meta := field(call.rpc.Params, "_meta")
	for name, want := range map[string]string{"mine": "1", metaVersion: `"2026-07-28"`, metaCapabilities: `{"roots":{}}`, metaLogLevel: `"debug"`, "progressToken": "3"} {
		if got := string(field(meta, name)); got != want {
			t.Errorf("_meta has %s: %s", name, got)
		}
	}
	c.Close()
	if len(s.of("DELETE"))+len(s.of("GET"))+len(s.of("initialize")) != 0 {
		t.Errorf("it sent what the modern era does not have: %+v", s.all())
	}
	if got := codes(c.Observations()); got != "" {
		t.Errorf("it observes %s", got)
	}
}

// TestProbeVerdicts: any answer that is none of the modern era means the legacy one,
// and no answer does too; only what no other wire would change ends the connecting.
func TestProbeVerdicts(t *testing.T) {
	for name, tt := range map[string]struct {
		answer func(http.ResponseWriter, *message)
		kind   Kind
	}{
		"-32601": {func(w http.ResponseWriter, m *message) { reply(w, failure(m.ID, -32601, "no")) }, ""},
		"-32602": {func(w http.ResponseWriter, m *message) { reply(w, failure(m.ID, -32602, "no")) }, ""},
		"-32022": {func(w http.ResponseWriter, m *message) {
			w.WriteHeader(400)
			reply(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"error":{"code":-32022,"message":"v","data":{"supported":["2025-06-18"]}}}`)
		}, ""},
		"other result": {func(w http.ResponseWriter, m *message) { reply(w, result(m.ID, `{}`)) }, ""},
		"500":          {func(w http.ResponseWriter, _ *message) { w.WriteHeader(500) }, ""},
		"a page":       {func(w http.ResponseWriter, _ *message) { events(w, "<html>") }, ""},
		"silence":      {func(w http.ResponseWriter, _ *message) { <-time.After(time.Second) }, ""},
		"401":          {func(w http.ResponseWriter, _ *message) { w.WriteHeader(401) }, Refused},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveWeb(t, on("server/discover", tt.answer))
			c, err := Connect(t.Context(), Target{URL: s.URL}, quick(Options{ProbeTimeout: 100 * time.Millisecond}))
			if kindOf(err) != tt.kind {
				t.Fatalf("it gives %v", err)
			}
			if err != nil {
				var failed *ConnectError
				if !errors.As(err, &failed) || failed.Evidence.Probe == nil || len(s.of("initialize")) != 0 {
					t.Errorf("it fails with %#v", err)
				}
				return
			}
			if probe := c.Probe(); c.Era() != EraLegacy || probe.Verdict != EraLegacy || probe.Reason == "" || c.Version() != NewestLegacy {
				t.Errorf("it speaks %s %s by %+v", c.Era(), c.Version(), probe)
			}
			c.Close()
			if got := codes(c.Observations()); got != "" {
				t.Errorf("it observes %s", got)
			}
		})
	}
}

// TestExplicitEra: who asks for an era gets it, or an error.
func TestExplicitEra(t *testing.T) {
	s := serveWeb(t, nil)
	if _, err := Connect(t.Context(), Target{URL: s.URL}, quick(Options{Era: EraModern})); kindOf(err) != Refused {
		t.Errorf("a legacy server asked in the modern era gives %v", err)
	}
	c := dial(t, Target{URL: s.URL}, Options{Version: Version20250326})
	if got := s.of("initialize")[0].body; !strings.Contains(got, Version20250326) || len(s.of("server/discover")) != 1 || c.Probe() != nil {
		t.Errorf("it was asked %s", got)
	}
}

func TestInputRequired(t *testing.T) {
	wish := `{"resultType":"input_required","requestState":"s<1>","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?"}},"dirs":{"method":"roots/list"}}}`
	s := serveWeb(t, modern("tools/call", func(w http.ResponseWriter, m *message) {
		if field(m.Params, "inputResponses") == nil {
			reply(w, result(m.ID, wish))
			return
		}
		reply(w, result(m.ID, `{"content":[]}`))
	}))
	asked := []string{}
	c := dial(t, Target{URL: s.URL}, Options{Answer: func(_ context.Context, r ServerRequest) (json.RawMessage, error) {
		asked = append(asked, r.Key+" "+r.Method+" "+string(r.Params))
		return json.RawMessage(fmt.Sprintf(`{"n":%d}`, len(asked))), nil
	}})
	ex, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"a"}`), CallOptions{})
	if err != nil || len(ex.Rounds) != 1 || ex.ResultType != "complete" {
		t.Fatalf("the call gives %v, a %s after %d rounds", err, ex.ResultType, len(ex.Rounds))
	}
	if got := strings.Join(asked, ", "); got != `who elicitation/create {"message":"Who?"}, dirs roots/list ` {
		t.Errorf("it was asked %s", got)
	}
	last := s.of("tools/call")[1]
	if got := string(field(last.rpc.Params, "inputResponses")); got != `{"dirs":{"n":2},"who":{"n":1}}` || string(field(last.rpc.Params, "requestState")) != `"s<1>"` || string(last.rpc.ID) == string(ex.Rounds[0].ID) {
		t.Errorf("the second round was %s", last.body)
	}
	ex, err = c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"a"}`), CallOptions{HandUp: true})
	if err != nil || ex.ResultType != "input_required" || len(ex.InputRequests()) != 2 {
		t.Errorf("handed up it gives %v and %+v", err, ex.InputRequests())
	}
	again := WithInput(json.RawMessage(`{"name":"a"}`), map[string]json.RawMessage{"who": json.RawMessage(`1`)}, json.RawMessage(`"s"`))
	if string(again) != `{"name":"a","inputResponses":{"who":1},"requestState":"s"}` {
		t.Errorf("the params of the second round are %s", again)
	}
}

// TestInputForEver: a server that is never content does not hold a call for ever.
func TestInputForEver(t *testing.T) {
	s := serveWeb(t, modern("tools/call", func(w http.ResponseWriter, m *message) {
		reply(w, result(m.ID, `{"resultType":"input_required","inputRequests":{}}`))
	}))
	c := dial(t, Target{URL: s.URL}, Options{Answer: func(context.Context, ServerRequest) (json.RawMessage, error) { return nil, nil }})
	ex, err := c.Call(t.Context(), "tools/call", nil, CallOptions{})
	if kindOf(err) != Protocol || len(ex.Rounds) != 9 {
		t.Errorf("the call gives %v after %d rounds", err, len(ex.Rounds))
	}
}

func TestSubscription(t *testing.T) {
	s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
		if m.Method != "subscriptions/listen" {
			return modern("", nil)(w, r, m)
		}
		note := func(method string) string {
			return fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"method\":%q,\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}}}\n\n", method, m.ID)
		}
		events(w, note("notifications/subscriptions/acknowledged"))
		events(w, note("notifications/tools/list_changed"))
		<-r.Context().Done()
		return true
	})
	c := dial(t, Target{URL: s.URL}, Options{})
	sub, err := c.Listen(t.Context(), map[string]bool{"toolsListChanged": true})
	if err != nil {
		t.Fatal(err)
	}
	e, err := c.Await(t.Context(), 0, func(e Event) bool { return e.Method == "notifications/tools/list_changed" })
	if err != nil || e.Call != string(sub.ID()) || sub.Acknowledged.Method != "notifications/subscriptions/acknowledged" {
		t.Errorf("the event is %+v, and %v, after %s", e, err, sub.Acknowledged.Method)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := c.Await(ctx, e.Seq, nil); kindOf(err) != Timeout {
		t.Errorf("waiting for what does not come gives %v", err)
	}
	if ex := sub.Close(); len(ex.Notifications) != 2 || kindOf(ex.Err) != Cancelled {
		t.Errorf("it ended with %v and %d notifications", ex.Err, len(ex.Notifications))
	}
	if got := codes(c.Observations()); got != "" {
		t.Errorf("it observes %s", got)
	}
}

func TestHeaderFaults(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"integer","x-mcp-header":"B"}}}`:                     false,
		`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`:                                                               true,
		`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`:                                                                true,
		`{"properties":{"a":{"type":"string","x-mcp-header":7}}}`:                                                                 true,
		`{"properties":{"a":{"type":"string","x-mcp-header":"a:b"}}}`:                                                             true,
		`{"properties":{"a":{"type":"string","x-mcp-header":"X"},"b":{"properties":{"c":{"type":"string","x-mcp-header":"x"}}}}}`: true,
		`{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`:                                      true,
		`{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"string","x-mcp-header":"A"}}}`:                            true,
		`{"properties":{"x-mcp-header":{"type":"string"}},"default":{"x-mcp-header":"A"}}`:                                        false,
		`null`: false,
	} {
		if got := HeaderFault(json.RawMessage(`{"inputSchema":` + schema + `}`)); (got != "") != want {
			t.Errorf("of %s it says %q", schema, got)
		}
	}
}
