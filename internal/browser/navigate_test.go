//go:build linux

package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

func TestNavigateReportsTheDocument(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "fine") })
	mux.HandleFunc("/gone", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusGone)
		fmt.Fprint(w, "gone")
	})
	mux.HandleFunc("/hop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ok?from=hop", http.StatusFound) })
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		for i, c := range []struct {
			path, url string
			status    int
		}{{"/ok", "/ok", 200}, {"/gone", "/gone", 410}, {"/hop", "/ok?from=hop", 200}} {
			visit(t, tab, srv.URL+c.path)
			d := tab.Doc()
			if d.URL != srv.URL+c.url || d.Status != c.status || !d.Loaded || d.Seq != i+1 {
				t.Errorf("%s gave %+v", c.path, d)
			}
		}
		visit(t, tab, srv.URL+"/ok?from=hop#part")
		if d := tab.Doc(); d.Seq != 3 || d.Steps != 1 || !strings.HasSuffix(d.URL, "#part") {
			t.Errorf("a fragment gave %+v", d)
		}
	})
}

func TestNavigateDoesNotWaitForImages(t *testing.T) {
	release := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow.png" {
			select {
			case <-release:
			case <-r.Context().Done():
			}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<p>here</p><img src="/slow.png">`)
	}))
	t.Cleanup(srv.Close)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		d := until(t, tab, "the document", func(d browser.Doc) bool { return d.Loaded })
		for onFirefox(t) && d.InFlight == 0 && browser.Hear(patience(t), tab) == nil { // it tells requests apart from documents
			d = tab.Doc()
		}
		if d.InFlight == 0 {
			t.Error("the image that never comes is not in flight")
		}
		idles := tab.Doc().Idles
		release <- struct{}{}
		until(t, tab, "the end of the last request", func(d browser.Doc) bool { return d.Idles > idles && d.InFlight == 0 })
	})
}

// rawServer answers every connection with fn, below HTTP.
func rawServer(t *testing.T, fn func(net.Conn)) *httptest.Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			fn(c)
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return &httptest.Server{URL: "http://" + l.Addr().String()}
}

func resetAfterRequest(c net.Conn) {
	_, _ = c.Read(make([]byte, 4096))
	_ = c.(*net.TCPConn).SetLinger(0)
	_ = c.Close()
}

func TestNavigateFailures(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closedURL := "http://" + l.Addr().String()
	_ = l.Close()
	reset := rawServer(t, resetAfterRequest)
	empty := rawServer(t, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 4096))
		_ = c.Close()
	})
	policy := browser.Policy{
		AllowOrigins: []string{closedURL, strings.Replace(closedURL, "http:", "https:", 1), reset.URL, empty.URL, strings.Replace(reset.URL, "http:", "https:", 1)},
		Lookup: func(_ context.Context, host string) ([]netip.Addr, error) {
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		},
	}
	cases := []struct{ name, url, netError string }{
		{"no such host", "http://nowhere.example/form?ssn=123", "net::ERR_NAME_NOT_RESOLVED"},
		{"no such host, encrypted", "https://nowhere.example/form?ssn=123", "net::ERR_NAME_NOT_RESOLVED"},
		{"refused", closedURL + "/?ssn=123", "net::ERR_CONNECTION_REFUSED"},
		{"refused, encrypted", strings.Replace(closedURL, "http:", "https:", 1), "net::ERR_CONNECTION_REFUSED"},
		{"reset", reset.URL, "net::ERR_CONNECTION_RESET"},
		{"reset, encrypted", strings.Replace(reset.URL, "http:", "https:", 1), "net::ERR_CONNECTION_RESET"},
		{"empty", empty.URL, "net::ERR_EMPTY_RESPONSE"},
	}
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{Policy: policy})
		for _, c := range cases {
			err := tab.Navigate(patience(t), c.url)
			f := fault.From(err)
			if f.Type != "navigation_failed" || f.Kind != fault.Unavailable || !strings.Contains(f.Message, c.netError) {
				t.Errorf("%s: got %v, want %s", c.name, err, c.netError)
			}
			if strings.Contains(f.Message, "123") {
				t.Errorf("%s: the message quotes the query: %s", c.name, f.Message)
			}
			if d := tab.Doc(); d.NetError != c.netError {
				t.Errorf("%s: the document says %+v", c.name, d)
			}
		}
	})
}

func TestNavigateRefusesOtherSchemes(t *testing.T) {
	tab := open(t, sharedPool(browser.EngineHeadlessShell), browser.TabOptions{})
	for url, typ := range map[string]string{
		"file:///etc/passwd": "origin_not_allowed", "chrome://version": "origin_not_allowed",
		"data:text/html,x": "origin_not_allowed", "javascript:alert(1)": "origin_not_allowed",
		"view-source:http://example.com": "origin_not_allowed", "ftp://example.com/": "origin_not_allowed",
		"www.example.com": "invalid", "": "invalid", "http://": "invalid",
	} {
		if f := fault.From(tab.Navigate(patience(t), url)); f == nil || f.Type != typ {
			t.Errorf("%q gave %v, want %s", url, f, typ)
		}
	}
}

func TestServerThatNeverAnswers(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, "fine")
	}))
	t.Cleanup(srv.Close)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		if f := fault.From(tab.Navigate(ctx, srv.URL+"/hang")); f.Kind != fault.Timeout {
			t.Errorf("got %v, want a timeout", f)
		}
		visit(t, tab, srv.URL+"/") // the tab is still good
	})
}

func TestResetOnSubmitIsVisibleAndNotRepeated(t *testing.T) {
	posts := make(chan string, 10)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			posts <- r.URL.Path
			c, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = c.(*net.TCPConn).SetLinger(0)
				_ = c.Close()
			}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<form method="post" action="/send"><button>Send</button></form>`)
	}))
	t.Cleanup(srv.Close)
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		eval[any](t, tab, "", "function () { setTimeout(() => document.forms[0].submit(), 0) }", nil)
		d := until(t, tab, "the failed document", func(d browser.Doc) bool { return d.Seq == 2 })
		if d.NetError != "net::ERR_CONNECTION_RESET" {
			t.Errorf("got %+v", d)
		}
		if len(posts) != 1 {
			t.Errorf("the form was sent %d times", len(posts))
		}
		<-posts
	})
}

func TestCrashes(t *testing.T) {
	srv := site(t, map[string]string{"/": "x"})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		other := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		visit(t, other, srv.URL+"/")
		failed := make(chan error, 1)
		go func() {
			failed <- tab.Call(patience(t), browser.Function{Frame: "", Source: "function () { return new Promise(() => {}) }", Arg: nil}, nil)
		}()
		before := tab.Doc()
		killRenderer(t, tab)
		if err := <-failed; !errors.Is(err, browser.ErrCrashed) || fault.From(err).Type != "browser_error" {
			t.Errorf("the pending call got %v", err)
		}
		if err := tab.Navigate(patience(t), srv.URL+"/"); !errors.Is(err, browser.ErrCrashed) {
			t.Errorf("navigating after the crash got %v", err)
		}
		if d, _ := tab.Changed(patience(t), before); !d.Crashed {
			t.Errorf("the document says %+v", d)
		}
		if got := eval[int](t, other, "", "function () { return 1 }", nil); got != 1 {
			t.Error("the other tab is gone too")
		}
	})
}
