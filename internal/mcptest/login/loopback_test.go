package login

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// visit makes a request as whoever finds the port may.
func visit(t *testing.T, method, address, host string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(body)
}

// TestLoopback: the browser is let in once, with the state of the link; nobody else is.
func TestLoopback(t *testing.T) {
	var shown []Link
	p, err := NewLoopback(t.Context(), "127.0.0.1:0", false, func(l Link) { shown = append(shown, l) })
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}()
	redirect, err := p.Redirect(t.Context())
	if err != nil || !strings.HasPrefix(redirect, "http://127.0.0.1:") {
		t.Fatal(redirect, err)
	}
	if status, _, _ := visit(t, "GET", redirect+"?state=", ""); status != 400 {
		t.Errorf("before there is a link it answers %d", status)
	}
	link := Link{URL: "https://issuer.example/authorize", State: "state-1", Redirect: redirect}
	for range 2 {
		if _, err := p.Ask(t.Context(), link); !errors.Is(err, ErrPending) {
			t.Fatalf("before the browser came it gives %v", err)
		}
	}
	for _, tt := range []struct {
		method, address, host string
		want                  int
	}{
		{"GET", redirect + "?state=state-2&code=x", "", 400},
		{"GET", redirect + "?code=<script>alert(1)</script>", "", 400},
		{"POST", redirect + "?state=state-1&code=x", "", 405},
		{"HEAD", redirect + "?state=state-1&code=x", "", 405},
		{"GET", redirect + "?state=state-1&code=x", "evil.example", 403},
		{"GET", strings.TrimSuffix(redirect, callbackPath) + "/?state=state-1", "", 404},
		{"GET", redirect + "?state=state-1&code=the-code&iss=i", "", 200},
		{"GET", redirect + "?state=state-1&code=another", "", 400},
	} {
		status, header, body := visit(t, tt.method, tt.address, tt.host)
		if status != tt.want || strings.Contains(body, "<script") || strings.Contains(body, "the-code") {
			t.Errorf("%s %s: %d %s", tt.method, tt.address, status, body)
		}
		if header.Get("Referrer-Policy") != "no-referrer" || header.Get("Cache-Control") != "no-store" || !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s %s: %v", tt.method, tt.address, header)
		}
	}
	got, err := p.Ask(t.Context(), link)
	if err != nil || got.Get("code") != "the-code" || got.Get("iss") != "i" || len(shown) != 1 || shown[0].URL != link.URL {
		t.Errorf("it gives %v, %v, having shown %v", got, err, shown)
	}
	if _, err := p.Ask(t.Context(), Link{State: "state-3"}); !errors.Is(err, ErrPending) || len(shown) != 2 {
		t.Errorf("a new link gives %v, having shown %v", err, shown)
	}
}

// TestLoopbackWaits: with wait, the login goes on when the browser comes back, or ends
// with its context.
func TestLoopbackWaits(t *testing.T) {
	links := make(chan Link, 2)
	p, err := NewLoopback(t.Context(), "127.0.0.1:0", true, func(l Link) { links <- l })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	w := newWorld(t)
	o := w.options()
	o.Person = p
	done := make(chan error, 1)
	l := w.login(o)
	go func() {
		_, err := w.connect(l)
		done <- err
	}()
	link := <-links
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get(link.URL)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if err := <-done; err != nil || res.StatusCode != 200 {
		t.Errorf("%v, and the browser sees %d\n%s", err, res.StatusCode, steps(l))
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-links; cancel() }()
	if _, err := p.Ask(ctx, Link{State: "x"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a login that was given up ends with %v", err)
	}
	for _, addr := range []string{"0.0.0.0:0", "example.org:1", "nothing"} {
		if _, err := NewLoopback(t.Context(), addr, false, nil); err == nil {
			t.Errorf("it listens at %s", addr)
		}
	}
}

// TestReadPasted: an address that a person copied is taken when it is that of the
// login.
func TestReadPasted(t *testing.T) {
	link := Link{Redirect: "http://127.0.0.1:7/callback"}
	for address, ok := range map[string]bool{
		"http://127.0.0.1:7/callback?code=a&state=b": true, "http://127.0.0.1:8/callback?code=a": false, "https://127.0.0.1:7/callback?code=a": false,
		"http://127.0.0.1:7/other?code=a": false, "://": false, "code=a": false,
	} {
		got, err := ReadPasted(link, address)
		if (err == nil) != ok || ok && got.Get("code") != "a" {
			t.Errorf("%s gives %v, %v", address, got, err)
		}
		if err != nil && strings.Contains(fmt.Sprint(err), "code=a") {
			t.Errorf("the error holds the code: %v", err)
		}
	}
}
