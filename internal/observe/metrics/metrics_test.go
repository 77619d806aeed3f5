package metrics_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/observe/metrics"
)

func server(t *testing.T) (*metrics.Metrics, func() string) {
	t.Helper()
	m := metrics.New(metrics.Options{Version: "1.2.3", Tools: []string{"run", "list"}, Routes: []string{"/mcp", "/health"}})
	srv := httptest.NewServer(m.Handler())
	t.Cleanup(srv.Close)
	return m, func() string {
		res, err := http.Get(srv.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("status %d, %v", res.StatusCode, err)
		}
		return string(text)
	}
}

// ours are the lines of a scrape that are not about the Go runtime or the process.
func ours(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "legwork_") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

func TestWhatIsCounted(t *testing.T) {
	m, scrape := server(t)
	m.CallBegan("run")("ok", "", 300*time.Millisecond)
	m.CallBegan("run")("failed", "", 2*time.Second)
	m.CallBegan("run")("error", string(fault.Limited), 0)
	m.CallBegan("list") // still runs
	m.Request("/mcp", "POST", 200)
	m.Request("/mcp", "POST", 401)
	m.Request("/mcp", "POST", 404)
	m.Auth("invalid_token")
	m.Refused("list")
	browsers := 0.0
	if err := m.Gauge("browsers", "Browsers that run.", func() float64 { return browsers }); err != nil {
		t.Fatal(err)
	}
	browsers = 2
	text := scrape()
	for _, want := range []string{
		`legwork_tool_calls_total{kind="",outcome="ok",tool="run"} 1`,
		`legwork_tool_calls_total{kind="",outcome="failed",tool="run"} 1`,
		`legwork_tool_calls_total{kind="limited",outcome="error",tool="run"} 1`,
		`legwork_tool_call_duration_seconds_bucket{tool="run",le="0.25"} 1`,
		`legwork_tool_call_duration_seconds_bucket{tool="run",le="0.5"} 2`,
		`legwork_tool_call_duration_seconds_count{tool="run"} 3`,
		`legwork_tool_calls_in_flight 1`,
		`legwork_http_requests_total{method="POST",route="/mcp",status="2xx"} 1`,
		`legwork_http_requests_total{method="POST",route="/mcp",status="4xx"} 2`,
		`legwork_auth_total{result="invalid_token"} 1`,
		`legwork_limit_refusals_total{tool="list"} 1`,
		`legwork_browsers 2`,
		`legwork_build_info{version="1.2.3"} 1`,
		"go_goroutines ", "process_cpu_seconds_total ", "go_build_info{",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in\n%s", want, ours(text))
		}
	}
	if m.Gauge("browsers", "Twice.", func() float64 { return 0 }) == nil {
		t.Error("one name for two gauges")
	}
}

// Whatever a client sends, the number of series stays.
func TestAHostileClientMakesNothingGrow(t *testing.T) {
	m, scrape := server(t)
	const canary = "078-05-1120"
	flood := func() {
		for i := range 300 {
			name := fmt.Sprint(canary, "\n", i)
			m.CallBegan(name)(name, name, time.Second)
			m.Request(name, name, i*7-100)
			m.Request("/mcp", strings.ToLower("POST"), 200)
			m.Auth(name)
			m.Refused(name)
		}
	}
	flood()
	once := ours(scrape())
	flood()
	twice := ours(scrape())
	if a, b := strings.Count(once, "\n"), strings.Count(twice, "\n"); a != b || a > 60 {
		t.Errorf("%d lines, then %d", a, b)
	}
	if strings.Contains(twice, canary) {
		t.Errorf("what a client sent is a label:\n%s", twice)
	}
	if !strings.Contains(twice, `legwork_tool_calls_total{kind="other",outcome="other",tool="other"} 600`) {
		t.Errorf("nobody counts them:\n%s", twice)
	}
}

func TestCallsAreCountedFromManySides(t *testing.T) {
	m, scrape := server(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				m.CallBegan("run")("ok", "", time.Millisecond)
				m.Request("/mcp", "POST", 200)
			}
		})
	}
	wg.Wait()
	text := scrape()
	if !strings.Contains(text, `legwork_tool_calls_total{kind="",outcome="ok",tool="run"} 800`) || !strings.Contains(text, "legwork_tool_calls_in_flight 0") {
		t.Errorf("not 800 calls that ended:\n%s", ours(text))
	}
}
