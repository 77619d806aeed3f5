//go:build linux

package audit_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// pools are shared by all tests: one browser per binary.
var pools = struct {
	sync.Mutex
	byEngine map[string]*browser.Pool
}{byEngine: map[string]*browser.Pool{}}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, p := range pools.byEngine {
		if err := p.Close(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "closing a pool:", err)
			code = 1
		}
	}
	os.Exit(code)
}

func pool(engine string) *browser.Pool {
	pools.Lock()
	defer pools.Unlock()
	p := pools.byEngine[engine]
	if p == nil {
		p = browser.NewPool(browser.Options{Engine: engine, Scrollbars: true})
		pools.byEngine[engine] = p
	}
	return p
}

// onEach runs a test on both binaries: only the full one gives frames of other
// sites a process of their own.
func onEach(t *testing.T, run func(t *testing.T, p *browser.Pool)) {
	t.Helper()
	for _, engine := range []string{browser.EngineHeadlessShell, browser.EngineChromium} {
		t.Run(engine, func(t *testing.T) { run(t, pool(engine)) })
	}
}

// patience bounds a test that hangs; no test expects to come near it.
func patience(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	t.Cleanup(cancel)
	return ctx
}

var small = results.Viewport{Name: "small", Width: 320, Height: 450}

// open gives a tab as the engine opens one.
func open(t *testing.T, p *browser.Pool) *browser.Tab {
	t.Helper()
	return openWith(t, p, browser.Policy{AllowPrivate: true})
}

func openWith(t *testing.T, p *browser.Pool, allowed browser.Policy) *browser.Tab {
	t.Helper()
	tab, err := p.Open(patience(t), browser.TabOptions{InitScripts: audit.InitScripts(), Policy: allowed})
	if err != nil {
		t.Fatal("opening a tab:", err)
	}
	t.Cleanup(func() {
		if err := tab.Close(context.Background()); err != nil {
			t.Error("closing the tab:", err)
		}
	})
	return tab
}

// load shows a page in a tab, at rest.
func load(t *testing.T, tab *browser.Tab, url string) *audit.Page {
	t.Helper()
	if err := tab.Navigate(patience(t), url); err != nil {
		t.Fatalf("navigating to %s: %v", url, err)
	}
	p := &audit.Page{Tab: tab, View: results.View{URL: url, Viewport: small}}
	if _, err := p.Settle(patience(t), audit.SettleOptions{}); err != nil {
		t.Fatalf("waiting for %s: %v", url, err)
	}
	return p
}

// visit opens a page in a tab of its own.
func visit(t *testing.T, url string) *audit.Page {
	t.Helper()
	return load(t, open(t, pool(browser.EngineHeadlessShell)), url)
}

// site serves pages by path.
func site(t *testing.T, pages map[string]string) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// plantedSite serves the site with known faults.
func plantedSite(t *testing.T) string {
	t.Helper()
	srv := httptest.NewServer(planted.New())
	t.Cleanup(srv.Close)
	return srv.URL
}

// document is a page without faults around a body.
func document(body string) string {
	return `<!doctype html><html lang="en"><head><title>t</title><meta name="viewport" content="width=device-width"></head><body><main><h1>h</h1>` + body + `</main></body></html>`
}

// rules counts findings by rule.
func rules(list []results.Finding) map[string]int {
	out := map[string]int{}
	for _, f := range list {
		out[f.Rule] += f.Count
	}
	return out
}

// kinds counts notes by kind.
func kinds(notes []results.Note) map[string]int {
	out := map[string]int{}
	for _, n := range notes {
		out[n.Kind]++
	}
	return out
}
