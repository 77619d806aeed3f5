package oauth

import (
	"encoding/json"
	"slices"
	"strings"
)

// wellKnown is where the metadata of a resource at the root of its host is:
// RFC 9728 section 3.
const wellKnown = "/.well-known/oauth-protected-resource"

// Metadata is the document of RFC 9728 section 2 about one protected resource.
type Metadata struct {
	// Resource is the URL that clients use for the resource, exactly.
	Resource string
	// AuthorizationServers are the issuers whose tokens are accepted.
	AuthorizationServers []string
	// Scopes are what a token can be asked for.
	Scopes []string
	// Name and Documentation are for people; both are optional.
	Name, Documentation string
}

// MarshalJSON writes the document. Tokens are taken from the header only, and
// offline_access is left out: it is between the client and its authorization
// server, and the MCP specification (2026-07-28) keeps it out of this list.
func (m Metadata) MarshalJSON() ([]byte, error) {
	scopes := slices.Clone(m.Scopes)
	scopes = slices.DeleteFunc(scopes, func(s string) bool { return s == "offline_access" })
	return json.Marshal(struct {
		Resource             string   `json:"resource"`
		AuthorizationServers []string `json:"authorization_servers,omitempty"`
		Scopes               []string `json:"scopes_supported,omitempty"`
		Methods              []string `json:"bearer_methods_supported"`
		Name                 string   `json:"resource_name,omitempty"`
		Documentation        string   `json:"resource_documentation,omitempty"`
	}{m.Resource, m.AuthorizationServers, scopes, []string{"header"}, m.Name, m.Documentation})
}

// WellKnownPath is the path of the metadata of a resource at this path on the
// same host: the well-known part goes in front of the path, and a path that is
// only a slash disappears (RFC 9728 section 3.1).
func WellKnownPath(resourcePath string) string {
	if resourcePath == "" || resourcePath == "/" {
		return wellKnown
	}
	return wellKnown + "/" + strings.TrimPrefix(resourcePath, "/")
}
