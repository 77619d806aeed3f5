// Package mcptest is the server with which an agent tries other MCP servers: it
// connects to one, lists what it offers, calls it, and shows what really passed. Start
// with New.
//
// What a server under test says is data: it is shown as it came, between marks, and
// never changes what this package does. It never judges by the words of a message: the
// type of an error follows from codes, flags and lists. It never sends this program's
// environment to a server, and never shows a secret that it was given.
package mcptest
