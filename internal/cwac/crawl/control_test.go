package crawl

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

func TestOptionsThatAreWrong(t *testing.T) {
	for _, o := range []Options{
		{Site: "", Client: http.DefaultTransport}, {Site: "example.org", Client: http.DefaultTransport}, {Site: "ftp://e.org/", Client: http.DefaultTransport},
		{Site: "https://e.org/"}, {Site: "https://e.org/", Client: http.DefaultTransport, Robots: "maybe"},
	} {
		var f *fault.Error
		if _, err := New(o); !errors.As(err, &f) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestMaxPages(t *testing.T) {
	site := pages{"/": links("/a", "/b", "/c", "/d.pdf"), "/a": links("/e"), "/b": links(), "/c": links(), "/e": links(), "/sitemap.xml": sends(200, "text/xml", urlset("/s")), "/s": links()}
	base, requests := serve(t, site)
	for n, want := range map[int][]string{
		1: {"/ scanned"},
		3: {"/ scanned", "/a scanned", "/b scanned", "/c skipped limit", "/d.pdf skipped document", "/s skipped limit", "/e skipped limit"},
		9: {"/ scanned", "/a scanned", "/b scanned", "/c scanned", "/d.pdf skipped document", "/s scanned", "/e scanned"},
	} {
		for _, workers := range []int{1, 3} {
			o := usual(base)
			o.MaxPages = n
			if diff := cmp.Diff(want, rows(walk(t, o, workers), base)); diff != "" {
				t.Errorf("%d pages, %d workers: %s", n, workers, diff)
			}
		}
	}
	before := len(requests())
	o := usual(base)
	o.MaxPages = 1
	walk(t, o, 1)
	if diff := cmp.Diff([]string{"GET /robots.txt", "HEAD /", "GET /"}, requests()[before:]); diff != "" {
		t.Errorf("one page costs %s", diff)
	}
}

// TestFailedPagesDoNotCount: a page that could not be audited leaves its place to
// another.
func TestFailedPagesDoNotCount(t *testing.T) {
	base, _ := serve(t, pages{"/": links("/a", "/b", "/c"), "/a": links(), "/b": links(), "/c": links()})
	o := usual(base)
	o.MaxPages = 3
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for {
		target, ok := f.Next(t.Context())
		if !ok {
			break
		}
		v := Visit{State: StateScanned, Links: []string{"/a", "/b", "/c"}}
		if target.Sequence == 2 {
			v = Visit{State: StateFailed, Detail: "the tab crashed"}
		}
		if target.Sequence == 3 {
			v = Visit{State: StatePartial, Reason: ReasonBlocked, Detail: "after the first viewport"}
		}
		f.Done(target, v)
		f.Done(target, Visit{State: StateScanned}) // a second report counts for nothing
	}
	want := []string{"/ scanned", "/a failed failed", "/b partial blocked", "/c scanned"}
	if diff := cmp.Diff(want, rows(f, base)); diff != "" {
		t.Error(diff)
	}
}

func TestStop(t *testing.T) {
	base, _ := serve(t, pages{"/": links("/a", "/b"), "/a": links("/c"), "/b": links()})
	o := usual(base)
	o.Sitemaps = false
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := f.Next(t.Context())
	f.Done(first, Visit{Links: []string{"/a", "/b"}})
	second, _ := f.Next(t.Context())
	f.Stop("three pages failed in a row")
	f.Done(second, Visit{Links: []string{"/c"}})
	if _, ok := f.Next(t.Context()); ok {
		t.Error("it goes on")
	}
	want := []string{"/ scanned", "/a scanned", "/b skipped stopped", "/c skipped stopped"}
	if diff := cmp.Diff(want, rows(f, base)); diff != "" {
		t.Error(diff)
	}
	if e := f.Ledger()[3]; e.Detail != "three pages failed in a row" {
		t.Errorf("%+v", e)
	}
}

// TestCancel: a context that ends while a server is silent ends the crawl at once,
// with a reason for everything.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	base, _ := serve(t, pages{"/": links(), "/a": http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})})
	o := usual(base)
	o.Sitemaps = false
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := f.Next(ctx)
	f.Done(first, Visit{Links: []string{"/a", "/b"}})
	if _, ok := f.Next(ctx); ok {
		t.Error("it goes on")
	}
	if diff := cmp.Diff([]string{"/ scanned", "/a skipped stopped", "/b skipped stopped"}, rows(f, base)); diff != "" {
		t.Error(diff)
	}
	if _, ok := f.Next(context.Background()); ok {
		t.Error("it goes on after its end")
	}
	if _, err := f.Arrived(ctx, first, Page{}); err != nil {
		t.Errorf("what was loaded before: %v", err)
	}
}

// TestFoldingNeedsEvidence: addresses that often are one page are one only when the
// site shows it.
func TestFoldingNeedsEvidence(t *testing.T) {
	canonical := func(to, text string) string { return `<link rel="canonical" href="` + to + `">` + text }
	base, _ := serve(t, pages{
		"/":  links("/a", "/a/", "/A", "/b", "/b/", "/c", "/c/", "/d?s=1", "/d?s=2", "/d", "/e", "/f", "/g?x=1&y=2", "/g?y=2&x=1", "/h/index.html", "/h/", "/i?x=1", "/i?x=2", "/k/", "/k", "/l", "/l/", "/"),
		"/a": "one", "/a/": "another", "/A": "a third",
		"/b": leads(301, "/b/"), "/b/": "b",
		"/c": canonical("/c/", "c 1"), "/c/": canonical("/c/", "c 2"),
		"/d": canonical("/d", "d"), "/d?s=1": canonical("/d", "d sorted"), "/d?s=2": canonical("/d", "d sorted otherwise"),
		"/e": canonical("/", "everything is the home page, it says"), "/f": canonical("/", "and so is this"),
		"/g": "g", "/h/index.html": "the same", "/h/": "the same", "/i": "for every x",
		"/k/": "k", "/k": canonical("/k/", "k too"), "/l": canonical("/l/", "l"), "/l/": "l too",
	})
	want := []string{
		"/ scanned", "/a scanned", "/a/ scanned", "/A scanned", "/b skipped redirect /b/", "/b/ scanned", "/c scanned", "/c/ skipped duplicate_of /c",
		"/d?s=1 scanned", "/d?s=2 skipped duplicate_of /d?s=1", "/d skipped duplicate_of /d?s=1", "/e scanned", "/f scanned", "/g?x=1&y=2 scanned", "/h/index.html scanned", "/h/ skipped duplicate_of /h/index.html",
		"/i?x=1 scanned", "/i?x=2 scanned", "/k/ scanned", "/k skipped duplicate_of /k/", "/l scanned", "/l/ skipped duplicate_of /l",
	}
	f := walk(t, usual(base), 3)
	if diff := cmp.Diff(want, rows(f, base)); diff != "" {
		t.Error(diff)
	}
	if home := f.Ledger()[0]; home.ParentCount != 0 {
		t.Errorf("the link of a page to itself counts: %+v", home)
	}
}

func TestHashRoutes(t *testing.T) {
	base, requests := serve(t, pages{"/": links("#/one", "#!two", "#top", "/x#/three"), "/x": links()})
	o := usual(base)
	o.Fold, o.HashRoutes, o.Sitemaps = false, true, false
	f := walk(t, o, 1)
	if diff := cmp.Diff([]string{"/ scanned", "/#/one scanned", "/#!two scanned", "/x#/three scanned"}, rows(f, base)); diff != "" {
		t.Error(diff)
	}
	heads := 0
	for _, r := range requests() {
		if r == "HEAD /" {
			heads++
		}
	}
	if heads != 1 {
		t.Errorf("the header check asked %d times for one page", heads)
	}
	o.HashRoutes = false
	if diff := cmp.Diff([]string{"/ scanned", "/x scanned"}, rows(walk(t, o, 1), base)); diff != "" {
		t.Error(diff)
	}
}

// TestArrivedElsewhere: a script that leads on is followed as a redirect is.
func TestArrivedElsewhere(t *testing.T) {
	base, _ := serve(t, pages{"/": links(), "/a": links(), "/b": links(), "/private": links(), "/robots.txt": sends(200, "text/plain", "User-agent: *\nDisallow: /private")})
	o := usual(base)
	o.Sitemaps = false
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ends := map[string]string{base + "/a": "/b", base + "/c": "https://elsewhere.example/", base + "/d": "/private", base + "/e": "/new"}
	for {
		target, ok := f.Next(t.Context())
		if !ok {
			break
		}
		if _, err := f.Arrived(t.Context(), target, Page{FinalURL: ends[target.URL]}); err != nil {
			t.Fatal(err)
		}
		f.Done(target, Visit{State: StateScanned, Links: []string{"/a", "/b", "/c", "/d", "/e"}})
		o.HeaderCheck = false
		f.HeaderCheck = false
	}
	want := []string{
		"/ scanned", "/a skipped redirect /b", "/b scanned", "/c skipped redirected_out", "/d skipped robots", "/e skipped redirect /new", "/new scanned",
	}
	if diff := cmp.Diff(want, rows(f, base)); diff != "" {
		t.Error(diff)
	}
}
