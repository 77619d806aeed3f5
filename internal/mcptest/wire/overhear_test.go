package wire

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestOverhear gives up a modern call. What the server answers all the same is heard as
// long as it has not written before: it would have learnt then that its client has gone.
func TestOverhear(t *testing.T) {
	answer := func(m *message) string { return result(m.ID, `{"resultType":"complete","content":[]}`) }
	event := func(text string) string { return "data: " + text + "\n\n" }
	for name, tt := range map[string]struct {
		first, later func(*message) string // what is written at once, and after the call was given up
		tls, two     bool
		plain        bool // the call is not overheard
		want         int
	}{
		"JSON":              {later: answer, want: 1},
		"over TLS":          {later: answer, tls: true, want: 1},
		"an event stream":   {first: func(*message) string { return ": open\n\n" }, later: func(m *message) string { return event(answer(m)) }, want: 1},
		"HTTP/2":            {later: answer, tls: true, two: true},
		"not wanted":        {later: answer, plain: true},
		"stopped":           {later: func(*message) string { return "" }},
		"a sign of life":    {first: func(*message) string { return ": open\n\n" }, later: func(m *message) string { return ": alive\n\n" + "wait" + event(answer(m)) }},
		"progress, no end":  {first: func(*message) string { return ": open\n\n" }, later: func(*message) string { return event(`{"jsonrpc":"2.0","method":"notifications/progress","params":{}}`) }},
		"an answer in time": {first: answer},
	} {
		t.Run(name, func(t *testing.T) {
			gone := make(chan bool, 1)
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body) // what is no message is answered as one
				var m message
				_ = json.Unmarshal(body, &m)
				if m.Method != "tools/call" {
					reply(w, result(m.ID, discovered))
					return
				}
				kind := "application/json"
				if tt.first != nil && strings.HasPrefix(tt.first(&m), ":") {
					kind = "text/event-stream"
				}
				w.Header().Set("Content-Type", kind)
				write := func(text string) {
					_, _ = io.WriteString(w, text) // the client may have gone
					_ = http.NewResponseController(w).Flush()
				}
				if tt.first != nil {
					write(tt.first(&m))
				}
				if tt.later == nil {
					return
				}
				select {
				case <-r.Context().Done():
					gone <- true
				case <-time.After(20 * time.Second):
					gone <- false
				}
				before, after, waits := strings.Cut(tt.later(&m), "wait")
				if write(before); waits {
					<-time.After(5 * lastMoment)
					write(after)
				}
			}))
			s.EnableHTTP2 = tt.two
			if tt.tls {
				s.StartTLS()
			} else {
				s.Start()
			}
			defer s.Close()
			c := dial(t, Target{URL: s.URL}, Options{HTTPClient: s.Client(), Era: EraModern})
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			ex, err := c.Call(ctx, "tools/call", map[string]any{"name": "x"}, CallOptions{Overhear: !tt.plain})
			if inTime := tt.later == nil; (err == nil) != inTime {
				t.Fatalf("the call ended with %v", err)
			} else if inTime {
				return
			}
			if !<-gone {
				t.Fatal("the server does not see that its client has gone")
			}
			if ex.Overheard == (tt.plain || tt.two) {
				t.Errorf("overheard is %t", ex.Overheard)
			}
			for over := time.Now().Add(2 * time.Second); len(c.Late()) < max(tt.want, 1) && time.Now().Before(over); {
				<-time.After(10 * time.Millisecond)
			}
			if got := len(c.Late()); got != tt.want {
				t.Errorf("%d late answers, want %d: %v", got, tt.want, codes(c.Observations()))
			}
			if _, err := c.Call(t.Context(), "tools/list", nil, CallOptions{}); err != nil {
				t.Errorf("the next call: %v", err)
			}
		})
	}
}

// TestGivenUpCallsAreNotRepeated has a challenge come when nobody waits any more.
func TestGivenUpCallsAreNotRepeated(t *testing.T) {
	calls := make(chan bool, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what is no message is answered as one
		var m message
		_ = json.Unmarshal(body, &m)
		switch m.Method {
		case "tools/call":
			calls <- true
			<-time.After(600 * time.Millisecond)
			w.WriteHeader(http.StatusUnauthorized)
		case "initialize":
			reply(w, result(m.ID, greeting))
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	defer s.Close()
	asked := make(chan bool, 10)
	c := dial(t, Target{URL: s.URL}, Options{HTTPClient: s.Client(), Era: EraLegacy, Authorize: func(context.Context, Challenge) (http.Header, error) {
		asked <- true
		return http.Header{"Authorization": {"Bearer x"}}, nil
	}})
	if _, err := c.Call(t.Context(), "tools/call", map[string]any{"name": "x"}, CallOptions{Timeout: 100 * time.Millisecond}); err == nil {
		t.Fatal("the call was answered")
	}
	<-time.After(1500 * time.Millisecond)
	if len(calls) != 1 || len(asked) != 0 {
		t.Errorf("the call was sent %d times, and authorization asked for %d times", len(calls), len(asked))
	}
}
