// Package check finds out whether an MCP server keeps its promises: it climbs the
// ladder of a connection, reads all that the server offers, lints it as a model will
// see it, calls what it may call with arguments that it makes, and sends what no client
// should send. What is wrong comes as findings, the cause before its effects.
//
// It never calls a tool that is not marked read-only unless it was allowed by name,
// never fetches a schema from a network, never goes past the client that it is given,
// and never runs longer than it was told.
package check
