// Package observe sets up what the program says about itself: structured logs on
// stderr, ids of requests and traces, and the types and the handler that keep what people type
// out of both. Start with New. Metrics, traces and the audit log are packages below.
//
// It never writes to stdout, which belongs to the protocol, and never logs a
// value whose key or type says that it is private.
package observe
