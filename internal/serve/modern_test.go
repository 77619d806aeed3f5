package serve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/serve"
)

// In 2026-07-28 a result says what it is, who it is from, and how long it may be
// kept.
func TestModernResultsSayWhatTheyAre(t *testing.T) {
	r := start(t, nil)
	type result struct {
		ResultType string
		TTLMs      *int
		CacheScope string
		Meta       map[string]json.RawMessage `json:"_meta"`
	}
	for method, kept := range map[string]bool{"server/discover": true, "tools/list": true, "tools/call": false} {
		t.Run(method, func(t *testing.T) {
			body := `{"jsonrpc":"2.0","id":2,"method":"` + method + `","params":{"name":"echo","arguments":{},` + meta + `}}`
			a := send(t, r.url, exchange{modern: true, body: body})
			var got struct{ Result result }
			if err := json.Unmarshal(a.body, &got); err != nil {
				t.Fatalf("%v: %s", err, a.body)
			}
			want := result{ResultType: "complete", Meta: got.Result.Meta}
			if kept {
				ttl := 300000
				want.TTLMs, want.CacheScope = &ttl, "public"
			}
			if diff := cmp.Diff(want, got.Result); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			if !strings.Contains(string(got.Result.Meta["io.modelcontextprotocol/serverInfo"]), `"legwork"`) {
				t.Errorf("the server does not say who it is: %s", a.body)
			}
		})
	}
}

// The versions that a client may choose from come with the refusal of others.
func TestAnUnknownVersionIsToldTheKnownOnes(t *testing.T) {
	r := start(t, nil)
	x := exchange{
		modern: true, header: map[string]string{"MCP-Protocol-Version": "2099-01-01"},
		body:   strings.ReplaceAll(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`, "2026-07-28", "2099-01-01"),
		status: 400, code: -32022, says: `"supported":["2026-07-28","2025-11-25","2025-06-18"`,
	}
	check(t, x, send(t, r.url, x))
}

// What a request says in its headers and in its body must be the same.
func TestHeadersMustAgreeWithTheBody(t *testing.T) {
	r := start(t, nil)
	call := strings.Replace(modernCall, "NAME", "echo", 1)
	for name, header := range map[string]map[string]string{
		"another version": {"MCP-Protocol-Version": "2025-06-18"},
		"another method":  {"Mcp-Method": "tools/list"},
		"no method":       {"Mcp-Method": ""},
		"another name":    {"Mcp-Name": "slow"},
		"no name":         {"Mcp-Name": ""},
	} {
		t.Run(name, func(t *testing.T) {
			x := exchange{modern: true, header: header, body: call, status: 400, code: -32020}
			check(t, x, send(t, r.url, x))
		})
	}
}

// A subscription is acknowledged first; everything on it carries its id, and only
// what was asked for comes.
func TestASubscriptionTellsOfChanges(t *testing.T) {
	var sdk *mcp.Server
	r := start(t, func(o *serve.Options) {
		o.KeepAlive = time.Hour
		o.Endpoints[0].Extension = &serve.Extension{
			Options: func(so *mcp.ServerOptions) {
				so.Capabilities.Tools.ListChanged, so.Capabilities.Prompts = true, &mcp.PromptCapabilities{ListChanged: true}
			},
			Register: func(s *mcp.Server) { sdk = s },
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
	lines := bufio.NewScanner(res.Body)
	next := func(method string) {
		t.Helper()
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			var m struct {
				Method string
				Params struct {
					Meta map[string]any `json:"_meta"`
				}
			}
			if err := json.Unmarshal([]byte(data), &m); err != nil {
				t.Fatal(err)
			}
			if m.Method != method || m.Params.Meta["io.modelcontextprotocol/subscriptionId"] == nil {
				t.Errorf("%s, want %s with the id of the subscription", data, method)
			}
			return
		}
		t.Fatalf("the stream ended before %s: %v", method, lines.Err())
	}
	next("notifications/subscriptions/acknowledged")
	sdk.AddPrompt(&mcp.Prompt{Name: "p"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) { return nil, nil })
	sdk.AddTool(&mcp.Tool{Name: "extra", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil })
	next("notifications/tools/list_changed")
}

// TestACallWithoutAnIDIsRefused: nothing is executed whose answer nobody could
// get, and the refusal says so once.
func TestACallWithoutAnIDIsRefused(t *testing.T) {
	r := start(t, nil)
	x := exchange{modern: true, body: `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"slow","arguments":{},` + meta + `}}`, status: 400, code: -32600}
	got := send(t, r.url, x)
	check(t, x, got)
	if n := strings.Count(strings.ToLower(string(got.body)), "invalid request"); n != 1 || len(r.started) != 0 {
		t.Errorf("%d calls began: %s", len(r.started), got.body)
	}
}
