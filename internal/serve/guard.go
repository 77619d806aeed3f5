package serve

import (
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/observe"
)

// methodsAllowed and the header lists are what a browser may use and read.
const (
	methodsAllowed = "GET, POST, DELETE, HEAD, OPTIONS"
	headersAllowed = "Authorization, Content-Type, Accept, Last-Event-ID, MCP-Protocol-Version, MCP-Session-ID, Mcp-Method, Mcp-Name"
	headersExposed = "MCP-Protocol-Version, MCP-Session-ID, WWW-Authenticate, Retry-After"
)

// isLoopback reports whether a host name or address without port is this machine.
func isLoopback(host string) bool {
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

// hostOnly cuts the port off a Host header.
func hostOnly(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return hostport
}

// guard does what comes before any request is looked at: ids and logs, and the
// refusal of web pages that reach for this machine. A page of another site can
// send requests here, under its own name (Origin) or, after rebinding its name
// to this address, as if it were us (Host).
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, answered := s.o.Observe.began(r, s.route(r.URL.Path))
		ctx = observe.WithRequestID(ctx, observe.NewRequestID())
		r = r.WithContext(ctx)
		start := time.Now()
		rec := &statusRecorder{ResponseWriter: w, slow: s.o.SlowClient}
		if r.Body != http.NoBody {
			s.crowd.Owed(r) // until the body is there, or for good if nobody wants it
		}
		defer func() { answered(rec.status) }()
		switch origin := r.Header.Get("Origin"); {
		case !s.isOurs(hostOnly(r.Host)) && !isProbe(r):
			refuse(rec, "The Host header names another machine.")
		case origin != "" && !s.mayCall(origin):
			refuse(rec, "Pages of this origin may not call this server.")
		default:
			if origin != "" {
				cors(rec.Header(), origin)
			}
			next.ServeHTTP(rec, r)
		}
		s.log.DebugContext(ctx, "request", "method", r.Method, "path", r.URL.Path,
			"status", rec.status, "duration_ms", time.Since(start).Milliseconds())
	})
}

// isOurs reports whether a host name is one under which clients reach the server.
func (s *Server) isOurs(host string) bool {
	if isLoopback(host) {
		return true
	}
	return s.host != "" && strings.EqualFold(s.host, host)
}

// hostOf is the host that clients of a server with this access write, or "".
func hostOf(a *Access) string {
	if a == nil {
		return ""
	}
	u, err := url.Parse(a.URL)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// isProbe reports a look at whether the server is up, which orchestrators send
// under an address of their own.
func isProbe(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && (r.URL.Path == healthPath || r.URL.Path == readyPath)
}

// mayCall reports whether pages of an origin may send requests. Where every call
// carries a token, only a page that was given one can do anything.
func (s *Server) mayCall(origin string) bool {
	if s.o.Access == nil {
		return loopbackOrigin(origin)
	}
	return len(s.o.Access.Origins) == 0 || slices.Contains(s.o.Access.Origins, origin)
}

func loopbackOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && isLoopback(u.Hostname())
}

// refuse answers in the protocol's own form, since its clients are the readers.
func refuse(w http.ResponseWriter, why string) {
	writeRPC(w, http.StatusForbidden, invalid(nil, "forbidden: %s", strings.TrimSuffix(why, ".")))
}

func cors(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Expose-Headers", headersExposed)
}

// preflight answers OPTIONS where these methods are offered.
func preflight(w http.ResponseWriter, allow string) {
	h := w.Header()
	h.Set("Allow", allow)
	h.Set("Access-Control-Allow-Methods", methodsAllowed)
	h.Set("Access-Control-Allow-Headers", headersAllowed)
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
}

// statusRecorder remembers the status for the log, and gives the client its time to
// take the answer.
type statusRecorder struct {
	http.ResponseWriter
	status int
	slow   time.Duration
}

// WriteHeader remembers the status.
func (r *statusRecorder) WriteHeader(code int) {
	if r.status == 0 {
		r.status = code
	}
	// What the server set runs since the headers were read, and the body took its time.
	_ = http.NewResponseController(r.ResponseWriter).SetWriteDeadline(time.Now().Add(r.slow)) // every HTTP/1 connection has one
	r.ResponseWriter.WriteHeader(code)
}

// Unwrap lets a ResponseController through.
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	raw, _ := json.Marshal(v)         // maps of strings always marshal
	_, _ = w.Write(append(raw, '\n')) // a client that went away is no news
}

func writeRPC(w http.ResponseWriter, status int, e *rpcError) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(e.body()) // a client that went away is no news
}
