package mcptest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestSubscriptionsLast: who calls one tool after the other subscribes first, makes the
// change then, and waits for it last.
func TestSubscriptionsLast(t *testing.T) {
	accept := func(context.Context, *mcp.SubscribeRequest) error { return nil }
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, &mcp.ServerOptions{
		SubscribeHandler: accept, UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	const uri = "memo://note"
	s.AddResource(&mcp.Resource{Name: "note", URI: uri}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, Text: "x"}}}, nil
	})
	s.AddTool(&mcp.Tool{Name: "touch", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if err := s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
	})
	for _, era := range []string{"legacy", "modern"} {
		srv := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: era == "modern"}))
		b := newBench(t)
		b.want("connect_to_server", `{"url":`+quote(srv.URL)+`,"era":"`+era+`"}`)
		const updated = `"method":"notifications/resources/updated"`
		if a := b.call("await_event", `{"subscribe":"`+uri+`",`+updated+`,"timeout_ms":50}`); a.at("error.type") != "timeout" {
			t.Fatalf("%s: before anything changed: %s", era, a.raw)
		}
		b.want("call_tool", `{"name":"touch"}`)
		a := b.want("await_event", `{`+updated+`,"timeout_ms":10000}`)
		if a.at("event.params.uri") != uri {
			t.Errorf("%s: %s", era, a.raw)
		}
		seq, _ := a.at("event.seq").(json.Number)
		b.call("await_event", `{"subscribe":"`+uri+`",`+updated+`,"after":`+seq.String()+`,"timeout_ms":50}`) // anew
		b.want("call_tool", `{"name":"touch"}`)
		b.want("await_event", `{`+updated+`,"after":`+seq.String()+`,"timeout_ms":10000}`)
		b.want("disconnect", `{}`)
		srv.CloseClientConnections()
		srv.Close()
	}
}
