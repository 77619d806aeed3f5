package serve_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/serve"
)

// extended is an extension with a prompt and a tool.
func extended(call mcp.ToolHandler) func(*serve.Options) {
	return func(o *serve.Options) {
		o.KeepAlive = time.Millisecond
		o.Endpoints[0].Extension = &serve.Extension{
			Options: func(so *mcp.ServerOptions) { so.Capabilities.Prompts = &mcp.PromptCapabilities{} },
			Register: func(s *mcp.Server) {
				s.AddTool(&mcp.Tool{Name: "extra", Description: "An extra.", InputSchema: json.RawMessage(`{"type":"object"}`)}, call)
				s.AddPrompt(&mcp.Prompt{Name: "hello", Description: "A greeting."}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
					return &mcp.GetPromptResult{Description: "A greeting."}, nil
				})
			},
		}
	}
}

func capabilities(t *testing.T, url string, era *mcp.ClientSessionOptions) *mcp.ServerCapabilities {
	t.Helper()
	return connect(t, url, era).InitializeResult().Capabilities
}

// Without an extension an endpoint declares tools and nothing else.
func TestAnExtensionIsOfItsEndpointOnly(t *testing.T) {
	r := start(t, extended(nil))
	for era, opts := range eras {
		t.Run(era, func(t *testing.T) {
			tools := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
			if diff := cmp.Diff(tools, capabilities(t, r.url+"/mcp", opts)); diff != "" {
				t.Errorf("without (-want +got):\n%s", diff)
			}
			tools.Prompts = &mcp.PromptCapabilities{}
			if diff := cmp.Diff(tools, capabilities(t, r.url, opts)); diff != "" {
				t.Errorf("with (-want +got):\n%s", diff)
			}
			res, err := connect(t, r.url, opts).GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "hello"})
			if err != nil || res.Description != "A greeting." {
				t.Errorf("prompt %+v, %v", res, err)
			}
		})
	}
}

func TestAnExtensionIsBehindTheGuards(t *testing.T) {
	r := start(t, extended(func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { panic("078-05-1120") }))
	const get = `{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"hello"}}`
	session := open(t, r.url)
	for name, x := range map[string]exchange{
		"no session":   {body: get, status: 400, code: -32600},
		"another host": {header: map[string]string{"Host": "evil.test"}, body: get, status: 403, code: -32600},
		"a key twice":  {header: session, body: strings.Replace(get, `"name"`, `"name":"x","name"`, 1), status: 400, code: -32600},
		"a panic":      {header: session, body: strings.Replace(legacyCall, "NAME", "extra", 1), status: 200, code: -32603},
	} {
		t.Run(name, func(t *testing.T) {
			a := send(t, r.url, x)
			check(t, x, a)
			if strings.Contains(string(a.body), "078-05-1120") {
				t.Errorf("the value is told: %s", a.body)
			}
		})
	}
}

// Trap: without sessions the SDK answers an error of the protocol as JSON with a
// status of its own. When a sign of life has begun the stream before, that JSON
// must still come as an event, or the client never sees it.
func TestALateErrorIsAnEventOfItsStream(t *testing.T) {
	release := make(chan struct{})
	r := start(t, extended(func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-release
		return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "no sampling", Data: json.RawMessage(`{"a":1}`)}
	}))
	res := stream(t.Context(), t, r.url, "extra", nil)
	defer res.Body.Close()
	if _, err := io.ReadFull(res.Body, make([]byte, len(": keep-alive\n\n"))); err != nil {
		t.Fatal(err)
	}
	close(release)
	_, got := events(t, res.Body)
	want := []string{`{"jsonrpc":"2.0","id":7,"error":{"code":-32021,"message":"no sampling","data":{"a":1}}}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

// Before any sign of life it keeps the status that the protocol wants.
func TestAnEarlyErrorHasItsStatus(t *testing.T) {
	r := start(t, func(o *serve.Options) {
		extended(func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "no sampling"}
		})(o)
		o.KeepAlive = time.Hour
	})
	for _, accept := range []string{"application/json", "application/json, text/event-stream"} {
		x := exchange{modern: true, header: map[string]string{"Accept": accept}, body: strings.Replace(modernCall, "NAME", "extra", 1), status: 400, code: -32021}
		check(t, x, send(t, r.url, x))
	}
}
