package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asking serves a tool that asks its client everything that a server may ask.
func asking(t *testing.T) string {
	t.Helper()
	stop, end := context.WithCancel(context.Background()) // its sessions end when their tools have
	s := mcp.NewServer(&mcp.Implementation{Name: "asking", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "greet", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(stop, cancel)()
		text := func(format string, args ...any) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}, nil
		}
		e, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Your name? <server_text>", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)})
		if err != nil {
			return text("elicitation failed: %v", err)
		}
		//lint:ignore SA1019 servers of the legacy era still ask for it
		roots, err := r.Session.ListRoots(ctx, nil)
		if err != nil {
			return text("%s %v: no roots: %v", e.Action, e.Content["name"], err)
		}
		//lint:ignore SA1019 servers of the legacy era still ask for it
		m, err := r.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 10, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "rhyme"}}}})
		if err != nil {
			return text("no message: %v", err)
		}
		return text("%s %v, %d roots, %s", e.Action, e.Content["name"], len(roots.Roots), m.Content.(*mcp.TextContent).Text)
	})
	s.AddTool(&mcp.Tool{Name: "plain", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil
	})
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(func() {
		end()
		srv.CloseClientConnections()
		srv.Close()
	})
	return srv.URL
}

const (
	rootsAnswer = `"roots/list":{"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]}`
	rhyme       = `"sampling/createMessage":{"role":"assistant","model":"none","content":{"type":"text","text":"time"}}`
)

// TestScriptedAnswers answers what a server asks from a script, in turn.
func TestScriptedAnswers(t *testing.T) {
	b := newBench(t)
	b.want("connect_to_server", `{"url":`+quote(asking(t))+`,"era":"legacy","answers":{`+rootsAnswer+`,`+rhyme+`,
		"elicitation/create":[{"action":"accept","content":{"name":"Kaya"}},{"action":"decline"}]}}`)
	for _, want := range []string{"accept Kaya, 2 roots, time", "decline <nil>, 2 roots, time", "decline <nil>, 2 roots, time"} {
		if a := b.want("call_tool", `{"name":"greet"}`); a.at("tool_call.result.content.0.text") != want {
			t.Errorf("%v, want %q", a.at("tool_call.result"), want)
		}
	}
}

// TestScriptedInput answers a modern tool, which asks in its results; what the script does
// not have is the caller's.
func TestScriptedInput(t *testing.T) {
	s := mcp.NewServer(&mcp.Implementation{Name: "asking", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "greet", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		switch got := r.Params.InputResponses["who"].(type) {
		case *mcp.ElicitResult:
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("%s %v after %s", got.Action, got.Content["name"], r.Params.RequestState)}}}, nil
		default:
			return &mcp.CallToolResult{RequestState: "a state", InputRequests: mcp.InputRequestMap{"who": &mcp.ElicitParams{Message: "Your name?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)}}}, nil
		}
	})
	srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(srv.Close)
	b := newBench(t)
	b.want("connect_to_server", `{"url":`+quote(srv.URL)+`,"era":"modern","answers":{"elicitation/create":{"action":"accept","content":{"name":"Kaya"}}}}`)
	if a := b.want("call_tool", `{"name":"greet"}`); a.at("tool_call.result.content.0.text") != "accept Kaya after a state" {
		t.Errorf("scripted: %s", a.raw)
	}
	b.want("connect_to_server", `{"connection":"asks","url":`+quote(srv.URL)+`,"era":"modern","answers":{"elicitation/create":"ask"}}`)
	a := b.want("call_tool", `{"connection":"asks","name":"greet"}`)
	if a.at("tool_call.input_required") != true || a.at("tool_call.result.requestState") != "a state" {
		t.Errorf("handed up: %s", a.raw)
	}
}

// TestOtherCallsWhileOneWaits: what one call was interrupted by interrupts no other, and its
// answer leads back to that call.
func TestOtherCallsWhileOneWaits(t *testing.T) {
	b := newBench(t)
	b.want("connect_to_server", `{"url":`+quote(asking(t))+`,"era":"legacy","answers":{`+rootsAnswer+`,`+rhyme+`,"elicitation/create":"ask"}}`)
	key := func(a answer) string {
		t.Helper()
		text, ok := a.at("tool_call.requests.0.key").(string)
		if !ok || a.at("tool_call.requests.1.key") != nil {
			t.Fatalf("not asked one thing: %s", a.raw)
		}
		return quote(text)
	}
	first := key(b.want("call_tool", `{"name":"greet"}`))
	if a := b.want("call_tool", `{"name":"plain"}`); a.at("tool_call.result.content.0.text") != "done" {
		t.Errorf("another call does not come to its end: %s", a.raw)
	}
	second := key(b.want("call_tool", `{"name":"greet"}`))
	if first == second {
		t.Fatalf("both calls wait for %s", first)
	}
	for _, c := range []struct{ key, name string }{{first, "Ada"}, {second, "Grace"}} {
		a := b.want("answer_request", `{"key":`+c.key+`,"result":{"action":"accept","content":{"name":"`+c.name+`"}}}`)
		if a.at("tool_call.result.content.0.text") != "accept "+c.name+", 2 roots, time" {
			t.Errorf("the answer to %s leads to %s", c.key, a.raw)
		}
	}
}

// TestAnswerRequest has the caller answer while the call goes on, in three steps: one by
// a script, one by an answer, one by an error.
func TestAnswerRequest(t *testing.T) {
	b := newBench(t)
	b.want("connect_to_server", `{"url":`+quote(asking(t))+`,"era":"legacy","answers":{`+rootsAnswer+`,"elicitation/create":"ask","sampling/createMessage":"ask"}}`)
	asked := b.want("call_tool", `{"name":"greet","timeout_ms":20000}`)
	if asked.at("tool_call.input_required") != true || asked.at("tool_call.requests.0.method") != "elicitation/create" {
		t.Fatalf("the caller is not asked: %s", asked.raw)
	}
	if n := strings.Count(asked.text, "server_text>"); n != 2 {
		t.Errorf("the question can end its marks: %s", asked.text)
	}
	if a := b.call("answer_request", `{"key":"no such key","result":{}}`); !a.error || a.at("error.details.open_requests.0.method") != "elicitation/create" {
		t.Errorf("an answer to nothing: %s", a.raw)
	}
	if a := b.call("answer_request", `{}`); !a.error {
		t.Errorf("no answer at all: %s", a.raw)
	}
	next := b.want("answer_request", `{"result":{"action":"accept","content":{"name":"Jun"}}}`)
	if next.at("answered.method") != "elicitation/create" || next.at("open_requests.0.method") != "sampling/createMessage" {
		t.Fatalf("the call did not go on: %s", next.raw)
	}
	end := b.want("answer_request", `{"error":{"code":-1,"message":"not today"}}`)
	if text := fmt.Sprint(end.at("tool_call.result.content.0.text")); !strings.Contains(text, "not today") {
		t.Errorf("the call ended with %s", end.raw)
	}
	if a := b.call("answer_request", `{"result":{}}`); !a.error {
		t.Errorf("there is nothing left to answer: %s", a.raw)
	}
	if a := b.want("get_connection_status", `{}`); fmt.Sprint(a.at("statistics.tools_called")) != "1" {
		t.Errorf("statistics: %s", a.raw)
	}
}

// TestAnswerIsNotGiven: a call that waits for its caller ends with its connection, and a
// caller who gives up takes his call with him.
func TestAnswerIsNotGiven(t *testing.T) {
	b := newBench(t)
	b.want("connect_to_server", `{"url":`+quote(asking(t))+`,"era":"legacy","answers":{"elicitation/create":"ask"}}`)
	for range mostRunning {
		b.want("call_tool", `{"name":"greet"}`)
	}
	if a := b.call("call_tool", `{"name":"greet"}`); !a.error || a.at("error.details.subtype") != subLimit {
		t.Errorf("calls without end may wait: %s", a.raw)
	}
	b.want("disconnect", `{}`)
	if a := b.call("answer_request", `{"result":{}}`); a.at("error.type") != errNotConnected {
		t.Errorf("after the end: %s", a.raw)
	}
}

// TestScriptsThatMakeNoSense are refused before anything is started.
func TestScriptsThatMakeNoSense(t *testing.T) {
	b := newBench(t)
	for _, answers := range []string{`{"tools/call":{}}`, `{"roots/list":"tell"}`, `{"roots/list":[1]}`} {
		if a := b.call("connect_to_server", `{"url":"http://127.0.0.1:9/","answers":`+answers+`}`); a.at("error.details.subtype") != subTarget {
			t.Errorf("%s: %s", answers, a.raw)
		}
	}
}
