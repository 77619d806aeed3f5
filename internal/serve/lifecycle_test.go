package serve_test

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/serve"
)

func TestOnlyThisMachineMayBeServed(t *testing.T) {
	_, s := newServer(t, nil)
	for addr, typ := range map[string]string{
		"0.0.0.0:0": "issuer_required", ":0": "issuer_required", "[::]:0": "issuer_required", "192.0.2.1:80": "issuer_required",
		"example.com:80": "issuer_required", "localhost": "invalid_address",
	} {
		_, err := s.Listen(t.Context(), addr)
		var f *fault.Error
		if !errors.As(err, &f) || f.Type != typ || f.Action == "" {
			t.Errorf("%s: %v", addr, err)
		}
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if _, err := s.Listen(t.Context(), ln.Addr().String()); fault.From(err).Type != "address_unavailable" {
		t.Errorf("a port in use: %v", err)
	}
}

// A shutdown waits for a running call, refuses new ones, and then ends.
func TestShutdownLetsACallFinish(t *testing.T) {
	drained := make(chan struct{})
	r := start(t, func(o *serve.Options) {
		o.KeepAlive = time.Millisecond
		o.Drain = func(context.Context) error { close(drained); return nil }
	})
	session := open(t, r.url)
	res := stream(t.Context(), t, r.url, "slow", session)
	defer res.Body.Close()
	<-r.started
	stopped := make(chan error, 1)
	go func() { stopped <- r.stop() }()
	<-drained
	close(r.release)
	_, messages := events(t, res.Body)
	if len(messages) != 1 || !strings.Contains(messages[0], `"done":true`) {
		t.Errorf("messages %q", messages)
	}
	if err := <-stopped; err != nil {
		t.Errorf("stop: %v", err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/health", nil)
	if err != nil {
		t.Fatal(err)
	}
	if res, err := http.DefaultClient.Do(req); err == nil {
		res.Body.Close()
		t.Error("it still answers")
	}
}

// When the grace is over, calls are told to end; the sessions go too.
func TestShutdownEndsACallAfterTheGrace(t *testing.T) {
	r := start(t, func(o *serve.Options) {
		o.Grace, o.KeepAlive = time.Millisecond, time.Millisecond
	})
	res := stream(t.Context(), t, r.url, "slow", open(t, r.url))
	defer res.Body.Close()
	<-r.started
	if err := r.stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	if err := <-r.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the handler ended with %v", err)
	}
}

func TestAFailedDrainIsReported(t *testing.T) {
	r := start(t, func(o *serve.Options) {
		o.Drain = func(context.Context) error { return errors.New("run 7 was cut off") }
	})
	if err := r.stop(); err == nil || !strings.Contains(err.Error(), "run 7 was cut off") {
		t.Errorf("stop: %v", err)
	}
}

// A waiting subscription must not hold up the exit.
func TestShutdownEndsASubscription(t *testing.T) {
	r := start(t, func(o *serve.Options) {
		o.KeepAlive = time.Millisecond
		// Without lists that change, a subscription ends by itself.
		o.Endpoints[0].Extension = &serve.Extension{
			Options:  func(so *mcp.ServerOptions) { so.Capabilities.Tools.ListChanged = true },
			Register: func(*mcp.Server) {},
		}
	})
	body := `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + meta + `}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen"} {
		req.Header.Set(k, v)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("content type %q", res.Header.Get("Content-Type"))
	}
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() && lines.Text() != ": keep-alive" {
	}
	if lines.Err() != nil || lines.Text() != ": keep-alive" {
		t.Fatalf("the subscription does not stay open: %q %v", lines.Text(), lines.Err())
	}
	if err := r.stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	for lines.Scan() {
	} // it is over, however it ended
}

func TestNotReadySaysWhy(t *testing.T) {
	r := start(t, func(o *serve.Options) {
		o.Ready = func(context.Context) error {
			return fault.New(fault.Unavailable, "browser_unavailable", "No browser.", "Install one.")
		}
	})
	x := exchange{method: "GET", path: "/ready", status: 503, says: `"error_type":"browser_unavailable"`}
	check(t, x, send(t, r.url, x))
}

func TestSessionsAreBoundedAndGivenBack(t *testing.T) {
	r := start(t, func(o *serve.Options) { o.MaxSessions = 2 })
	first := open(t, r.url)
	open(t, r.url)
	x := exchange{body: initialize, status: 503, code: -32603, want: map[string]string{"Retry-After": "60"}}
	check(t, x, send(t, r.url, x))
	check(t, exchange{status: 204}, send(t, r.url, exchange{method: "DELETE", header: first}))
	open(t, r.url)
}

func TestAFailedInitializeGivesItsPlaceBack(t *testing.T) {
	r := start(t, func(o *serve.Options) { o.MaxSessions = 1 })
	bad := strings.Replace(initialize, `"clientInfo":{"name":"c","version":"1"}`, `"clientInfo":7`, 1)
	for range 3 {
		x := exchange{body: bad, status: 200, code: -32602}
		check(t, x, send(t, r.url, x))
	}
	open(t, r.url)
}

func TestAnIdleSessionEnds(t *testing.T) {
	r := start(t, func(o *serve.Options) { o.SessionIdle, o.MaxSessions = time.Millisecond, 1 })
	session := open(t, r.url)
	// A second session finds a place as soon as the first has ended, and asking
	// for it does not touch the first.
	for a := send(t, r.url, exchange{body: initialize}); a.status != 200; a = send(t, r.url, exchange{body: initialize}) {
		if t.Context().Err() != nil {
			t.Fatal("the session does not end")
		}
	}
	x := exchange{header: session, body: `{"jsonrpc":"2.0","id":2,"method":"ping"}`, status: 404, code: -32600}
	check(t, x, send(t, r.url, x))
}

func TestUnusableOptionsAreRefused(t *testing.T) {
	for name, change := range map[string]func(*serve.Options){
		"no endpoint":   func(o *serve.Options) { o.Endpoints = nil },
		"no path":       func(o *serve.Options) { o.Endpoints[0].Path = "" },
		"the same path": func(o *serve.Options) { o.Endpoints[1].Path = "/" },
		"a tool twice":  func(o *serve.Options) { o.Endpoints[0].Tools = append(o.Endpoints[0].Tools, o.Endpoints[0].Tools[0]) },
	} {
		o := options(newDesk())
		change(&o)
		if _, err := serve.New(o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
