package check

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// TestStoppedCalls cancels a tool that stops at once and says so by an error, as the
// official SDK for Go has it over stdio: that is worth a note, and no warning.
func TestStoppedCalls(t *testing.T) {
	r := checked(t, command("sdk-slow"), Options{NoProbes: true, Wire: wire.Options{Era: wire.EraModern}})
	if !ruleAmong(r, "cancel-answered", 100) || r.Count(Warning) > 0 {
		t.Errorf("%s:\n%s", stepOf(r, "cancellation").Detail, asText(r))
	}
}

// TestCancellationOfSDKServers cancels a tool of the official SDK over HTTP in the modern
// era, where the end of the connection is the cancellation: one that looks at its context
// stops, and one that does not goes on for nobody.
func TestCancellationOfSDKServers(t *testing.T) {
	for name, heeds := range map[string]bool{"it stops": true, "it goes on": false} {
		t.Run(name, func(t *testing.T) {
			s := mcp.NewServer(&mcp.Implementation{Name: "slow", Version: "1"}, nil)
			s.AddTool(&mcp.Tool{Name: "wait", Description: "Waits.", InputSchema: map[string]any{"type": "object"}, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
				func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
					if !heeds {
						ctx = context.WithoutCancel(ctx)
					}
					pause(ctx, 2*time.Second)
					return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "waited"}}}, nil
				})
			h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true})
			srv := httptest.NewServer(h)
			defer srv.Close()
			defer srv.CloseClientConnections()
			r := checked(t, wire.Target{URL: srv.URL}, Options{NoProbes: true, Wire: wire.Options{Era: wire.EraModern}})
			if step := stepOf(r, "cancellation"); step.Status == Skipped || ruleAmong(r, "cancel-ignored", 100) {
				t.Errorf("%s %s; the SDK does not answer who has gone:\n%s", step.Status, step.Detail, asText(r))
			}
		})
	}
}
