package wire

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sdkServer is a server of the official SDK with a bit of everything.
func sdkServer(over <-chan struct{}) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "sdk", Version: "1.8"}, &mcp.ServerOptions{PageSize: 2})
	schema := json.RawMessage(`{"type":"object"}`)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: schema}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}}, nil
		})
	}
	s.AddTool(&mcp.Tool{Name: "steps", InputSchema: schema}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for i := 1; i <= 3; i++ {
			if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i)}); err != nil {
				return nil, err
			}
		}
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
	})
	s.AddTool(&mcp.Tool{Name: "wait", InputSchema: schema}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-ctx.Done():
		case <-over:
		}
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil
	})
	s.AddTool(&mcp.Tool{Name: "who", InputSchema: schema}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if answer, ok := r.Params.InputResponses["name"].(*mcp.ElicitResult); ok {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: answer.Content["name"].(string)}}}, nil
		}
		return &mcp.CallToolResult{RequestState: "s1", InputRequests: mcp.InputRequestMap{"name": &mcp.ElicitParams{
			Message: "Who?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`),
		}}}, nil
	})
	return s
}

func addScripts() {
	scripts["sdk"] = func(*stdioServer) {
		if err := sdkServer(nil).Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			os.Exit(97)
		}
	}
}

// sdkTargets are the SDK's server over each of its transports.
func sdkTargets(t *testing.T) map[string]Target {
	t.Helper()
	over := make(chan struct{})
	serve := func(h http.Handler) Target {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return Target{URL: s.URL}
	}
	get := func(s *mcp.Server) func(*http.Request) *mcp.Server {
		return func(*http.Request) *mcp.Server { return s }
	}
	targets := map[string]Target{
		"stdio":     command("sdk"),
		"stateful":  serve(mcp.NewStreamableHTTPHandler(get(sdkServer(over)), nil)),
		"json":      serve(mcp.NewStreamableHTTPHandler(get(sdkServer(over)), &mcp.StreamableHTTPOptions{JSONResponse: true})),
		"stateless": serve(mcp.NewStreamableHTTPHandler(get(sdkServer(over)), &mcp.StreamableHTTPOptions{Stateless: true})),
		"sse":       serve(mcp.NewSSEHandler(get(sdkServer(over)), nil)),
	}
	t.Cleanup(func() { close(over) }) // before the servers are closed, which wait for their calls
	return targets
}

// TestSDKServer: an orderly server gives nothing to observe, whatever the wire.
func TestSDKServer(t *testing.T) {
	modern := map[string]bool{"stdio": true, "stateless": true}
	transports := map[string]Transport{"stdio": StdioTransport, "sse": SSETransport}
	for name, target := range sdkTargets(t) {
		for _, era := range []Era{EraAuto, EraLegacy, EraModern} {
			if era == EraModern && !modern[name] {
				continue
			}
			t.Run(name+" "+string(era), func(t *testing.T) {
				c := dial(t, target, Options{Era: era, ProbeTimeout: 30 * time.Second, Answer: func(context.Context, ServerRequest) (json.RawMessage, error) {
					return json.RawMessage(`{"action":"accept","content":{"name":"Ada"}}`), nil
				}, Capabilities: json.RawMessage(`{"elicitation":{}}`)})
				want := era
				if era == EraAuto {
					if want = EraLegacy; modern[name] {
						want = EraModern
					}
				}
				transport := transports[name]
				if transport == "" {
					transport = HTTPTransport
				}
				if c.Era() != want || c.Server().Name != "sdk" || c.Transport() != transport {
					t.Errorf("it speaks %s over %s with %q", c.Era(), c.Transport(), c.Server().Name)
				}
				talk(t, c, name)
				// an answer that crosses with its cancellation is late, and no fault
				seen := slices.DeleteFunc(c.Observations(), func(o Observation) bool { return o.Code == LateResponse })
				if got := codes(seen); got != map[bool]string{true: "fell_back_to_sse"}[name == "sse"] {
					t.Errorf("it observes %s: %+v", got, seen)
				}
			})
		}
	}
}

// talk uses each kind of call.
func talk(t *testing.T, c *Conn, name string) {
	t.Helper()
	list, err := c.List(t.Context(), "tools/list", nil, CallOptions{})
	if err != nil || len(list.Items) != 8 || len(list.Pages) != 4 {
		t.Errorf("the list has %d tools on %d pages, and %v", len(list.Items), len(list.Pages), err)
	}
	big := `{"n":9007199254740993}`
	ex, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"a","arguments":`+big+`}`), CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	content, _ := items(field(ex.Result, "content"))
	if got := textField(content[0], "text"); got != big {
		t.Errorf("the arguments arrived as %s", got)
	}
	ex, err = c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"steps"}`), CallOptions{})
	if err != nil || name != "json" && len(ex.Notifications) != 3 {
		t.Errorf("the call has %d notifications, and %v", len(ex.Notifications), err)
	}
	ex, err = c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"none"}`), CallOptions{})
	if err == nil || ex.RPC == nil || ex.RPC.Code != CodeInvalidParams {
		t.Errorf("an unknown tool gives %v", err)
	}
	if name != "stateless" || c.Era() == EraModern { // there is no way to ask in a stateless legacy server
		ex, err = c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"who"}`), CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		content, _ = items(field(ex.Result, "content"))
		if got := textField(content[0], "text"); got != "Ada" || (len(ex.Rounds) == 1) != (c.Era() == EraModern) {
			t.Errorf("the answer is %q after %d rounds", got, len(ex.Rounds))
		}
	}
	if _, err := c.Call(t.Context(), "tools/call", json.RawMessage(`{"name":"wait"}`), CallOptions{Timeout: 30 * time.Millisecond}); kindOf(err) != Timeout {
		t.Errorf("a call without an answer gives %v", err)
	}
	if _, err := c.Alive(t.Context(), CallOptions{}); err != nil {
		t.Error(err)
	}
}
