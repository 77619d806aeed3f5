package serve_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/serve"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// loadClients is how many clients call at the same time.
const loadClients = 64

// loadTime is how long they do: LEGWORK_LOAD_SECONDS, or a moment.
func loadTime(t *testing.T) time.Duration {
	t.Helper()
	v := os.Getenv("LEGWORK_LOAD_SECONDS")
	if v == "" {
		return time.Second
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 {
		t.Fatalf("LEGWORK_LOAD_SECONDS=%s", v)
	}
	return time.Duration(n) * time.Second
}

// loader is one client with a connection of its own.
type loader struct {
	url, token, session string
	http                *http.Client
	took                []time.Duration
}

// post sends a message and returns what came back.
func (l *loader) post(body string) (string, http.Header, error) {
	req, err := http.NewRequest(http.MethodPost, l.url, strings.NewReader(body))
	if err != nil {
		return "", nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+l.token)
	if l.session != "" {
		req.Header.Set("Mcp-Session-Id", l.session)
	}
	start := time.Now()
	res, err := l.http.Do(req)
	if err != nil {
		return "", nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	l.took = append(l.took, time.Since(start))
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("status %d: %s", res.StatusCode, raw)
	}
	return string(bytes.TrimSpace(raw)), res.Header, err
}

// work opens a session, lists and calls until the end, and ends the session.
func (l *loader) work(until time.Time) error {
	_, h, err := l.post(initialize)
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	l.session = h.Get("Mcp-Session-Id")
	for n := 0; time.Now().Before(until); n++ {
		text := fmt.Sprintf("call %d", n)
		if got, _, err := l.post(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`); err != nil || !strings.Contains(got, `"echo"`) {
			return fmt.Errorf("list: %w: %s", err, got)
		}
		got, _, err := l.post(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"` + text + `"}}}`)
		if err != nil || !strings.Contains(got, text) {
			return fmt.Errorf("call: %w: %s", err, got)
		}
	}
	req, err := http.NewRequest(http.MethodDelete, l.url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+l.token)
	req.Header.Set("Mcp-Session-Id", l.session)
	res, err := l.http.Do(req)
	if err == nil {
		err = res.Body.Close()
	}
	l.http.CloseIdleConnections()
	return err
}

// TestUnderLoad: many clients with tokens and limits list and call for a while:
// nothing fails, and nothing is left behind.
func TestUnderLoad(t *testing.T) {
	r, issuer := protected(t, func(o *serve.Options) {
		o.MaxSessions = loadClients
		o.Limits = &serve.Limits{Source: ratelimit.NewMemory(0, nil), Of: func(tool.Spec) (ratelimit.Limit, bool) {
			return ratelimit.Limit{Calls: 1 << 30, Per: time.Hour}, true
		}}
	})
	warm := &loader{url: r.url, token: issuer.Mint(map[string]any{"scope": "test:read"}), http: &http.Client{Transport: &http.Transport{}}}
	if err := warm.work(time.Now()); err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	all := make([]*loader, loadClients)
	until := time.Now().Add(loadTime(t))
	var wg sync.WaitGroup
	for i := range all {
		all[i] = &loader{url: r.url, token: issuer.Mint(map[string]any{"sub": fmt.Sprintf("client-%d", i), "scope": "test:read"}), http: &http.Client{Transport: &http.Transport{}}}
		wg.Go(func() {
			if err := all[i].work(until); err != nil {
				t.Errorf("client %d: %v", i, err)
			}
		})
	}
	wg.Wait()
	var took []time.Duration
	for _, l := range all {
		took = append(took, l.took...)
	}
	slices.Sort(took)
	t.Logf("%d requests of %d clients in %v: p50 %v, p99 %v", len(took), loadClients, loadTime(t), took[len(took)/2], took[len(took)*99/100])
	// Every place is free again: as many sessions as there may be can be opened.
	for i := range loadClients {
		if got := send(t, r.url, exchange{body: initialize}); got.status != 200 {
			t.Fatalf("session %d afterwards: %d %s", i, got.status, got.body)
		}
	}
	for deadline := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before+2*loadClients; runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}
