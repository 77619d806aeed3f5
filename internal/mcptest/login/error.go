package login

import (
	"strings"
)

// Error is why a login failed. It holds no secret.
type Error struct {
	Step   Name   // where
	Detail string // what, in a sentence
	Next   string // what to do
	Source string // the document and section of the rule that was broken
	// Code is the error code of the authorization server (RFC 6749, 4.1.2.1 and 5.2),
	// such as invalid_client.
	Code  string
	Cause error
}

// Error gives step, detail and what to do.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("log in: " + e.Detail)
	if e.Next != "" {
		b.WriteString(" " + e.Next)
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Pending is a login that waits for a person. It is the cause of the failure of the
// call that wanted it.
type Pending struct {
	// Link is what the person opens. It is no secret of the login, and still for that
	// person only.
	Link Link
}

// Error says what to do.
func (p *Pending) Error() string {
	return "log in: a person must open the link in a browser and log in; then connect again."
}

// Is makes a Pending an ErrPending.
func (p *Pending) Is(target error) bool { return target == ErrPending }

// fail notes a failure as the last step, and gives its error.
func (l *Login) fail(s Step, e *Error) error {
	e.Step, e.Detail = s.Name, l.rec.hide.text(e.Detail)
	s.Outcome, s.Detail = Failed, e.Detail
	if s.Source == "" {
		s.Source = e.Source
	}
	if e.Next != "" {
		s.Detail += " " + e.Next
	}
	l.rec.add(s)
	return e
}
