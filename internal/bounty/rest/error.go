package rest

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Trouble is why there is no answer of the board to read.
type Trouble string

// The kinds of trouble.
const (
	Unreachable Trouble = "unreachable" // no connection, or it broke
	TimedOut    Trouble = "timed_out"   // this program gave up waiting
	NotJSON     Trouble = "not_json"    // something else than the board answered, or it is broken
	TooLarge    Trouble = "too_large"   // more than this program reads
)

// Error is a request that the board refused, or that got no usable answer. Its text
// has nothing in it that a person or the board wrote.
type Error struct {
	// Op is the method and the pattern of the path.
	Op string
	// Trouble is empty when the board answered.
	Trouble Trouble
	// Status is the HTTP status; zero when there was none.
	Status int
	// Reason is the board's own word: its reason, or in an answer without one its
	// status, as for bodies such as {"status":"not_found"}. It may be empty.
	Reason string
	// Fields are the inputs that the board objects to.
	Fields []FieldError
	// Detail is the board's explanation for people; it is not to be trusted.
	Detail string
	// RetryAfter is how long the board asks to wait.
	RetryAfter time.Duration
	// Uncertain is true when the board may have done what was asked.
	Uncertain bool
	// Replayed is true when this is the answer to an earlier request of the same key.
	Replayed bool
	// Body is the whole answer, when it was JSON.
	Body json.RawMessage

	sent  bool
	cause error
}

// FieldError is one input that the board objects to.
type FieldError struct {
	Field string `json:"field"`
	Code  string `json:"code"`
}

// Error describes the failure for the log.
func (e *Error) Error() string {
	switch {
	case e.Trouble != "" && e.Status != 0:
		return fmt.Sprintf("%s: %s, HTTP status %d", e.Op, e.Trouble, e.Status)
	case e.Trouble != "" && e.cause != nil:
		return fmt.Sprintf("%s: %s: %v", e.Op, e.Trouble, e.cause)
	case e.Trouble != "":
		return fmt.Sprintf("%s: %s", e.Op, e.Trouble)
	}
	reason := e.Reason
	if !word.MatchString(reason) {
		reason = "a reason that is no word"
	}
	return fmt.Sprintf("%s: HTTP status %d, %s", e.Op, e.Status, reason)
}

// Unwrap is what the network said.
func (e *Error) Unwrap() error { return e.cause }

// word is what reasons look like; anything else may be a message.
var word = lazyregexp.New(`^[a-z][a-z0-9_]{0,63}$`)
