package mcptest

import (
	"context"
	"encoding/json"
	"time"

	"github.com/legwork-mcp/legwork/internal/tool"
)

var listPrompts = tool.New(tool.Spec{
	Name: "list_prompts", Title: "List the server's prompts",
	Description: "Retrieves all prompts from the currently connected MCP server with complete schemas.",
	Effect:      tool.Read, Idempotent: true, OpenWorld: true, Scope: scopeRun, Rate: rateCall, Timeout: 5 * time.Minute, Reword: asSpecified,
	Outline:  []string{"prompts"},
	Examples: []tool.Example{{Name: "all", Args: ListIn{}}},
}, (*Server).listPrompts)

// ListPromptsOut are the prompts of the server.
type ListPromptsOut struct {
	Success    bool              `json:"success"`
	Connection Connection        `json:"connection"`
	Prompts    []json.RawMessage `json:"prompts" jsonschema:"as the server sent them"`
	Metadata   PromptsMetadata   `json:"metadata"`
	Findings   []Finding         `json:"findings,omitempty"`
}

// PromptsMetadata is what the answer says of the list.
type PromptsMetadata struct {
	Total int `json:"total_prompts"`
	ListMetadata
}

// Text is what a model reads.
func (o ListPromptsOut) Text() string {
	return listed{"prompts", o.Metadata.Total, o.Connection, o.Prompts}.text(o.Metadata.ListMetadata) + findingsText(o.Findings)
}

func (s *Server) listPrompts(ctx context.Context, in ListIn) (ListPromptsOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return ListPromptsOut{}, err
	}
	l, err := k.list(aPrompt.list, in, asItIs)
	if err != nil {
		return ListPromptsOut{}, err
	}
	return ListPromptsOut{
		Success: true, Connection: k.c.block(), Prompts: l.items, Findings: append(l.findings, k.duplicates(l.all, "name")...),
		Metadata: PromptsMetadata{len(l.all), l.meta},
	}, nil
}
