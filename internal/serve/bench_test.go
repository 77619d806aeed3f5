//go:build unix

package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/auth/oauth"
	"github.com/legwork-mcp/legwork/internal/auth/oauth/oauthtest"
	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/observe/audit"
	"github.com/legwork-mcp/legwork/internal/observe/metrics"
	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// The tool of the benchmark, which costs nothing, so that what is measured is
// the way to it and back.
type (
	incIn struct {
		X int    `json:"x"`
		S string `json:"s,omitempty"`
	}
	incOut struct {
		X int `json:"x"`
	}
)

var inc = tool.New(tool.Spec{
	Name: "inc", Title: "inc", Description: "Adds one.", Effect: tool.Read, Scope: "test:read",
}, func(_ *desk, _ context.Context, in incIn) (incOut, error) { return incOut{in.X + 1}, nil })

// BenchmarkCall is the cost of one tools/call without a network: of the bare
// SDK's handler with a tool as the SDK checks it, and of this server's with all
// that comes before the tool (routes, the strict reading, a JWT that is known, the
// session, limits in memory, the policy with log, metrics and audit). Compare the
// two of one run.
func BenchmarkCall(b *testing.B) {
	for _, server := range []struct {
		name string
		make func(*testing.B) *target
	}{{"bare", bareTarget}, {"legwork", legworkTarget}} {
		for _, era := range []string{"legacy", "modern"} {
			b.Run(server.name+"/"+era, func(b *testing.B) { server.make(b).run(b, era) })
		}
	}
}

// target is a server under load.
type target struct {
	legacy, modern http.Handler
	token          string
}

// bareTarget is the SDK alone, one handler for each era since it has none for both.
func bareTarget(*testing.B) *target {
	s := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "v0"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "inc", Description: "Adds one."},
		func(_ context.Context, _ *mcp.CallToolRequest, in incIn) (*mcp.CallToolResult, incOut, error) {
			return nil, incOut{in.X + 1}, nil
		})
	get := func(*http.Request) *mcp.Server { return s }
	return &target{
		legacy: mcp.NewStreamableHTTPHandler(get, nil),
		modern: mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true}),
	}
}

// legworkTarget is a server as the program starts it with an issuer and an audit log.
func legworkTarget(b *testing.B) *target {
	issuer := oauthtest.New(b)
	v, err := oauth.New(b.Context(), oauth.Config{Issuer: issuer.URL, Audiences: []string{oauthtest.Audience}, HTTPClient: issuer.HTTPClient()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(v.Close)
	log, err := observe.New(io.Discard, observe.Options{Format: "json"})
	if err != nil {
		b.Fatal(err)
	}
	kept, err := audit.Open(audit.Options{Path: filepath.Join(b.TempDir(), "audit.jsonl")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = kept.Close() })
	often := ratelimit.Limit{Calls: 1 << 30, Per: time.Hour}
	o := serve.Options{
		Endpoints: []serve.Endpoint{{Path: "/mcp", Name: "desk", Tools: []tool.Bound{inc.Bind(nil)}}},
		Policy:    tool.Policy{Authorize: granted}, Logger: log,
		Access: &serve.Access{Verify: v.Verify, Issuers: []string{issuer.URL}},
		Limits: &serve.Limits{Source: ratelimit.NewMemory(0, nil), All: often, Of: func(tool.Spec) (ratelimit.Limit, bool) { return often, true }},
	}
	o.Observe = serve.Observers{Metrics: metrics.New(serve.MetricsOptions("v0", o.Endpoints)), Audit: kept}
	s, err := serve.New(o)
	if err != nil {
		b.Fatal(err)
	}
	h := s.Handler()
	return &target{h, h, issuer.Mint(map[string]any{"scope": "test:read"})}
}

// run calls the tool over and over, and checks the first answer.
func (t *target) run(b *testing.B, era string) {
	h, params := t.modern, `"name":"inc","arguments":{"x":41,"s":"as an argument"}`
	header := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2026-07-28"},
		"Mcp-Method": {"tools/call"}, "Mcp-Name": {"inc"},
	}
	if t.token != "" {
		header.Set("Authorization", "Bearer "+t.token)
	}
	if era == "legacy" {
		h = t.legacy
		header = t.session(b, header)
		defer t.send(b, h, http.MethodDelete, header, "")
	} else {
		params += "," + meta
	}
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{` + params + `}}`
	if rec := t.send(b, h, http.MethodPost, header, call); !isAnswer(rec.Body.Bytes()) {
		b.Fatalf("status %d: %s", rec.Code, rec.Body)
	}
	w := &sink{header: http.Header{}}
	body := []byte(call)
	b.ReportAllocs()
	before := processorTime(b)
	defer func() { b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op") }()
	for b.Loop() {
		clear(w.header)
		w.status = 0
		h.ServeHTTP(w, request(http.MethodPost, header, body))
		if w.status != http.StatusOK {
			b.Fatalf("status %d", w.status)
		}
	}
}

// processorTime is what the process has had so far. Unlike the time on the clock,
// it hardly depends on what else the machine does.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// session opens one, and returns the headers of those who are in it.
func (t *target) session(b *testing.B, header http.Header) http.Header {
	header = header.Clone()
	for _, name := range []string{"Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version"} {
		header.Del(name)
	}
	opened := t.send(b, t.legacy, http.MethodPost, header, initialize)
	header.Set("Mcp-Session-Id", opened.Header().Get("Mcp-Session-Id"))
	header.Set("Mcp-Protocol-Version", "2025-06-18")
	t.send(b, t.legacy, http.MethodPost, header, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return header
}

func (t *target) send(b *testing.B, h http.Handler, method string, header http.Header, body string) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, request(method, header, []byte(body)))
	if rec.Code >= http.StatusMultipleChoices {
		b.Fatalf("%s: status %d: %s", method, rec.Code, rec.Body)
	}
	return rec
}

func request(method string, header http.Header, body []byte) *http.Request {
	r := httptest.NewRequest(method, "http://127.0.0.1/mcp", bytes.NewReader(body))
	r.Header = header.Clone()
	return r
}

// isAnswer reports whether an event holds the right result.
func isAnswer(event []byte) bool {
	_, data, _ := bytes.Cut(event, []byte("data: "))
	var m struct {
		Result struct{ StructuredContent incOut }
	}
	return json.Unmarshal(data, &m) == nil && m.Result.StructuredContent == incOut{42}
}

// sink is a connection that takes everything, with what net/http's have.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header { return s.header }

func (s *sink) WriteHeader(code int) { s.status = code }

func (s *sink) Write(p []byte) (int, error) {
	if s.status == 0 {
		s.status = http.StatusOK
	}
	return len(p), nil
}

func (s *sink) Flush() {}

func (s *sink) SetReadDeadline(time.Time) error { return nil }

func (s *sink) SetWriteDeadline(time.Time) error { return nil }
