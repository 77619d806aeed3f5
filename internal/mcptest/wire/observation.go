package wire

import (
	"encoding/json"
	"time"
)

// Code names a kind of observation.
type Code string

// What the wire can observe. Each is a fact; how bad it is, others say.
const (
	NoiseLine         Code = "noise_line"          // a line on stdout that is no JSON
	BlankLine         Code = "blank_line"          // an empty line on stdout
	InvalidJSON       Code = "invalid_json"        // a body or event that should be JSON
	TooDeep           Code = "too_deep"            // JSON that is nested deeper than readers go
	InvalidUTF8       Code = "invalid_utf8"        // JSON-RPC messages are UTF-8
	ByteOrderMark     Code = "byte_order_mark"     // before a message
	CRLFLine          Code = "crlf_line"           // a stdout line that ends in CRLF
	Unterminated      Code = "unterminated_line"   // the last line of stdout has no newline
	BatchMessage      Code = "batch_message"       // an array of messages, which 2025-06-18 removed
	NotAnObject       Code = "not_an_object"       // JSON that is no message
	MissingVersion    Code = "missing_jsonrpc"     // no "jsonrpc":"2.0"
	DuplicateKey      Code = "duplicate_key"       // twice the same member in one message
	BadID             Code = "bad_id"              // an id that is neither string nor integer
	NullID            Code = "null_id"             // an answer with the id null or without one
	ChangedID         Code = "changed_id"          // an answer whose id has another type than the request's
	UnknownID         Code = "unknown_id"          // an answer to no request
	DuplicateResponse Code = "duplicate_response"  // a second answer to a request
	LateResponse      Code = "late_response"       // an answer after its call was given up
	NotificationReply Code = "notification_reply"  // an answer to a notification
	ResultAndError    Code = "result_and_error"    // both in one answer
	NoResultNoError   Code = "no_result_no_error"  // neither
	BadError          Code = "bad_error"           // an error without integer code and string message
	BadResult         Code = "bad_result"          // a result that is no object
	BadResultType     Code = "bad_result_type"     // a resultType that is not known
	BadTask           Code = "bad_task"            // a task that is not kept as the protocol has it
	BadParams         Code = "bad_params"          // params that are no object
	BadMethod         Code = "bad_method"          // a method that is no string
	Oversized         Code = "oversized"           // more than a limit
	Redirected        Code = "redirected"          // a redirect was answered
	BadContentType    Code = "bad_content_type"    // of an answer
	BadStatus         Code = "bad_status"          // a status that the transport does not provide for
	SessionLost       Code = "session_lost"        // 404: the session was begun anew
	SessionDeadStatus Code = "session_dead_status" // a dead session was answered with another status than 404
	BadSessionID      Code = "bad_session_id"      // not visible ASCII
	ChangedSessionID  Code = "changed_session_id"  // during a session
	StreamStatus      Code = "stream_status"       // the GET stream was refused, with another status than 405
	DeleteStatus      Code = "delete_status"       // the end of a session was refused, with another status than 405
	FellBackToSSE     Code = "fell_back_to_sse"    // the server speaks HTTP with SSE only
	UnknownVersion    Code = "unknown_version"     // a protocol version that does not exist
	MissingField      Code = "missing_field"       // of the answer to initialize or server/discover
	WrongEra          Code = "wrong_era"           // something that this era does not have
	BadProgress       Code = "bad_progress"        // progress that does not grow, or for no request
	RequestFlood      Code = "request_flood"       // more requests at one time than are answered
	RequestRefused    Code = "request_refused"     // a request of the server that nobody answers
	StreamEnded       Code = "stream_ended"        // an event stream ended before the answer came
	BadEvent          Code = "bad_event"           // an event stream that is none
	InputIgnored      Code = "input_ignored"       // the child does not read its input
	EOFIgnored        Code = "eof_ignored"         // the child did not end when its input was closed
	LeftProcesses     Code = "left_processes"      // the child left processes behind
	ExitedBadly       Code = "exited_badly"        // the child ended with a code or a signal
)

// Observation is something that the wire saw and that should not be.
type Observation struct {
	Code   Code
	At     time.Time
	Detail string // what, in a sentence without the server's bytes
	// Bytes are the offending ones, at most 512, with escapes and all; Size is how many
	// they were.
	Bytes []byte
	Size  int
	// Call is the id of the exchange that it belongs to, when that is known.
	Call json.RawMessage
	// Status is the HTTP status that it is about; 0 for none.
	Status int
}
