package api

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// FieldError is one field of a body that cannot be used.
type FieldError struct {
	Field string `json:"field" doc:"name of the field, with dots between levels"`
	Code  string `json:"code" doc:"what is wrong with it, such as required, invalid_type, invalid_enum, below_min, unknown_field"`
}

// Problem is the body of every answer that is not a success. Reason is the word that
// programs decide by; the specification names some of them, Reasons lists all.
type Problem struct {
	Status      string         `json:"status" enum:"error,rejected" doc:"rejected: the call was understood and its outcome is no; error: anything else"`
	Reason      string         `json:"reason" doc:"machine word for exactly this failure"`
	Message     string         `json:"message,omitempty" doc:"what happened and why, for people"`
	Action      string         `json:"action,omitempty" doc:"what to do next"`
	FieldErrors []FieldError   `json:"field_errors,omitempty" doc:"the fields of the body that cannot be used"`
	RetryAfter  int64          `json:"retry_after_ms,omitempty" doc:"after how many milliseconds the same call can work"`
	TaskID      string         `json:"task_id,omitempty" doc:"the task that the outcome is about"`
	TaskStatus  string         `json:"task_status,omitempty" doc:"state of that task"`
	Suggestions []string       `json:"suggestions,omitempty" doc:"what makes the same call more likely to succeed, the best first"`
	Details     map[string]any `json:"details,omitempty" doc:"more about exactly this failure"`

	code  int
	cause error
}

// Error implements error.
func (p *Problem) Error() string { return p.Reason + ": " + p.Message }

// GetStatus is the HTTP status; huma asks for it.
func (p *Problem) GetStatus() int { return p.code }

// GetHeaders are the headers of the answer; huma asks for them.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	p.headers(h)
	return h
}

// Unwrap is the cause, for the log.
func (p *Problem) Unwrap() error { return p.cause }

func problem(reason, message, action string) *Problem {
	return &Problem{Status: "error", Reason: reason, Message: message, Action: action, code: statusOf(reason)}
}

// rejected marks the outcomes of commands that the specification answers with the
// word rejected.
func (p *Problem) rejected() *Problem {
	c := *p
	c.Status = "rejected"
	return &c
}

func (p *Problem) withRetry(d time.Duration) *Problem {
	c := *p
	c.RetryAfter = d.Milliseconds()
	return &c
}

func (p *Problem) withFields(fields ...FieldError) *Problem {
	c := *p
	c.FieldErrors = fields
	return &c
}

// write answers with the problem. It is used where huma is not reached.
func (p *Problem) write(w http.ResponseWriter) {
	p.headers(w.Header())
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(p.code)
	_ = json.NewEncoder(w).Encode(p) // the client has gone
}

// headers says when to try again, and how to say who one is.
func (p *Problem) headers(h http.Header) {
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt((p.RetryAfter+999)/1000, 10))
	}
	if p.code == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="board"`)
	}
}

// invalid is the refusal of a body for single fields of it.
func invalid(fields ...FieldError) *Problem {
	names := make([]string, 0, len(fields))
	for _, f := range fields {
		names = append(names, f.Field+" ("+f.Code+")")
	}
	return problem("invalid_request", "The request cannot be used: "+strings.Join(names, ", ")+".",
		"Correct the named fields and send it again.").withFields(fields...)
}

// typeMark begins the text of a decoding error that names a field; see decode.
const typeMark = "invalid_type "

// translate turns the errors of huma's own, which are about bodies and parameters
// that do not have the declared types, into problems. What was sent is not repeated.
func translate(ctx huma.Context, _ string, v any) (any, error) {
	e, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	ctx.SetHeader("Content-Type", jsonType)
	if _, w := humago.Unwrap(ctx); e.Status == http.StatusUnprocessableEntity {
		if m, ok := w.(*mended); ok {
			m.instead = http.StatusBadRequest
		}
	}
	var fields []FieldError
	for _, d := range e.Errors {
		if told, ok := strings.CutPrefix(d.Message, unknownMark); ok {
			var u unknown
			if json.Unmarshal([]byte(told), &u) == nil && len(u.Fields) > 0 {
				return u.problem(), nil
			}
		}
		field, code := d.Location, "invalid_value"
		if name, typed := strings.CutPrefix(d.Message, typeMark); typed {
			field, code = name, "invalid_type"
		}
		_, name, nested := strings.Cut(field, ".") // body., query., path.
		if nested && code != "invalid_type" {
			field = name
		}
		if field == "" || field == "body" {
			continue
		}
		fields = append(fields, FieldError{field, code})
	}
	switch {
	case len(fields) > 0:
		return invalid(fields...), nil
	case e.Status >= http.StatusInternalServerError:
		return problem("unknown", "The request could not be answered.", "Try again; if it lasts, tell whoever runs this board."), nil
	}
	return problem("invalid_request", "The request cannot be read.", "Send a JSON object as the documentation of the route has it."), nil
}

// mended lets translate change the status that huma gives to what it refuses itself:
// the specification has 400 for those, and 422 for texts that are not published.
type mended struct {
	http.ResponseWriter
	instead int
}

// WriteHeader implements http.ResponseWriter.
func (m *mended) WriteHeader(status int) {
	if m.instead != 0 {
		status = m.instead
	}
	m.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (m *mended) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// problemOf turns any error of a command into what the caller is told. Errors that
// nobody expected get an id which the log has too.
func problemOf(err error) *Problem {
	if p, ok := err.(*Problem); ok {
		return p
	}
	f := fault.From(err)
	p := &Problem{Status: "error", Reason: f.Type, Message: f.Message, Action: f.Action, RetryAfter: f.RetryAfter.Milliseconds(), code: fault.HTTPStatus(f), cause: f.Cause}
	if known(f.Type) {
		p.code = statusOf(f.Type)
	}
	switch {
	case f.Kind == fault.Internal:
		p.Reason = "unknown"
	case f.Type == unavailable: // its message says where the database is
		p.Message, p.Action, p.RetryAfter = "The board cannot reach its database at the moment.", "Try again in a moment.", 5000
	}
	p.take(f.Data)
	return p
}

// take moves what a fault carries to where the contract has it.
func (p *Problem) take(data map[string]any) {
	for key, v := range data {
		switch key {
		case "task_id":
			p.TaskID, _ = v.(string)
		case "task_status":
			p.TaskStatus, _ = v.(string)
		case "suggestions":
			p.Suggestions, _ = v.([]string)
		case "field_errors":
			p.FieldErrors = fieldErrors(v)
		default:
			if p.Details == nil {
				p.Details = map[string]any{}
			}
			p.Details[key] = v
		}
	}
}

// fieldErrors reads field errors of any package that writes them the same way.
func fieldErrors(v any) []FieldError {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var out []FieldError
	_ = json.Unmarshal(raw, &out) // what does not fit is not a field error
	return out
}
