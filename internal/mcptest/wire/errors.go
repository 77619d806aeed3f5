package wire

import (
	"encoding/json"
	"fmt"
	"strings"
)

// RPCError is the error member of a response (JSON-RPC 2.0, 5.1), as the server sent
// it.
type RPCError struct {
	Code    int64
	Message string
	Data    json.RawMessage
	Raw     json.RawMessage // the member as a whole, also when it is malformed
}

// Error gives code and message.
func (e *RPCError) Error() string {
	return fmt.Sprintf("the server answered error %d: %s", e.Code, e.Message)
}

// The codes of errors that this package knows.
const (
	CodeParse              = -32700
	CodeInvalidRequest     = -32600
	CodeMethodNotFound     = -32601
	CodeInvalidParams      = -32602
	CodeInternal           = -32603
	CodeResourceNotFound   = -32002 // before 2026-07-28
	CodeHeaderMismatch     = -32020
	CodeMissingCapability  = -32021
	CodeUnsupportedVersion = -32022
	CodeURLElicitation     = -32042 // 2025-11-25
)

// Kind is the class of a failure of the wire.
type Kind string

// The kinds of failure.
const (
	Timeout   Kind = "timeout"   // no answer in time
	Cancelled Kind = "cancelled" // the caller gave up
	Refused   Kind = "refused"   // the server, or the way to it, said no; Stage says where
	Broken    Kind = "transport" // the connection broke
	Exited    Kind = "exited"    // the child ended; Exit says how
	Protocol  Kind = "protocol"  // an answer that is none
	TooLarge  Kind = "too_large" // an answer over a limit
	Closed    Kind = "closed"    // the connection was closed by its owner
	Misused   Kind = "misused"   // a target or params that cannot be used
)

// Stage is how far a connection came.
type Stage string

// The stages.
const (
	StageTarget  Stage = "target"  // the target itself makes no sense
	StageCommand Stage = "command" // the program cannot be started
	StageGuard   Stage = "guard"   // the client may not go there
	StageDNS     Stage = "dns"
	StageTCP     Stage = "tcp"
	StageTLS     Stage = "tls"
	StageHTTP    Stage = "http" // a status; HTTP has it
	StageMessage Stage = "message"
)

// Error is a failure of the wire. What it is can be told by its fields; its text is
// for people.
type Error struct {
	Kind   Kind
	Stage  Stage
	Method string // the JSON-RPC method
	Detail string // a sentence
	// HTTP is the answer of the server, when there was one: status, headers, the
	// beginning of the body.
	HTTP *HTTPAnswer
	// Exit is how the child ended, when it did.
	Exit  *Exit
	Cause error
	// Also is the failure of the other way that was tried, such as HTTP with SSE after
	// Streamable HTTP.
	Also error
}

// Error gives kind, method and detail.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Method != "" {
		b.WriteString(e.Method + ": ")
	}
	detail := e.Detail
	if detail == "" {
		detail = string(e.Kind)
	}
	if e.Cause != nil {
		detail = strings.TrimSuffix(detail, ".")
	}
	b.WriteString(detail)
	if e.Cause != nil {
		b.WriteString(": " + e.Cause.Error())
	}
	if e.Also != nil {
		b.WriteString("; and then: " + e.Also.Error())
	}
	return b.String()
}

// Unwrap gives the causes.
func (e *Error) Unwrap() []error {
	var out []error
	for _, err := range []error{e.Cause, e.Also} {
		if err != nil {
			out = append(out, err)
		}
	}
	return out
}

// Status is the HTTP status that a failure is about; 0 when it is about none.
func (e *Error) Status() int {
	if e.HTTP == nil {
		return 0
	}
	return e.HTTP.Status
}
