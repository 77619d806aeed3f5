// Command conformance is what the official conformance suite of MCP drives to try the
// client side of the tester of MCP servers: it does what a scenario asks for with the
// packages wire and login, and nothing else. scripts/conformance-client.sh runs it.
//
// It never decides whether a scenario passed: the suite does, by what it saw.
package main
