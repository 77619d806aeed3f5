package mcptest

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestErrorTypes: each of the nine by a real cause, in the form of the specification.
func TestErrorTypes(t *testing.T) {
	url := overHTTP(t)
	dead := unruly(t, nil)
	dead.set(503)
	connected := func(url string) func(*bench) {
		return func(b *bench) { b.want("connect_to_server", `{"url":`+quote(url)+`}`) }
	}
	tests := []struct {
		name, typ, tool, args string
		before                func(*bench)
		details               map[string]any
	}{
		{"nobody is connected", "not_connected", "list_tools", `{}`, nil, nil},
		{"another name", "not_connected", "call_tool", `{"name":"add","connection":"other"}`, connected(url), map[string]any{"error.details.connections.0": "default"}},
		{"nothing listens", "connection_failed", "connect_to_server", `{"url":"http://127.0.0.1:1/mcp"}`, nil, map[string]any{"error.details.stage": "tcp"}},
		{"no MCP there", "connection_failed", "connect_to_server", `{"url":` + quote(dead.url) + `}`, nil, map[string]any{"error.details.http.status": json.Number("503")}},
		{"no such program", "connection_failed", "connect_to_server", `{"url":"/no/such/program --flag"}`, nil, map[string]any{"error.details.stage": "command"}},
		{"no address", "connection_failed", "connect_to_server", `{"url":"ftp://example.org/"}`, nil, map[string]any{"error.details.subtype": "invalid_target"}},
		{"no such tool", "tool_not_found", "call_tool", `{"name":"ad","arguments":{}}`, connected(url), map[string]any{"error.details.code": json.Number("-32602"), "error.details.nearest": "add"}},
		{"no such resource", "resource_not_found", "read_resource", `{"uri":"mem://none"}`, connected(url), nil},
		{"no such resource of a template", "resource_not_found", "read_resource", `{"uri":"mem://t/9"}`, connected(url), nil},
		{"no such prompt", "prompt_not_found", "get_prompt", `{"name":"none"}`, connected(url), nil},
		{"arguments against the schema", "invalid_arguments", "call_tool", `{"name":"add","arguments":{"a":"five"}}`, connected(url), nil},
		{"arguments of this server", "invalid_arguments", "call_tool", `{"arguments":{}}`, connected(url), nil},
		{"the tool failed", "execution_error", "call_tool", `{"name":"fail","arguments":{}}`, connected(url), map[string]any{"tool_call.execution.success": false, "tool_call.result.isError": true}},
		{"too slow", "timeout", "call_tool", `{"name":"slow","arguments":{},"timeout_ms":100}`, connected(url), nil},
		{"the process ends", "transport_error", "call_tool", `{"name":"exit","arguments":{}}`, connected(command(t)), map[string]any{"error.details.exit.code": json.Number("7"), "error.details.subtype": "server_exited"}},
	}
	inText := map[string]string{ // of the details, for clients that have the text alone
		"another name": `"default"`, "no such tool": `"nearest":"add"`, "arguments against the schema": `"problems":[`, "the process ends": `"code":7`,
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			if tt.before != nil {
				tt.before(b)
			}
			a := b.call(tt.tool, tt.args)
			if !a.error || a.at("success") != false || a.at("error.type") != tt.typ {
				t.Fatalf("not %s: %s", tt.typ, a.raw)
			}
			for path, want := range tt.details {
				if got := a.at(path); got != want {
					t.Errorf("%s is %#v, want %#v", path, got, want)
				}
			}
			if !strings.Contains(a.text, inText[tt.name]) {
				t.Errorf("the text has no %s: %s", inText[tt.name], a.text)
			}
			for path, typ := range map[string]string{
				"error.message": isText, "error.details": isObject, "error.suggestion": isText, "connection": isObject, "metadata.request_time_ms": isWhole,
			} {
				if wrong(a.at(path), typ) {
					t.Errorf("%s is %#v", path, a.at(path))
				}
			}
			if tt.before != nil && tt.args != `{"arguments":{}}` && tt.typ != "not_connected" && a.at("connection.server_url") == nil {
				t.Error("the connection is missing")
			}
			if !strings.Contains(a.text, tt.typ) || !strings.Contains(a.text, "What to do: ") {
				t.Errorf("the text does not suffice: %s", a.text)
			}
		})
	}
}

// TestErrorsFollowFromStructure: the same words mean something else with other codes,
// flags and lists.
func TestErrorsFollowFromStructure(t *testing.T) {
	list := `{"tools":[{"name":"known","inputSchema":{"type":"object","required":["x"]}}]}`
	tests := []struct{ name, answer, args, typ, findings string }{
		{"listed and refused", `!{"code":-32602,"message":"tool not found"}`, `{"name":"known"}`, "invalid_arguments", ""},
		{"not listed, with another code", `!{"code":-32603,"message":"boom"}`, `{"name":"unknown"}`, "tool_not_found", findingUnknown},
		{"not listed, in a result", `{"content":[{"type":"text","text":"ok?"}],"isError":true}`, `{"name":"unknown"}`, "tool_not_found", findingUnknown},
		{"listed, another code", `!{"code":-32000,"message":"invalid arguments"}`, `{"name":"known"}`, "execution_error", ""},
		{"listed, isError, arguments fit", `{"content":[{"type":"text","text":"tool not found"}],"isError":true}`, `{"name":"known","arguments":{"x":1}}`, "execution_error", ""},
		{"listed, isError, arguments do not fit", `{"content":[{"type":"text","text":"no"}],"isError":true}`, `{"name":"known"}`, "invalid_arguments", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			s := unruly(t, map[string]string{"tools/list": list, "tools/call": tt.answer})
			b.want("connect_to_server", `{"era":"legacy","url":`+quote(s.url)+`}`)
			a := b.call("call_tool", tt.args)
			if a.at("error.type") != tt.typ || a.codes() != tt.findings {
				t.Errorf("want %s and %q: %s", tt.typ, tt.findings, a.raw)
			}
		})
	}
}

// TestAuthorizationIsTold: a challenge is an error of its own, with its header.
func TestAuthorizationIsTold(t *testing.T) {
	s := unruly(t, nil)
	b := newBench(t)
	s.set(401)
	a := b.call("connect_to_server", `{"era":"legacy","url":`+quote(s.url)+`}`)
	if a.at("error.type") != "connection_failed" || a.at("error.details.subtype") != "auth_required" || !strings.Contains(a.raw, "https://example.org/meta") {
		t.Errorf("connecting: %s", a.raw)
	}
	s.set(0)
	b.want("connect_to_server", `{"era":"legacy","url":`+quote(s.url)+`}`)
	s.set(403)
	a = b.call("list_tools", `{}`)
	if a.at("error.type") != "transport_error" || a.at("error.details.subtype") != "auth_required" {
		t.Errorf("calling: %s", a.raw)
	}
}
