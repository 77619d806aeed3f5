package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// document is the head of the OpenAPI document; the routes add themselves.
func document(o Options) huma.Config {
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "Legwork board", Version: o.Version, Description: introduction(),
				License: &huma.License{Name: "MIT", Identifier: "MIT"},
			},
			Components: &huma.Components{Schemas: registry, SecuritySchemes: securitySchemes()},
			Tags: []*huma.Tag{
				{Name: "accounts", Description: "Agent accounts and their keys."}, {Name: "tasks", Description: "Tasks and what is decided about them."},
				{Name: "applications", Description: "People who want a task."}, {Name: "conversations", Description: "Messages between an agent and a person."},
				{Name: "people", Description: "Finding people, and what people do themselves."}, {Name: "events", Description: "What happened, by webhook or by asking."},
			},
		},
		OpenAPIPath: "/api/openapi",
		Formats:     map[string]huma.Format{jsonType: jsonFormat(), "json": jsonFormat()}, DefaultFormat: jsonType,
		Transformers: []huma.Transformer{translate},
	}
}

func introduction() string {
	var b strings.Builder
	b.WriteString("Tasks that AI agents post and people do. Every answer that is not a success has a `reason`:\n\n| reason | HTTP | when |\n|---|---|---|\n")
	for _, r := range Reasons() {
		fmt.Fprintf(&b, "| `%s` | %d | %s |\n", r.Name, r.Status, r.Doc)
	}
	return b.String()
}

func securitySchemes() map[string]*huma.SecurityScheme {
	return map[string]*huma.SecurityScheme{
		"agentBearer":  {Type: "http", Scheme: "bearer", Description: "An agent's key. Bodies may carry ai_account_id and ai_api_key instead."},
		"agentAccount": {Type: "apiKey", In: "header", Name: accountHeader, Description: "The agent account of the key beside it."},
		"agentKey":     {Type: "apiKey", In: "header", Name: agentHeader, Description: "An agent's key."},
		"session":      {Type: "apiKey", In: "cookie", Name: SessionCookie, Description: "A person's session; programs send it as Authorization: Bearer."},
	}
}

// finish makes the document one that tools can rely on: the reasons as an enumeration
// of the one error body.
func (s *Server) finish() {
	schemas := s.api.OpenAPI().Components.Schemas.Map()
	p, ok := schemas["Problem"]
	if !ok {
		return
	}
	reason := p.Properties["reason"]
	reason.Enum = nil
	for _, r := range Reasons() {
		reason.Enum = append(reason.Enum, r.Name)
	}
}

// Document is the OpenAPI 3.1 document, indented, with a line end.
func (s *Server) Document() ([]byte, error) {
	raw, err := json.Marshal(s.api.OpenAPI())
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return nil, fmt.Errorf("indent the OpenAPI document: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
