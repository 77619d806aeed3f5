//go:build linux

package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// engines are what every test which could tell them apart runs on. Of the two
// binaries of Chromium only the full one gives cross-site frames a process of
// their own.
var engines = []string{browser.EngineHeadlessShell, browser.EngineChromium, browser.EngineFirefox, browser.EngineWebKitGTK}

// pools are shared by all tests: one browser per binary, a tab per test.
var pools = struct {
	sync.Mutex
	byEngine map[string]*browser.Pool
	dir      string
	pids     map[int]bool // of every browser that a test used
}{byEngine: map[string]*browser.Pool{}, pids: map[int]bool{}}

func TestMain(m *testing.M) {
	if playStandIn() {
		return
	}
	dir, err := os.MkdirTemp("", "legwork-test-")
	if err != nil {
		panic(err)
	}
	pools.dir = dir
	code := m.Run()
	for _, p := range pools.byEngine {
		if err := p.Close(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "closing a pool:", err)
			code = 1
		}
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	for _, left := range append(processesOf(dir), entries(dir)...) {
		fmt.Fprintln(os.Stderr, "left behind:", left)
		code = 1
	}
	for pid := range pools.pids {
		if members := browser.GroupMembers(pid); len(members) > 0 {
			fmt.Fprintln(os.Stderr, "processes left behind:", members)
			code = 1
		}
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// processesOf lists the processes whose command line names dir.
func processesOf(dir string) []string {
	var out []string
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		b, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(b), dir) {
			out = append(out, filepath.Base(filepath.Dir(path)))
		}
	}
	return out
}

func entries(dir string) []string {
	var out []string
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		out = append(out, filepath.Join(dir, e.Name()))
	}
	return out
}

func sharedPool(engine string) *browser.Pool {
	pools.Lock()
	defer pools.Unlock()
	p := pools.byEngine[engine]
	if p == nil {
		p = browser.NewPool(browser.Options{Engine: engine, DataDir: pools.dir})
		pools.byEngine[engine] = p
	}
	return p
}

// exceptWebKit runs a test on every engine but WebKit; the test says why.
func exceptWebKit(t *testing.T, run func(t *testing.T, p *browser.Pool)) {
	t.Helper()
	for _, engine := range engines {
		if engine != browser.EngineWebKitGTK {
			t.Run(engine, func(t *testing.T) { run(t, sharedPool(engine)) })
		}
	}
}

// onEach runs a test on every engine.
func onEach(t *testing.T, run func(t *testing.T, p *browser.Pool)) {
	t.Helper()
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) { run(t, sharedPool(engine)) })
	}
}

// onFirefox tells whether a test runs on Firefox, where something differs that the
// test says.
func onFirefox(t *testing.T) bool { return strings.HasSuffix(t.Name(), "/"+browser.EngineFirefox) }

// patience bounds a test that hangs; no test expects to come near it.
func patience(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// site serves pages by path.
func site(t *testing.T, pages map[string]string) *httptest.Server {
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
	return srv
}

// open gives a tab that may reach these servers only.
func open(t *testing.T, p *browser.Pool, o browser.TabOptions, servers ...*httptest.Server) *browser.Tab {
	t.Helper()
	for _, s := range servers {
		o.Policy.AllowOrigins = append(o.Policy.AllowOrigins, s.URL)
	}
	tab, err := p.Open(patience(t), o)
	if err != nil {
		t.Fatal("opening a tab:", err)
	}
	pools.Lock()
	pools.pids[browser.PID(tab)] = true
	pools.Unlock()
	t.Cleanup(func() {
		if err := tab.Close(context.Background()); err != nil {
			t.Error("closing the tab:", err)
		}
	})
	return tab
}

func visit(t *testing.T, tab *browser.Tab, url string) {
	t.Helper()
	if err := tab.Navigate(patience(t), url); err != nil {
		t.Fatalf("navigating to %s: %v", url, err)
	}
}

// eval calls a function in a frame and returns what it returns.
func eval[T any](t *testing.T, tab *browser.Tab, frame browser.FrameID, fn string, arg any) T {
	t.Helper()
	var out T
	if err := tab.Call(patience(t), browser.Function{Frame: frame, Source: fn, Arg: arg}, &out); err != nil {
		t.Fatalf("calling %s: %v", fn, err)
	}
	return out
}

// until waits by the tab's own events until ok holds.
func until(t *testing.T, tab *browser.Tab, what string, ok func(browser.Doc) bool) browser.Doc {
	t.Helper()
	d := tab.Doc()
	for !ok(d) {
		var err error
		if d, err = tab.Changed(patience(t), d); err != nil {
			t.Fatalf("waiting for %s: %v (%+v)", what, err, d)
		}
	}
	return d
}

func killRenderer(t *testing.T, tab *browser.Tab) {
	t.Helper()
	if err := browser.CrashRenderer(tab); err != nil {
		t.Fatal(err)
	}
}
