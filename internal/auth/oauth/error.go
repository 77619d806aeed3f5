package oauth

import (
	"net/http"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Code is why a request is refused.
type Code string

// The reasons. Those with an OAuth error code are named as RFC 6750 section 3.1
// names them.
const (
	NoToken           Code = "no_token"           // 401, without an error code
	InvalidRequest    Code = "invalid_request"    // 400: more than one way or header
	InvalidToken      Code = "invalid_token"      // 401: malformed, expired, revoked, not for this server
	InsufficientScope Code = "insufficient_scope" // 403: good, but not for this
	Unavailable       Code = "unavailable"        // 503: nobody can tell at the moment
)

// Error is a refusal. Nothing in it comes from the token.
type Error struct {
	Code Code
	// Description says why in plain ASCII words, without a final stop.
	Description string
	// Scopes are all that the operation needs, for InsufficientScope.
	Scopes []string
	// RetryAfter is how long to wait, for Unavailable.
	RetryAfter time.Duration
	// Cause is for the log.
	Cause error
}

// faces is what each reason looks like from outside.
var faces = map[Code]struct {
	status          int
	kind            fault.Kind
	message, action string
}{
	NoToken: {
		http.StatusUnauthorized, fault.Denied, "This needs a bearer token",
		"Send one in the Authorization header: an access token of the authorization server that the protected-resource metadata names, or the token that whoever runs the server gave you.",
	},
	InvalidRequest: {
		http.StatusBadRequest, fault.Invalid, "The request is not usable",
		"Send exactly one Authorization header with one bearer token.",
	},
	InvalidToken: {
		http.StatusUnauthorized, fault.Denied, "The bearer token is not accepted",
		"Get a new access token for this server and send that.",
	},
	InsufficientScope: {
		http.StatusForbidden, fault.Denied, "The bearer token does not allow this",
		"Ask whoever gave you the token for one that has the missing scope too.",
	},
	Unavailable: {
		http.StatusServiceUnavailable, fault.Unavailable, "The bearer token cannot be checked at the moment",
		"Try again in a few seconds. Whoever runs the server finds the reason in its log.",
	},
}

// Error says what happened, for the caller.
func (e *Error) Error() string { return e.Fault().Message }

// Unwrap returns the fault, and through it the cause.
func (e *Error) Unwrap() error { return e.Fault() }

// Fault is the refusal in the program's own vocabulary; its type is the code.
func (e *Error) Fault() *fault.Error {
	face := faces[e.Code]
	message := face.message
	if e.Description != "" {
		message += ": " + e.Description
	}
	action := face.action
	if len(e.Scopes) > 0 {
		action = "Ask whoever gave you the token for one that has these scopes too: " + strings.Join(e.Scopes, ", ") + "."
	}
	f := fault.New(face.kind, string(e.Code), message+".", action).WithRetryAfter(e.RetryAfter)
	f.Cause = e.Cause
	return f
}

// Status is the HTTP status: RFC 6750 section 3.1, and 503 for Unavailable.
func (e *Error) Status() int { return faces[e.Code].status }

// Challenge is the WWW-Authenticate value that goes with the refusal. The scopes
// are what a first token should have; for InsufficientScope those of e are told
// instead. It means nothing for Unavailable: a new token would not help.
func (e *Error) Challenge(resourceMetadata string, scopes ...string) Challenge {
	c := Challenge{ResourceMetadata: resourceMetadata, Scopes: scopes}
	if e.Code == InsufficientScope {
		c.Scopes = e.Scopes
	}
	// "The resource server SHOULD NOT include an error code" when the request
	// had no token: RFC 6750 section 3.1.
	if e.Code != NoToken {
		c.Error, c.Description = string(e.Code), e.Description
	}
	return c
}

// Insufficient is the refusal of a good token that lacks one of the scopes, which
// are all that the operation needs.
func Insufficient(scopes ...string) *Error {
	return &Error{Code: InsufficientScope, Description: "the token lacks a scope that is needed", Scopes: scopes}
}

func invalid(description string) *Error { return &Error{Code: InvalidToken, Description: description} }

func unavailable(wait time.Duration, cause error) *Error {
	return &Error{Code: Unavailable, RetryAfter: max(wait, time.Second), Cause: cause}
}
