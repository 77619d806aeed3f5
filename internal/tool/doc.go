// Package tool declares MCP tools once. A tool is a value: its spec, an input
// struct, an output struct and a method expression. The listing, schemas, hints,
// documentation and snapshot follow from that value, and one policy wraps every
// call. Start with New.
//
// It knows no domain, opens no connection, and never writes a caller's arguments
// to a log. It does not let a panic out, a result beyond its budget, or a number
// be rounded on its way to a handler.
package tool
