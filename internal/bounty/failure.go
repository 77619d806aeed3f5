package bounty

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// Where an error comes from.
const (
	fromBoard     = "board"     // it answered
	fromTransport = "transport" // it did not
	fromHere      = "bounty"    // it was not asked
)

// ErrorBlock is the member error of every failure: the code of the specification's
// section 5 with the board's own reason in the details.
type ErrorBlock struct {
	Code      string         `json:"code"`
	Message   string         `json:"message"`
	Retryable bool           `json:"retryable"`
	NextStep  string         `json:"next_step"`
	Details   map[string]any `json:"details"`
}

// failure is an error before it is put into words.
type failure struct {
	code, reason string
	origin       string
	status       int // of HTTP
	message      string
	next         string
	retryable    bool
	retryAfter   time.Duration
	fields       []rest.FieldError
	more         map[string]any // details
	cause        error
}

// block is the failure for programs.
func (f failure) block() ErrorBlock {
	details := map[string]any{"reason": f.reason, "origin": f.origin}
	if f.status != 0 {
		details["http_status"] = f.status
	}
	if len(f.fields) > 0 {
		details["field_errors"] = f.fields
	}
	if f.retryAfter > 0 {
		details["retry_after_ms"] = f.retryAfter.Milliseconds()
	}
	maps.Copy(details, f.more)
	return ErrorBlock{f.code, f.message, f.retryable, f.next, details}
}

// text is the failure for those who see nothing but a text, in which the code comes
// before it: the reason, each field, and what to know before calling again.
func (f failure) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (reason %s", f.message, f.reason)
	if f.status != 0 {
		fmt.Fprintf(&b, ", HTTP %d", f.status)
	}
	b.WriteString(")")
	for _, x := range f.fields {
		fmt.Fprintf(&b, "\n- %s: %s", x.Field, x.Code)
	}
	if f.more["may_have_happened"] == true {
		b.WriteString("\nIt is not known whether the board did it.")
	}
	if key, ok := f.more["idempotency_key"].(string); ok {
		b.WriteString("\nidempotency_key of this call: " + key)
	}
	if token, ok := f.more["resume_token"].(string); ok {
		b.WriteString("\nresume_token: " + token)
	}
	return b.String()
}

// fault is the failure in the vocabulary of the program.
func (f failure) fault() *fault.Error {
	out := fault.New(kinds[f.code], f.code, f.text(), f.next)
	out.Cause, out.RetryAfter = f.cause, f.retryAfter
	out.Data = map[string]any{"error": f.block()}
	return out
}

// refuse is a failure that was found here, before the board was asked.
func refuse(reason, message string, fields ...rest.FieldError) *fault.Error {
	m := reasons[reason]
	if message == "" {
		message = m.says
	}
	return failure{code: m.code, reason: reason, origin: fromHere, message: message, next: m.next, retryable: m.retry, fields: fields}.fault()
}

// unclear is what to do when nobody knows whether a write happened.
const unclear = "Call again with exactly these arguments and this idempotency_key: what happened already does not happen twice. Without the key it could."

// explain puts an error of the client into words. key is the idempotency key of the
// call, "" for one that changes nothing.
func explain(err error, key string) error {
	var known *fault.Error
	var e *rest.Error
	switch {
	case errors.As(err, &known):
		return known
	case !errors.As(err, &e):
		return err
	}
	f := failureOf(e)
	if key != "" && e.Uncertain {
		f.more["may_have_happened"] = true
		f.next = unclear
	}
	if key != "" && (e.Uncertain || f.retryable) {
		f.more["idempotency_key"] = key
	}
	return f.fault()
}

// failureOf finds the meaning of an error of the client.
func failureOf(e *rest.Error) failure {
	f := failure{origin: fromTransport, status: e.Status, retryAfter: e.RetryAfter, fields: e.Fields, more: map[string]any{}, cause: e}
	if e.Trouble != "" {
		return f.ofTransport(e)
	}
	f.origin = fromBoard
	f.reason = clean(e.Reason, 100)
	m, known := reasons[e.Reason]
	if !known {
		m = ofStatus(e.Status)
	}
	if f.reason == "" {
		f.reason = "unknown"
	}
	f.code, f.message, f.next, f.retryable = m.code, m.says, m.next, m.retry
	f.ofBody(e)
	if len(f.fields) > 20 {
		f.fields = f.fields[:20]
	}
	for i := range f.fields {
		f.fields[i] = rest.FieldError{Field: clean(f.fields[i].Field, 80), Code: clean(f.fields[i].Code, 80)}
	}
	return f
}

// ofBody takes over what a board says beside its reason.
func (f *failure) ofBody(e *rest.Error) {
	var said struct {
		TaskID         string                     `json:"task_id"`
		VerificationID string                     `json:"verification_id"`
		Message        string                     `json:"message"`
		RetryMS        int64                      `json:"retry_after_ms"`
		Limit          json.Number                `json:"limit"`
		Used           json.Number                `json:"used"`
		ResetAt        string                     `json:"reset_at"`
		Details        map[string]json.RawMessage `json:"details"`
	}
	if json.Unmarshal(e.Body, &said) != nil {
		return // an answer of another form has only its reason
	}
	if said.RetryMS > 0 && f.retryAfter == 0 {
		f.retryAfter = min(time.Duration(said.RetryMS)*time.Millisecond, 24*time.Hour)
	}
	for name, v := range map[string]string{
		"task_id": said.TaskID, "verification_id": said.VerificationID, "limit": said.Limit.String(), "used": said.Used.String(),
		"reset_at": said.ResetAt, "board_says": firstOf(said.Message, e.Detail),
	} {
		if v = clean(v, 300); v != "" {
			f.more[name] = v
		}
	}
	for name, v := range said.Details {
		if _, taken := f.more[name]; !taken && len(v) < 500 && len(f.more) < 30 && plainName.MatchString(name) {
			f.more[name] = v
		}
	}
	if says, ok := f.more["board_says"].(string); ok {
		f.message += " The board says: " + says
	}
}

// ofTransport is a board that gave no answer that can be read.
func (f failure) ofTransport(e *rest.Error) failure {
	f.code, f.reason, f.retryable, f.next = codeUnavailable, string(e.Trouble), true, nextAgain
	f.message = "The board cannot be reached."
	switch {
	case e.Trouble == rest.TimedOut:
		f.code, f.message = codeDeadline, "The board did not answer in time."
	case e.Trouble == rest.TooLarge:
		f.code, f.message, f.retryable = codeInternal, "The answer of the board is larger than this program reads.", false
		f.next = "Ask for less: a filter, or one task by its id."
	case e.Trouble == rest.NotJSON && (e.Status == 404 || e.Status == 405):
		f.code, f.reason, f.retryable = codePrecondition, "not_supported", false
		f.message, f.next = "The board does not offer this.", "Use another tool: this board has less than the whole contract. Check BASE_URL if all tools fail."
	case e.Trouble == rest.NotJSON && e.Status >= 300 && e.Status < 400:
		f.retryable = false
		f.message, f.next = "The board sends elsewhere, which is not followed: the key would travel along.", "Set BASE_URL to the board's final address."
	case e.Trouble == rest.NotJSON && e.Status < 500:
		f.code, f.retryable = codeInternal, false
		f.message, f.next = "What answered is no bounty board.", "Check BASE_URL."
	case e.Trouble == rest.NotJSON:
		f.message = "The board is broken or not there: it answered with something else than JSON."
	}
	return f
}

// ofStatus is the meaning of an answer whose reason nobody knows (RFC 9110 section 15).
func ofStatus(status int) meaning {
	switch {
	case status == 400 || status == 422 || status == 413 || status == 415:
		return reasons["invalid_request"]
	case status == 401:
		return reasons["invalid_credentials"]
	case status == 403:
		return reasons["forbidden"]
	case status == 404 || status == 410:
		return reasons["not_found"]
	case status == 409 || status == 412:
		return meaning{codePrecondition, false, "The board refuses this in the state that things are in.", nextStatus}
	case status == 429:
		return reasons["rate_limited"]
	case status == 502 || status == 503 || status == 504:
		return reasons["unavailable"]
	}
	return reasons["unknown"]
}

// asSpecified gives the failures of the kit, such as arguments that do not fit, the
// form that all errors of this server have.
func asSpecified(f *fault.Error) *fault.Error {
	if f.Data["error"] != nil {
		return f
	}
	code := codeInternal
	switch f.Kind {
	case fault.Invalid:
		code = codeInvalid
	case fault.Limited:
		code = codeExhausted
	case fault.Denied:
		code = codePermission
	case fault.Timeout, fault.Cancelled:
		code = codeDeadline
	case fault.NotFound, fault.Expired:
		code = codeNotFound
	case fault.Unavailable:
		code = codeUnavailable
	case fault.Conflict, fault.Unsupported:
		code = codePrecondition
	}
	details := map[string]any{"reason": f.Type, "origin": fromHere}
	maps.Copy(details, f.Data)
	retryable := code == codeExhausted || code == codeUnavailable || code == codeDeadline
	out := f.WithData("error", ErrorBlock{code, f.Error(), retryable, f.Action, details})
	out.Message = code + ": " + f.Error()
	return out
}

// isPassing reports whether a look at the board may work in a moment.
func isPassing(ctx context.Context, err error) (time.Duration, bool) {
	var e *rest.Error
	if ctx.Err() != nil || !errors.As(err, &e) {
		return 0, false
	}
	f := failureOf(e)
	return f.retryAfter, f.code == codeUnavailable || f.code == codeDeadline && f.origin == fromTransport || f.code == codeExhausted && f.retryable
}
