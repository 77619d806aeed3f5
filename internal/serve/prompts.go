package serve

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// prompts offers the prompts of the endpoint.
func (ep *endpoint) prompts() error {
	seen := map[string]bool{}
	for _, p := range ep.Prompts {
		if err := p.Check(); err != nil {
			return fmt.Errorf("endpoint %s: %w", ep.Name, err)
		}
		if seen[p.Name] {
			return fmt.Errorf("endpoint %s: prompt %s is there twice", ep.Name, p.Name)
		}
		seen[p.Name] = true
		ep.mcp.AddPrompt(p.Definition(), promptHandler(p))
	}
	return nil
}

func promptHandler(p tool.Prompt) mcp.PromptHandler {
	return func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text, err := p.Fill(req.Params.Arguments)
		if err != nil {
			f := fault.From(err)
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: f.Error() + " " + f.Action}
		}
		return &mcp.GetPromptResult{
			Description: p.Description,
			Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
		}, nil
	}
}
