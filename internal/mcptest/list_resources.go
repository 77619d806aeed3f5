package mcptest

import (
	"context"
	"encoding/json"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var listResources = tool.New(tool.Spec{
	Name: "list_resources", Title: "List the server's resources",
	Description: "Retrieves all resources from the currently connected MCP server with complete metadata, and its resource templates.",
	Effect:      tool.Read, Idempotent: true, OpenWorld: true, Scope: scopeRun, Rate: rateCall, Timeout: 5 * time.Minute, Reword: asSpecified,
	Outline:  []string{"resources", "resource_templates"},
	Examples: []tool.Example{{Name: "all", Args: ListIn{}}},
}, (*Server).listResources)

// ListResourcesOut are the resources of the server.
type ListResourcesOut struct {
	Success    bool              `json:"success"`
	Connection Connection        `json:"connection"`
	Resources  []json.RawMessage `json:"resources" jsonschema:"as the server sent them"`
	Templates  []json.RawMessage `json:"resource_templates,omitempty" jsonschema:"as the server sent them"`
	Metadata   ResourcesMetadata `json:"metadata"`
	Findings   []Finding         `json:"findings,omitempty"`
}

// ResourcesMetadata is what the answer says of the list.
type ResourcesMetadata struct {
	Total     int `json:"total_resources"`
	Templates int `json:"total_resource_templates"`
	ListMetadata
}

// Text is what a model reads.
func (o ListResourcesOut) Text() string {
	out := listed{"resources", o.Metadata.Total, o.Connection, o.Resources}.text(o.Metadata.ListMetadata)
	if o.Metadata.Templates > 0 {
		out += "\n" + listed{"resource templates", o.Metadata.Templates, o.Connection, o.Templates}.text(ListMetadata{Returned: len(o.Templates)})
	}
	return out + findingsText(o.Findings)
}

func (s *Server) listResources(ctx context.Context, in ListIn) (ListResourcesOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return ListResourcesOut{}, err
	}
	l, err := k.list(aResource.list, in, asItIs)
	if err != nil {
		return ListResourcesOut{}, err
	}
	out := ListResourcesOut{
		Success: true, Connection: k.c.block(), Resources: l.items, Findings: append(l.findings, k.duplicates(l.all, "uri")...),
		Metadata: ResourcesMetadata{Total: len(l.all), ListMetadata: l.meta},
	}
	if in.Offset == 0 {
		k.templates(&out, in)
	}
	out.Metadata.RequestTime = k.took()
	return out, nil
}

// asItIs leaves an item as the server sent it.
func asItIs(raw json.RawMessage) json.RawMessage { return raw }

// templates adds the templates. Most servers have none, and many do not know the
// request: that is no failure of the list.
func (k *call) templates(out *ListResourcesOut, in ListIn) {
	l, err := k.c.conn.List(k.ctx, "resources/templates/list", nil, wire.CallOptions{Timeout: listTime})
	out.Findings = append(out.Findings, found(l.Pages...)...)
	if err != nil || l.Shape != "" {
		return
	}
	t := &listing{all: l.Items, items: []json.RawMessage{}}
	k.fill(t, in, asItIs)
	out.Templates, out.Metadata.Templates = t.items, len(t.all)
	out.Findings = append(out.Findings, t.findings...)
}
