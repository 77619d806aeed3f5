package serve_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/serve"
)

// eras are the two ways in which the official client opens a connection.
var eras = map[string]*mcp.ClientSessionOptions{
	"2025-06-18": {ProtocolVersion: "2025-06-18"},
	"2025-11-25": {ProtocolVersion: "2025-11-25"},
	"2026-07-28": nil,
}

type client struct {
	*mcp.ClientSession
	progress chan float64
}

func connect(t *testing.T, url string, era *mcp.ClientSessionOptions) *client {
	t.Helper()
	hc := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(hc.CloseIdleConnections)
	return connectOver(t, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: hc, MaxRetries: -1, DisableStandaloneSSE: true}, era)
}

func connectOver(t *testing.T, transport mcp.Transport, era *mcp.ClientSessionOptions) *client {
	t.Helper()
	c := &client{progress: make(chan float64, 16)}
	opts := &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		c.progress <- r.Params.Progress
	}}
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v0"}, opts).Connect(t.Context(), transport, era)
	if err != nil {
		t.Fatal(err)
	}
	c.ClientSession = cs
	t.Cleanup(func() { _ = cs.Close() }) // a test that closes it has checked
	return c
}

func (c *client) call(t *testing.T, name string, args any) *mcp.CallToolResult {
	t.Helper()
	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("call %s: %v", name, err)
	}
	return res
}

func textOf(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	for _, c := range r.Content {
		if tc, ok := c.(*mcp.TextContent); ok {
			return tc.Text
		}
	}
	t.Fatalf("no text in %+v", r)
	return ""
}

func TestOfficialClientInEveryEra(t *testing.T) {
	for era, opts := range eras {
		t.Run(era, func(t *testing.T) {
			r := start(t, nil)
			c := connect(t, r.url, opts)
			if got := c.InitializeResult(); got.ProtocolVersion != era || got.ServerInfo.Name != "legwork" ||
				got.ServerInfo.Version != "v1.2.3" || got.Instructions != "Call echo first." {
				t.Errorf("introduction %+v", got)
			}
			list, err := c.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tl := range list.Tools {
				names = append(names, tl.Name)
			}
			if diff := cmp.Diff([]string{"broken", "echo", "slow", "steps"}, names); diff != "" {
				t.Errorf("tools in order of name (-want +got):\n%s", diff)
			}
			if list.TTLMs != 300000 || list.CacheScope != "public" {
				t.Errorf("cache hints %d %q", list.TTLMs, list.CacheScope)
			}
			res := c.call(t, "echo", map[string]any{"text": `<a href="x">&</a>`})
			if got := textOf(t, res); got != `<a href="x">&</a>` || res.IsError {
				t.Errorf("echo said %q", got)
			}
			want := map[string]any{"text": `<a href="x">&</a>`, "number": 0.0, "quality": 80.0, "caller": "local", "labels": map[string]any{}}
			if diff := cmp.Diff(want, res.StructuredContent); diff != "" {
				t.Errorf("structured (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProgressArrivesOnTheCallsOwnStream(t *testing.T) {
	for era, opts := range eras {
		t.Run(era, func(t *testing.T) {
			c := connect(t, start(t, nil).url, opts)
			params := &mcp.CallToolParams{Name: "steps"}
			params.SetProgressToken("p1")
			if _, err := c.CallTool(t.Context(), params); err != nil {
				t.Fatal(err)
			}
			// The client hands notifications on after it returned the result.
			got := []float64{<-c.progress, <-c.progress, <-c.progress}
			if diff := cmp.Diff([]float64{1, 2, 3}, got); diff != "" {
				t.Errorf("progress (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCancellingACallReachesItsHandler(t *testing.T) {
	for era, opts := range eras {
		t.Run(era, func(t *testing.T) {
			r := start(t, nil)
			c := connect(t, r.url, opts)
			ctx, cancel := context.WithCancel(t.Context())
			result := make(chan error, 1)
			go func() {
				_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "slow"})
				result <- err
			}()
			<-r.started
			cancel()
			if err := <-r.ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the handler ended with %v", err)
			}
			if err := <-result; !errors.Is(err, context.Canceled) {
				t.Errorf("the call ended with %v", err)
			}
		})
	}
}

// Trap: a panic in a handler ends the process of the SDK's server.
func TestAPanicIsAnAnswer(t *testing.T) {
	for era, opts := range eras {
		t.Run(era, func(t *testing.T) {
			c := connect(t, start(t, nil).url, opts)
			res := c.call(t, "broken", nil)
			if !res.IsError || !strings.Contains(textOf(t, res), "internal error") {
				t.Errorf("result %+v", res)
			}
			if got := textOf(t, c.call(t, "echo", map[string]any{"text": "alive"})); got != "alive" {
				t.Errorf("afterwards: %q", got)
			}
		})
	}
}

// Trap: a panic outside a handler, in the SDK or in a policy, ends the process too.
func TestAPanicAnywhereIsAnError(t *testing.T) {
	r := start(t, func(o *serve.Options) {
		o.Policy.Clock = func() time.Time { panic("078-05-1120") }
	})
	x := exchange{
		header: open(t, r.url), body: `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo"}}`,
		status: 200, code: -32603, says: "internal error",
	}
	for range 2 {
		a := send(t, r.url, x)
		check(t, x, a)
		if strings.Contains(string(a.body), "078-05-1120") {
			t.Errorf("the value is told: %s", a.body)
		}
	}
}

// Without a rule, no call is allowed: the policy fails closed.
func TestNoRuleRefusesEveryCall(t *testing.T) {
	r := start(t, func(o *serve.Options) { o.Policy.Authorize = nil })
	res := connect(t, r.url, nil).call(t, "echo", nil)
	if !res.IsError || res.StructuredContent.(map[string]any)["error_type"] != "not_authorized" {
		t.Errorf("result %+v", res)
	}
}
