//go:build linux

package browser_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

func TestCall(t *testing.T) {
	srv := site(t, map[string]string{"/": `<title>Form</title><script>
		var secret = 1; JSON.stringify = () => "broken"; Array.prototype.map = null;</script>`})
	// WebKit's driver has no world of its own, see TestWebKitSharesTheWorld.
	exceptWebKit(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{InitScripts: []browser.InitScript{{Source: "globalThis.tool = { answer: 42 }"}}}, srv)
		visit(t, tab, srv.URL+"/")

		type payload struct {
			Text string      `json:"text"`
			Big  json.Number `json:"big"`
		}
		want := payload{Text: "zażółć 日本 '\"</script>\u2028", Big: "9007199254740991"}
		if diff := cmp.Diff(want, eval[payload](t, tab, "", "function (a) { return a }", want)); diff != "" {
			t.Error("argument and result differ:", diff)
		}
		if got := eval[int](t, tab, tab.Main(), "async function () { return tool.answer }", nil); got != 42 {
			t.Errorf("the init script gave %d, want 42", got)
		}
		got := eval[[]string](t, tab, "", `function () { return [typeof secret, typeof [].map, document.title] }`, nil)
		if diff := cmp.Diff([]string{"undefined", "function", "Form"}, got); diff != "" {
			t.Error("the agent world is not isolated:", diff)
		}
		if err := tab.Call(patience(t), browser.Function{Frame: "", Source: "function () { return undefined }", Arg: nil}, nil); err != nil {
			t.Error("a function without a result:", err)
		}
		if got := eval[string](t, tab, "", `function () { return "half \ud800 pair" }`, nil); !strings.HasPrefix(got, "half ") {
			t.Errorf("half a surrogate pair gave %q", got)
		}
	})
}

func TestCallThrows(t *testing.T) {
	srv := site(t, map[string]string{"/": "x"})
	tab := open(t, sharedPool(browser.EngineHeadlessShell), browser.TabOptions{}, srv)
	visit(t, tab, srv.URL+"/")
	for _, fn := range []string{
		"function () { throw new Error('no such field') }",
		"async function () { throw new Error('no such field') }",
		"function () { throw 'no such field' }",
	} {
		var thrown *browser.ScriptError
		err := tab.Call(patience(t), browser.Function{Frame: "", Source: fn, Arg: nil}, nil)
		if !errors.As(err, &thrown) || !strings.Contains(thrown.Text, "no such field") {
			t.Errorf("%s: got %v", fn, err)
		}
	}
	if err := tab.Call(patience(t), browser.Function{Frame: "", Source: "function () {", Arg: nil}, nil); err == nil {
		t.Error("broken source gave no error")
	}
	if err := tab.Call(patience(t), browser.Function{Frame: "nonsense", Source: "function () {}", Arg: nil}, nil); !errors.Is(err, browser.ErrNavigated) {
		t.Errorf("an unknown frame gave %v", err)
	}
}

func TestCallWhileThePageGoesAway(t *testing.T) {
	srv := site(t, map[string]string{"/": "<title>one</title>", "/two": "<title>two</title>"})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		err := tab.Call(patience(t), browser.Function{Frame: "", Source: "function () { location.href = '/two'; return new Promise(() => {}) }", Arg: nil}, nil)
		if !errors.Is(err, browser.ErrNavigated) {
			t.Fatalf("got %v, want ErrNavigated", err)
		}
		if got := eval[string](t, tab, "", "function () { return document.title }", nil); got != "two" {
			t.Errorf("the next call saw %q", got)
		}
	})
}

func TestCallEndsWhileThePageSpins(t *testing.T) {
	srv := site(t, map[string]string{"/": "x"})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		err := tab.Call(ctx, browser.Function{Frame: "", Source: "function () { for (;;); }", Arg: nil}, nil)
		if f := fault.From(err); f.Kind != fault.Timeout || f.Type != "timeout" {
			t.Errorf("got %v, want a timeout", err)
		}
		// A tab that spins must close, and must not disturb the next one.
		if err := tab.Close(t.Context()); err != nil {
			t.Error("closing:", err)
		}
		if err := tab.Call(t.Context(), browser.Function{Frame: "", Source: "function () {}", Arg: nil}, nil); !errors.Is(err, browser.ErrClosed) {
			t.Errorf("a call after closing gave %v", err)
		}
	})
}

func TestFunctionsNeverSeeTheArgumentAsCode(t *testing.T) {
	srv := site(t, map[string]string{"/": "x"})
	tab := open(t, sharedPool(browser.EngineHeadlessShell), browser.TabOptions{}, srv)
	visit(t, tab, srv.URL+"/")
	const hostile = `"); document.title = "owned"; ("`
	if got := eval[string](t, tab, "", "function (a) { return a }", hostile); got != hostile {
		t.Errorf("got %q", got)
	}
	if got := eval[string](t, tab, "", "function () { return document.title }", nil); got != "" {
		t.Errorf("the argument ran: title is %q", got)
	}
}

// A navigation that brings no document must not cost the page its agent world.
func TestCallWhileThePageStays(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/file":
			w.Header().Set("Content-Disposition", "attachment")
		case "/nothing":
			w.WriteHeader(http.StatusNoContent)
		default:
			w.Header().Set("Content-Type", "text/html")
		}
	}))
	t.Cleanup(srv.Close)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		for _, path := range []string{"/file", "/nothing"} {
			idles := tab.Doc().Idles
			pending := make(chan error, 1)
			go func() {
				pending <- tab.Call(patience(t), browser.Function{Frame: "", Source: "function (path) { return new Promise(done => { globalThis.finish = done; location.href = path }) }", Arg: path}, nil)
			}()
			until(t, tab, path, func(d browser.Doc) bool { return d.Idles > idles })
			eval[any](t, tab, "", "function () { finish(null) }", nil)
			if err := <-pending; err != nil {
				t.Errorf("%s: the pending call got %v", path, err)
			}
		}
	})
}

func TestCallsInParallel(t *testing.T) {
	srv := site(t, map[string]string{"/": "<title>x</title>"})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		var tabs sync.WaitGroup
		for range 3 {
			tab := open(t, p, browser.TabOptions{}, srv)
			tabs.Go(func() {
				if err := tab.Navigate(patience(t), srv.URL+"/"); err != nil {
					t.Error(err)
				}
				var calls sync.WaitGroup
				for n := range 20 {
					calls.Go(func() {
						var got int
						if err := tab.Call(patience(t), browser.Function{Frame: "", Source: "async function (n) { return n }", Arg: n}, &got); err != nil || got != n {
							t.Errorf("call %d gave %d (%v)", n, got, err)
						}
					})
				}
				calls.Wait()
			})
		}
		tabs.Wait()
	})
}
