package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Error types of an execution that ended without an answer. The first four are
// those of the specification.
const (
	TypeNavigation     = "navigation_failed"
	TypeSelector       = "selector_not_found"
	TypeTimeout        = "timeout"
	TypeBrowser        = "browser_error"
	TypeRejected       = "page_rejected"
	TypeMismatch       = "value_mismatch"
	TypeNotAdvanced    = "not_advanced"
	TypeOption         = "option_not_found"
	TypeAmbiguous      = "ambiguous_selector"
	TypeDisabled       = "field_disabled"
	TypeUnexpectedPage = "unexpected_page"
	TypeBlocked        = "blocked"
	TypeHuman          = "human_required"
	TypeOrigin         = "origin_not_allowed"
	TypeNoResult       = "no_result"
	TypeWizard         = "wizard_invalid"
	TypeCancelled      = "cancelled"
	TypeInternal       = "internal_error"
	TypeEngine         = "engine_unsupported"
)

// problem ends a run: what happened, in the words of the answer.
type problem struct {
	status, typ string
	message     string
	action      string
	page        int
	field       string // the field that it is about, if it is about one
	validation  []ValidationError
	retryAfter  time.Duration
	needs       string // what a page asks for that only a person may give
	cause       error
}

func (p *problem) Error() string { return p.typ + ": " + p.message }
func (p *problem) Unwrap() error { return p.cause }

// rediscover is the recommendation of the specification for a form that changed.
const rediscover = "Wizard structure may need to be re-discovered: the form has probably changed."

func failed(typ string, page int, format string, args ...any) *problem {
	return &problem{status: StatusError, typ: typ, page: page, message: fmt.Sprintf(format, args...), action: actionFor(typ)}
}

func (p *problem) withCause(err error) *problem { p.cause = err; return p }

// actions say what to do next, by error type. Those of retries are for a run that
// has pressed no button that submits; what holds after one is unsure.
var actions = map[string]string{
	TypeNavigation:     "Try again in a minute: the site did not answer. If it keeps failing, check the wizard's url.",
	TypeSelector:       rediscover,
	TypeTimeout:        "No button that submits was pressed, so that you may execute again: raise options.timeout_seconds, or try when the site is faster.",
	TypeBrowser:        "Execute again: the browser ended unexpectedly and has been replaced.",
	TypeInternal:       "Try once more. If it happens again, report the id to whoever runs this server.",
	TypeMismatch:       "Give the value in the form that the page keeps (see the field's format and pattern), then execute again.",
	TypeNotAdvanced:    "Look at the last screenshot: the page did not react to its Continue button. " + rediscover,
	TypeOption:         "Give one of the options that the page offers, exactly.",
	TypeAmbiguous:      rediscover,
	TypeDisabled:       "The page does not let this field be changed for these answers: leave it out, or check the answers that it depends on.",
	TypeUnexpectedPage: "Look at the last screenshot: the form took a way that the wizard does not describe. " + rediscover,
	TypeBlocked:        "The site refuses automated visits. Do not retry in a loop: ask the site's owner, run it headed from another network, or hand the form to a person.",
	TypeHuman:          "A person has to do this step. Hand the form over to a person, or ask one with federalrunner_escalate_run; nothing was evaded or retried.",
	TypeOrigin:         "Do not work around it: the address is outside of what this form may reach. If the origin belongs to the form, add it to the wizard's allowed_origins; if it is your own form on a private address, start legwork with --allow-private (LEGWORK_ALLOW_PRIVATE=1).",
	TypeWizard:         "Correct the wizard file ('legwork wizards check' helps), then execute again.",
	TypeNoResult:       "The last page was left but the answer's mark was not found. Look at the last page before you execute again: the form may have been submitted.",
	TypeCancelled:      "No button that submits was pressed: you may execute again.",
}

func actionFor(typ string) string {
	if a, ok := actions[typ]; ok {
		return a
	}
	return "Look at the last screenshot and the page number, then correct the data or the wizard."
}

// retries are the types whose usual advice is to execute again.
var retries = map[string]bool{
	TypeNavigation: true, TypeTimeout: true, TypeBrowser: true, TypeCancelled: true, TypeInternal: true, TypeNotAdvanced: true, "busy": true,
}

// unsure is what to do when the form may have been submitted already.
const unsure = "The form may have been submitted already: check with the site before you execute again."

// asProblem turns any error of the browser or the page into a problem on page n.
func asProblem(ctx context.Context, err error, n int) *problem {
	var p *problem
	if errors.As(err, &p) {
		if p.page == 0 {
			p.page = n
		}
		return p
	}
	if cause := context.Cause(ctx); cause != nil {
		return ended(cause, n).withCause(err)
	}
	f := fault.From(err)
	switch f.Kind {
	case fault.Timeout:
		return failed(TypeTimeout, n, "%s", f.Message).withCause(err)
	case fault.Cancelled:
		return failed(TypeCancelled, n, "the run was cancelled").withCause(err)
	}
	q := failed(knownType(f), n, "%s", f.Message).withCause(err)
	q.retryAfter = f.RetryAfter
	if f.Action != "" && q.typ != TypeOrigin { // only this package's words name the settings that allow one
		q.action = f.Action
	}
	return q
}

// known are the types of faults that an answer carries as they are.
var known = map[string]bool{
	TypeNavigation: true, TypeSelector: true, TypeTimeout: true, TypeOrigin: true, TypeAmbiguous: true, TypeCancelled: true,
	TypeRejected: true, TypeOption: true, TypeMismatch: true, TypeEngine: true, "browser_unavailable": true, "busy": true, "ledger_unusable": true,
	"run_interrupted": true, "run_answer_lost": true,
}

// knownType keeps the types that the answers promise. What is wrong with the
// wizard says so; anything else that a browser can say is a browser_error.
func knownType(f *fault.Error) string {
	switch {
	case known[f.Type]:
		return f.Type
	case f.Type == "not_clickable":
		return TypeNotAdvanced
	case f.Kind == fault.Invalid || f.Kind == fault.Unsupported:
		return TypeWizard
	}
	return TypeBrowser
}

// errDeadline and errCancelled are the causes with which a run's context ends.
var (
	errDeadline  = errors.New("the execution time is over")
	errCancelled = errors.New("cancelled by the caller")
	errShutdown  = errors.New("the server is shutting down")
)

func ended(cause error, n int) *problem {
	switch {
	case errors.Is(cause, errDeadline), errors.Is(cause, context.DeadlineExceeded):
		return failed(TypeTimeout, n, "the form did not get to its answer within the execution time")
	case errors.Is(cause, errShutdown):
		return failed(TypeCancelled, n, "the run was cancelled because the server is shutting down")
	}
	return failed(TypeCancelled, n, "the run was cancelled on request")
}

// list joins names for a message, at most n of them.
func list(names []string, n int) string {
	if len(names) > n {
		return strings.Join(names[:n], ", ") + fmt.Sprintf(" and %d more", len(names)-n)
	}
	return strings.Join(names, ", ")
}
