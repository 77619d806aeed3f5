//go:build linux

package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// echo answers with what it was asked, and sends /away to another server.
func echo(t *testing.T, other string) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, other+"/there", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprintf(w, "<body><p>%s|%s|%s</p></body>", r.Header.Get("Authorization"), r.Header.Get("Cookie"), r.UserAgent())
	}))
	t.Cleanup(srv.Close)
	return srv
}

// Credentials reach their own origin, its frames and scripts included, and no other.
func TestVisitorIsKnownToItsOriginOnly(t *testing.T) {
	other := echo(t, "")
	srv := echo(t, other.URL)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{
			UserAgent: "Auditor/1.0",
			Headers:   map[string]map[string]string{srv.URL: {"authorization": "Bearer s3cret"}},
			Cookies:   []browser.Cookie{{Name: "sid", Value: "42", URL: srv.URL}},
			Storage:   map[string]map[string]string{srv.URL: {"seen": `"</script>'`}},
		}, srv, other)
		text := func() string {
			return eval[string](t, tab, "", "function () { return document.body.textContent }", nil)
		}
		visit(t, tab, srv.URL+"/")
		if got := text(); got != "Bearer s3cret|sid=42|Auditor/1.0" {
			t.Errorf("its own origin hears %q", got)
		}
		if got := eval[string](t, tab, "", "function () { return localStorage.getItem('seen') }", nil); got != `"</script>'` {
			t.Errorf("the storage holds %q", got)
		}
		fetched := func(url string) string {
			return eval[string](t, tab, "", "async function (u) { return (await fetch(u)).text() }", url)
		}
		if got := fetched("/x"); !strings.Contains(got, "s3cret") {
			t.Errorf("a script of the page sends %q", got)
		}
		for _, url := range []string{other.URL + "/", srv.URL + "/away"} {
			visit(t, tab, url)
			if got := text(); strings.Contains(got, "s3cret") || !strings.HasSuffix(got, "Auditor/1.0") {
				t.Errorf("%s leads another origin to hear %q", url, got)
			}
		}
		if got := eval[int](t, tab, "", "function () { return localStorage.length }", nil); got != 0 {
			t.Errorf("another origin has %d entries in its storage", got)
		}
	})
}

func TestResize(t *testing.T) {
	srv := site(t, map[string]string{"/": `<body style="margin:0"><div style="height:3000px">long</div>`})
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			p := browser.NewPool(browser.Options{Engine: engine, DataDir: t.TempDir(), Scrollbars: true})
			t.Cleanup(func() { _ = p.Close(context.Background()) })
			tab, err := p.Open(patience(t), browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{srv.URL}}})
			if err != nil {
				t.Fatal(err)
			}
			visit(t, tab, srv.URL+"/")
			for _, c := range []struct {
				size browser.Size
				want []int
			}{
				{browser.Size{Width: 320, Height: 307, Scrollbars: true}, []int{320, 307, 305}}, // as a window of 320 by 450 has it
				{browser.Size{Width: 320, Height: 450}, []int{320, 450, 320}},
				{browser.Size{Width: 1280, Height: 657, Scrollbars: true}, []int{1280, 657, 1265}},
				{browser.Size{Width: 1280, Height: 657}, []int{1280, 657, 1280}}, // its scrollbars alone
				{browser.Size{Width: 1280, Height: 657, Scrollbars: true}, []int{1280, 657, 1265}},
			} {
				err := tab.Resize(patience(t), c.size)
				fixed := onFirefox(t) && !c.size.Scrollbars // it has them for all of its life, or never
				// Its scrollbars are over the page, and its windows have a least width.
				if fixed || browser.IsWebKit(tab) && (c.size.Scrollbars || c.size.Width < 447) {
					if fault.From(err).Type != "engine_unsupported" {
						t.Errorf("%+v: %v", c.size, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				got := eval[[]int](t, tab, "", "function () { return [innerWidth, innerHeight, document.documentElement.clientWidth] }", nil)
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("%+v: %s", c.size, diff)
				}
			}
			if err := tab.Close(patience(t)); err != nil {
				t.Error(err)
			}
		})
	}
}

// A page that spins answers again after an interrupt, and keeps its state.
func TestInterrupt(t *testing.T) {
	srv := site(t, map[string]string{"/": "x"})
	// WebKit's driver has no way, see TestWebKitSaysWhatItCannot.
	exceptWebKit(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		ctx, cancel := context.WithTimeout(patience(t), 300*time.Millisecond)
		defer cancel()
		err := tab.Call(ctx, browser.Function{Source: "function () { globalThis.kept = 7; for (;;); }"}, nil)
		if err == nil {
			t.Fatal("a function that never ends ended")
		}
		err = tab.Interrupt(patience(t), "")
		if onFirefox(t) { // its protocol has no way
			if fault.From(err).Type != "engine_unsupported" {
				t.Error(err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := eval[int](t, tab, "", "function () { return kept }", nil); got != 7 {
			t.Errorf("the world forgot what it knew: %d", got)
		}
	})
}
