package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/observe/trace"
)

const (
	versionHeader = "Mcp-Protocol-Version"
	sessionHeader = "Mcp-Session-Id"
	// probeVersion is what answers name as the version when the client names none,
	// as to HEAD, with which clients look whether MCP is here.
	probeVersion = "2025-06-18"
	// allowed are the methods of an endpoint. There is no stream without a request,
	// so GET is not among them.
	allowed = "POST, HEAD, DELETE"
)

// ServeHTTP implements the endpoint: one URL for both eras.
func (ep *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set(versionHeader, probeVersion)
	switch r.Method {
	case http.MethodPost:
		ep.post(w, r)
	case http.MethodDelete:
		ep.delete(w, r)
	case http.MethodHead:
		w.WriteHeader(http.StatusOK)
	case http.MethodOptions:
		preflight(w, allowed)
	default:
		w.Header().Set("Allow", allowed)
		writeRPC(w, http.StatusMethodNotAllowed, invalid(nil, "this method is not offered: send messages with POST"))
	}
}

func (ep *endpoint) post(w http.ResponseWriter, r *http.Request) {
	if !isJSON(r.Header.Get("Content-Type")) {
		writeRPC(w, http.StatusUnsupportedMediaType, invalid(nil, "the Content-Type must be application/json"))
		return
	}
	held := &meter{all: &ep.server.bodies, most: ep.server.o.MaxBodies}
	defer held.release()
	if a := ep.server.o.Access; a != nil {
		held.known = func() *oauth.Error {
			_, refusal := a.identify(r)
			return refusal
		}
	}
	body, status, bad := ep.server.readBody(w, r, held)
	if held.refusal != nil {
		ep.server.o.Observe.looked(held.refusal)
		ep.refuseCaller(w, r, &message{}, held.refusal)
		return
	}
	if bad != nil {
		if status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "1")
		}
		writeRPC(w, status, bad)
		return
	}
	ep.server.crowd.Paid(r) // guard has it wait for its body
	m, bad := parseMessage(body)
	if bad != nil {
		writeRPC(w, http.StatusBadRequest, bad)
		return
	}
	w.Header().Set(versionHeader, m.spoken(r.Header.Get(versionHeader)))
	who, refusal := ep.caller(r, m)
	if refusal != nil {
		ep.refuseCaller(w, r, m, refusal)
		return
	}
	if m.method != methodListen {
		// The answer must be out before a shutdown cuts connections; the handler
		// counts for itself, since it may outlive the request.
		end, _ := ep.server.begin()
		defer end()
	}
	// What is executed is what was read above, byte for byte.
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	out := ep.server.newWire(w, m, wantsStream(r))
	r.Header.Set("Accept", "application/json, text/event-stream")
	if r.Header.Get(versionHeader) >= modernVersion || m.version() != "" || m.method == methodDiscover {
		if !ep.direct(out, r, who, "") {
			ep.execute(out, ep.modern, r, who)
		}
		return
	}
	ep.postLegacy(out, r, m, who)
}

// isJSON reports whether a Content-Type is that of JSON, with whatever parameters.
func isJSON(kind string) bool {
	if kind == jsonType {
		return true
	}
	t, _, err := mime.ParseMediaType(kind)
	return err == nil && t == jsonType
}

const jsonType = "application/json"

// execute hands a message to the SDK, with what is known about the caller.
func (ep *endpoint) execute(out *wire, h http.Handler, r *http.Request, who auth.Principal) {
	left := ep.take(r.Context(), who, out.message)
	left.tell(out.ResponseWriter.Header())
	requestEnvelope{
		Principal: who, RequestID: observe.RequestID(r.Context()), Allowance: left, Parent: trace.ParentOf(r.Context()),
		Message: string(out.message.id),
	}.put(r.Header)
	out.run(h, r)
}

// readBody reads the whole body within the time that a slow client gets. When it fails,
// that time goes on for what net/http reads of the rest.
func (s *Server) readBody(w http.ResponseWriter, r *http.Request, held *meter) ([]byte, int, *rpcError) {
	if r.ContentLength > maxBody {
		return nil, http.StatusRequestEntityTooLarge, invalid(nil, "the body is larger than %d bytes", maxBody)
	}
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(s.o.SlowClient)) // every HTTP/1 connection has one
	held.from = http.MaxBytesReader(w, r.Body, maxBody)
	body, err := io.ReadAll(held)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, errBusy):
		return nil, http.StatusServiceUnavailable, &rpcError{code: jsonrpc.CodeInternalError, message: "The server is busy: try again in a moment."}
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge, invalid(nil, "the body is larger than %d bytes", tooLarge.Limit)
	case err != nil:
		return nil, http.StatusBadRequest, invalid(nil, "the body could not be read to its end")
	}
	return body, 0, nil
}

// meter counts what is held of a body. Past openBody it asks once who sends it, and stops
// when all bodies together are too much: a few callers with large ones must not keep the
// small ones out, whose sum the number of connections bounds.
type meter struct {
	from io.Reader
	all  *atomic.Int64
	most int64
	mine int64

	known   func() *oauth.Error // nil takes everybody
	refusal *oauth.Error        // of the one who was asked
}

var (
	errBusy    = errors.New("the bodies of all requests are too large together")
	errRefused = errors.New("the body is too large for somebody unknown")
)

// Read implements io.Reader.
func (m *meter) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	m.mine += int64(n)
	if m.all.Add(int64(n)) > m.most && m.mine > openBody {
		return n, errBusy
	}
	if m.mine > openBody && m.known != nil {
		m.refusal, m.known = m.known(), nil
	}
	if m.refusal != nil {
		return n, errRefused
	}
	return n, err
}

func (m *meter) release() { m.all.Add(-m.mine) }

// wantsStream reports whether the client named the event stream. A client that
// accepts anything gets plain JSON: it is likely to be a simple one.
func wantsStream(r *http.Request) bool {
	for _, v := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(v, ",") {
			t, _, _ := strings.Cut(part, ";")
			if t = strings.ToLower(strings.TrimSpace(t)); t == "text/event-stream" || t == "text/*" {
				return true
			}
		}
	}
	return false
}

// postLegacy serves the eras with sessions.
func (ep *endpoint) postLegacy(out *wire, r *http.Request, m *message, who auth.Principal) {
	w := out.ResponseWriter
	notification, known := legacyMethods[m.method]
	session := r.Header.Get(sessionHeader)
	if m.method == methodInitialize && session == "" {
		ep.open(out, r, who)
		return
	}
	switch {
	case session == "":
		writeRPC(w, http.StatusBadRequest, invalid(m.id, "the MCP-Session-ID header is missing: send initialize first"))
	case !ep.sessions.use(session, who.ID(), m.isOpen()):
		writeRPC(w, http.StatusNotFound, invalid(m.id, "the session is unknown or has ended: send initialize again"))
	case m.method != "" && !known && m.id == nil:
		w.WriteHeader(http.StatusAccepted) // an unknown notification is ignored
	case m.method != "" && !known:
		// 200: many clients do not read the body of an HTTP error.
		writeRPC(w, http.StatusOK, &rpcError{m.id, jsonrpc.CodeMethodNotFound, fmt.Sprintf("Method not found: %s.", m.method)})
	case known && notification && m.id != nil:
		writeRPC(w, http.StatusBadRequest, invalid(m.id, "%s is a notification and takes no id", m.method))
	case known && !notification && m.id == nil:
		writeRPC(w, http.StatusBadRequest, invalid(nil, "%s needs an id", m.method))
	default:
		w.Header().Set(sessionHeader, session)
		ep.flights.cancelled(session, m)
		if !ep.direct(out, r, who, session) {
			ep.execute(out, ep.legacy, r, who)
		}
	}
}

// open starts a session and remembers whose it is before the client learns its id.
// It needs no token, but one that is good makes the session its bearer's at once.
func (ep *endpoint) open(out *wire, r *http.Request, who auth.Principal) {
	owner := who.ID()
	if a := ep.server.o.Access; a != nil && r.Header.Get("Authorization") != "" {
		if early, refusal := a.identify(r); refusal == nil {
			owner = early.ID()
		}
	}
	if !ep.sessions.admit(owner) {
		out.ResponseWriter.Header().Set("Retry-After", "60")
		writeRPC(out.ResponseWriter, http.StatusServiceUnavailable,
			&rpcError{out.message.id, jsonrpc.CodeInternalError, "Too many sessions are open: end one with DELETE, or try again later."})
		return
	}
	opened := ""
	out.onCommit = func(h http.Header) {
		opened = h.Get(sessionHeader)
		ep.sessions.opened(opened, owner)
	}
	ep.execute(out, ep.legacy, r, who)
	if opened == "" && !out.committed {
		ep.sessions.opened("", "")
	}
}

// delete ends a session. One that belongs to somebody is ended by nobody else.
func (ep *endpoint) delete(w http.ResponseWriter, r *http.Request) {
	m := &message{}
	session := r.Header.Get(sessionHeader)
	if session == "" {
		writeRPC(w, http.StatusBadRequest, invalid(nil, "the MCP-Session-ID header is missing"))
		return
	}
	who := auth.Local()
	if a := ep.server.o.Access; a != nil {
		who = auth.Principal{}
		if ep.sessions.bound(session) || r.Header.Get("Authorization") != "" {
			var refusal *oauth.Error
			who, refusal = a.identify(r)
			ep.server.o.Observe.looked(refusal)
			if refusal != nil {
				ep.refuseCaller(w, r, m, refusal)
				return
			}
		}
	}
	if !ep.sessions.use(session, who.ID(), false) {
		writeRPC(w, http.StatusNotFound, invalid(nil, "the session is unknown or has ended"))
		return
	}
	ep.sessions.forget(session) // first: the SDK waits for the calls of the session
	ep.server.newWire(w, m, false).run(ep.legacy, r)
}
