//go:build linux

package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

var pool = browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell})

func TestMain(m *testing.M) {
	code := m.Run()
	if err := pool.Close(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "closing the browser:", err)
		code = 1
	}
	os.Exit(code)
}

// patience bounds a test that hangs; no test expects to come near it.
func patience(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func page(t *testing.T, rep *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := rep.Encode(&b, "html"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// dark is the page as a browser that prefers dark colours shows it.
func dark(t *testing.T, html string) string {
	t.Helper()
	style := strings.Replace(pageStyle, "@media (prefers-color-scheme: dark)", "@media all", 1)
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return base64.StdEncoding.EncodeToString(sum[:])
	}
	out := strings.Replace(html, pageStyle, style, 1)
	out = strings.Replace(out, attr(hash(pageStyle)), attr(hash(style)), 1)
	if style == pageStyle || out == html {
		t.Fatal("the page has no dark colours")
	}
	return out
}

// attr escapes a hash as the page has it in its attribute.
func attr(hash string) string { return strings.ReplaceAll(hash, "+", "&#43;") }

// load opens the page in a browser.
func load(t *testing.T, html string, width int) *audit.Page {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/report.html" {
			_, _ = w.Write([]byte(html)) // a lost connection fails the test by itself
		}
	}))
	t.Cleanup(srv.Close)
	tab, err := pool.Open(patience(t), browser.TabOptions{InitScripts: audit.InitScripts(), Policy: browser.Policy{AllowPrivate: true}, Width: width, Height: 800})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tab.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err := tab.Navigate(patience(t), srv.URL+"/report.html"); err != nil {
		t.Fatal(err)
	}
	return &audit.Page{Tab: tab, View: results.View{URL: srv.URL, Viewport: results.Viewport{Name: "w", Width: width, Height: 800}}}
}

// call runs a function in the page.
func call[T any](t *testing.T, p *audit.Page, source string) T {
	t.Helper()
	var out T
	if err := p.Tab.Call(patience(t), browser.Function{Source: source}, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestThePageIsAccessible(t *testing.T) {
	all := reports(t)
	for _, c := range []struct {
		report string
		dark   bool
		width  int
	}{
		{"native", false, 1280}, {"native", true, 1280}, {"native", false, 320}, {"native", true, 320},
		{"compared", true, 1280}, {"compared", false, 320}, {"sites", false, 320}, {"nothing scanned", true, 320},
	} {
		t.Run(fmt.Sprintf("%s, dark %v, %d", c.report, c.dark, c.width), func(t *testing.T) {
			html := page(t, all[c.report])
			if c.dark {
				html = dark(t, html)
			}
			accessible(t, load(t, html, c.width))
		})
	}
}

// accessible is what axe can see, with everything opened, and that nothing is wider
// than the window.
func accessible(t *testing.T, p *audit.Page) {
	t.Helper()
	if _, err := p.OpenDetails(patience(t)); err != nil {
		t.Fatal(err)
	}
	got, err := p.Axe(patience(t), audit.AxeOptions{BestPractice: true, Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if got.Passes < 15 || len(got.Notes) > 0 {
		t.Errorf("axe looked at too little: %d rules held, notes %v", got.Passes, got.Notes)
	}
	for _, f := range append(got.Violations, got.Review...) {
		t.Errorf("%s %s: %s\n%s\n%v", f.Rule, f.Selector, clip(f.HTML, 200), f.Summary, f.Data)
	}
	if over := call[int](t, p, `() => document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		t.Errorf("the page is %d pixels too wide", over)
	}
}

func TestThePageLoadsNothingAndRunsNothing(t *testing.T) {
	for name, rep := range reports(t) {
		html := page(t, rep)
		p := load(t, html, 1280)
		if l := p.Tab.Ledger(); l.Requests != 1 || len(l.Refused) > 0 {
			t.Errorf("%s: the page made %d requests, %v", name, l.Requests, l.Entries)
		}
		found := call[map[string]any](t, p, `() => Promise.allSettled([...document.images].map((i) => i.decode())).then(() => ({
			scripts: document.scripts.length, handlers: [...document.querySelectorAll('*')].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name))).length,
			styled: getComputedStyle(document.querySelector('.skip')).position, title: document.title.startsWith('Accessibility report: '),
			links: [...document.querySelectorAll('a[href]')].map((a) => a.protocol).filter((p) => p !== 'http:' && p !== 'https:').length,
			strange: [...document.body.querySelectorAll('iframe,object,embed,form,base,meta,link,script,style')].length,
			images: [...document.images].filter((i) => !i.src.startsWith('data:image/jpeg') || !i.naturalWidth || i.naturalWidth !== i.clientWidth).length,
		}))`)
		want := map[string]any{"scripts": 0.0, "handlers": 0.0, "styled": "absolute", "title": true, "links": 0.0, "strange": 0.0, "images": 0.0}
		if d := cmp.Diff(want, found); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if strings.ContainsAny(html, "\u202e\u2066") {
			t.Errorf("%s: a page can turn the words of the report around", name)
		}
		if strings.Contains(html, "ZgotmplZ") {
			t.Errorf("%s: the template had to replace a value", name)
		}
	}
}

func TestKeyboardWalk(t *testing.T) {
	p := load(t, page(t, build(t, nativeFolder(t))), 1280)
	active := func() string {
		return call[string](t, p, `() => document.activeElement.id || document.activeElement.className || document.activeElement.localName`)
	}
	press := func(key string) {
		t.Helper()
		if err := p.Tab.Press(patience(t), "", key); err != nil {
			t.Fatal(err)
		}
	}
	press("Tab")
	if got := active(); got != "skip" {
		t.Fatalf("the first stop is %q", got)
	}
	press("Enter")
	if got := active(); got != "main" {
		t.Fatalf("the skip link leads to %q", got)
	}
	small := scan{base: "https://site.example", viewports: []results.Viewport{small}, pages: map[string][]results.Finding{"/": {faultAt("image-alt", "img")}, "/b": {faultAt("image-alt", "img")}}}
	p = load(t, page(t, build(t, small.folder(t))), 1280)
	focus, err := p.Focus(patience(t), audit.FocusOptions{Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range focus.Missing {
		t.Errorf("%s: %s", f.Rule, f.Selector)
	}
	stops := call[int](t, p, `() => [...document.querySelectorAll('a[href],summary')].filter((e) => e.localName === 'summary' || !e.closest('details:not([open])')).length`)
	if focus.Stops != stops || stops < 12 {
		t.Errorf("the keyboard came to %d of %d stops", focus.Stops, stops)
	}
}

func TestHeadingsAndPictures(t *testing.T) {
	p := load(t, page(t, build(t, nativeFolder(t))), 1280)
	levels := call[[]int](t, p, `() => [...document.querySelectorAll('h1,h2,h3')].map((h) => +h.localName[1])`)
	ones, last := 0, 0
	for _, l := range levels {
		if l == 1 {
			ones++
		}
		if l > last+1 {
			t.Errorf("a heading of level %d follows one of level %d", l, last)
		}
		last = l
	}
	if ones != 1 || len(levels) < 10 {
		t.Errorf("headings are %v", levels)
	}
	alts := call[[]string](t, p, `() => [...document.images].map((i) => i.alt)`)
	if d := cmp.Diff([]string{"Detail of the page. The element of this issue is outlined."}, alts); d != "" {
		t.Error(d)
	}
}
