package serve

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/tool"
)

// resources offers the resource templates of the endpoint.
func (ep *endpoint) resources() error {
	seen := map[string]bool{}
	for _, r := range ep.Resources {
		if err := r.Check(); err != nil {
			return fmt.Errorf("endpoint %s: %w", ep.Name, err)
		}
		if seen[r.Template] {
			return fmt.Errorf("endpoint %s: the resource %s is there twice", ep.Name, r.Template)
		}
		seen[r.Template] = true
		ep.mcp.AddResourceTemplate(r.Definition(), ep.reader(r))
	}
	return nil
}

// specOf is the tool that a message calls, or that answers the resource that it reads.
func (ep *endpoint) specOf(m *message) (tool.Spec, bool) {
	switch m.method {
	case methodCall:
		b, ok := ep.bound[m.name]
		return b.Spec, ok
	case methodRead:
		var uri string
		if json.Unmarshal(m.params["uri"], &uri) != nil {
			return tool.Spec{}, false
		}
		for _, r := range ep.Resources {
			if _, ok := r.Arguments(uri); ok {
				return r.Tool.Spec, true
			}
		}
	}
	return tool.Spec{}, false
}

// methodRead is answered by a tool.
const methodRead = "resources/read"

// reader reads a resource under the policy of the tool that answers it.
func (ep *endpoint) reader(r tool.Resource) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		args, ok := r.Arguments(req.Params.URI)
		if !ok {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		answer := ep.run(ctx, r.Tool, incomingOf(req.Session, req.Extra, req.Params, args))
		contents, why := r.Contents(req.Params.URI, answer)
		if why != "" {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: why}
		}
		return contents, nil
	}
}
