package serve_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/serve"
)

// The routes of the runner's specification (REQ-SERVER-001, 005), which hold at
// every endpoint.
func TestRoutesOfEveryEndpoint(t *testing.T) {
	r := start(t, nil)
	for _, path := range []string{"/", "/mcp"} {
		session := map[string]string{"Last-Event-ID": "x_1"}
		for k, v := range open(t, r.url+path) {
			session[k] = v
		}
		for name, x := range map[string]exchange{
			"HEAD":         {method: "HEAD", status: 200, want: map[string]string{"Mcp-Protocol-Version": "2025-06-18"}},
			"GET":          {method: "GET", status: 405, code: -32600, want: map[string]string{"Allow": "POST, HEAD, DELETE", "Mcp-Protocol-Version": "2025-06-18"}},
			"GET resume":   {method: "GET", header: session, status: 405, code: -32600, want: map[string]string{"Allow": "POST, HEAD, DELETE"}},
			"PATCH":        {method: "PATCH", status: 405, code: -32600, want: map[string]string{"Allow": "POST, HEAD, DELETE"}},
			"OPTIONS":      {method: "OPTIONS", status: 204, want: map[string]string{"Allow": "POST, HEAD, DELETE"}},
			"notification": {header: session, status: 202, body: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`},
		} {
			t.Run(path+" "+name, func(t *testing.T) {
				if x.method == "" {
					delete(x.header, "Last-Event-ID") // a POST resumes nothing
				}
				x.path = path
				a := send(t, r.url, x)
				check(t, x, a)
				if (x.status < 400 || x.method == "HEAD") && len(a.body) > 0 {
					t.Errorf("a body: %s", a.body)
				}
			})
		}
	}
}

// A page may send what the protocol needs and read what it answers, and no cookie
// goes along.
func TestPagesMayUseTheProtocol(t *testing.T) {
	r := start(t, nil)
	origin := map[string]string{"Origin": "http://localhost:6274"}
	list := func(h http.Header, name string, want ...string) {
		t.Helper()
		for _, v := range want {
			if !strings.Contains(", "+h.Get(name)+",", ", "+v+",") {
				t.Errorf("%s lacks %s: %q", name, v, h.Get(name))
			}
		}
	}
	pre := send(t, r.url, exchange{method: "OPTIONS", header: origin}).header
	list(pre, "Access-Control-Allow-Methods", "GET", "POST", "DELETE", "HEAD", "OPTIONS")
	list(pre, "Access-Control-Allow-Headers", "Authorization", "Content-Type", "MCP-Protocol-Version", "MCP-Session-ID")
	for name, x := range map[string]exchange{
		"an answer":        {header: origin, body: initialize},
		"an error":         {header: origin, body: `{`},
		"a missing method": {method: "GET", header: origin},
	} {
		h := send(t, r.url, x).header
		list(h, "Access-Control-Expose-Headers", "MCP-Protocol-Version", "MCP-Session-ID", "WWW-Authenticate")
		list(h, "Vary", "Origin")
		if got := h.Get("Access-Control-Allow-Origin"); got != origin["Origin"] || h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: allowed for %q, credentials %q", name, got, h.Get("Access-Control-Allow-Credentials"))
		}
	}
}

// The runner's specification (REQ-SERVER-009) has both headers on every answer.
func TestAnswersNameTheirVersionAndSession(t *testing.T) {
	r := start(t, nil)
	session := open(t, r.url)
	with := func(version string) map[string]string {
		return map[string]string{"Mcp-Session-Id": session["Mcp-Session-Id"], "MCP-Protocol-Version": version}
	}
	const list = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	opening := func(version string) string { return strings.Replace(initialize, "2025-06-18", version, 1) }
	for name, tt := range map[string]struct {
		x       exchange
		version string
		session bool
	}{
		"in a session":       {exchange{header: with("2025-11-25"), body: list}, "2025-11-25", true},
		"an older version":   {exchange{header: with("2025-03-26"), body: list}, "2025-03-26", true},
		"no version":         {exchange{header: with(""), body: list}, "2025-06-18", true},
		"an unknown version": {exchange{header: with("1999-01-01"), body: list}, "2025-06-18", true},
		"initialize":         {exchange{body: opening("2025-11-25")}, "2025-11-25", true},
		"without sessions":   {exchange{modern: true, body: `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}`}, "2026-07-28", false},
		"malformed":          {exchange{header: with("2025-11-25"), body: `{`}, "2025-06-18", false},
		"an unknown session": {exchange{header: map[string]string{"Mcp-Session-Id": "nope"}, body: list}, "2025-06-18", false},
	} {
		t.Run(name, func(t *testing.T) {
			h := send(t, r.url, tt.x).header
			if got := h.Values("Mcp-Protocol-Version"); len(got) != 1 || got[0] != tt.version {
				t.Errorf("version %q, want %q", got, tt.version)
			}
			if id := h.Get("Mcp-Session-Id"); (id != "") != tt.session || (tt.x.header["Mcp-Session-Id"] != "" && tt.session && id != session["Mcp-Session-Id"]) {
				t.Errorf("session %q", id)
			}
		})
	}
}

func TestASessionEndsOnce(t *testing.T) {
	r := start(t, nil)
	session := open(t, r.url)
	check(t, exchange{status: 204}, send(t, r.url, exchange{method: "DELETE", header: session}))
	x := exchange{method: "DELETE", header: session, status: 404, code: -32600}
	check(t, x, send(t, r.url, x))
}

// Signs of life are for those who read streams: in plain JSON they would be noise.
func TestASimpleClientGetsNoSignsOfLife(t *testing.T) {
	r := start(t, func(o *serve.Options) { o.KeepAlive = time.Millisecond })
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url, strings.NewReader(strings.Replace(modernCall, "NAME", "slow", 1)))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "slow",
	} {
		req.Header.Set(k, v)
	}
	answered := make(chan *http.Response, 1)
	go func() {
		defer close(answered)
		if res, err := http.DefaultClient.Do(req); err == nil {
			answered <- res
		}
	}()
	<-r.started
	// A stream beside it that has shown life: the plain call had as much time.
	beside := stream(t.Context(), t, r.url, "slow", nil)
	defer beside.Body.Close()
	close(r.release)
	res, ok := <-answered
	if !ok {
		t.Fatal("no answer")
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.Header.Get("Content-Type") != "application/json" || !strings.HasPrefix(string(body), `{"jsonrpc":"2.0"`) {
		t.Errorf("%v %q: %s", err, res.Header.Get("Content-Type"), body)
	}
}
