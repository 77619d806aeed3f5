// Package fault is the one vocabulary for things that go wrong. A fault says
// what happened, why, and what to do next, in words meant for the caller; the
// technical cause travels along for the log only. The kinds map to the three
// faces of the program: a tool result, an HTTP status and an exit code.
//
// It never logs, never formats for one face only, and never shows the text of
// an error that it does not know.
package fault

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"time"
)

// Kind is the class of a failure. It decides status and exit codes.
type Kind string

// The kinds of failure.
const (
	Invalid     Kind = "invalid"     // the caller's input is wrong
	NotFound    Kind = "not_found"   // the named thing does not exist
	Conflict    Kind = "conflict"    // the thing is in a state that forbids this
	Denied      Kind = "denied"      // the caller may not do this
	Limited     Kind = "limited"     // too much or too often
	Expired     Kind = "expired"     // it was there, its time is over
	Unavailable Kind = "unavailable" // something outside does not answer
	Unsupported Kind = "unsupported" // this program cannot do that
	Timeout     Kind = "timeout"     // it took longer than allowed
	Cancelled   Kind = "cancelled"   // the caller gave up
	Failed      Kind = "failed"      // the work was done and its outcome is negative
	Internal    Kind = "internal"    // a defect of this program
)

// Error is a failure that is ready to be shown.
type Error struct {
	Kind Kind
	// Type is the machine word for exactly this failure, such as
	// browser_unavailable. It defaults to the kind.
	Type string
	// Message says what happened and why, without a secret in it.
	Message string
	// Action says what the caller can do next.
	Action string
	// Cause is for the log. It is never shown to the caller.
	Cause error
	// RetryAfter is how long to wait before the same call can work.
	RetryAfter time.Duration
	// Data holds more keys for the structured answer.
	Data map[string]any
}

// New makes a fault. An empty typ takes the kind's own word.
func New(kind Kind, typ, message, action string) *Error {
	if typ == "" {
		typ = string(kind)
	}
	return &Error{Kind: kind, Type: typ, Message: message, Action: action}
}

// WithCause returns a copy of e that carries err for the log.
func (e *Error) WithCause(err error) *Error {
	c := *e
	c.Cause = err
	return &c
}

// WithData returns a copy of e with one more key for the structured answer.
func (e *Error) WithData(key string, value any) *Error {
	c := *e
	c.Data = make(map[string]any, len(e.Data)+1)
	for k, v := range e.Data {
		c.Data[k] = v
	}
	c.Data[key] = value
	return &c
}

// WithRetryAfter returns a copy of e that says when to try again.
func (e *Error) WithRetryAfter(d time.Duration) *Error {
	c := *e
	c.RetryAfter = d
	return &c
}

// Error returns the message for the caller; the cause is not part of it.
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Type
	}
	return e.Message
}

// Unwrap returns the cause, so that errors.Is sees through a fault.
func (e *Error) Unwrap() error { return e.Cause }

// From turns any error into a fault. A fault inside err is returned as it is; a
// context error becomes timeout or cancelled; anything else becomes an internal
// fault with an id, its text kept for the log only. From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var f *Error
	if errors.As(err, &f) && f != nil {
		return f
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return New(Timeout, "timeout", "The operation took longer than it may.",
			"Try again, or ask for less in one call.").WithCause(err)
	case errors.Is(err, context.Canceled):
		return New(Cancelled, "cancelled", "The operation was cancelled before it ended.",
			"Call again if the result is still wanted.").WithCause(err)
	}
	return Defect(err)
}

// Defect makes the fault for a defect of this program: the caller learns an id
// and nothing else, the log has the id and the cause.
func Defect(cause error) *Error {
	id := newID()
	f := New(Internal, "internal_error", "An internal error happened (id "+id+").",
		"Try once more. If it happens again, report the id to whoever runs this server.")
	f.Cause = cause
	f.Data = map[string]any{"error_id": id}
	return f
}

// newID is short enough to be read out and long enough to be found in a log.
func newID() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return hex.EncodeToString(b[:])
}
