//go:build linux

package browser_test

import (
	"bytes"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// TestBeside: two tabs of one visitor share cookies, storage, policy and ledger, have
// windows, sizes and pictures of their own, and end in any order.
func TestBeside(t *testing.T) {
	srv := site(t, map[string]string{"/": "<title>a</title>", "/two": `<title>b</title><button onclick="window.open('/three')" style="position:fixed;inset:0">open</button>`, "/three": "<title>c</title>"})
	other := site(t, map[string]string{"/": "private"})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		if !strings.Contains(t.Name(), "/chromium") { // it says so, and opens nothing
			first := open(t, p, browser.TabOptions{}, srv)
			if _, err := p.Beside(patience(t), first, browser.TabOptions{}); fault.From(err).Type != "engine_unsupported" {
				t.Errorf("it says %v", err)
			}
			return
		}
		first := open(t, p, browser.TabOptions{Cookies: []browser.Cookie{{Name: "given", Value: "1", URL: srv.URL}}}, srv)
		visit(t, first, srv.URL+"/")
		eval[any](t, first, "", `function () { document.cookie = "seen=yes"; document.cookie = "given=2"; localStorage.setItem("k", "v"); return 1 }`, nil)
		o := browser.TabOptions{Width: 320, Height: 300, Cookies: []browser.Cookie{{Name: "given", Value: "1", URL: srv.URL}}}
		o.Policy.AllowOrigins = []string{srv.URL}
		second, err := p.Beside(patience(t), first, o)
		if err != nil {
			t.Fatal(err)
		}
		visit(t, second, srv.URL+"/two")
		got := eval[[]any](t, second, "", `function () { return [document.cookie, localStorage.getItem("k"), innerWidth, document.visibilityState, document.hasFocus()] }`, nil)
		if diff := cmp.Diff([]any{"seen=yes; given=2", "v", 320.0, "visible", true}, got); diff != "" {
			t.Errorf("the second tab (-want +got):\n%s", diff)
		}
		if got := eval[[]any](t, first, "", `function () { return [document.title, innerWidth, document.visibilityState, document.hasFocus()] }`, nil); !cmp.Equal(got, []any{"a", 1280.0, "visible", true}) {
			t.Errorf("the first tab has %v", got)
		}
		shot, err := second.Screenshot(patience(t), browser.Shot{})
		if err != nil {
			t.Fatal(err)
		}
		if size, _, err := image.DecodeConfig(bytes.NewReader(shot)); err != nil || size.Width != 320 {
			t.Errorf("the picture of the second is %v, %v", size, err)
		}
		if err := second.Navigate(patience(t), other.URL); err == nil {
			t.Error("the second tab reaches what the policy forbids")
		}
		if a, b := first.Ledger().Requests, second.Ledger().Requests; a != b || a < 2 {
			t.Errorf("the ledgers have %d and %d requests", a, b)
		}
		visit(t, second, srv.URL+"/two")
		if err := second.Click(patience(t), "", 50, 50); err != nil {
			t.Fatal(err)
		}
		for d := second.Doc(); d.URL != srv.URL+"/three"; {
			if d, err = second.Changed(patience(t), d); err != nil {
				t.Fatal(err)
			}
		}
		if first.Doc().URL != srv.URL+"/" {
			t.Errorf("the first tab shows %s", first.Doc().URL)
		}
		if err := first.Close(patience(t)); err != nil {
			t.Fatal(err)
		}
		visit(t, second, srv.URL+"/")
		if got := eval[string](t, second, "", `function () { return document.cookie }`, nil); got != "seen=yes; given=2" {
			t.Errorf("after the end of the first the cookies are %q", got)
		}
		if _, err := p.Beside(patience(t), first, o); err == nil {
			t.Error("a tab opens beside one that is closed")
		}
		third, err := p.Beside(patience(t), second, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, tab := range []*browser.Tab{second, third} {
			if err := tab.Close(patience(t)); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestBesideAfterACrash: a browser that is gone is an error and no hang.
func TestBesideAfterACrash(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "x") }))
	t.Cleanup(srv.Close)
	p := ownPool(t, browser.Options{})
	first := open(t, p, browser.TabOptions{}, srv)
	second, err := p.Beside(patience(t), first, browser.TabOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := browser.KillBrowser(first); err != nil {
		t.Fatal(err)
	}
	if err := second.Navigate(patience(t), srv.URL); err == nil {
		t.Error("a tab of a dead browser loads a page")
	}
	if _, err := p.Beside(patience(t), first, browser.TabOptions{}); err == nil {
		t.Error("a tab opens in a dead browser")
	}
	for _, tab := range []*browser.Tab{first, second} {
		if err := tab.Close(patience(t)); err != nil {
			t.Error(err)
		}
	}
}
