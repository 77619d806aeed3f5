package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// webServer is a legacy server over HTTP that is written by hand. Its handler sees
// what the handshake does not take, and may answer that too.
type webServer struct {
	*httptest.Server
	mu       sync.Mutex
	requests []seenRequest
}

type seenRequest struct {
	method string
	header http.Header
	body   string
	rpc    message
}

// all are the requests that came so far.
func (s *webServer) all() []seenRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]seenRequest(nil), s.requests...)
}

// of are those with a JSON-RPC method, or with an HTTP method other than POST.
func (s *webServer) of(method string) []seenRequest {
	var out []seenRequest
	for _, r := range s.all() {
		if r.rpc.Method == method || r.method == method && method != http.MethodPost {
			out = append(out, r)
		}
	}
	return out
}

// serveWeb starts a server. f gives false for what the handshake shall answer.
func serveWeb(t testing.TB, f func(http.ResponseWriter, *http.Request, *message) bool) *webServer {
	t.Helper()
	s := &webServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var m message
		_ = json.Unmarshal(body, &m) // what is no message has no method
		s.mu.Lock()
		s.requests = append(s.requests, seenRequest{r.Method, r.Header.Clone(), string(body), m})
		s.mu.Unlock()
		if f != nil && f(w, r, &m) {
			return
		}
		welcome(w, r, &m)
	}))
	t.Cleanup(s.Close)
	return s
}

// welcome answers the handshake of a legacy session.
func welcome(w http.ResponseWriter, r *http.Request, m *message) {
	switch {
	case r.Method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	case m.Method == "server/discover":
		http.Error(w, "Bad Request", http.StatusBadRequest)
	case m.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", "s-1")
		reply(w, result(m.ID, greeting))
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		reply(w, result(m.ID, `{}`))
	}
}

func reply(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body) // the client may have gone
}

func events(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, text) // the client may have gone
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// on has one JSON-RPC method answered by f.
func on(method string, f func(http.ResponseWriter, *message)) func(http.ResponseWriter, *http.Request, *message) bool {
	return func(w http.ResponseWriter, _ *http.Request, m *message) bool {
		if m.Method != method {
			return false
		}
		f(w, m)
		return true
	}
}

func TestLegacyHeaders(t *testing.T) {
	s := serveWeb(t, nil)
	c := dial(t, Target{URL: s.URL, Headers: http.Header{"X-Api-Key": {"canary-key-1"}}}, Options{})
	if c.Era() != EraLegacy || c.Session() != "s-1" || c.Probe().Verdict != EraLegacy || c.Probe().Reason == "" {
		t.Errorf("it speaks %s in session %s, by %+v", c.Era(), c.Session(), c.Probe())
	}
	if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); err != nil {
		t.Fatal(err)
	}
	for len(s.of("GET")) == 0 { // it is opened beside the calls
		<-time.After(time.Millisecond)
	}
	closing := c.Close()
	last := s.of("tools/list")[0].header
	for name, want := range map[string]string{
		"Accept": "application/json, text/event-stream", "Content-Type": "application/json",
		"Mcp-Protocol-Version": "2025-11-25", "Mcp-Session-Id": "s-1", "X-Api-Key": "canary-key-1", "Mcp-Method": "",
	} {
		if got := last.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if h := s.of("initialize")[0].header; h.Get("Mcp-Session-Id") != "" || h.Get("Mcp-Protocol-Version") != "" {
		t.Errorf("initialize came with %v", h)
	}
	if len(s.of("GET")) != 1 || len(s.of("DELETE")) != 1 || s.of("DELETE")[0].header.Get("Mcp-Session-Id") != "s-1" || strings.Join(closing.Steps, "") != "DELETE 204 No Content" {
		t.Errorf("it closed as %+v", closing)
	}
	if got := codes(c.Observations()); got != "" {
		t.Errorf("it observes %s", got)
	}
	if text := fmt.Sprintf("%+v %+v", c.Transcript(0, 0), *c.Opening().HTTP); strings.Contains(text, "canary") || !strings.Contains(text, redacted) {
		t.Errorf("the evidence holds a secret: %s", text)
	}
}

// TestHTTPAnswers: what a server answers to a call, and what becomes of it.
func TestHTTPAnswers(t *testing.T) {
	text := func(status int, kind, body string) func(http.ResponseWriter, *message) {
		return func(w http.ResponseWriter, m *message) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, strings.ReplaceAll(body, "ID", string(m.ID))) // the client may have gone
		}
	}
	good := `{"jsonrpc":"2.0","id":ID,"result":{"ok":1}}`
	bad := `{"jsonrpc":"2.0","id":ID,"error":{"code":-32602,"message":"no","data":{"x":1}}}`
	for name, tt := range map[string]struct {
		answer func(http.ResponseWriter, *message)
		kind   Kind
		stage  Stage
		code   int64
		codes  string
	}{
		"json":             {text(200, "application/json; charset=utf-8", good), "", "", 0, ""},
		"stream":           {text(200, "text/event-stream", "data: "+good+"\n\n"), "", "", 0, ""},
		"crlf stream":      {text(200, "text/event-stream", "event: message\r\nid: 1\r\ndata: "+good+"\r\n\r\n"), "", "", 0, ""},
		"cr stream":        {text(200, "text/event-stream", "data: "+good+"\r\r"), "", "", 0, ""},
		"stream of pieces": {text(200, "text/event-stream", ": hello\n\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"id\":ID,\"result\":{\"ok\":1}}\n\n"), "", "", 0, ""},
		"error with 400":   {text(400, "application/json", bad), "", "", -32602, ""},
		"error with 404":   {text(400, "text/plain", bad), "", "", -32602, ""},
		"other type":       {text(200, "text/html", good), "", "", 0, "bad_content_type"},
		"a page":           {text(200, "text/html", "<p>hello"), Protocol, StageMessage, 0, "bad_content_type invalid_json"},
		"empty":            {text(200, "application/json", ""), Protocol, StageMessage, 0, ""},
		"202":              {text(202, "application/json", ""), Protocol, StageMessage, 0, "bad_status"},
		"500":              {text(500, "text/plain", "oh no"), Refused, StageHTTP, 0, ""},
		"503 and silence":  {text(403, "text/plain", "go away"), Refused, StageHTTP, 0, ""},
		"stream ends":      {text(200, "text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n"), Broken, StageMessage, 0, "stream_ended"},
		"event cut off":    {text(200, "text/event-stream", "data: "+good), Broken, StageMessage, 0, "stream_ended"},
		"other id":         {text(200, "application/json", `{"jsonrpc":"2.0","id":"zzz","result":{}}`), Protocol, StageMessage, 0, ""},
		"no stream":        {text(200, "text/event-stream", good+"\n\n"), Broken, StageMessage, 0, "bad_event stream_ended"},
		"event type":       {text(200, "text/event-stream", "event: answer\ndata: "+good+"\n\n"), "", "", 0, "bad_event"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveWeb(t, on("tools/list", tt.answer))
			c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy})
			ex, err := c.Call(t.Context(), "tools/list", nil, CallOptions{})
			var e *Error
			errors.As(err, &e)
			if kindOf(err) != tt.kind || e != nil && e.Stage != tt.stage || (ex.RPC != nil) != (tt.code != 0) || ex.RPC != nil && ex.RPC.Code != tt.code {
				t.Errorf("it gives %v of %+v", err, e)
			}
			if err == nil && string(ex.Result) != `{"ok":1}` {
				t.Errorf("the result is %s", ex.Result)
			}
			if got := codes(ex.Observations); got != tt.codes {
				t.Errorf("it observes %q", got)
			}
			if ex.HTTP == nil || ex.HTTP.Status == 0 || ex.HTTP.Remote == "" {
				t.Errorf("the HTTP layer is %+v", ex.HTTP)
			}
			if _, err := c.Alive(t.Context(), CallOptions{}); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRefusalKeepsItsEvidence(t *testing.T) {
	s := serveWeb(t, on("tools/list", func(w http.ResponseWriter, _ *message) {
		w.Header().Set("Www-Authenticate", `Bearer error="insufficient_scope"`)
		http.Error(w, "scope!", http.StatusForbidden)
	}))
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy})
	_, err := c.Call(t.Context(), "tools/list", nil, CallOptions{})
	var e *Error
	if !errors.As(err, &e) || e.Status() != 403 || string(e.HTTP.Body) != "scope!\n" || e.HTTP.Header.Get("Www-Authenticate") == "" {
		t.Errorf("the failure is %+v", e)
	}
}

// TestSessionLost: a session that a server has forgotten is begun anew, once a call,
// and that is said. A server that says it with another status is found out.
func TestSessionLost(t *testing.T) {
	for status, code := range map[int]Code{404: SessionLost, 503: SessionDeadStatus, 400: SessionDeadStatus} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			var lost atomic.Bool
			s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
				if m.Method == "initialize" && lost.Load() {
					w.Header().Set("Mcp-Session-Id", "s-2")
					reply(w, result(m.ID, greeting))
					return true
				}
				if lost.Load() && r.Header.Get("Mcp-Session-Id") == "s-1" {
					http.Error(w, "no valid session", status)
					return true
				}
				return false
			})
			c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, NoStream: true})
			lost.Store(true)
			ex, err := c.Call(t.Context(), "tools/list", nil, CallOptions{})
			if err != nil || c.Session() != "s-2" || c.Renewed() != 1 || len(ex.Earlier) != 1 || ex.Earlier[0].Status != status {
				t.Errorf("the call gives %v in session %s, after %d renewals and %+v", err, c.Session(), c.Renewed(), ex.Earlier)
			}
			if got := codes(c.Observations()); got != string(code) {
				t.Errorf("it observes %s", got)
			}
		})
	}
}

// TestRenewalThatFails: a server that is away for a while is asked again by the next
// call, and nothing else than a new session is tried.
func TestRenewalThatFails(t *testing.T) {
	var state atomic.Int32 // 0 well, 1 away, 2 back without the session
	s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
		switch {
		case state.Load() == 1, state.Load() == 2 && r.Header.Get("Mcp-Session-Id") == "s-1":
			http.NotFound(w, r)
		case state.Load() == 2 && m.Method == "initialize":
			w.Header().Set("Mcp-Session-Id", "s-2")
			reply(w, result(m.ID, greeting))
		default:
			return false
		}
		return true
	})
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, NoStream: true})
	state.Store(1)
	if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); kindOf(err) != Refused || c.Session() != "s-1" || c.Version() != NewestLegacy {
		t.Errorf("a call gives %v in session %q of %q", err, c.Session(), c.Version())
	}
	state.Store(2)
	if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); err != nil || c.Session() != "s-2" || len(s.of("GET")) != 0 {
		t.Errorf("the next call gives %v in session %q, after %d GETs", err, c.Session(), len(s.of("GET")))
	}
}

// TestBadRequestIsNoDeadSession: a status that is about the request alone costs no
// session.
func TestBadRequestIsNoDeadSession(t *testing.T) {
	s := serveWeb(t, on("tools/list", func(w http.ResponseWriter, _ *message) { http.Error(w, "bad", http.StatusBadRequest) }))
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy})
	if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); kindOf(err) != Refused || c.Renewed() != 0 {
		t.Errorf("the call gives %v, after %d renewals", err, c.Renewed())
	}
}

func TestRedirects(t *testing.T) {
	var stolen atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { stolen.Add(1) }))
	defer other.Close()
	for name, tt := range map[string]struct {
		status int
		to     string
		kind   Kind
	}{
		"same host":   {307, "/other", ""},
		"other host":  {307, other.URL, Refused},
		"as a GET":    {302, "/other", Refused},
		"for ever":    {308, "/again", Refused},
		"to metadata": {307, "http://169.254.169.254/latest", Refused},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
				if m.Method != "tools/list" || r.URL.Path == "/other" {
					return false
				}
				w.Header().Set("Location", tt.to)
				w.WriteHeader(tt.status)
				return true
			})
			c := dial(t, Target{URL: s.URL, Headers: http.Header{"Authorization": {"Bearer canary-123"}}}, Options{Era: EraLegacy})
			ex, err := c.Call(t.Context(), "tools/list", nil, CallOptions{})
			if kindOf(err) != tt.kind || ex.HTTP == nil {
				t.Fatalf("the call gives %v", err)
			}
			if got := codes(ex.Observations); got != "redirected" {
				t.Errorf("it observes %q", got)
			}
			if err == nil && (len(ex.Earlier) != 1 || ex.Earlier[0].Location != "/other") {
				t.Errorf("it went by %+v", ex.Earlier)
			}
			if err != nil && ex.HTTP.Location != tt.to {
				t.Errorf("the evidence is %+v", ex.HTTP)
			}
		})
	}
	if n := stolen.Load(); n != 0 {
		t.Errorf("another host got %d requests", n)
	}
}

// TestGetRefused: a server that has no standalone stream need not know how to say so.
func TestGetRefused(t *testing.T) {
	for status, want := range map[int]string{405: "", 404: "stream_status", 406: "stream_status", 200: "stream_status"} {
		s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, _ *message) bool {
			if r.Method == http.MethodGet {
				w.WriteHeader(status)
			}
			return r.Method == http.MethodGet
		})
		c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy})
		if want != "" {
			seen(t, c, StreamStatus)
		}
		if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); err != nil {
			t.Error(err)
		}
		c.Close()
		if got := codes(c.Observations()); got != want {
			t.Errorf("after %d it observes %q", status, got)
		}
	}
}

func TestRefusedNotification(t *testing.T) {
	s := serveWeb(t, on("notifications/initialized", func(w http.ResponseWriter, _ *message) { http.Error(w, "Accept!", http.StatusNotAcceptable) }))
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy})
	if o := seen(t, c, BadStatus); o.Status != 406 {
		t.Errorf("it observes %+v", o)
	}
	if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); err != nil {
		t.Error(err)
	}
}

// TestNoFallback: only a server that refuses a POST may be one of 2024-11-05, and when
// it is none, both failures are told.
func TestNoFallback(t *testing.T) {
	for status, tries := range map[int]int{400: 1, 404: 1, 405: 1, 500: 0, 503: 0} {
		s := serveWeb(t, func(w http.ResponseWriter, _ *http.Request, _ *message) bool {
			http.Error(w, "nothing here", status)
			return true
		})
		_, err := Connect(t.Context(), Target{URL: s.URL}, quick(Options{Era: EraLegacy}))
		var e *Error
		if !errors.As(err, &e) || e.Status() != status || (e.Also != nil) != (tries > 0) || len(s.of("GET")) != tries {
			t.Errorf("after %d it fails with %v, having sent %d GETs", status, err, len(s.of("GET")))
		}
	}
}

// TestForeignEndpoint: a server of 2024-11-05 that names an endpoint elsewhere gets
// nothing sent there.
func TestForeignEndpoint(t *testing.T) {
	s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, _ *message) bool {
		if r.Method == http.MethodGet {
			events(w, "event: endpoint\ndata: http://127.0.0.1:1/steal\n\n")
			<-r.Context().Done()
		}
		return true
	})
	_, err := Connect(t.Context(), Target{URL: s.URL, Transport: SSETransport}, quick(Options{}))
	var e *Error
	if !errors.As(err, &e) || e.Stage != StageGuard || len(s.of("initialize")) != 0 {
		t.Errorf("it fails with %v", err)
	}
}

func TestUnreachable(t *testing.T) {
	plain := serveWeb(t, nil)
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for url, stage := range map[string]Stage{
		"http://no-such-host.invalid/mcp": StageDNS,
		gone.URL:                          StageTCP,
		secure.URL:                        StageTLS,
		strings.Replace(plain.URL, "http:", "https:", 1): StageTLS,
		"ftp://example.org": StageTarget,
		"http://":           StageTarget,
	} {
		_, err := Connect(t.Context(), Target{URL: url}, quick(Options{}))
		var e *Error
		if !errors.As(err, &e) || e.Stage != stage {
			t.Errorf("%s fails at %s: %v", url, e.Stage, err)
		}
	}
	refused := &http.Client{Transport: roundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New("not there") })}
	_, err := Connect(t.Context(), Target{URL: plain.URL}, quick(Options{HTTPClient: refused}))
	var e *Error
	if !errors.As(err, &e) || e.Stage != StageGuard {
		t.Errorf("a client that refuses fails with %v", err)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestTimeoutOverHTTP(t *testing.T) {
	over := make(chan struct{})
	s := serveWeb(t, on("tools/call", func(w http.ResponseWriter, m *message) {
		events(w, ": wait\n\n")
		<-over
		events(w, "data: "+result(m.ID, `{}`)+"\n\n")
	}))
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy})
	if _, err := c.Call(t.Context(), "tools/call", nil, CallOptions{Timeout: 50 * time.Millisecond}); kindOf(err) != Timeout {
		t.Errorf("the call gives %v", err)
	}
	close(over)
	seen(t, c, LateResponse)
	if late := c.Late(); len(late) != 1 || late[0].Method != "tools/call" || late[0].After < 50*time.Millisecond {
		t.Errorf("late came %+v", late)
	}
	for len(s.of("notifications/cancelled")) == 0 { // it is sent beside the call
		<-time.After(time.Millisecond)
	}
	if got := s.of("notifications/cancelled"); len(got) != 1 || !strings.Contains(got[0].body, `"requestId":2`) {
		t.Errorf("the server was told %+v", got)
	}
}

// TestProgressExtends: progress keeps a call alive when that is wanted.
func TestProgressExtends(t *testing.T) {
	s := serveWeb(t, on("tools/call", func(w http.ResponseWriter, m *message) {
		token := field(field(m.Params, "_meta"), "progressToken")
		for i := range 6 {
			events(w, fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":%d}}\n\n", token, i%5))
			<-time.After(60 * time.Millisecond)
		}
		events(w, "data: "+result(m.ID, `{}`)+"\n\n")
	}))
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy})
	var told atomic.Int32
	ex, err := c.Call(t.Context(), "tools/call", nil, CallOptions{Timeout: 200 * time.Millisecond, MaxTimeout: time.Minute, ExtendOnProgress: true, OnMessage: func(Message) { told.Add(1) }})
	if err != nil || len(ex.Notifications) != 6 || told.Load() != 6 || codes(ex.Observations) != "bad_progress" {
		t.Errorf("the call gives %v with %d notifications, %d told, and observes %s", err, len(ex.Notifications), told.Load(), codes(ex.Observations))
	}
	if _, err := c.Call(t.Context(), "tools/call", nil, CallOptions{Timeout: 200 * time.Millisecond}); kindOf(err) != Timeout {
		t.Errorf("without extension it gives %v", err)
	}
}

// TestServerAsks: the server's questions are answered over a session, also in the
// middle of a call.
func TestServerAsks(t *testing.T) {
	answers := make(chan string, 3)
	s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
		switch {
		case m.Method == "tools/call":
			for i, method := range []string{"ping", "elicitation/create", "roots/list"} {
				events(w, fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":\"q%d\",\"method\":%q,\"params\":{}}\n\n", i, method))
			}
			for range 3 {
				<-answers
			}
			events(w, "data: "+result(m.ID, `{}`)+"\n\n")
			return true
		case m.Method == "" && m.ID != nil:
			answers <- "x"
		default:
			return false
		}
		w.WriteHeader(http.StatusAccepted)
		return true
	})
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, Answer: func(_ context.Context, r ServerRequest) (json.RawMessage, error) {
		if r.Method == "roots/list" {
			return nil, &RPCError{Code: -32601, Message: "none here"}
		}
		return json.RawMessage(`{"action":"decline","call":` + r.Call + `}`), nil
	}})
	ex, err := c.Call(t.Context(), "tools/call", nil, CallOptions{})
	if err != nil || len(ex.Requests) != 3 {
		t.Fatalf("the call gives %v with %d requests", err, len(ex.Requests))
	}
	got := map[string]bool{}
	for _, r := range s.all() {
		if r.rpc.Method == "" && r.method == http.MethodPost {
			got[r.body] = true
		}
	}
	for _, want := range []string{
		`{"jsonrpc":"2.0","id":"q0","result":{}}`, `{"jsonrpc":"2.0","id":"q1","result":{"action":"decline","call":2}}`,
		`{"jsonrpc":"2.0","id":"q2","error":{"code":-32601,"message":"none here"}}`,
	} {
		if !got[want] {
			t.Errorf("the server did not get %s but %v", want, got)
		}
	}
}
