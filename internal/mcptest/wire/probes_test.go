package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestSendOverHTTP: a probe sends what it is told, and any answer is one.
func TestSendOverHTTP(t *testing.T) {
	s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
		switch {
		case r.Method == http.MethodPut:
			w.WriteHeader(http.StatusTeapot)
		case r.URL.Path == "/elsewhere":
			http.NotFound(w, r)
		case m.Method == "" && (r.Method == http.MethodPost || r.Method == http.MethodHead):
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(failure(json.RawMessage("null"), CodeParse, "parse"))) // the client may have gone
		case r.Method == http.MethodGet && r.Header.Get("Mcp-Session-Id") == "other":
			events(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n")
			<-r.Context().Done()
		default:
			return false
		}
		return true
	})
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, NoStream: true})
	ex, err := c.Send(t.Context(), []byte(`{"jsonrpc":`), Tweak{Header: http.Header{"Content-Type": {"text/plain"}, "Accept": nil}, Session: "-"})
	var rpc *RPCError
	if !errors.As(err, &rpc) || rpc.Code != CodeParse || ex.HTTP.Status != 400 || codes(ex.Observations) != "" {
		t.Errorf("malformed JSON gives %v with %+v", err, ex.Observations)
	}
	last := s.all()[len(s.all())-1]
	if last.body != `{"jsonrpc":` || last.header.Get("Content-Type") != "text/plain" || len(last.header["Accept"])+len(last.header["Mcp-Session-Id"]) != 0 {
		t.Errorf("it was sent as %+v", last)
	}
	for name, tt := range map[string]struct {
		raw    string
		tweak  Tweak
		status int
		result string
	}{
		"a status":     {"", Tweak{Method: http.MethodPut}, 418, ""},
		"a place":      {"{}", Tweak{URL: "/elsewhere"}, 404, ""},
		"an answer":    {`{"jsonrpc":"2.0","id":"x","method":"tools/list"}`, Tweak{}, 200, "{}"},
		"notification": {`{"jsonrpc":"2.0","method":"notifications/x"}`, Tweak{}, 202, ""},
		"no stream":    {"", Tweak{Method: http.MethodGet}, 405, ""},
		"head":         {"", Tweak{Method: http.MethodHead}, 400, ""},
		"a stream":     {"", Tweak{Method: http.MethodGet, Session: "other"}, 200, ""},
	} {
		ex, err := c.Send(t.Context(), []byte(tt.raw), tt.tweak)
		if err != nil || ex.HTTP == nil || ex.HTTP.Status != tt.status || string(ex.Result) != tt.result {
			t.Errorf("%s gives %v with %+v", name, err, ex.HTTP)
		}
	}
	if _, err := c.Send(t.Context(), nil, Tweak{URL: "http://example.org/"}); kindOf(err) != Misused {
		t.Errorf("a probe to another host gives %v", err)
	}
	if got := codes(c.Observations()); got != "" {
		t.Errorf("probes make it observe %s", got)
	}
}

func TestSendOverStdio(t *testing.T) {
	c := dial(t, command("prober"), Options{Era: EraLegacy})
	for raw, want := range map[string]string{
		`{"jsonrpc":"2.0","id":"abc","method":"tools/list"}`: `"abc"`,
		`{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}`:   `1.5`,
		`{"jsonrpc":`: `null`,
		`{"jsonrpc":"2.0","id":null,"method":"tools/list"}`: `null`,
	} {
		ex, err := c.Send(t.Context(), []byte(raw), Tweak{Await: 20 * time.Second})
		var rpc *RPCError
		if err != nil && !errors.As(err, &rpc) || string(field(ex.Response, "id")) != want {
			t.Errorf("%s gives %v and %s", raw, err, ex.Response)
		}
	}
	if ex, err := c.Send(t.Context(), []byte(`{"jsonrpc":"2.0","method":"notifications/nothing"}`), Tweak{}); err != nil || ex.Response != nil {
		t.Errorf("a notification gives %v", err)
	}
	if _, err := c.Send(t.Context(), []byte(`{"jsonrpc":"2.0","id":7,"method":"silence"}`), Tweak{Await: 20 * time.Millisecond}); kindOf(err) != Timeout {
		t.Errorf("no answer gives %v", err)
	}
	if _, err := c.Alive(t.Context(), CallOptions{}); err != nil {
		t.Error(err)
	}
}

// TestAuthorize: a challenge is met by the hook, once for all that wait; what it gave
// goes with all later messages, and into no evidence.
func TestAuthorize(t *testing.T) {
	s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
		want, status, challenge := "Bearer canary-token-1", 401, `Bearer resource_metadata="http://x/.well-known"`
		if m.Method == "tools/call" {
			want, status, challenge = "Bearer canary-token-2", 403, `Bearer error="insufficient_scope", scope="more"`
		}
		if r.Header.Get("Authorization") == want || strings.HasSuffix(r.Header.Get("Authorization"), "-2") {
			return false
		}
		w.Header().Set("Www-Authenticate", challenge)
		http.Error(w, "who?", status)
		return true
	})
	var challenges []Challenge
	c := dial(t, Target{URL: s.URL}, Options{NoStream: true, Authorize: func(_ context.Context, ch Challenge) (http.Header, error) {
		challenges = append(challenges, ch) // the hook runs once at a time
		return http.Header{"Authorization": {fmt.Sprintf("Bearer canary-token-%d", len(challenges))}}, nil
	}})
	done := make(chan error, 8)
	var last *Exchange
	for range 8 {
		go func() {
			ex, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"x"}`), CallOptions{})
			if len(ex.Earlier) > 0 {
				c.mu.Lock()
				last = ex
				c.mu.Unlock()
			}
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if len(challenges) != 2 || challenges[0].Status != 401 || challenges[0].Method != "server/discover" || challenges[1].Status != 403 || challenges[1].Attempt < 2 ||
		!strings.Contains(challenges[1].WWWAuthenticate[0], "insufficient_scope") || string(challenges[0].Body) != "who?\n" {
		t.Errorf("the challenges were %+v", challenges)
	}
	if last == nil || last.Earlier[0].Status != 403 || last.HTTP.Status != 200 {
		t.Errorf("no call kept its challenge: %+v", last)
	}
	evidence := fmt.Sprintf("%+v %+v %+v", c.Transcript(0, 0), last.HTTP.RequestHeader, c.Observations())
	if strings.Contains(evidence, "canary") {
		t.Errorf("the evidence holds a token: %s", evidence)
	}
}

// TestAuthorizeTakesLong: a login takes a person longer than a server may take, and the
// hook is told which round it is, and whether what it gave was sent.
func TestAuthorizeTakesLong(t *testing.T) {
	s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
		if m.Method != "tools/call" || r.Header.Get("Authorization") == "Bearer token-2" {
			return false
		}
		http.Error(w, "who?", http.StatusUnauthorized)
		return true
	})
	const limit = 200 * time.Millisecond
	var seen []string
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, NoStream: true, Authorize: func(ctx context.Context, ch Challenge) (http.Header, error) {
		seen = append(seen, fmt.Sprint(ch.Round, ch.Given))
		select {
		case <-time.After(2 * limit):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return http.Header{"Authorization": {fmt.Sprintf("Bearer token-%d", len(seen))}}, nil
	}})
	if _, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"x"}`), CallOptions{Timeout: limit, MaxTimeout: limit}); err != nil {
		t.Error(err)
	}
	if got := strings.Join(seen, ", "); got != "1 false, 2 true" {
		t.Errorf("the challenges were %s", got)
	}
}

// TestIntroduce: a server that refuses a version and names one that is known is asked
// again, once.
func TestIntroduce(t *testing.T) {
	for supported, want := range map[string]struct {
		asked int
		era   Era
	}{`["2026-07-28"]`: {2, EraModern}, `["2025-11-25"]`: {1, EraLegacy}, `7`: {1, EraLegacy}} {
		asked := 0
		s := serveWeb(t, func(w http.ResponseWriter, _ *http.Request, m *message) bool {
			if m.Method != "server/discover" {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			if asked++; asked > 1 {
				fmt.Fprint(w, result(m.ID, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}`))
				return true
			}
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"no","data":{"supported":%s}}}`, m.ID, supported)
			return true
		})
		c := dial(t, Target{URL: s.URL}, Options{NoStream: true})
		if c.Era() != want.era || asked != want.asked {
			t.Errorf("with %s it is asked %d times and spoken to in the era %s", supported, asked, c.Era())
		}
	}
}

// TestAuthorizeGivesUp: a hook that gives nothing leaves the answer as it was, and one
// that never succeeds is not asked for ever.
func TestAuthorizeGivesUp(t *testing.T) {
	s := serveWeb(t, func(w http.ResponseWriter, _ *http.Request, _ *message) bool {
		http.Error(w, "never", http.StatusUnauthorized)
		return true
	})
	broken := errors.New("no token")
	for name, tt := range map[string]struct {
		header http.Header
		err    error
		asked  int
	}{"nothing": {nil, nil, 1}, "an error": {nil, broken, 1}, "wrong ones": {http.Header{"Authorization": {"Bearer x"}}, nil, mostChallenges}} {
		asked := 0
		_, err := Connect(t.Context(), Target{URL: s.URL}, quick(Options{Authorize: func(context.Context, Challenge) (http.Header, error) {
			asked++
			return tt.header, tt.err
		}}))
		var e *Error
		if !errors.As(err, &e) || e.Kind != Refused || e.Status() != 401 || !strings.Contains(string(e.HTTP.Body), "never") || asked != tt.asked || errors.Is(err, broken) != (tt.err != nil) {
			t.Errorf("after %s it fails with %v, having asked %d times", name, err, asked)
		}
	}
}

// TestResume: a stream that ended early is taken up where it was left, when that is
// wanted.
func TestResume(t *testing.T) {
	var id json.RawMessage
	s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
		switch {
		case m.Method == "tools/call":
			id = m.ID
			events(w, "id: e-1\nretry: 10\ndata:\n\n")
		case r.Method == http.MethodGet && r.Header.Get("Last-Event-Id") == "e-1":
			events(w, "id: e-2\ndata: "+result(id, `{"ok":1}`)+"\n\n")
		default:
			return false
		}
		return true
	})
	for resume, want := range map[bool]Kind{true: "", false: Broken} {
		c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, NoStream: true, Resume: resume})
		ex, err := c.Call(t.Context(), "tools/call", nil, CallOptions{})
		if kindOf(err) != want {
			t.Errorf("with Resume %v it gives %v", resume, err)
		}
		if resume && (len(ex.Earlier) != 1 || ex.HTTP.Method != http.MethodGet) {
			t.Errorf("the stream went by %+v and %+v", ex.Earlier, ex.HTTP)
		}
	}
}

func TestLists(t *testing.T) {
	pages := map[string]string{
		"":     `{"tools":[{"name":"a"},null],"nextCursor":"p2"}`,
		`"p2"`: `{"tools":[7],"nextCursor":"p3"}`,
		`"p3"`: `{"tools":null,"nextCursor":"p2"}`,
	}
	s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
		switch m.Method {
		case "tools/list":
			reply(w, result(m.ID, pages[string(field(m.Params, "cursor"))]))
		case "prompts/list":
			reply(w, result(m.ID, fmt.Sprintf(`{"prompts":[1],"nextCursor":%q}`, string(m.ID))))
		case "resources/list":
			reply(w, result(m.ID, `{}`))
		default:
			return false
		}
		return true
	})
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, Limits: Limits{Pages: 5}})
	l, err := c.List(t.Context(), "tools/list", nil, CallOptions{})
	if err != nil || len(l.Pages) != 3 || fmt.Sprintf("%s", l.Items) != `[{"name":"a"} null 7]` || l.Shape != "null" || l.Stopped == "" || l.Cursor != `"p2"` {
		t.Errorf("the list is %+v, and %v", l, err)
	}
	l, err = c.List(t.Context(), "prompts/list", nil, CallOptions{})
	if err != nil || len(l.Pages) != 5 || !strings.Contains(l.Stopped, "5 pages") {
		t.Errorf("a list without end is %+v, and %v", l, err)
	}
	l, err = c.List(t.Context(), "resources/list", nil, CallOptions{})
	if err != nil || l.Shape != "absent" || l.Stopped != "" {
		t.Errorf("a list that is not there is %+v, and %v", l, err)
	}
	if _, err = c.List(t.Context(), "tools/call", nil, CallOptions{}); kindOf(err) != Misused {
		t.Errorf("what is no list gives %v", err)
	}
}

func TestCancel(t *testing.T) {
	cancelled := make(chan string, 1)
	s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
		switch m.Method {
		case "tools/call":
			events(w, ": wait\n\n")
			<-r.Context().Done()
		case "notifications/cancelled":
			w.WriteHeader(http.StatusAccepted)
			cancelled <- string(field(m.Params, "requestId"))
		default:
			return false
		}
		return true
	})
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy})
	failed := make(chan error, 1)
	go func() {
		_, err := c.Call(t.Context(), "tools/call", nil, CallOptions{})
		failed <- err
	}()
	for !c.Cancel(json.RawMessage("2")) { // until it is on its way
		<-time.After(time.Millisecond)
	}
	if err := <-failed; kindOf(err) != Cancelled {
		t.Errorf("the call gives %v", err)
	}
	if id := <-cancelled; id != "2" {
		t.Errorf("the server was told of %s", id)
	}
	if c.Cancel(json.RawMessage("2")) {
		t.Error("a call was cancelled twice")
	}
}

func TestParamsThatAreNoJSON(t *testing.T) {
	c := dial(t, command("plain"), Options{Era: EraLegacy})
	for _, params := range []any{json.RawMessage(`{"a":`), func() {}} {
		if ex, err := c.Call(t.Context(), "tools/call", params, CallOptions{}); kindOf(err) != Misused || ex == nil {
			t.Errorf("it gives %v", err)
		}
	}
	for _, target := range []Target{{}, {URL: "http://x", Command: []string{"x"}}, {URL: "http://x", Transport: StdioTransport}, {Command: []string{"x"}, Transport: SSETransport}} {
		if _, err := Connect(t.Context(), target, quick(Options{})); kindOf(err) != Misused {
			t.Errorf("%+v gives %v", target, err)
		}
	}
}
