package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/engine"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// shared is the browser of all tests.
var shared struct {
	sync.Mutex
	pool *browser.Pool
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.pool != nil {
		if err := shared.pool.Close(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "closing the browser:", err)
			code = 1
		}
	}
	os.Exit(code)
}

func pool() *browser.Pool {
	shared.Lock()
	defer shared.Unlock()
	if shared.pool == nil {
		shared.pool = browser.NewPool(browser.Options{Scrollbars: true})
	}
	return shared.pool
}

// bench is the name under which the reference results know the planted site.
const bench = "127.0.0.1:8765"

// serve gives a site that answers under the name of the reference.
func serve(t *testing.T, site http.Handler) browser.Policy {
	t.Helper()
	srv := httptest.NewServer(site)
	t.Cleanup(srv.Close)
	local := strings.TrimPrefix(srv.URL, "http://")
	return browser.Policy{Hosts: map[string]string{bench: local, "elsewhere.example:80": local}}
}

// options are a scan of sites behind a policy, as CWAC's own: no frames, its sizes.
func options(t *testing.T, p browser.Policy, urls ...string) engine.Options {
	t.Helper()
	transport, err := p.Transport()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.CloseIdleConnections)
	c := results.DefaultConfig()
	c.AuditName, c.ThreadCount, c.OnlyHTTPS, c.MaxLinksPerDomain, c.DelayPageLoads = "test", 1, false, 30, 0
	c.Legwork.Compat, c.Legwork.Frames = true, false
	only(&c, results.AuditAxe)
	o := engine.Options{Config: c, OutDir: t.TempDir(), Browser: pool(), Policy: p, Client: transport}
	for _, u := range urls {
		o.Sites = append(o.Sites, results.Site{Organisation: "Bench Org", URL: u, Sector: "Test"})
	}
	return o
}

// only switches the named plugins on, and all others off.
func only(c *results.Config, names ...string) {
	for i := range c.Plugins {
		c.Plugins[i].Enabled = false
	}
	for _, n := range names {
		if p := c.Plugins.Named(n); p != nil {
			p.Enabled = true
			continue
		}
		c.Plugins = append(c.Plugins, results.Plugin{Name: n, Class: results.ClassName(n), Enabled: true})
	}
}

// patience bounds a test that hangs; no test expects to come near it.
func patience(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// scan runs a scan that is expected to go to its end.
func scan(t *testing.T, o engine.Options) (engine.Outcome, *results.Results) {
	t.Helper()
	out, err := engine.Run(patience(t), o)
	if err != nil {
		t.Fatal(err)
	}
	read, err := results.Open(out.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return out, read
}

// httptestServer serves on an address of this machine that no policy allows.
func httptestServer(t *testing.T, h http.Handler) string {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv.URL
}
