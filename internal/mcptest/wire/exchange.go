package wire

import (
	"encoding/json"
	"net/http"
	"time"
)

// Exchange is one request and all that came of it. Its bytes are exactly those that
// were sent and received; use Conn.Redact before they are shown to somebody.
type Exchange struct {
	ID     json.RawMessage // of the request; nil for a notification
	Method string
	// Request is the message as it was sent, Response the message that answered it.
	Request  []byte
	Response []byte
	// Result is the result member of the response, RPC its error. One of them is set
	// when a response came.
	Result json.RawMessage
	RPC    *RPCError
	// ResultType is resultType of a modern result; "complete" when it is absent.
	ResultType string
	// HTTP is the HTTP layer of the exchange; nil over stdio. Earlier has the requests
	// that came before it: redirects, challenges, the end of a session.
	HTTP    *HTTPAnswer
	Earlier []*HTTPAnswer
	// Notifications and Requests are what the server sent meanwhile that belongs to
	// this exchange, Dropped counts those over the limit.
	Notifications []Message
	Requests      []Message
	Dropped       int
	// Rounds are the earlier rounds of a call that needed input (MCP 2026-07-28,
	// Multi Round-Trip Requests).
	Rounds []*Exchange
	// Task is set when the server made a task of the call and it was followed; what was
	// asked about it is among the Rounds.
	Task *Task
	// Overheard tells that CallOptions.Overhear can be met.
	Overheard bool
	// Observations are what the wire found wrong with this exchange.
	Observations []Observation
	Started      time.Time
	Ended        time.Time
	// Err is what Call returned: nil, *RPCError or *Error.
	Err error
}

// Duration is how long the exchange took.
func (e *Exchange) Duration() time.Duration { return e.Ended.Sub(e.Started) }

// Message is a JSON-RPC message of the server, as it came.
type Message struct {
	At     time.Time
	Method string          // of a request or notification
	ID     json.RawMessage // of a request or response
	Params json.RawMessage
	Raw    []byte
}

// HTTPAnswer is one HTTP request and its answer.
type HTTPAnswer struct {
	Method        string
	URL           string
	RequestHeader http.Header // secrets are redacted
	Status        int
	Proto         string
	Header        http.Header // cookies are redacted
	// Body is the answer when it is no event stream, at most Limits.Kept of it unless
	// it is the response itself; Size is how much was read.
	Body []byte
	Size int64
	// Events are the events of an event stream.
	Events []StreamEvent
	// Remote is the address that answered; empty when no connection came about.
	Remote string
	Reused bool // the connection was one of an earlier request
	TLS    string
	// Sent, FirstByte and Done are when the request was sent, its status came and its
	// body ended. A stream that goes on has no Done.
	Sent, FirstByte, Done time.Time
	// Location is where a redirect pointed to.
	Location string

	stage Stage // how far it came
}

// StreamEvent is one server-sent event (WHATWG HTML, 9.2).
type StreamEvent struct {
	At   time.Time
	ID   string
	Type string // "message" when it has none
	Data []byte
	// Retry is the reconnection time, negative when none was sent.
	Retry time.Duration
	// CRLF tells that its lines end in CRLF or CR, which is allowed.
	CRLF bool
}

// ServerInfo is what a server says of itself in the answer to initialize or
// server/discover.
type ServerInfo struct {
	Name            string
	Version         string
	Title           string
	ProtocolVersion string   // negotiated
	Supported       []string // of server/discover
	Capabilities    json.RawMessage
	Instructions    string
	Info            json.RawMessage // the implementation object
	Result          json.RawMessage // the answer as a whole
}

// Probe is what came of the question which era a server speaks.
type Probe struct {
	Verdict  Era
	Reason   string // why
	Exchange *Exchange
	Exit     *Exit // of the process that was started for it
	// Transcript is that of the process; the connection's own begins after it.
	Transcript Transcript
}

// Exit is how a child ended.
type Exit struct {
	Code   int    // -1 when a signal ended it
	Signal string // such as "killed"
	At     time.Time
	Stderr []byte // the end of it
}

// Closing is what happened when a connection was closed.
type Closing struct {
	// Steps are what had to be done, in order: "stdin closed", "SIGTERM", "SIGKILL",
	// "DELETE 200".
	Steps []string
	Exit  *Exit
	Took  time.Duration
	// Orphans are the processes that the child left behind; they were ended.
	Orphans []Process
	Late    int // the answers that came after their call had been given up
}

// Process is a process of the child's group, as the system saw it.
type Process struct {
	PID     int
	Parent  int
	Name    string
	RSS     int64 // resident memory in bytes
	Files   int   // open file descriptors; -1 when unknown
	Threads int
}

// LateAnswer is a response that came after its call had been given up.
type LateAnswer struct {
	Method string
	ID     json.RawMessage
	After  time.Duration // since the request was sent
	Raw    []byte
}
