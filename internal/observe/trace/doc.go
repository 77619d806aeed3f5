// Package trace takes part in distributed traces: it continues the trace that a
// client names (W3C Trace Context, in HTTP headers or in the _meta of an MCP
// request), makes a span for each HTTP request and each tool call, and sends them
// to a collector over OTLP when one is configured. Start with New.
//
// Without a collector it costs next to nothing; with one that does not answer it
// loses spans and says so in a log line now and then, and nothing waits for it.
// A span never holds a value, an address that was asked for, or who called.
package trace
