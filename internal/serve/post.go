package serve

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/legwork-mcp/legwork/internal/auth"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe"
)

const (
	versionHeader = "Mcp-Protocol-Version"
	sessionHeader = "Mcp-Session-Id"
	// probeVersion is what HEAD answers to clients that look whether MCP is here.
	probeVersion = "2025-06-18"
)

// ServeHTTP implements the endpoint: one URL for both eras.
func (ep *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		ep.post(w, r)
	case http.MethodDelete:
		ep.delete(w, r)
	case http.MethodHead:
		w.Header().Set(versionHeader, probeVersion)
		w.WriteHeader(http.StatusOK)
	case http.MethodOptions:
		preflight(w)
	default:
		w.Header().Set("Allow", "POST, HEAD, DELETE")
		w.Header().Set(versionHeader, probeVersion)
		writeRPC(w, http.StatusMethodNotAllowed, invalid(nil, "%s is not offered: send messages with POST", r.Method))
	}
}

// principal says who sends the request.
func (ep *endpoint) principal(r *http.Request) (auth.Principal, error) {
	if ep.server.o.Authenticate != nil {
		return ep.server.o.Authenticate(r)
	}
	return auth.Local(), nil // Listen keeps other machines out
}

func (ep *endpoint) post(w http.ResponseWriter, r *http.Request) {
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		writeRPC(w, http.StatusUnsupportedMediaType, invalid(nil, "the Content-Type must be application/json"))
		return
	}
	body, status, bad := readBody(w, r)
	if bad != nil {
		writeRPC(w, status, bad)
		return
	}
	m, bad := parseMessage(body)
	if bad != nil {
		writeRPC(w, http.StatusBadRequest, bad)
		return
	}
	who, err := ep.principal(r)
	if err != nil {
		writeRPC(w, http.StatusUnauthorized, invalid(m.id, "%s", strings.TrimSuffix(fault.From(err).Error(), ".")))
		return
	}
	if m.method != "subscriptions/listen" {
		// The answer must be out before a shutdown cuts connections; the handler
		// counts for itself, since it may outlive the request.
		end, _ := ep.server.begin()
		defer end()
	}
	// What is executed is what was read above, byte for byte.
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	requestEnvelope{Principal: who, RequestID: observe.RequestID(r.Context())}.put(r.Header)
	out := newWire(w, m, wantsStream(r), ep.server.o.KeepAlive)
	r.Header.Set("Accept", "application/json, text/event-stream")
	if r.Header.Get(versionHeader) >= modernVersion || m.version() != "" || m.method == "server/discover" {
		out.run(ep.modern, r)
		return
	}
	ep.postLegacy(out, r, m, who)
}

// readBody reads the whole body within the time that a slow client gets.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, int, *rpcError) {
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(slowClient)) // every HTTP/1 and HTTP/2 connection has one
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	_ = rc.SetReadDeadline(time.Time{})
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge, invalid(nil, "the body is larger than %d bytes", tooLarge.Limit)
	case err != nil:
		return nil, http.StatusBadRequest, invalid(nil, "the body could not be read to its end")
	}
	return body, 0, nil
}

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
	if m.method == "initialize" && session == "" {
		ep.open(out, r, who)
		return
	}
	switch {
	case session == "":
		writeRPC(w, http.StatusBadRequest, invalid(m.id, "the MCP-Session-ID header is missing: send initialize first"))
	case !ep.sessions.owned(session, who.ID()):
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
		out.run(ep.legacy, r)
	}
}

// open starts a session and remembers whose it is before the client learns its id.
func (ep *endpoint) open(out *wire, r *http.Request, who auth.Principal) {
	if !ep.sessions.admit() {
		out.ResponseWriter.Header().Set("Retry-After", "60")
		writeRPC(out.ResponseWriter, http.StatusServiceUnavailable,
			&rpcError{out.message.id, jsonrpc.CodeInternalError, "Too many sessions are open: end one with DELETE, or try again later."})
		return
	}
	opened := ""
	out.onCommit = func(h http.Header) {
		opened = h.Get(sessionHeader)
		ep.sessions.opened(opened, who.ID())
	}
	out.run(ep.legacy, r)
	if opened == "" && !out.committed {
		ep.sessions.opened("", "")
	}
}

// delete ends a session.
func (ep *endpoint) delete(w http.ResponseWriter, r *http.Request) {
	who, err := ep.principal(r)
	session := r.Header.Get(sessionHeader)
	switch {
	case err != nil:
		writeRPC(w, http.StatusUnauthorized, invalid(nil, "%s", strings.TrimSuffix(fault.From(err).Error(), ".")))
	case session == "":
		writeRPC(w, http.StatusBadRequest, invalid(nil, "the MCP-Session-ID header is missing"))
	case !ep.sessions.owned(session, who.ID()):
		writeRPC(w, http.StatusNotFound, invalid(nil, "the session is unknown or has ended"))
	default:
		newWire(w, &message{}, false, 0).run(ep.legacy, r)
	}
}
