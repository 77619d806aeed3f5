package serve_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/observe"
	"github.com/legwork-mcp/legwork/internal/observe/audit"
	"github.com/legwork-mcp/legwork/internal/observe/metrics"
	"github.com/legwork-mcp/legwork/internal/observe/trace"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// typed is what a person types and nobody else may see.
const typed = "078-05-1120"

// watched is a server with every observer.
type watched struct {
	*running
	audit  string // the path of its log
	log    *audit.Log
	tracer *trace.Tracer
	sent   *lockedBuffer // what the collector of traces got
	logged *lockedBuffer
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// observers makes every observer; observe puts them into the options of a server.
func observers(t *testing.T) (*watched, func(*serve.Options)) {
	t.Helper()
	w := &watched{audit: filepath.Join(t.TempDir(), "audit.jsonl"), sent: &lockedBuffer{}, logged: &lockedBuffer{}}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w.sent, r.Body) }))
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(func() { client.CloseIdleConnections(); collector.Close() })
	var err error
	if w.tracer, err = trace.New(t.Context(), trace.Options{Endpoint: collector.URL, Client: client}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.tracer.Shutdown(context.Background()) }) // the context of the test has ended
	if w.log, err = audit.Open(audit.Options{Path: w.audit}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.log.Close() })
	return w, func(o *serve.Options) {
		o.Logger = slog.New(observe.Redact(slog.NewJSONHandler(w.logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
		o.Endpoints[0].Tools = append(o.Endpoints[0].Tools, change.Bind(newDesk()))
		o.Observe = serve.Observers{
			Metrics: metrics.New(serve.MetricsOptions("v1", o.Endpoints)), Tracer: w.tracer, Audit: w.log, AuditRequired: true,
		}
	}
}

func (w *watched) scrape(t *testing.T, header string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	if header != "" {
		req.Header.Set("Authorization", header)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

func (w *watched) entries(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile(w.audit)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := audit.Verify(bytes.NewReader(raw)); err != nil {
		t.Error(err)
	}
	return string(raw)
}

func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s lacks %s:\n%s", what, p, text)
		}
	}
}

func TestEveryObserverSeesACall(t *testing.T) {
	for era, opts := range eras {
		t.Run(era, func(t *testing.T) {
			w, observe := observers(t)
			w.running = start(t, observe)
			c := connect(t, w.url, opts)
			const traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
			res, err := c.CallTool(t.Context(), &mcp.CallToolParams{
				Name: "echo", Arguments: map[string]any{"text": typed},
				Meta: mcp.Meta{"traceparent": "00-" + traceID + "-00f067aa0ba902b7-01"},
			})
			if err != nil || res.IsError {
				t.Fatalf("%v %+v", err, res)
			}
			c.call(t, "change", nil)
			c.call(t, "broken", nil)
			_, text := w.scrape(t, "")
			contains(t, "the scrape", text, `legwork_tool_calls_total{kind="",outcome="ok",tool="echo"} 1`,
				`legwork_tool_calls_total{kind="internal",outcome="error",tool="broken"} 1`, `legwork_tool_calls_in_flight 0`,
				`legwork_http_requests_total{method="POST",route="/",status="2xx"} `, "\nlegwork_sessions ")
			lines := w.entries(t)
			contains(t, "the audit log", lines, `"event":"end"`, `"tool":"echo","effect":"read","request_id":"`, `"trace_id":"`+traceID+`","outcome":"ok"`,
				`"event":"begin","subject":"`, `"tool":"change","effect":"write"`, `"outcome":"error","fault":"internal_error"`)
			if n := strings.Count(lines, "\n"); n != 4 {
				t.Errorf("%d lines of 3 calls, one of which changes something:\n%s", n, lines)
			}
			if err := w.tracer.Flush(t.Context()); err != nil {
				t.Error(err)
			}
			contains(t, "the trace", w.sent.String(), "tools/call echo", "POST /", "tools/call broken", "internal_error")
			contains(t, "the log", w.logged.String(), `"trace_id":"`+traceID+`"`)
			for name, text := range map[string]string{"scrape": text, "audit log": lines, "trace": w.sent.String(), "log": w.logged.String()} {
				if strings.Contains(text, typed) {
					t.Errorf("what was typed is in the %s:\n%s", name, text)
				}
			}
		})
	}
}

// What cannot be written down does not happen.
func TestARequiredAuditLogThatFails(t *testing.T) {
	w, observe := observers(t)
	w.running = start(t, observe)
	c := connect(t, w.url, nil)
	if err := w.log.Close(); err != nil {
		t.Fatal(err)
	}
	if r := c.call(t, "change", nil); !r.IsError || !strings.Contains(textOf(t, r), "audit log cannot be written") {
		t.Errorf("it was changed: %s", textOf(t, r))
	}
	if r := c.call(t, "echo", map[string]any{"text": "x"}); r.IsError {
		t.Errorf("reading is refused: %s", textOf(t, r))
	}
	contains(t, "the log", w.logged.String(), "the audit log cannot be written")
}

func TestAnAuditLogThatIsNotRequired(t *testing.T) {
	w, observe := observers(t)
	w.running = start(t, func(o *serve.Options) { observe(o); o.Observe.AuditRequired = false })
	c := connect(t, w.url, nil)
	if err := w.log.Close(); err != nil {
		t.Fatal(err)
	}
	if r := c.call(t, "change", nil); r.IsError {
		t.Errorf("it is refused: %s", textOf(t, r))
	}
	contains(t, "the log", w.logged.String(), "the audit log cannot be written")
}

func TestMetricsNeedAScopeWhereCallsNeedAToken(t *testing.T) {
	w, observe := observers(t)
	running, issuer := protected(t, func(o *serve.Options) {
		tools := o.Endpoints[0].Tools
		observe(o)
		o.Endpoints[0].Tools = tools // protected has added change already
	})
	w.running = running
	reader := "Bearer " + issuer.Mint(map[string]any{"scope": "test:read"})
	for name, tt := range map[string]struct {
		header string
		status int
	}{
		"no token": {"", 401}, "another scope": {reader, 403}, "garbage": {"Bearer " + typed, 401},
		"the scope": {"Bearer " + issuer.Mint(map[string]any{"scope": "metrics:read"}), 200},
	} {
		status, text := w.scrape(t, tt.header)
		if status != tt.status || strings.Contains(text, "legwork_tool_calls_in_flight") != (tt.status == 200) || strings.Contains(text, typed) {
			t.Errorf("%s: %d %.300s", name, status, text)
		}
	}
	_, text := w.scrape(t, "Bearer "+issuer.Mint(map[string]any{"scope": "metrics:read"}))
	contains(t, "the scrape", text, `legwork_auth_total{result="no_token"} 1`, `legwork_auth_total{result="insufficient_scope"} 1`,
		`legwork_auth_total{result="invalid_token"} 1`)
}

// Paths and methods of strangers are one series, and one name of a span.
func TestPathsThatAreNotServedAreNotNamed(t *testing.T) {
	w, observe := observers(t)
	w.running = start(t, observe)
	for _, path := range []string{"/" + typed, "/mcp/" + typed, "/mcp/../" + typed, "/?" + typed} {
		res, err := http.Get(w.url + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	_, text := w.scrape(t, "")
	if err := w.tracer.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	contains(t, "the scrape", text, `legwork_http_requests_total{method="GET",route="other",status="4xx"}`)
	if strings.Contains(text+w.sent.String(), typed) {
		t.Errorf("a path is named:\n%s\n%q", text, w.sent.String())
	}
}

var _ tool.Watcher = (*stubborn)(nil)

// stubborn is a watcher of the policy's own, which the observers must not replace.
type stubborn struct{ calls int }

func (s *stubborn) Begin(ctx context.Context, _ tool.Spec) (context.Context, func(tool.Outcome)) {
	s.calls++
	return ctx, func(tool.Outcome) {}
}

func TestOtherWatchersStay(t *testing.T) {
	own := &stubborn{}
	r := start(t, func(o *serve.Options) { o.Policy.Watch = []tool.Watcher{own} })
	connect(t, r.url, nil).call(t, "echo", nil)
	if err := r.stop(); err != nil {
		t.Fatal(err)
	}
	if own.calls != 1 {
		t.Errorf("told of %d calls", own.calls)
	}
}
