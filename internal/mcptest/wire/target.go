package wire

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"
)

// Target is the server under test: either the address of one or a command to start.
type Target struct {
	// URL is the MCP endpoint of a server over HTTP.
	URL string
	// Headers go with every HTTP request, as they are; their values are secrets.
	Headers http.Header
	// Command is a program and its arguments, started without a shell.
	Command []string
	// Env is added to the small environment that a child gets; its values are secrets.
	Env map[string]string
	// Dir is the working directory of the child; empty is this program's.
	Dir string
	// Transport forces one; empty chooses.
	Transport Transport
}

// Transport is a way to reach a server (MCP 2025-11-25, Basic Protocol, Transports).
type Transport string

// The transports.
const (
	StdioTransport Transport = "stdio"
	HTTPTransport  Transport = "streamable-http"
	SSETransport   Transport = "sse" // HTTP with SSE, of 2024-11-05
)

// Era is one of the two wires of the protocol. In the legacy one a connection is
// opened by initialize; in the modern one each request carries all that a server must
// know (MCP 2026-07-28, Basic Protocol, Versioning).
type Era string

// The eras.
const (
	EraAuto   Era = "auto" // only asked for: modern when the server speaks it
	EraLegacy Era = "legacy"
	EraModern Era = "modern"
)

// The protocol versions that this package speaks.
const (
	Version20241105 = "2024-11-05"
	Version20250326 = "2025-03-26"
	Version20250618 = "2025-06-18"
	Version20251125 = "2025-11-25"
	Version20260728 = "2026-07-28"

	NewestLegacy = Version20251125
	NewestModern = Version20260728
)

// LegacyVersions are the versions that open with initialize, the newest first.
func LegacyVersions() []string {
	return []string{Version20251125, Version20250618, Version20250326, Version20241105}
}

// Options say how to talk. The zero value works for a command; an address needs an
// HTTPClient.
type Options struct {
	// Era is the wire; empty is EraAuto.
	Era Era
	// Version is offered to the server; empty is the newest of the era. A legacy
	// version with EraAuto means EraLegacy, and a modern one EraModern.
	Version string
	// ConnectTimeout bounds Connect as a whole; 0 is 30 s.
	ConnectTimeout time.Duration
	// ProbeTimeout bounds the question which era a server speaks; 0 is 5 s.
	ProbeTimeout time.Duration
	// CallTimeout bounds a call that names no limit; 0 is 60 s.
	CallTimeout time.Duration
	// CloseTimeout is how long a child may take to end by itself after its input is
	// closed, and again after SIGTERM, and how long the HTTP goodbye may take; 0 is 2 s.
	CloseTimeout time.Duration

	// HTTPClient sends the requests to an address; its guard decides what may be
	// reached. Its redirect policy, cookies and timeout are not used.
	HTTPClient *http.Client
	// Authorize is asked when a server answers 401 or 403. The headers that it gives go
	// with that request again, once, and with all later ones. Nil headers give up.
	Authorize func(context.Context, Challenge) (http.Header, error)
	// Answer answers the requests of the server (sampling/createMessage,
	// elicitation/create, roots/list). Without it they are refused with -32601. Pings
	// are answered by this package. A *RPCError is sent to the server as it is.
	Answer func(context.Context, ServerRequest) (json.RawMessage, error)
	// AnswerTimeout bounds each answer; 0 is CallTimeout. The time of a call during which
	// the server asks stands still meanwhile.
	AnswerTimeout time.Duration
	// Capabilities are announced to the server; empty is {}.
	Capabilities json.RawMessage
	// Tasks announces the extension for tasks to a modern server, which may then make one
	// of any call: CallOptions.FollowTasks waits for it.
	Tasks bool
	// ClientInfo is announced to the server; empty is this program's.
	ClientInfo json.RawMessage
	// LogLevel, when set, is asked of a modern server with each request.
	LogLevel string
	// NoStream leaves the standalone GET stream of a legacy HTTP session closed.
	NoStream bool
	// Resume makes an interrupted legacy event stream be taken up again with
	// Last-Event-ID (MCP 2025-11-25, Transports, Resumability and Redelivery).
	Resume bool

	// Environ is the environment of this program, KEY=VALUE, of which a child gets a
	// short list of harmless names (see InheritedNames), and in which its command is
	// looked up.
	Environ []string
	// Secrets are texts that the transcript must not hold.
	Secrets []string
	// Logger gets what happens, without contents; nil is silence.
	Logger *slog.Logger
	// Now is the clock; nil is the system's.
	Now func() time.Time
	// Limits bound what a server can make this package keep.
	Limits Limits
}

// Limits bound memory, whatever a server sends. A zero takes the default.
type Limits struct {
	// Message is the size of one message, line or event in bytes; 16 MiB.
	Message int
	// Kept is how much of a body that is no message is kept, in bytes; 16 KiB.
	Kept int
	// Transcript bounds the bodies of the transcript, in bytes; 8 MiB.
	Transcript int
	// Entries bounds the number of transcript entries and of events; 10000.
	Entries int
	// Observations bounds the number of observations kept; 1000. More are counted.
	Observations int
	// PerCall bounds the notifications and stream events kept with one Exchange; 1000.
	// The notifications take no more bytes than the transcript does.
	PerCall int
	// Stderr is how much of the end of a child's error output is kept; 64 KiB.
	Stderr int
	// Stream bounds the bytes of one HTTP answer, or of one list, as a whole; 64 MiB.
	Stream int64
	// Answering bounds the server's requests that are answered at one time; 16.
	Answering int
	// Rounds bounds the rounds of a call that asks for input again and again; 10.
	Rounds int
	// Pages bounds the pages of a list; 1000. Together they take no more bytes than
	// Stream.
	Pages int
	// Late is how long the stream of a call that ran out of time is still read for
	// what comes late; 10 s.
	Late time.Duration
}

// Challenge is the answer of a server that wants authorization.
type Challenge struct {
	URL    string // of the request
	Method string // the JSON-RPC method
	Status int    // 401 or 403
	Header http.Header
	// WWWAuthenticate are the challenges, as they were sent (RFC 9110, 11.6.1).
	WWWAuthenticate []string
	Body            []byte // its beginning
	// Attempt counts the challenges of this connection, from 1, and Round those of this
	// message: from the second on, what was given for it before was refused.
	Attempt, Round int
	// Given tells that what the hook gave before went with the request.
	Given bool
}

// ServerRequest is a question of the server to its client.
type ServerRequest struct {
	// Key is the JSON-RPC id of a legacy request, or the key of a modern input request.
	Key    string
	Method string
	Params json.RawMessage
	// Call is the request during which it came, when that is known.
	Call string
}
