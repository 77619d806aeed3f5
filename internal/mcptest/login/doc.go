// Package login gets a token for a server under test, and keeps every step of the way
// as evidence: the challenge, each candidate for metadata with its status, whether the
// issuer is who it says it is, which scopes were chosen and why, what the token answer
// said apart from the token. It does what the authorization chapter of MCP asks of a
// client (2025-11-25 and 2026-07-28, Authorization), so that a login that fails here
// fails for other clients too, and the trace says where.
//
//	New(Options) (*Login, error)
//	(*Login).Authorize(ctx, wire.Challenge) (http.Header, error)   for wire.Options
//	(*Login).Trace() Trace
//	NewLoopback(...) (*Loopback, error)                            a Person with a browser
//
// It never keeps a token, a secret, a code or an assertion in a trace, an error or a
// log; never opens a browser; never follows a redirect to another host; and never sends
// a request but through the client that it was given.
package login
