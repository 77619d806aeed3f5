package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sum is what the tool of the server takes, and total what it gives.
type (
	sum struct {
		A int `json:"a" jsonschema:"the first number"`
		B int `json:"b" jsonschema:"the second number"`
	}
	total struct {
		Sum int `json:"sum" jsonschema:"both together"`
	}
)

// play is a small server of the official SDK over stdio: the server that is checked.
func play(ctx context.Context) error {
	s := mcp.NewServer(&mcp.Implementation{Name: "small", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "add", Description: "Adds two numbers.", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in sum) (*mcp.CallToolResult, total, error) {
			return nil, total{in.A + in.B}, nil
		})
	return s.Run(ctx, &mcp.StdioTransport{})
}
