package mcptest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// The error types of the specification.
const (
	errNotConnected     = "not_connected"
	errConnectionFailed = "connection_failed"
	errToolNotFound     = "tool_not_found"
	errResourceNotFound = "resource_not_found"
	errPromptNotFound   = "prompt_not_found"
	errInvalidArguments = "invalid_arguments"
	errExecution        = "execution_error"
	errTimeout          = "timeout"
	errTransport        = "transport_error"
)

// The subtypes in the details of an error; they are more than the specification has.
const (
	subAuth     = "auth_required"
	subProtocol = "protocol_error"   // the server answered with a JSON-RPC error
	subSchema   = "schema_violation" // an answer that does not have the form of the protocol
	subAlready  = "already_connected"
	subRefused  = "not_allowed" // this program may not go there
	subTarget   = "invalid_target"
	subExited   = "server_exited"
	subTooLarge = "too_large"
	subTimeout  = "timeout"
	subLimit    = "too_many_connections"
)

// kinds are the kinds of the error types.
var kinds = map[string]fault.Kind{
	errNotConnected: fault.Conflict, errConnectionFailed: fault.Unavailable, errToolNotFound: fault.NotFound,
	errResourceNotFound: fault.NotFound, errPromptNotFound: fault.NotFound, errInvalidArguments: fault.Invalid,
	errExecution: fault.Failed, errTimeout: fault.Timeout, errTransport: fault.Unavailable,
}

// failure is an error in the words of the specification.
type failure struct {
	typ, subtype        string
	message, suggestion string
	shown               string // of the server, for the text
	details             map[string]any
	more                map[string]any // members beside error
	findings            []Finding
}

// ErrorBlock is the member error of the specification.
type ErrorBlock struct {
	Type       string         `json:"type"`
	Message    string         `json:"message"`
	Details    map[string]any `json:"details"`
	Suggestion string         `json:"suggestion,omitempty"`
}

// fail makes the error that the caller sees.
func (k *call) fail(f failure) error {
	details := map[string]any{}
	maps.Copy(details, f.details)
	if f.subtype != "" {
		details["subtype"] = f.subtype
	}
	message := f.message
	if shown := strings.TrimSpace(f.shown + "\n" + detailsText(details)); shown != "" {
		message += "\n" + marked(shown)
	}
	out := fault.New(kinds[f.typ], f.typ, message+findingsText(f.findings), f.suggestion)
	out.Data = map[string]any{
		"error":    ErrorBlock{f.typ, f.message, details, f.suggestion},
		"metadata": Metadata{RequestTime: k.took()},
	}
	if k.c != nil {
		out.Data["connection"] = k.c.block()
		k.c.count(func(s *Statistics) { s.Errors++ })
	} else {
		out.Data["connection"] = map[string]any{}
	}
	if len(f.findings) > 0 {
		out.Data["findings"] = f.findings
	}
	maps.Copy(out.Data, f.more)
	return out
}

// mostDetails bounds the details in the text of an error, in bytes.
const mostDetails = 3000

// detailsText is the details as a text has them: some clients give their model the text
// alone. What the text has already, or would have too much of, is left out.
func detailsText(details map[string]any) string {
	rest := maps.Clone(details)
	for _, name := range []string{"subtype", "is_error", "server_message", "kind", "method", "stage", "server_url", "passed", "login"} {
		delete(rest, name)
	}
	if len(rest) == 0 {
		return ""
	}
	raw, err := json.Marshal(rest)
	if err != nil {
		return "" // what cannot be written is not in the structure either
	}
	return "details: " + clip(string(raw), mostDetails)
}

// asSpecified gives the failures of the kit, such as arguments that do not fit, the
// form that the specification has for all errors.
func asSpecified(f *fault.Error) *fault.Error {
	if f.Data["error"] != nil {
		return f
	}
	details := map[string]any{}
	maps.Copy(details, f.Data)
	return f.WithData("error", ErrorBlock{f.Type, f.Error(), details, f.Action}).
		WithData("connection", map[string]any{}).WithData("metadata", Metadata{})
}

func (k *call) notConnected(name string) error {
	var names []string
	for _, c := range k.s.table.of(keyOf(k.ctx, name).owner) {
		names = append(names, c.key.name)
	}
	f := failure{
		typ: errNotConnected, message: "There is no connection to a server.",
		suggestion: "Call connect_to_server first.", details: map[string]any{},
	}
	if len(names) > 0 {
		f.message = fmt.Sprintf("There is no connection %q.", keyOf(k.ctx, name).name)
		f.suggestion = "Call connect_to_server first, or name one of your connections in connection."
		f.details["connections"] = names
	}
	return k.fail(f)
}

// wireFailure is a request that got no answer.
func (k *call) wireFailure(ex *wire.Exchange, e *wire.Error) error {
	if e.Kind == wire.Cancelled && k.ctx.Err() != nil {
		return k.ctx.Err() // the caller gave up: nobody reads this
	}
	f := failure{typ: errTransport, message: e.Error(), details: evidence(e, k.c.target), findings: found(ex)}
	f.details["kind"] = string(e.Kind)
	if t := taskOf(ex); t != nil {
		f.details["task"] = t
	}
	switch e.Kind {
	case wire.Timeout:
		f.typ, f.suggestion = errTimeout, "Call again with a larger timeout_ms, or extend_on_progress for a tool that reports progress; get_transcript shows what came meanwhile."
	case wire.Exited:
		f.subtype, f.suggestion = subExited, "The server's process ended: see details for its exit code and the end of its error output, then connect again."
	case wire.TooLarge:
		f.subtype, f.suggestion = subTooLarge, "The answer is larger than this program takes: ask the server for less."
	case wire.Closed:
		f.suggestion = "Connect again: the connection was closed while the request ran."
	case wire.Protocol:
		f.subtype, f.suggestion = subSchema, "The server's answer is no message of the protocol: see findings and get_transcript."
	default:
		f.suggestion = "See details and get_transcript for what came back, then connect again."
	}
	if unauthorized(e.Status()) {
		f.subtype, f.suggestion = subAuth, authSuggestion
		k.c.explainLogin(&f, e)
	}
	return k.fail(f)
}

const authSuggestion = "The server wants authorization: connect again with login, or with token or headers, for instance token ${ENV:NAME}; details have its challenge."

// unauthorized reports whether a status wants authorization (RFC 9110, 15.5.2 and
// 15.5.4).
func unauthorized(status int) bool { return status == 401 || status == 403 }

// evidence are the facts of a failure of the wire.
func evidence(e *wire.Error, t target) map[string]any {
	out := map[string]any{}
	if e.Method != "" {
		out["method"] = e.Method
	}
	if e.Stage != "" {
		out["stage"] = string(e.Stage)
	}
	if e.HTTP != nil && e.HTTP.Status != 0 {
		out["http"] = httpBlock(e.HTTP, t)
	}
	if e.Exit != nil {
		out["exit"] = exitBlock(e.Exit)
	}
	return out
}

// HTTPBlock is what HTTP said.
type HTTPBlock struct {
	Status      int      `json:"status"`
	URL         string   `json:"url,omitempty"`
	ContentType string   `json:"content_type,omitempty"`
	Challenge   []string `json:"www_authenticate,omitempty"`
	Location    string   `json:"location,omitempty"`
	Remote      string   `json:"remote,omitempty"`
	Body        string   `json:"body,omitempty"`
}

// httpBlock shows what came without the secrets of its target.
func httpBlock(a *wire.HTTPAnswer, t target) HTTPBlock {
	b := HTTPBlock{
		Status: a.Status, URL: line(a.URL, 500), ContentType: line(a.Header.Get("Content-Type"), 100),
		Location: line(t.hide(a.Location), 500), Remote: a.Remote, Body: line(t.hide(string(a.Body)), 1000),
	}
	for _, v := range a.Header.Values("Www-Authenticate") {
		b.Challenge = append(b.Challenge, line(t.hide(v), 1000))
	}
	return b
}

// ExitBlock is how a server's process ended.
type ExitBlock struct {
	Code   int    `json:"code"`
	Signal string `json:"signal,omitempty"`
	At     string `json:"at"`
	Stderr string `json:"stderr,omitempty" jsonschema:"the end of it"`
}

func exitBlock(e *wire.Exit) ExitBlock {
	tail := e.Stderr[max(0, len(e.Stderr)-4000):]
	return ExitBlock{e.Code, e.Signal, stamp(e.At), firstOf(tail, len(tail))}
}

// rpcDetails are the facts of an error that the server answered with.
func (k *call) rpcDetails(e *wire.RPCError) map[string]any {
	out := map[string]any{"code": e.Code, "server_message": line(k.shown([]byte(e.Message)), 1000)}
	if len(e.Data) > 0 {
		out["data"], _ = k.verbatim(e.Data, 4000)
	}
	return out
}

// shown are bytes of the server as text, without secrets.
func (k *call) shown(b []byte) string {
	b = k.c.conn.Redact(b)
	return firstOf(b, len(b))
}

// sample is the beginning of bytes of the server, for a finding.
func (k *call) sample(b []byte) string { return line(k.shown(b), 300) }

// verbatim is a value of the server for an answer, without secrets.
func (k *call) verbatim(raw json.RawMessage, most int) (json.RawMessage, *Cut) {
	if len(raw) == 0 {
		return nil, nil
	}
	return verbatim(k.c.conn.Redact(raw), most)
}

// answered is a request that failed without a name in it, such as a list.
func (k *call) answered(ex *wire.Exchange, err error) error {
	var e *wire.Error
	if errors.As(err, &e) {
		return k.wireFailure(ex, e)
	}
	var rpc *wire.RPCError
	if !errors.As(err, &rpc) {
		return err
	}
	f := failure{
		typ: errExecution, subtype: subProtocol, message: fmt.Sprintf("The server answered %s with error %d.", ex.Method, rpc.Code),
		shown: line(k.shown([]byte(rpc.Message)), 1000), details: k.rpcDetails(rpc), findings: found(ex),
		suggestion: "Read the server's message; get_transcript has the whole exchange.",
	}
	if rpc.Code == wire.CodeMethodNotFound {
		f.suggestion = "The server does not offer this; get_connection_status shows its capabilities."
	}
	if ex.HTTP != nil && unauthorized(ex.HTTP.Status) {
		f.typ, f.subtype, f.suggestion = errTransport, subAuth, authSuggestion
		f.details["http"] = httpBlock(ex.HTTP, k.c.target)
		k.c.explainLogin(&f, err)
	}
	return k.fail(f)
}

// misshapen is a result that does not have the form that the protocol gives it.
func (k *call) misshapen(ex *wire.Exchange, what string) error {
	shown, _ := k.verbatim(ex.Result, 2000)
	return k.fail(failure{
		typ: errTransport, subtype: subSchema, message: "The result of " + ex.Method + " is not what the protocol wants: " + what,
		details: map[string]any{"result": shown}, findings: append(found(ex), Finding{Code: findingSchema, Message: what}),
		suggestion: "This is a fault of the server under test. get_transcript has the whole exchange.",
	})
}

// listTime bounds the list that tells whether a name exists.
const listTime = 10 * time.Second
