package check

import (
	"context"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

type sum struct {
	A int `json:"a" jsonschema:"the first number"`
	B int `json:"b" jsonschema:"the second number"`
}

type total struct {
	Sum int `json:"sum" jsonschema:"both together"`
}

// serveSDK serves an ordinary server of the official SDK over the streams of this
// process; a slow one takes its time, unless it is cancelled.
func serveSDK(slow bool) error {
	s := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "add", Description: "Adds two numbers.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(ctx context.Context, _ *mcp.CallToolRequest, in sum) (*mcp.CallToolResult, total, error) {
			if slow {
				pause(ctx, 2*time.Second)
			}
			if ctx.Err() != nil {
				return nil, total{}, &jsonrpc.Error{Code: -32000, Message: "given up"}
			}
			return nil, total{in.A + in.B}, nil
		})
	s.AddResource(&mcp.Resource{Name: "note", URI: "memo://note", Description: "A note.", MIMEType: "text/plain"},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/plain", Text: "remember"}}}, nil
		})
	s.AddPrompt(&mcp.Prompt{Name: "greet", Description: "A greeting.", Arguments: []*mcp.PromptArgument{{Name: "who", Description: "Whom.", Required: true}}},
		func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "Greet " + req.Params.Arguments["who"]}}}}, nil
		})
	return s.Run(context.Background(), &mcp.StdioTransport{})
}

// TestSDKServer checks a server of the official SDK in each era.
func TestSDKServer(t *testing.T) {
	for _, era := range []wire.Era{wire.EraAuto, wire.EraLegacy} {
		r := checked(t, command("sdk"), Options{Wire: wire.Options{Era: era}})
		if r.Count(Error) != 0 || len(r.Called) != 1 || r.Resources != 1 || r.Prompts != 1 {
			t.Errorf("%s: %d errors of a server without one:\n%s", era, r.Count(Error), asText(r))
		}
	}
}
