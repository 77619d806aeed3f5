// Command checks times whole processes: a check of an MCP server over stdio by Legwork,
// in brief and whole, beside the command line of the official Inspector, which lists the
// tools of the same server. The server is a small
// one of the official Go SDK, which this program plays itself.
package main
