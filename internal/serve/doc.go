// Package serve speaks MCP for a set of bound tools: over stdio, and over
// Streamable HTTP with both eras of the protocol on one URL. Start with New.
//
// It knows no domain and keeps no state of its own between calls but sessions.
// It never writes anything but JSON-RPC to a stdio client, never decides about a
// request on another reading of its body than the one that is executed, and
// never listens beyond this machine without somebody to say who calls.
package serve
