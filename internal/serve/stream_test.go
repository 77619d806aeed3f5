package serve_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/serve"
)

const (
	legacyCall = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"NAME","arguments":{},"_meta":{"progressToken":"t"}}}`
	modernCall = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"NAME","arguments":{},` + meta + `}}`
)

// stream posts a call whose answer is read as an event stream.
func stream(ctx context.Context, t *testing.T, url, name string, session map[string]string) *http.Response {
	t.Helper()
	body := strings.Replace(legacyCall, "NAME", name, 1)
	if session == nil {
		body = strings.Replace(modernCall, "NAME", name, 1)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if session == nil {
		session = map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name}
	}
	for k, v := range session {
		req.Header.Set(k, v)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestAStreamCarriesProgressThenTheResult(t *testing.T) {
	r := start(t, nil)
	res := stream(t.Context(), t, r.url, "steps", open(t, r.url))
	defer res.Body.Close()
	if res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("X-Accel-Buffering") != "no" {
		t.Errorf("headers %v", res.Header)
	}
	_, got := events(t, res.Body)
	want := []string{
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","message":"step","progress":1,"total":3}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","message":"step","progress":2,"total":3}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","message":"step","progress":3,"total":3}}`,
		`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"{\"done\":true}"}],"structuredContent":{"done":true}}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

// A client that does not read streams gets the result alone, as JSON.
func TestASimpleClientGetsJSON(t *testing.T) {
	r := start(t, nil)
	x := exchange{header: open(t, r.url), body: strings.Replace(legacyCall, "NAME", "steps", 1), status: 200, says: `"structuredContent":{"done":true}`}
	check(t, x, send(t, r.url, x))
}

func TestAQuietStreamShowsSignsOfLife(t *testing.T) {
	for _, modern := range []bool{false, true} {
		r := start(t, func(o *serve.Options) { o.KeepAlive = time.Millisecond })
		var session map[string]string
		if !modern {
			session = open(t, r.url)
		}
		res := stream(t.Context(), t, r.url, "slow", session)
		line := make([]byte, len(": keep-alive\n\n"))
		if _, err := io.ReadFull(res.Body, line); err != nil || string(line) != ": keep-alive\n\n" {
			t.Errorf("first bytes %q, %v", line, err)
		}
		if res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("X-Accel-Buffering") != "no" {
			t.Errorf("headers %v", res.Header)
		}
		<-r.started
		close(r.release)
		_, messages := events(t, res.Body)
		if len(messages) != 1 || !strings.Contains(messages[0], `"done":true`) {
			t.Errorf("messages %q", messages)
		}
		res.Body.Close()
	}
}

// Without sessions, the stream is the call: closing it cancels the handler.
func TestClosingAModernStreamCancelsTheCall(t *testing.T) {
	r := start(t, func(o *serve.Options) { o.KeepAlive = time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	res := stream(ctx, t, r.url, "slow", nil)
	<-r.started
	cancel()
	res.Body.Close()
	if err := <-r.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the handler ended with %v", err)
	}
}

// With sessions, a lost connection is no cancellation: the protocol says so, and
// a form that is half submitted must not be dropped for a phone in a tunnel.
func TestLosingALegacyConnectionLetsTheCallGoOn(t *testing.T) {
	r := start(t, func(o *serve.Options) { o.KeepAlive = time.Millisecond })
	session := open(t, r.url)
	ctx, cancel := context.WithCancel(t.Context())
	res := stream(ctx, t, r.url, "slow", session)
	<-r.started
	cancel()
	res.Body.Close()
	// A round trip on the same session, after the loss: the call is still there,
	// so its id is in use.
	x := exchange{header: session, body: strings.Replace(legacyCall, "NAME", "echo", 1), status: 400, code: -32600}
	check(t, x, send(t, r.url, x))
	close(r.release)
	if err := <-r.ended; err != nil {
		t.Errorf("the handler ended with %v", err)
	}
}

func TestALegacyCancellationReachesTheHandler(t *testing.T) {
	r := start(t, func(o *serve.Options) { o.KeepAlive = time.Millisecond })
	session := open(t, r.url)
	res := stream(t.Context(), t, r.url, "slow", session)
	defer res.Body.Close()
	<-r.started
	x := exchange{header: session, status: 202, body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`}
	check(t, x, send(t, r.url, x))
	if err := <-r.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the handler ended with %v", err)
	}
}

// TestACancellationMayWriteTheIDInAnotherWay: an escape makes no other id of it, whether the
// call went through the SDK, as one with an escape in its id does, or not.
func TestACancellationMayWriteTheIDInAnotherWay(t *testing.T) {
	r := start(t, nil)
	session := open(t, r.url)
	for _, ids := range [][2]string{{`"a/b"`, `"a\/\u0062"`}, {`"\u0061"`, `"a"`}, {`"c\"d"`, `"c\u0022d"`}} {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			send(t, r.url, exchange{header: session, body: `{"jsonrpc":"2.0","id":` + ids[0] + `,"method":"tools/call","params":{"name":"slow"}}`})
		}()
		<-r.started
		x := exchange{header: session, status: 202, body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + ids[1] + `}}`}
		check(t, x, send(t, r.url, x))
		select {
		case err := <-r.ended:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: the handler ended with %v", ids, err)
			}
		case <-time.After(10 * time.Second):
			t.Errorf("%s: the call goes on", ids)
			r.release <- struct{}{}
			<-r.ended
		}
		<-ended
	}
}
