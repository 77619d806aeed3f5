package mcptest

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

// Types of the fields of specification 4.
const (
	isText   = "string"
	isMoment = "date-time"
	isWhole  = "integer"
	isFlag   = "boolean"
	isObject = "object"
	isList   = "array"
)

var moment = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`)

// wrong says why a value is not of a type.
func wrong(v any, typ string) bool {
	switch x := v.(type) {
	case string:
		return typ != isText && (typ != isMoment || !moment.MatchString(x))
	case bool:
		return typ != isFlag
	case json.Number:
		return typ != isWhole || strings.ContainsAny(x.String(), ".eE")
	case map[string]any:
		return typ != isObject
	case []any:
		return typ != isList
	}
	return true
}

// onConnection are the fields that say on which connection something happened.
var onConnection = map[string]string{
	"connection.server_url": isText, "connection.transport": isText, "connection.connected_at": isMoment,
	"connection.server_info.name": isText, "connection.server_info.version": isText,
}

// TestFieldsOfTheSpecification: every field of every answer, over both transports.
func TestFieldsOfTheSpecification(t *testing.T) {
	calls := []struct {
		tool, args string
		fields     map[string]string
	}{
		{"get_connection_status", `{}`, map[string]string{
			"connected": isFlag, "statistics.tools_called": isWhole, "statistics.resources_read": isWhole, "statistics.prompts_retrieved": isWhole,
		}},
		{"list_tools", `{}`, map[string]string{
			"success": isFlag, "tools": isList, "tools.0.name": isText, "tools.0.description": isText, "tools.0.input_schema": isObject, "tools.0.input_schema.required": isList,
			"metadata.total_tools": isWhole, "metadata.server_name": isText, "metadata.server_version": isText, "metadata.retrieved_at": isMoment, "metadata.request_time_ms": isWhole,
		}},
		{"call_tool", `{"name":"add","arguments":{"a":5,"b":3}}`, map[string]string{
			"success": isFlag, "tool_call.tool_name": isText, "tool_call.arguments": isObject, "tool_call.arguments.a": isWhole, "tool_call.result": isObject,
			"tool_call.execution.started_at": isMoment, "tool_call.execution.completed_at": isMoment, "tool_call.execution.duration_ms": isWhole,
			"tool_call.execution.success": isFlag, "metadata.request_time_ms": isWhole,
		}},
		{"list_resources", `{}`, map[string]string{
			"success": isFlag, "resources": isList, "resources.1.uri": isText, "resources.1.name": isText, "resources.1.description": isText, "resources.1.mimeType": isText,
			"metadata.total_resources": isWhole, "metadata.retrieved_at": isMoment, "metadata.request_time_ms": isWhole,
		}},
		{"read_resource", `{"uri":"mem://text"}`, map[string]string{
			"success": isFlag, "resource.uri": isText, "resource.mimeType": isText, "resource.content": isText,
			"metadata.retrieved_at": isMoment, "metadata.request_time_ms": isWhole, "metadata.content_size": isWhole,
		}},
		{"list_prompts", `{}`, map[string]string{
			"success": isFlag, "prompts": isList, "prompts.0.name": isText, "prompts.0.description": isText, "prompts.0.arguments.0.name": isText,
			"prompts.0.arguments.0.description": isText, "prompts.0.arguments.0.required": isFlag,
			"metadata.total_prompts": isWhole, "metadata.retrieved_at": isMoment, "metadata.request_time_ms": isWhole,
		}},
		{"get_prompt", `{"name":"greet","arguments":{"who":"Ada"}}`, map[string]string{
			"success": isFlag, "prompt.name": isText, "prompt.description": isText, "prompt.messages": isList, "prompt.messages.0.role": isText,
			"prompt.messages.0.content.type": isText, "prompt.messages.0.content.text": isText, "metadata.retrieved_at": isMoment, "metadata.request_time_ms": isWhole,
		}},
	}
	for transport, url := range map[string]string{"streaming-http": overHTTP(t), "stdio": command(t)} {
		t.Run(transport, func(t *testing.T) {
			b := newBench(t)
			check := func(name string, a answer, fields ...map[string]string) {
				t.Helper()
				for _, list := range fields {
					for path, typ := range list {
						if v := a.at(path); wrong(v, typ) {
							t.Errorf("%s: %s is %#v, want %s", name, path, v, typ)
						}
					}
				}
			}
			a := b.want("connect_to_server", `{"url":`+quote(url)+`}`)
			check("connect_to_server", a, map[string]string{"success": isFlag, "message": isText}, onConnection)
			if a.at("connection.transport") != transport || a.at("connection.server_url") != url || a.at("connection.server_info.name") != "good" || a.at("connection.server_info.version") != "1.2.3" {
				t.Errorf("connected: %s", a.raw)
			}
			for _, c := range calls {
				a := b.want(c.tool, c.args)
				check(c.tool, a, c.fields, onConnection)
				if v, there := a.data["success"]; there && v != true {
					t.Errorf("%s: success is %v", c.tool, v)
				}
			}
			a = b.want("get_connection_status", `{}`)
			for name, n := range map[string]string{"tools_called": "1", "resources_read": "1", "prompts_retrieved": "1"} {
				if v := a.at("statistics." + name); v != json.Number(n) {
					t.Errorf("%s is %v, want %s", name, v, n)
				}
			}
			a = b.want("disconnect", `{}`)
			check("disconnect", a, map[string]string{
				"success": isFlag, "message": isText, "previous_connection.server_url": isText, "previous_connection.connected_at": isMoment, "previous_connection.disconnected_at": isMoment,
			})
			if a := b.want("get_connection_status", `{}`); a.at("connected") != false {
				t.Errorf("after disconnect: %s", a.raw)
			}
		})
	}
}

// TestValues: what the fields say is what the server said.
func TestValues(t *testing.T) {
	url := overHTTP(t)
	b := newBench(t)
	b.want("connect_to_server", `{"url":`+quote(url)+`}`)
	if a := b.want("call_tool", `{"name":"add","arguments":{"a":5,"b":3}}`); a.at("tool_call.result.content.0.text") != "8" || !strings.Contains(a.text, `"8"`) {
		t.Errorf("add: %s\n%s", a.raw, a.text)
	}
	a := b.want("read_resource", `{"uri":"mem://text"}`)
	if a.at("resource.content") != "grüße" || a.at("metadata.content_size") != json.Number("7") || a.at("resource.encoding") != "text" {
		t.Errorf("text: %s", a.raw)
	}
	a = b.want("read_resource", `{"uri":"mem://bytes"}`)
	if a.at("resource.content") != "AAEC/w==" || a.at("metadata.content_size") != json.Number("4") || a.at("resource.encoding") != "base64" {
		t.Errorf("bytes: %s", a.raw)
	}
	if a := b.want("list_resources", `{}`); a.at("resource_templates.0.uriTemplate") != "mem://t/{id}" || a.at("metadata.total_resources") != json.Number("2") {
		t.Errorf("templates: %s", a.raw)
	}
	if a := b.want("get_prompt", `{"name":"greet","arguments":{"who":"Ada"}}`); a.at("prompt.messages.0.content.text") != "Hello Ada" || a.at("prompt.description") != "A greeting." {
		t.Errorf("prompt: %s", a.raw)
	}
	if a := b.want("list_tools", `{}`); !strings.Contains(a.raw, `"x-big":12345678901234567890`) || !strings.Contains(a.text, "Adds <two> numbers.") {
		t.Errorf("tools: %s\n%s", a.raw, a.text)
	}
}
