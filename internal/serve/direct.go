package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/observe/trace"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// The keys of _meta that the era without sessions requires or defines.
const (
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServerInfo   = "io.modelcontextprotocol/serverInfo"
	metaProgress     = "progressToken"
)

// direct answers the plain form of tools/call without the SDK, which would decode the
// message six times over. Everything that is not plain is for the SDK: an unknown
// tool, an unknown member, anything that it might refuse. It reports whether the
// message was answered. session is "" in the era without.
func (ep *endpoint) direct(out *wire, r *http.Request, who auth.Principal, session string) bool {
	m := out.message
	b, ok := ep.plain(r, m, session == "")
	if !ok {
		return false
	}
	// With sessions a lost connection is no cancellation, without it is one.
	ctx := r.Context()
	if session != "" {
		ctx = context.WithoutCancel(ctx)
	}
	ctx, done, free := ep.flights.begin(ctx, session, string(m.id))
	if !free {
		writeRPC(out.ResponseWriter, http.StatusBadRequest, invalid(m.id, "the id %s is in use", m.id))
		return true
	}
	defer done()
	left := ep.take(ctx, who, m)
	left.tell(out.ResponseWriter.Header())
	who.Session = session
	in := incoming{
		requestEnvelope: requestEnvelope{
			Principal: who, RequestID: observe.RequestID(ctx), Allowance: left, Parent: trace.ParentOf(ctx), Message: string(m.id),
		},
		trace: parentIn(m.meta), arguments: m.params["arguments"],
	}
	if token := m.meta[metaProgress]; token != nil && out.stream {
		in.notify = out.progress(token)
	}
	out.answer(ep.answerDirect(ctx, b, in, out))
	return true
}

// plain is the tool that a message calls, if it does so in the plain form. In the era
// without sessions, that needs all that its messages must have.
func (ep *endpoint) plain(r *http.Request, m *message, modern bool) (tool.Bound, bool) {
	if m.method != methodCall || m.id == nil || bytes.IndexByte(m.id, '\\') >= 0 || len(r.Header["Last-Event-Id"]) > 0 ||
		!m.speaks(r.Header.Get(versionHeader)) {
		return tool.Bound{}, false
	}
	for key := range m.params {
		if key != "name" && key != "arguments" && key != "_meta" {
			return tool.Bound{}, false
		}
	}
	args, given := m.params["arguments"]
	b, known := ep.bound[m.name]
	meta := m.meta
	if !known || given && args[0] != '{' || !plainToken(meta[metaProgress]) || modern && !plainModern(r.Header, b.Spec.Name, meta) {
		return tool.Bound{}, false
	}
	return b, true
}

// plainModern reports whether the headers and the meta of a message are as the era
// without sessions wants them (2026-07-28, Streamable HTTP, Standard Request Headers).
func plainModern(h http.Header, name string, meta map[string]json.RawMessage) bool {
	if h.Get(versionHeader) != modernVersion || h.Get("Mcp-Method") != methodCall || h.Get("Mcp-Name") != name {
		return false
	}
	if string(meta[metaVersion]) != `"`+modernVersion+`"` {
		return false
	}
	info, has := meta[metaClientInfo]
	if has && (info[0] != '{' || json.Unmarshal(info, &mcp.Implementation{}) != nil) {
		return false
	}
	can := meta[metaCapabilities]
	return string(can) == "{}" || can != nil && can[0] == '{' && json.Unmarshal(can, &mcp.ClientCapabilities{}) == nil
}

// plainToken reports whether a progress token is none, a text or a number.
func plainToken(raw json.RawMessage) bool {
	return raw == nil || usableID(raw)
}

// progress tells the client how far its call is.
func (w *wire) progress(token json.RawMessage) tool.Notify {
	return func(_ context.Context, done, total float64, message string) {
		params, err := encoded(&mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: total, Message: message})
		if err == nil { // not a number; the call goes on
			w.notify(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/progress","params":%s}`, params))
		}
	}
}

// parentIn is the trace that the meta of a message names.
func parentIn(meta map[string]json.RawMessage) trace.Parent {
	if meta["traceparent"] == nil {
		return trace.Parent{}
	}
	var p trace.Parent
	_ = json.Unmarshal(meta["traceparent"], &p.Traceparent) // what is no text names no trace
	_ = json.Unmarshal(meta["tracestate"], &p.Tracestate)
	return p
}

// answerDirect runs the tool while the client gets signs of life, and returns the
// answer. A panic outside of the tool, which the policy guards, must not end the
// connection without one.
func (ep *endpoint) answerDirect(ctx context.Context, b tool.Bound, in incoming, out *wire) (answer []byte) {
	m := out.message
	defer out.beating()()
	defer func() {
		if v := recover(); v != nil {
			f := fault.Defect(fmt.Errorf("panic: value of type %T", v))
			ep.server.log.ErrorContext(ctx, "method panicked", "method", m.method, "error_id", f.Data["error_id"], "stack", string(debug.Stack()))
			answer = (&rpcError{m.id, jsonrpc.CodeInternalError, f.Error()}).body()
		}
	}()
	res := ep.run(ctx, b, in)
	if in.Principal.Session != "" && !ep.sessions.has(in.Principal.Session) {
		return (&rpcError{m.id, jsonrpc.CodeInternalError, endedUnderCall}).body()
	}
	var info json.RawMessage
	if in.Principal.Session == "" {
		info = ep.info
	}
	answer, err := appendResponse(make([]byte, 0, 1024), m.id, res, info)
	if err != nil {
		ep.server.log.ErrorContext(ctx, "a result cannot be written", "method", m.method, "error", err)
		return (&rpcError{m.id, jsonrpc.CodeInternalError, fault.From(err).Error()}).body()
	}
	return answer
}

// flights are the calls of sessions that run without the SDK: a client may cancel
// them by their id, and must not use an id twice at the same time.
type flights struct {
	mu  sync.Mutex
	all map[flight]context.CancelFunc
}

type flight struct{ session, id string }

// begin notes a call until done is called. free is false when the session has a call
// with the same id. The era without sessions knows neither.
func (f *flights) begin(ctx context.Context, session, id string) (_ context.Context, done func(), free bool) {
	if session == "" {
		return ctx, func() {}, true
	}
	key := flight{session, id}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.all[key] != nil {
		return ctx, nil, false
	}
	if f.all == nil {
		f.all = map[flight]context.CancelFunc{}
	}
	ctx, cancel := context.WithCancel(ctx)
	f.all[key] = cancel
	return ctx, func() {
		cancel()
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.all, key)
	}, true
}

// cancelled ends the call that a notification names, if it runs here.
func (f *flights) cancelled(session string, m *message) {
	if m.method != methodCancelled {
		return
	}
	id := m.params["requestId"]
	if bytes.IndexByte(id, '\\') >= 0 { // no call with an escape in its id is here, but one may mean the same id
		id = json.RawMessage(`"` + textIn(id) + `"`)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if cancel := f.all[flight{session, string(id)}]; cancel != nil {
		cancel()
	}
}
