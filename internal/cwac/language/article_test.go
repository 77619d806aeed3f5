package language_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/cwac/language"
)

// pool is the one browser of this test binary.
var pool *browser.Pool

func TestMain(m *testing.M) {
	pool = browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell})
	code := m.Run()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	if err := pool.Close(ctx); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, "closing the browser:", err)
		code = 1
	}
	cancel()
	os.Exit(code)
}

// reader opens pages of a site one after the other.
func reader(t *testing.T, site http.Handler) func(path string) language.Article {
	t.Helper()
	srv := httptest.NewServer(site)
	t.Cleanup(srv.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	t.Cleanup(cancel)
	tab, err := pool.Open(ctx, browser.TabOptions{Policy: browser.Policy{AllowPrivate: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tab.Close(context.WithoutCancel(ctx)); err != nil {
			t.Error("closing the tab:", err)
		}
	})
	return func(path string) language.Article {
		t.Helper()
		if err := tab.Navigate(ctx, srv.URL+path); err != nil {
			t.Fatal(err)
		}
		var a language.Article
		if err := tab.Call(ctx, browser.Function{Source: language.ArticleFunction()}, &a); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		return a
	}
}

// TestFiguresAreThoseOfCWAC: of the planted site CWAC measures one page, and gives
// these figures.
func TestFiguresAreThoseOfCWAC(t *testing.T) {
	read := reader(t, planted.New())
	about := figures{"11.692", 57, "13.123", "1.878", "12.700", [4]string{"0.047", "0.788", "0.165", "0.9972"}}
	want := map[string]figures{"/about.html": about, "/about.html?utm_source=x": about}
	got := map[string]figures{}
	paths := []string{"/about.html?utm_source=x"}
	for _, p := range planted.Pages() {
		paths = append(paths, "/"+p.Name+".html")
	}
	for _, path := range paths {
		if l := read(path).Measure(); l.Skipped == "" {
			got[path] = written(l)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestHostileDocument: what a page does to its own world, and the names of its
// elements, change nothing; nor does reading it change the page.
func TestHostileDocument(t *testing.T) {
	const body = `<article>%s</article>
<form id="module"><input name="exports"></form><p id="exports"></p><p id="define"></p><p id="Readability">x</p><p id="isProbablyReaderable">x</p>
<script>
for (const o of [Document, Node, Element]) o.prototype.cloneNode = o.prototype.querySelectorAll = () => { throw new Error('mine') };
Object.defineProperty(document.documentElement, 'lang', { get: () => 'xx' });
Array.prototype.map = Array.prototype.filter = JSON.stringify = () => { throw new Error('mine') };
</script>`
	text := ""
	for range 12 {
		text += "<p>The people of the town like to read the news of the day in their own words, and to talk about it. It does them good.</p>\n"
	}
	page := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", "script-src 'unsafe-inline'; require-trusted-types-for 'script'")
		if r.URL.Path == "/plain" {
			fmt.Fprintf(w, "<!doctype html><html lang=en><title>News of the town</title><body><article>%s</article>", text)
			return
		}
		fmt.Fprintf(w, "<!doctype html><html lang=en><title>News of the town</title><body>"+body, text)
	}
	read := reader(t, http.HandlerFunc(page))
	want := read("/plain").Measure()
	if want.Skipped != "" {
		t.Fatal("the plain page was skipped:", want.Skipped)
	}
	if diff := cmp.Diff(want, read("/hostile").Measure()); diff != "" {
		t.Error(diff)
	}
}
