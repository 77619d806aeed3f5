package serve

import "github.com/modelcontextprotocol/go-sdk/mcp"

// Extension is what an endpoint offers beyond its tools, such as prompts and
// resources. It answers behind the same router, guards and checks, but its tools
// do not pass the policy: it must do nothing that a caller could be refused.
type Extension struct {
	// Options changes what the SDK's server is made with: what it declares, and
	// the handlers that are given at its start.
	Options func(*mcp.ServerOptions)
	// Register adds the features. It is called once, before the first request.
	Register func(*mcp.Server)
}
