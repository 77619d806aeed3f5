// Package wire speaks the Model Context Protocol to a server under test: stdio,
// Streamable HTTP and HTTP with SSE (2024-11-05), and both eras of the protocol, the
// legacy one that opens with initialize (2024-11-05 to 2025-11-25) and the modern,
// stateless one (2026-07-28). It works on raw JSON from end to end, because what a
// tester must show is what a typed client loses: unknown fields, large integers, lists
// with malformed items, HTTP statuses, noise on stdout, exit codes, late answers.
//
//	Connect(ctx, Target, Options) (*Conn, error)
//	(*Conn).Call(ctx, method, params, CallOptions) (*Exchange, error)
//	(*Conn).Notify(ctx, method, params) (*Exchange, error)
//	(*Conn).Send(ctx, bytes, Tweak) (*Exchange, error)      any bytes, for negative probes
//	(*Conn).List(ctx, method, params, CallOptions) (*Listing, error)  all pages
//	(*Conn).Alive(ctx) error                                ping, or what the era has for it
//	(*Conn).Listen(ctx, filter) (*Subscription, error)      subscriptions/listen
//	(*Conn).Await(ctx, from, match) (Event, error)          events of the server
//	(*Conn).Close() *Closing
//	(*Conn).Server, Era, Transport, Probe, Observations, Transcript, Usage, Process
//
// Connect gives a Conn. Call sends a request and gives an Exchange, always, with the
// bytes that were sent and received; its error, if any, is an *Error or the server's
// own *RPCError, to be told apart by errors.As. What the wire itself finds wrong is an
// Observation. Everything that passes is kept in a bounded, redacted Transcript.
//
// It never judges what a server offers, never follows a redirect to another host,
// never sends the environment of this program to a child, and never keeps more of a
// hostile server's output than its Limits say.
package wire
