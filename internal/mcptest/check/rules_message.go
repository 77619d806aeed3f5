package check

import "github.com/legwork-mcp/legwork/internal/mcptest/wire"

// messageRules are those about messages and transports, as the wire sees them.
var messageRules = []named{
	{"stdout-noise", rule{Error, "The server writes to stdout what is no MCP message", spec(newest, "Transports, stdio"), "Log to stderr; stdout carries JSON-RPC only."}},
	{"stdout-blank", rule{Warning, "The server writes blank lines to stdout", spec(newest, "Transports, stdio"), "Write nothing but messages, one a line."}},
	{"stdout-lines", rule{Info, "Lines on stdout do not end as they should", spec(newest, "Transports, stdio"), "End each message with one newline."}},
	{"json-invalid", rule{Error, "A message is no JSON", rpc("4"), "Send one JSON object in UTF-8 without a byte order mark."}},
	{"message-batch", rule{Error, "The server sends batches", spec("2025-06-18", "Key Changes"), "Send each message by itself; batches are gone since 2025-06-18."}},
	{"message-shape", rule{Error, "A message breaks JSON-RPC", rpc("4 and 5"), "Send jsonrpc \"2.0\", the id of the request as it came, and either result or error."}},
	{"message-duplicate-key", rule{Error, "A member stands twice in one object", Clause{"RFC 8259", "4", ""}, "Write each member once; readers disagree which one counts."}},
	{"message-unasked", rule{Warning, "An answer came that nobody waited for", rpc("5"), "Answer each request once."}},
	{"notification-answered", rule{Error, "The server answers a notification", rpc("4.1"), "Send nothing back for a message without an id: a client takes it for the answer to its next request."}},
	{"late-answer", rule{Warning, "An answer came after its time had run out", spec(newest, "Lifecycle, Timeouts"), "Answer faster, or send progress meanwhile."}},
	{"error-shape", rule{Error, "An error is none", rpc("5.1"), "Send code as an integer and message as a string."}},
	{"result-shape", rule{Error, "A result is none", spec(newest, "Base Protocol, Responses"), "Send an object; in 2026-07-28 with a resultType that is known."}},
	{"method-shape", rule{Error, "A message of the server has params or a method that cannot be", rpc("4"), "Send method as a string and params as an object."}},
	{"http-redirect", rule{Warning, "The endpoint answers with a redirect", spec(newest, "Transports, Streamable HTTP"), "Answer at the address itself; clients do not carry a POST or a token over a redirect."}},
	{"http-content-type", rule{Error, "The content type of an answer is wrong", spec(newest, "Transports, Streamable HTTP"), "Send application/json or text/event-stream."}},
	{"http-bad-status", rule{Warning, "An HTTP status is not the one of the transport", spec(newest, "Transports, Streamable HTTP"), "Answer 200 for requests, 202 for notifications, 405 for what is not offered."}},
	{"session-id", rule{Error, "The session id is not usable", spec(newest, "Transports, Session Management"), "Use visible ASCII only, and one id for the session."}},
	{"session-lost", rule{Warning, "The server lost the session", spec(newest, "Transports, Session Management"), "Keep sessions while clients use them."}},
	{"only-sse", rule{Warning, "The server speaks HTTP with SSE only", spec(newest, "Transports, Backwards Compatibility"), "Offer Streamable HTTP; HTTP with SSE is deprecated since 2025-03-26."}},
	{"wrong-era", rule{Error, "The server uses what this protocol version does not have", spec(modern, "Key Changes"), "Use the features of the negotiated version only."}},
	{"progress-bad", rule{Warning, "Progress does not grow, or is for no request", spec(newest, "Utilities, Progress"), "Send growing progress with the token of a running request."}},
	{"request-flood", rule{Error, "The server floods its client with requests", practice("Robustness"), "Wait for answers before more is asked."}},
	{"stream-ended", rule{Error, "The event stream ended before the answer", spec(newest, "Transports, Sending Messages to the Server"), "End a stream only after the response."}},
	{"event-bad", rule{Error, "The event stream is none", Clause{"WHATWG HTML", "9.2", ""}, "Send data: lines and a blank line after each event."}},
	{"asks-unannounced", rule{Warning, "The server asks for what its client has not announced", spec(newest, "Lifecycle, Operation"), "Ask only what the capabilities of the client say it can answer, and go on when it refuses."}},
	{"input-ignored", rule{Error, "The server does not read its input", spec(newest, "Transports, stdio"), "Read stdin all the time, also while a call runs."}},
}

// wireRules map what the wire observes to rules. What is missing here is no fault, or is
// found where more is known of it.
var wireRules = map[wire.Code]string{
	wire.NoiseLine: "stdout-noise", wire.BlankLine: "stdout-blank", wire.CRLFLine: "stdout-lines", wire.Unterminated: "stdout-lines",
	wire.InvalidJSON: "json-invalid", wire.InvalidUTF8: "json-invalid", wire.ByteOrderMark: "json-invalid",
	wire.BatchMessage: "message-batch", wire.NotAnObject: "message-shape", wire.MissingVersion: "message-shape",
	wire.DuplicateKey: "message-duplicate-key", wire.BadID: "message-id", wire.NullID: "message-id", wire.ChangedID: "message-id",
	wire.NotificationReply: "notification-answered", wire.UnknownID: "message-id", wire.DuplicateResponse: "message-unasked", wire.LateResponse: "late-answer",
	wire.ResultAndError: "message-shape", wire.NoResultNoError: "message-shape", wire.BadError: "error-shape",
	wire.BadResult: "result-shape", wire.BadTask: "result-shape", wire.BadResultType: "result-shape", wire.BadParams: "method-shape", wire.BadMethod: "method-shape",
	wire.Oversized: "oversized", wire.Redirected: "http-redirect", wire.BadContentType: "http-content-type", wire.BadStatus: "http-bad-status",
	wire.SessionLost: "session-lost", wire.SessionDeadStatus: "session-dead-status", wire.BadSessionID: "session-id",
	wire.ChangedSessionID: "session-id", wire.StreamStatus: "http-bad-status", wire.DeleteStatus: "http-bad-status",
	wire.FellBackToSSE: "only-sse", wire.UnknownVersion: "version-unknown", wire.MissingField: "opening-field", wire.WrongEra: "wrong-era",
	wire.BadProgress: "progress-bad", wire.RequestFlood: "request-flood", wire.StreamEnded: "stream-ended", wire.BadEvent: "event-bad",
	wire.RequestRefused: "asks-unannounced", wire.TooDeep: "json-deep",
	wire.InputIgnored: "input-ignored", wire.EOFIgnored: "eof-ignored", wire.ExitedBadly: "exited-badly",
}
