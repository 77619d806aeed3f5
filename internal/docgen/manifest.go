package docgen

// Release is what the registry manifest says beyond the tools.
type Release struct {
	Name        string // reverse DNS or io.github.OWNER/NAME
	Title       string
	Description string // at most 100 characters
	Version     string
	Repository  string // URL
	Image       string // container image without tag; "" when there is none
	Bundle      Bundle // MCPB of the release; without a URL there is none
	Settings    []Setting
}

// Bundle is a published MCPB file.
type Bundle struct{ URL, SHA256 string }

// Setting is an environment variable that the manifest declares.
type Setting struct {
	Name, Description, Default string
	Secret                     bool
}

// manifestSchema is the version of the registry's format.
const manifestSchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

type manifest struct {
	Schema      string            `json:"$schema"`
	Name        string            `json:"name"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description"`
	Version     string            `json:"version"`
	Repository  *repository       `json:"repository,omitempty"`
	Packages    []manifestPackage `json:"packages,omitempty"`
}

type repository struct {
	URL    string `json:"url"`
	Source string `json:"source"`
}

type manifestPackage struct {
	RegistryType string          `json:"registryType"`
	Identifier   string          `json:"identifier"`
	FileSHA256   string          `json:"fileSha256,omitempty"`
	Transport    transport       `json:"transport"`
	Arguments    []argument      `json:"packageArguments,omitempty"`
	Environment  []manifestInput `json:"environmentVariables,omitempty"`
}

type transport struct {
	Type string `json:"type"`
}

type argument struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

type manifestInput struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Default     string `json:"default,omitempty"`
	IsSecret    bool   `json:"isSecret,omitempty"`
}

// ServerJSON is server.json, the entry of the MCP registry.
func ServerJSON(r Release) []byte {
	m := manifest{Schema: manifestSchema, Name: r.Name, Title: r.Title, Description: r.Description, Version: r.Version}
	if r.Repository != "" {
		m.Repository = &repository{URL: r.Repository, Source: "github"}
	}
	env := make([]manifestInput, 0, len(r.Settings))
	for _, s := range r.Settings {
		env = append(env, manifestInput{s.Name, s.Description, s.Default, s.Secret})
	}
	stdio := []argument{{Type: "positional", Value: "stdio"}}
	if r.Image != "" {
		m.Packages = append(m.Packages, manifestPackage{
			RegistryType: "oci", Identifier: r.Image + ":" + r.Version, Transport: transport{"stdio"}, Arguments: stdio, Environment: env,
		})
	}
	if r.Bundle.URL != "" {
		m.Packages = append(m.Packages, manifestPackage{
			RegistryType: "mcpb", Identifier: r.Bundle.URL, FileSHA256: r.Bundle.SHA256, Transport: transport{"stdio"}, Environment: env,
		})
	}
	return pretty(m)
}
