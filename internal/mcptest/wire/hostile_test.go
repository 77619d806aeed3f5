package wire

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// forever writes until the client has enough.
func forever(w http.ResponseWriter, text string) {
	for {
		if _, err := io.WriteString(w, text); err != nil {
			return
		}
	}
}

// TestHostileServers: whatever a server sends, a call ends, with bounded memory, and
// the connection can be used and closed.
func TestHostileServers(t *testing.T) {
	limits := Limits{Message: 1 << 20, Stream: 4 << 20, Transcript: 1 << 20, PerCall: 50, Entries: 200, Observations: 100}
	line := "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"" + strings.Repeat("x", 1000) + "\"}}\n\n"
	head := func(w http.ResponseWriter, kind string) { w.Header().Set("Content-Type", kind) }
	for name, tt := range map[string]struct {
		answer func(http.ResponseWriter, *message)
		kind   Kind
	}{
		"endless body":   {func(w http.ResponseWriter, _ *message) { head(w, typeJSON); forever(w, strings.Repeat(" ", 1<<16)) }, TooLarge},
		"endless stream": {func(w http.ResponseWriter, _ *message) { head(w, typeStream); forever(w, line) }, TooLarge},
		"endless event": {func(w http.ResponseWriter, _ *message) {
			head(w, typeStream)
			forever(w, "data: "+strings.Repeat("x", 1<<16)+"\n")
		}, TooLarge},
		"endless line":  {func(w http.ResponseWriter, _ *message) { head(w, typeStream); forever(w, strings.Repeat("x", 1<<16)) }, TooLarge},
		"endless error": {func(w http.ResponseWriter, _ *message) { w.WriteHeader(500); forever(w, "no ") }, Refused},
		"endless comment": {func(w http.ResponseWriter, _ *message) {
			head(w, typeStream)
			forever(w, ": "+strings.Repeat("x", 1<<10)+"\n")
		}, TooLarge},
		"gzip bomb": {func(w http.ResponseWriter, _ *message) {
			head(w, typeJSON)
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			zeros := make([]byte, 1<<20)
			for range 200 {
				if _, err := z.Write(zeros); err != nil {
					return
				}
			}
		}, TooLarge},
		"deep": {func(w http.ResponseWriter, m *message) {
			reply(w, result(m.ID, `{"a":`+strings.Repeat("[", 200000)+strings.Repeat("]", 200000)+"}"))
		}, Protocol},
		"many members": {func(w http.ResponseWriter, m *message) {
			reply(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{}`+strings.Repeat(`,"x":1`, 20000)+"}")
		}, ""},
		"slow loris": {func(w http.ResponseWriter, _ *message) {
			head(w, typeJSON)
			for {
				if _, err := io.WriteString(w, " "); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				<-time.After(10 * time.Millisecond)
			}
		}, Timeout},
		"big batch": {func(w http.ResponseWriter, _ *message) {
			reply(w, "["+strings.Repeat(`{"jsonrpc":"2.0","method":"x"},`, 30000)+`{}]`)
		}, Protocol},
		"big headers": {func(w http.ResponseWriter, _ *message) {
			for i := range 300 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 20000))
			}
		}, Broken},
	} {
		t.Run(name, func(t *testing.T) {
			s := serveWeb(t, on("tools/call", tt.answer))
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: 1 << 20}}
			c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, Limits: limits, HTTPClient: client})
			timeout := 60 * time.Second
			if tt.kind == Timeout {
				timeout = 200 * time.Millisecond
			}
			ex, err := c.Call(t.Context(), "tools/call", nil, CallOptions{Timeout: timeout})
			if kindOf(err) != tt.kind {
				t.Errorf("the call gives %v", err)
			}
			if len(ex.Notifications) > limits.PerCall || len(ex.Observations) > limits.PerCall || ex.HTTP != nil && len(ex.HTTP.Events) > limits.PerCall {
				t.Errorf("the exchange keeps %d notifications and %d observations", len(ex.Notifications), len(ex.Observations))
			}
			if _, err := c.Alive(t.Context(), CallOptions{}); err != nil {
				t.Error(err)
			}
			c.Close()
			total := 0
			for _, e := range c.Transcript(0, 0).Entries {
				total += len(e.Bytes)
			}
			if total > limits.Transcript || len(c.Observations()) > limits.Observations || len(c.Events(0)) > limits.Entries {
				t.Errorf("the transcript has %d bytes, with %d observations and %d events", total, len(c.Observations()), len(c.Events(0)))
			}
		})
	}
}

// TestFloodOfNotifications: what does not fit is counted or dropped, and the newest is
// there.
func TestFloodOfNotifications(t *testing.T) {
	s := serveWeb(t, on("tools/call", func(w http.ResponseWriter, m *message) {
		var b strings.Builder
		for i := range 5000 {
			fmt.Fprintf(&b, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"n\":%d}}\n\n", i)
		}
		events(w, b.String()+"data: "+result(m.ID, `{}`)+"\n\n")
	}))
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, Limits: Limits{PerCall: 100, Entries: 500}})
	ex, err := c.Call(t.Context(), "tools/call", nil, CallOptions{})
	if err != nil || len(ex.Notifications) != 100 || ex.Dropped != 4900 {
		t.Errorf("the call gives %v, %d notifications and %d dropped", err, len(ex.Notifications), ex.Dropped)
	}
	all := c.Events(0)
	if len(all) > 500 || string(field(all[len(all)-1].Params, "n")) != "4999" {
		t.Errorf("%d events are kept", len(all))
	}
	tr := c.Transcript(0, 0)
	if len(tr.Entries) > 500 || tr.Lost == 0 || tr.Entries[0].Seq != tr.Lost+1 {
		t.Errorf("the transcript has %d entries, and lost %d", len(tr.Entries), tr.Lost)
	}
}

// TestHeavyNotifications: what is kept with a call is bounded in bytes too, not only in
// number.
func TestHeavyNotifications(t *testing.T) {
	s := serveWeb(t, on("tools/call", func(w http.ResponseWriter, m *message) {
		heavy := "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\"" + strings.Repeat("x", 300<<10) + "\"}}\n\n"
		events(w, strings.Repeat(heavy, 10)+"data: "+result(m.ID, `{}`)+"\n\n")
	}))
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, Limits: Limits{Transcript: 1 << 20}})
	ex, err := c.Call(t.Context(), "tools/call", nil, CallOptions{})
	if err != nil || len(ex.Notifications) != 3 || ex.Dropped != 7 {
		t.Errorf("the call gives %v, %d notifications and %d dropped", err, len(ex.Notifications), ex.Dropped)
	}
}

// TestHeavyPages: pages that are each within the limit are not read for ever.
func TestHeavyPages(t *testing.T) {
	page := 0
	s := serveWeb(t, on("tools/list", func(w http.ResponseWriter, m *message) {
		page++
		reply(w, result(m.ID, fmt.Sprintf(`{"tools":[],"x":%q,"nextCursor":"%d"}`, strings.Repeat("x", 300<<10), page)))
	}))
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, Limits: Limits{Stream: 1 << 20}})
	l, err := c.List(t.Context(), "tools/list", nil, CallOptions{})
	if err != nil || len(l.Pages) != 4 || !strings.Contains(l.Stopped, "bytes") {
		t.Errorf("the list gives %v, %d pages and %q", err, len(l.Pages), l.Stopped)
	}
}

// TestSecretsAtTheEndOfWhatIsKept: of a body that is cut in the middle of a secret, no half
// of it stays.
func TestSecretsAtTheEndOfWhatIsKept(t *testing.T) {
	const token = "the-token-of-somebody"
	statuses := map[string]int{"tools/call": http.StatusTeapot, "tools/list": http.StatusAccepted}
	s := serveWeb(t, func(w http.ResponseWriter, _ *http.Request, m *message) bool {
		if statuses[m.Method] == 0 {
			return false
		}
		w.WriteHeader(statuses[m.Method])
		_, _ = io.WriteString(w, strings.Repeat("x", 90)+token+strings.Repeat("x", 1000))
		return true
	})
	target := Target{URL: s.URL, Headers: http.Header{"Authorization": {"Bearer " + token}}}
	c := dial(t, target, Options{Era: EraLegacy, Limits: Limits{Kept: 100}})
	for _, method := range []string{"tools/call", "tools/list"} {
		ex, err := c.Call(t.Context(), method, nil, CallOptions{})
		if err == nil || ex.HTTP == nil || len(ex.HTTP.Body) != 100 || strings.Contains(string(ex.HTTP.Body), token[:5]) {
			t.Errorf("%s: %v, %s", method, err, ex.HTTP.Body)
		}
	}
	bodies := 0
	for _, e := range c.Transcript(0, 0).Entries {
		if e.Note == "body" {
			bodies++
		}
		if strings.Contains(string(e.Bytes), token[:5]) {
			t.Errorf("the transcript has %s", e.Bytes)
		}
	}
	if bodies != 2 {
		t.Errorf("the transcript has %d bodies", bodies)
	}
}

// TestMillionsOfItems: a list of items that cost nothing to send is cut.
func TestMillionsOfItems(t *testing.T) {
	s := serveWeb(t, on("tools/list", func(w http.ResponseWriter, m *message) {
		reply(w, result(m.ID, `{"tools":[`+strings.Repeat("1,", mostItems)+`1]}`))
	}))
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy})
	l, err := c.List(t.Context(), "tools/list", nil, CallOptions{})
	if err != nil || len(l.Items) != mostItems || !strings.Contains(l.Stopped, "items") {
		t.Errorf("the list gives %v, %d items and %q", err, len(l.Items), l.Stopped)
	}
}

// TestFloodOfRequests: a server that asks and asks is answered a few at a time.
func TestFloodOfRequests(t *testing.T) {
	var running, most atomic.Int32
	s := serveWeb(t, on("tools/call", func(w http.ResponseWriter, m *message) {
		for i := range 500 {
			events(w, fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"sampling/createMessage\",\"params\":{}}\n\n", i))
		}
		events(w, "data: "+result(m.ID, `{}`)+"\n\n")
	}))
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, Limits: Limits{Answering: 3}, Answer: func(ctx context.Context, _ ServerRequest) (json.RawMessage, error) {
		n := running.Add(1)
		defer running.Add(-1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	if _, err := c.Call(t.Context(), "tools/call", nil, CallOptions{}); err != nil {
		t.Fatal(err)
	}
	seen(t, c, RequestFlood)
	before := runtime.NumGoroutine()
	c.Close()
	if most.Load() > 3 || c.Counts()[RequestFlood] != 497 || before > 200 {
		t.Errorf("%d were asked at one time, %d floods were observed, %d goroutines ran", most.Load(), c.Counts()[RequestFlood], before)
	}
}

// TestAskingForEver: a server that asks again whenever it was answered runs out of its time:
// the time stands still while it waits, and does not begin anew.
func TestAskingForEver(t *testing.T) {
	answered := make(chan struct{}, 100)
	s := serveWeb(t, func(w http.ResponseWriter, r *http.Request, m *message) bool {
		if m.Method == "" { // an answer of ours
			answered <- struct{}{}
			w.WriteHeader(http.StatusAccepted)
			return true
		}
		if m.Method != "tools/call" {
			return false
		}
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for n := 0; ; n++ {
			events(w, fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":\"q%d\",\"method\":\"roots/list\"}\n\n", n))
			select {
			case <-answered:
			case <-r.Context().Done():
				return true
			}
			<-tick.C
		}
	})
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy, Answer: func(context.Context, ServerRequest) (json.RawMessage, error) {
		return json.RawMessage(`{"roots":[]}`), nil
	}})
	ex, err := c.Call(t.Context(), "tools/call", nil, CallOptions{Timeout: 500 * time.Millisecond})
	if kindOf(err) != Timeout || len(ex.Requests) < 2 {
		t.Errorf("the call gives %v after %d requests", err, len(ex.Requests))
	}
}

// TestCollidingIDs: the server's ids are its own: a request with the id of ours is no
// answer to it.
func TestCollidingIDs(t *testing.T) {
	s := serveWeb(t, on("tools/call", func(w http.ResponseWriter, m *message) {
		events(w, "data: {\"jsonrpc\":\"2.0\",\"id\":"+string(m.ID)+",\"method\":\"ping\"}\n\ndata: "+result(m.ID, `{"ok":1}`)+"\n\ndata: "+result(m.ID, `{"ok":2}`)+"\n\n")
	}))
	c := dial(t, Target{URL: s.URL}, Options{Era: EraLegacy})
	ex, err := c.Call(t.Context(), "tools/call", nil, CallOptions{})
	if err != nil || string(ex.Result) != `{"ok":1}` || len(ex.Requests) != 1 {
		t.Errorf("the call gives %s, %v and %d requests", ex.Result, err, len(ex.Requests))
	}
	seen(t, c, DuplicateResponse)
}

// TestConcurrentCalls: calls of one connection do not get each other's answers.
func TestConcurrentCalls(t *testing.T) {
	for name, target := range sdkTargets(t) {
		t.Run(name, func(t *testing.T) {
			c := dial(t, target, Options{})
			failed := make(chan error, 50)
			for i := range 50 {
				go func() {
					args := fmt.Sprintf(`{"n":%d}`, i)
					ex, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"b","arguments":`+args+`}`), CallOptions{})
					if err == nil && !bytes.Contains(ex.Result, quote(args)) {
						err = fmt.Errorf("call %d got %s", i, ex.Result)
					}
					failed <- err
				}()
			}
			for range 50 {
				if err := <-failed; err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestCloseDuringCalls: Close ends what runs.
func TestCloseDuringCalls(t *testing.T) {
	for name, target := range sdkTargets(t) {
		t.Run(name, func(t *testing.T) {
			c := dial(t, target, Options{})
			failed := make(chan error, 5)
			for range 5 {
				go func() {
					_, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"wait"}`), CallOptions{})
					failed <- err
				}()
			}
			// all five are on their way when the server has them
			for sent := 0; sent < 5; {
				sent = 0
				for _, e := range c.Transcript(0, 0).Entries {
					if e.Direction == Sent && e.Method == "tools/call" {
						sent++
					}
				}
			}
			c.Close()
			for range 5 {
				if err := <-failed; kindOf(err) != Closed && kindOf(err) != Exited && kindOf(err) != Cancelled {
					t.Errorf("a call fails with %v", err)
				}
			}
		})
	}
}
