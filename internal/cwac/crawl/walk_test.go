package crawl

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// stillClock jumps ahead instead of waiting, and remembers for how long.
type stillClock struct {
	mu    sync.Mutex
	now   time.Time
	waits []time.Duration
}

func newStillClock() *stillClock {
	return &stillClock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
}

func (c *stillClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *stillClock) Wait(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.waits = append(c.waits, d)
	return ctx.Err()
}

// pages is a site of handlers by path and query; "GET /x" or "/x". A text instead
// of a handler is a page.
type pages map[string]any

func (p pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, key := range []string{r.Method + " " + r.RequestURI, r.RequestURI, r.URL.Path} {
		switch v := p[key].(type) {
		case string:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, v)
			return
		case http.HandlerFunc:
			v(w, r)
			return
		case func(http.ResponseWriter, *http.Request):
			v(w, r)
			return
		}
	}
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(http.StatusNotFound)
	_, _ = io.WriteString(w, "<h1>Not found</h1>")
}

func sends(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func leads(status int, to string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(status)
	}
}

func links(to ...string) string {
	var b strings.Builder
	for _, l := range to {
		fmt.Fprintf(&b, "<a href=%q>%s</a> ", l, html.EscapeString(l))
	}
	return "<title>t</title>" + b.String()
}

// serve starts a site; the requests that it gets are noted.
func serve(t *testing.T, h http.Handler) (base string, requests func() []string) {
	t.Helper()
	var mu sync.Mutex
	var got []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		got = append(got, r.Method+" "+r.RequestURI)
		mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), got...)
	}
}

// atHost makes a client for which some hosts are a test server.
func atHost(base string, hosts ...string) http.RoundTripper {
	return tripper(func(r *http.Request) (*http.Response, error) {
		for _, h := range hosts {
			if r.URL.Hostname() == h {
				there := r.Clone(r.Context())
				there.Header.Set("X-Scheme", r.URL.Scheme)
				there.Host = r.URL.Host
				there.URL.Scheme, there.URL.Host = "http", strings.TrimPrefix(base, "http://")
				resp, err := http.DefaultTransport.RoundTrip(there)
				if resp != nil {
					resp.Request = r
				}
				return resp, err
			}
		}
		return nil, fmt.Errorf("nobody asks %s in this test", r.URL.Host)
	})
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// usual are the options that most tests begin with.
func usual(base string) Options {
	return Options{
		Site: base + "/", MaxPages: 50, Client: http.DefaultTransport, UserAgent: "Testbot/1.0", Token: "Testbot",
		Sitemaps: true, HeaderCheck: true, Fold: true, Clock: newStillClock(),
	}
}

// browse is a small browser: it loads a target and reads what a page tells.
func browse(o Options, address string) (Page, []string, error) {
	client := http.Client{Transport: o.Client}
	resp, err := client.Get(address)
	if err != nil {
		return Page{}, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return Page{}, nil, err
	}
	p := Page{FinalURL: resp.Request.URL.String(), Status: resp.StatusCode, Header: resp.Header, ContentType: resp.Header.Get("Content-Type"), Source: string(body), Digest: string(body)}
	root, err := html.Parse(strings.NewReader(string(body)))
	if err != nil {
		return Page{}, nil, err
	}
	var found []string
	for n := range root.Descendants() {
		href := ""
		for _, a := range n.Attr {
			if a.Key == "href" {
				href = a.Val
			}
		}
		switch {
		case n.Data == "a" && href != "":
			found = append(found, href)
		case n.Data == "link" && href != "":
			p.Canonical = href
		case n.Data == "title" && n.FirstChild != nil && p.Title == "":
			p.Title = n.FirstChild.Data
		case n.Type == html.TextNode:
			p.Text += n.Data + " "
		}
	}
	return p, found, nil
}

// walk crawls a site with several workers, and gives the frontier when it is over.
func walk(t *testing.T, o Options, workers int) *Frontier {
	t.Helper()
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				target, ok := f.Next(ctx)
				if !ok {
					return
				}
				visit(t, f, target)
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		t.Fatal("the crawl did not end")
	}
	return f
}

func visit(t *testing.T, f *Frontier, target Target) {
	p, found, err := browse(f.Options, target.URL)
	if err != nil {
		f.Done(target, Visit{State: StateFailed, Detail: "load"})
		return
	}
	if _, err := f.Arrived(context.Background(), target, p); err != nil {
		t.Error(err)
	}
	f.Done(target, Visit{State: StateScanned, Links: found})
}

// rows writes the ledger as lines "path state reason [of]" without the base.
func rows(f *Frontier, base string) []string {
	var list []string
	for _, e := range f.Ledger() {
		line := strings.TrimPrefix(e.URL, base) + " " + string(e.State)
		if e.Reason != "" {
			line += " " + string(e.Reason)
		}
		if e.Of != "" {
			line += " " + strings.TrimPrefix(e.Of, base)
		}
		list = append(list, line)
	}
	return list
}
