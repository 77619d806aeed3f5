package page_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/page"
)

// pool is the one browser of this test binary. Its engine is the one that
// LEGWORK_TEST_ENGINE names, or the lightest.
var (
	pool   *browser.Pool
	engine = browser.EngineHeadlessShell
)

func TestMain(m *testing.M) {
	if other := os.Getenv("LEGWORK_TEST_ENGINE"); other != "" {
		engine = other
	}
	pool = browser.NewPool(browser.Options{Engine: engine, TabsPerBrowser: 4})
	code := m.Run()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	if err := pool.Close(ctx); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, "closing the browser:", err)
		code = 1
	}
	cancel()
	os.Exit(code)
}

// view is a page under test with the tab that shows it.
type view struct {
	*page.Page
	tab *browser.Tab
	ctx context.Context
	url string
}

// show serves one HTML body and opens it.
func show(t testing.TB, body string) *view {
	t.Helper()
	return visit(t, pool, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><meta charset=utf-8><title>Test form</title><main>", body, "</main>")
	}))
}

// visit opens the root of a handler in a new tab.
func visit(t testing.TB, from *browser.Pool, h http.Handler) *view {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	t.Cleanup(cancel)
	tab, err := from.Open(ctx, browser.TabOptions{
		Policy: browser.Policy{AllowPrivate: true}, InitScripts: page.InitScripts(), Width: 1280, Height: 900,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := tab.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	v := &view{Page: page.Open(ctx, tab), tab: tab, ctx: ctx, url: srv.URL}
	v.ElementTimeout = 5 * time.Second
	if _, err := v.Goto(ctx, srv.URL); err != nil {
		t.Fatal(err)
	}
	return v
}

// set sets answers and returns the outcomes without what changes from run to run.
func (v *view) set(t *testing.T, answers ...page.Answer) []page.Outcome {
	t.Helper()
	got, err := v.Set(v.ctx, answers)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// states are the states of outcomes, with their messages where something is wrong.
func states(list []page.Outcome) []string {
	out := []string{}
	for _, o := range list {
		s := string(o.State)
		if !o.State.OK() && len(o.Candidates) > 0 {
			s += " [" + strings.Join(o.Candidates, "|") + "]"
		}
		out = append(out, s)
	}
	return out
}

// byID lets a test's function name elements by their id alone, as a page's own
// script may: the agent world of Firefox does not.
const byID = `function () {
	const elements = new Proxy({}, {
		has: (_, name) => typeof name === 'string' && !(name in globalThis) && document.getElementById(name) !== null,
		get: (_, name) => name === Symbol.unscopables ? undefined : document.getElementById(name),
	});
	with (elements) { return (%s)() }
}`

// eval reads something from the page, in the isolated world.
func (v *view) eval(t *testing.T, fn string) string {
	t.Helper()
	var out any
	if err := v.tab.Call(v.ctx, browser.Function{Frame: v.tab.Main(), Source: fmt.Sprintf(byID, fn), Arg: nil}, &out); err != nil {
		t.Fatal(err)
	}
	if s, ok := out.(string); ok {
		return s
	}
	b, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s differs (-want +got):\n%s", what, d)
	}
}

// field is an answer for a CSS selector.
func field(selector string, kind page.Kind, value any) page.Answer {
	return page.Answer{Input: page.Input{ID: selector, Target: page.Target{Selector: selector}, Kind: kind}, Value: value}
}

func faultType(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Type
	}
	return ""
}

func httptestServer(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv
}

func port(srv *httptest.Server) string {
	return srv.URL[strings.LastIndex(srv.URL, ":")+1:]
}

func closePool(t *testing.T, p *browser.Pool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := p.Close(ctx); err != nil {
		t.Error(err)
	}
}
