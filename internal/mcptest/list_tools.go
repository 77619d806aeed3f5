package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/tool"
)

var listTools = tool.New(tool.Spec{
	Name: "list_tools", Title: "List the server's tools",
	Description: "Retrieves all tools from the currently connected MCP server with complete schemas. " +
		"Returns exactly what the server advertised, not a summary.",
	Effect: tool.Read, Idempotent: true, OpenWorld: true, Scope: scopeRun, Rate: rateCall, Timeout: 5 * time.Minute, Reword: asSpecified,
	Outline:  []string{"tools"},
	Examples: []tool.Example{{Name: "all", Args: ListIn{}}},
}, (*Server).listTools)

// ListToolsOut are the tools of the server.
type ListToolsOut struct {
	Success    bool              `json:"success"`
	Connection Connection        `json:"connection"`
	Tools      []json.RawMessage `json:"tools" jsonschema:"name, description, input_schema and what else the server sent"`
	Metadata   ToolsMetadata     `json:"metadata"`
	Findings   []Finding         `json:"findings,omitempty"`
}

// ToolsMetadata is what the answer says of the list.
type ToolsMetadata struct {
	Total   int    `json:"total_tools"`
	Server  string `json:"server_name"`
	Version string `json:"server_version"`
	ListMetadata
}

// Text is what a model reads.
func (o ListToolsOut) Text() string {
	return listed{"tools", o.Metadata.Total, o.Connection, o.Tools}.text(o.Metadata.ListMetadata) + findingsText(o.Findings)
}

func (s *Server) listTools(ctx context.Context, in ListIn) (ListToolsOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return ListToolsOut{}, err
	}
	l, err := k.list(aTool.list, in, asTool)
	if err != nil {
		return ListToolsOut{}, err
	}
	k.c.remember(l.all)
	b := k.c.block()
	found := slices.Concat(l.findings, k.schemaless(l.all), k.duplicates(l.all, "name"))
	return ListToolsOut{
		Success: true, Connection: b, Tools: l.items, Findings: found,
		Metadata: ToolsMetadata{len(l.all), b.ServerInfo.Name, b.ServerInfo.Version, l.meta},
	}, nil
}

// asTool is a tool as the specification writes it: the schema of its arguments is
// input_schema there. All else stays as the server sent it.
func asTool(raw json.RawMessage) json.RawMessage {
	all := members(raw)
	for i := range all {
		if all[i].name == "inputSchema" && field(raw, "input_schema") == nil {
			all[i].name = "input_schema"
		}
	}
	return object(all)
}

// schemaless are tools without a schema of their arguments, which each must have (MCP
// 2025-11-25, Tools, Tool).
func (k *call) schemaless(all []json.RawMessage) []Finding {
	var names []string
	for _, item := range all {
		if name, ok := textOf(field(item, "name")); ok && sound(item) && members(field(item, "inputSchema")) == nil {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []Finding{{
		Code: findingSchema, Bytes: k.sample([]byte(strings.Join(names[:min(len(names), mostAlike)], ", "))),
		Message: fmt.Sprintf("%d tools have no inputSchema, or one that is no object: clients drop them, or the whole list.", len(names)),
	}}
}

// advertised is what a tool of the server takes and gives, and whether it wants to be a
// task (MCP 2025-11-25, Tasks, Tool-Level Negotiation).
type advertised struct {
	input, output json.RawMessage
	task          string
}

// remember keeps the schemas that tools/list gave, against which later results are
// checked.
func (c *connection) remember(items []json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tools = map[string]advertised{}
	for _, item := range items {
		if name, ok := textOf(field(item, "name")); ok {
			task, _ := textOf(field(field(item, "execution"), "taskSupport"))
			c.tools[name] = advertised{field(item, "inputSchema"), field(item, "outputSchema"), task}
		}
	}
}

// known is what a tool was advertised with, as far as the list has been asked for.
func (c *connection) known(name string) (advertised, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, ok := c.tools[name]
	return a, ok
}
