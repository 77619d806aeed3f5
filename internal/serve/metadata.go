package serve

import (
	"net/http"
	"strings"

	"github.com/legwork-mcp/legwork/internal/auth/oauth"
)

// resource is the URL of the endpoint as clients use it: its name towards
// authorization servers (RFC 8707).
func (ep *endpoint) resource(r *http.Request) string {
	return ep.server.base(r) + strings.TrimSuffix(ep.Path, "/")
}

// metadataURL is where the endpoint's metadata is.
func (ep *endpoint) metadataURL(r *http.Request) string {
	if a := ep.server.o.Access; a == nil || len(a.Issuers) == 0 {
		return "" // there is nobody to get a token from
	}
	return ep.server.base(r) + oauth.WellKnownPath(ep.Path)
}

// base is scheme and host of the server as clients use them. On loopback, where
// no URL has to be set, guard has checked the Host header.
func (s *Server) base(r *http.Request) string {
	if s.o.Access != nil && s.o.Access.URL != "" {
		return strings.TrimSuffix(s.o.Access.URL, "/")
	}
	return "http://" + r.Host
}

// metadata answers where tokens for the endpoint come from (RFC 9728).
func (ep *endpoint) metadata(w http.ResponseWriter, r *http.Request) {
	a := ep.server.o.Access
	writeJSON(w, http.StatusOK, oauth.Metadata{
		Resource: ep.resource(r), AuthorizationServers: a.Issuers, Scopes: ep.offers(),
		Name: ep.Title, Documentation: a.Documentation,
	})
}

// describe adds the metadata of every endpoint to the routes.
func (s *Server) describe(mux *http.ServeMux) {
	if s.o.Access == nil || len(s.o.Access.Issuers) == 0 {
		return
	}
	for _, ep := range s.endpoints {
		path := oauth.WellKnownPath(ep.Path)
		mux.HandleFunc("GET "+path, ep.metadata)
		// Clients in pages ask with a header of the protocol, so their browsers ask first.
		mux.HandleFunc("OPTIONS "+path, func(w http.ResponseWriter, _ *http.Request) { preflight(w, "GET, HEAD") })
	}
}
