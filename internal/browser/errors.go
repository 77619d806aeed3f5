package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// What errors.Is finds in the faults of this package.
var (
	// ErrNavigated: the document went away before the call had its answer.
	ErrNavigated = errors.New("document went away during the call")
	// ErrCrashed: the page or the browser process ended.
	ErrCrashed = errors.New("page or browser crashed")
	// ErrClosed: the tab or the pool was closed.
	ErrClosed = errors.New("tab closed")
)

// ScriptError is an exception that a called function threw. It may quote the
// page, so it is for the caller and not for a log.
type ScriptError struct {
	Text string
}

// Error returns the text of the exception.
func (e *ScriptError) Error() string { return "script: " + e.Text }

// callLimit bounds every call whose caller set no deadline.
const callLimit = time.Minute

func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, callLimit)
}

// protocolError is the browser's refusal of one command.
type protocolError struct {
	method  string
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *protocolError) Error() string {
	return fmt.Sprintf("%s: %s (%d)", e.method, e.Message, e.Code)
}

// neverRan reports that the command found no document to run in, so that
// asking again in the next document repeats nothing.
func neverRan(err error) bool {
	var p *protocolError
	if !errors.As(err, &p) {
		return false
	}
	return strings.Contains(p.Message, "uniqueContextId not found") ||
		strings.Contains(p.Message, "Cannot find context")
}

// leaving reports that the browser gave a command up because another document
// is about to take the place of this one.
func leaving(err error) bool {
	var p *protocolError
	return errors.As(err, &p) && strings.Contains(p.Message, "navigated or closed")
}

// destroyed reports that the document ended while its function ran.
func destroyed(err error) bool {
	var p *protocolError
	return errors.As(err, &p) && strings.Contains(p.Message, "Execution context was destroyed")
}

// wentAway reports that the document, frame or window ended while the command
// was on its way.
func wentAway(err error) bool {
	if errors.Is(err, ErrNavigated) || errors.Is(err, errDetached) || neverRan(err) {
		return true
	}
	var p *protocolError
	if !errors.As(err, &p) {
		return false
	}
	for _, text := range []string{"navigated or closed", "Execution context was destroyed", "Session with given id not found",
		"Target closed", "Frame with the given id", "Not attached to an active page"} {
		if strings.Contains(p.Message, text) {
			return true
		}
	}
	return false
}

func crashed(what string, cause error) *fault.Error {
	return fault.New(fault.Unavailable, "browser_error", what,
		"Run the whole errand again; if it happens every time, the page is too heavy for this machine.").
		WithCause(errors.Join(ErrCrashed, cause))
}

func closedFault() *fault.Error {
	return fault.New(fault.Unavailable, "browser_error", "The browser tab was closed while it was in use.",
		"Start again with a new tab.").WithCause(ErrClosed)
}

func navigatedFault(cause error) *fault.Error {
	return fault.New(fault.Unavailable, "browser_error", "The page went to another document while it was being read.",
		"Look at the new page and try again there.").WithCause(errors.Join(ErrNavigated, cause))
}

// interrupted turns the end of a context into a fault that says what was
// waited for.
func interrupted(ctx context.Context, doing string) *fault.Error {
	cause := ctx.Err()
	if errors.Is(cause, context.Canceled) {
		return fault.New(fault.Cancelled, "", "Cancelled while "+doing+".", "Nothing to do.").WithCause(cause)
	}
	return fault.New(fault.Timeout, "timeout", "Time ran out while "+doing+".",
		"Try again, with a longer timeout if the site is known to be slow.").WithCause(cause)
}

// explain makes a fault of what a command returned.
func explain(ctx context.Context, err error, doing string) error {
	var f *fault.Error
	var thrown *ScriptError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case errors.As(err, &thrown):
		return thrown
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return interrupted(ctx, doing)
	case wentAway(err):
		return navigatedFault(err)
	default:
		return fault.New(fault.Internal, "browser_error", "The browser refused while "+doing+".",
			"Run the errand again; report it if it happens every time.").WithCause(err)
	}
}
