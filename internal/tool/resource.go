package tool

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Resource is a family of resources each of which is what a call of a tool answers:
// clients that have resources read it, others call the tool. Who may call the tool may
// read them, and what bounds its calls bounds reading.
type Resource struct {
	// Name, Title and Description are for people and models.
	Name, Title, Description string
	// Template is the URI template (RFC 6570).
	Template string
	// Tool answers; Arguments are those of the call for a URI, false when there is no
	// such resource.
	Tool      Bound
	Arguments func(uri string) (json.RawMessage, bool)
}

// resourceType is what a structured result is read as.
const resourceType = "application/json"

// Check reports whether the resource can be offered.
func (r Resource) Check() error {
	if r.Name == "" || r.Template == "" || r.Description == "" || r.Arguments == nil || r.Tool.run == nil {
		return fmt.Errorf("the resource %q has no name, template, description, arguments or tool", r.Name)
	}
	return nil
}

// Definition is the entry in resources/templates/list.
func (r Resource) Definition() *mcp.ResourceTemplate {
	return &mcp.ResourceTemplate{Name: r.Name, Title: r.Title, Description: r.Description, URITemplate: r.Template, MIMEType: resourceType}
}

// Contents are what a call of the tool answered, as a resource. A failure has none, and
// says why in words.
func (r Resource) Contents(uri string, answer *mcp.CallToolResult) (contents *mcp.ReadResourceResult, failure string) {
	if answer.IsError {
		for _, c := range answer.Content {
			if t, ok := c.(*mcp.TextContent); ok {
				return nil, t.Text
			}
		}
		return nil, "The resource cannot be read."
	}
	raw, _ := answer.StructuredContent.(json.RawMessage)
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: resourceType, Text: string(raw)}}}, ""
}
