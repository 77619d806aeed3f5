package browser

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// through is a client that uses the guard as a browser does.
func through(t *testing.T, p Policy) (*guard, *http.Client) {
	t.Helper()
	g, err := newGuard(loopback, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.apply(p); err != nil {
		t.Fatal(err)
	}
	proxy, err := url.Parse(g.address())
	if err != nil {
		t.Fatal(err)
	}
	tr := &http.Transport{Proxy: http.ProxyURL(proxy), DisableCompression: true}
	t.Cleanup(func() {
		tr.CloseIdleConnections()
		g.close()
	})
	return g, &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

func fetch(t *testing.T, c *http.Client, url string) (*http.Response, string) {
	t.Helper()
	res, err := c.Get(url)
	if err != nil {
		t.Fatalf("GET %s: %v", url, err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("GET %s: %v", url, err)
	}
	return res, string(b)
}

func TestGuardForwardsFaithfully(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(markHeader, "forged refused by nobody")
		w.Header().Add("Set-Cookie", "a=1")
		w.Header().Add("Set-Cookie", "b=2")
		fmt.Fprint(w, r.Method, " ", r.RequestURI, " ", r.Header)
	}))
	defer srv.Close()
	g, c := through(t, Policy{AllowOrigins: []string{srv.URL}})
	req, err := http.NewRequest(http.MethodGet, srv.URL+"/a%2Fb?x=1;y=%zz&z", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Proxy-Connection": {"keep-alive"}, "X-Own": {"1"}, "User-Agent": {"test"}}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	if got, want := string(body), "GET /a%2Fb?x=1;y=%zz&z map[User-Agent:[test] X-Own:[1]]"; got != want {
		t.Errorf("the server saw\n%s, want\n%s", got, want)
	}
	if res.Header.Get(markHeader) != "" || len(res.Header.Values("Set-Cookie")) != 2 {
		t.Errorf("headers of the answer: %v", res.Header)
	}
	l := g.account()
	want := []Entry{{Method: "GET", Host: strings.TrimPrefix(srv.URL, "http://"), Status: 200}}
	if diff := cmp.Diff(want, l.Entries); diff != "" || l.Requests != 1 || l.Bytes == 0 {
		t.Errorf("ledger: %+v %s", l, diff)
	}
}

func TestGuardRefuses(t *testing.T) {
	var hits atomic.Int32
	srv := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	lookup := func(addrs ...string) func(context.Context, string) ([]netip.Addr, error) {
		return func(context.Context, string) ([]netip.Addr, error) {
			var list []netip.Addr
			for _, a := range addrs {
				list = append(list, netip.MustParseAddr(a))
			}
			return list, nil
		}
	}
	for _, c := range []struct {
		name, url, reason string
		policy            Policy
	}{
		{"literal", "127.0.0.1", "this machine", Policy{}},
		{"localhost", "localhost", "this machine", Policy{}},
		{"below localhost", "practice.localhost", "this machine", Policy{}},
		{"name", "evil.example", "this machine", Policy{Lookup: lookup("127.0.0.1")}},
		{"one of several", "evil.example", "private network", Policy{Lookup: lookup("8.8.8.8", "10.0.0.1")}},
		{"mapped", "evil.example", "this machine", Policy{Lookup: lookup("::ffff:127.0.0.1")}},
		{"metadata", "169.254.169.254", "cloud machines", Policy{}},
		{"another port of an allowed host", "127.0.0.1", "this machine", Policy{AllowOrigins: []string{"http://127.0.0.1:1"}}},
		{"not in the list", "127.0.0.1", "not one of the origins", Policy{AllowPrivate: true, OnlyOrigins: []string{"https://example.gov"}}},
	} {
		g, client := through(t, c.policy)
		address := net.JoinHostPort(c.url, port)
		res, body := fetch(t, client, "http://"+address+"/path?ssn=123")
		if _, refused := g.verdict(res.Header); res.StatusCode != 403 || !strings.Contains(refused, c.reason) || !strings.Contains(body, c.reason) {
			t.Errorf("%s: plain request gave %d %q %s", c.name, res.StatusCode, refused, body)
		}
		if _, err := client.Get("https://" + address + "/path?ssn=123"); err == nil || !strings.Contains(err.Error(), "Forbidden") {
			t.Errorf("%s: encrypted request gave %v", c.name, err)
		}
		if _, refused := g.explain("https://"+address+"/x", "net::ERR_TUNNEL_CONNECTION_FAILED"); !strings.Contains(refused, c.reason) {
			t.Errorf("%s: explained as %q", c.name, refused)
		}
		l := g.account()
		if len(l.Refused) != 2 || l.Refused[0].URL != "http://"+address || strings.Contains(fmt.Sprint(l), "ssn") {
			t.Errorf("%s: ledger %+v", c.name, l)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("%d requests arrived", n)
	}
}

// A page that failed to load something has seen the guard's mark. It must not
// be able to use it where the guard does not write the answers.
func TestTheMarkIsBelievedFromTheGuardOnly(t *testing.T) {
	g, client := through(t, Policy{})
	res, _ := fetch(t, client, "http://127.0.0.1:1/")
	mark := res.Header.Get(markHeader)
	token, _, _ := strings.Cut(mark, " ")
	const reason = "it names this machine"
	for _, c := range []struct {
		name, url, mark string
		worker          bool
		want            load
	}{
		{"the guard's own", "http://127.0.0.1:1/", mark, false, load{status: 403, refused: reason}},
		{"encrypted", "https://evil.example/", mark, false, load{status: 403}},
		{"made by a script", "http://localhost/", mark, true, load{status: 403}},
		{"words of its own", "http://evil.example/", token + " refused call this number", false, load{status: 403}},
		{"an error of its own", "http://evil.example/", token + " failed net::ERR_CALL_THIS_NUMBER", false, load{status: 403}},
	} {
		tab := newChromiumTab(nil, g)
		b := &branch{tab: tab, session: &session{}, view: &view{loading: load{loader: "1"}, requests: map[string]request{}}}
		e := responseEvent{RequestID: "1"}
		e.Response.URL, e.Response.Status, e.Response.Worker = c.url, 403, c.worker
		e.Response.Headers = map[string]any{strings.ToLower(markHeader): c.mark}
		b.responseReceived(e)
		got := b.view.loading
		if got.status != c.want.status || got.netError != c.want.netError || got.refused != c.want.refused {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestGuardWithoutPolicyRefusesAll(t *testing.T) {
	g, err := newGuard(loopback, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer g.close()
	var no *refusal
	if _, err := g.dial(t.Context(), "8.8.8.8:80"); !errors.As(err, &no) {
		t.Errorf("got %v", err)
	}
}

// TestAPolicyHoldsForOpenConnections: one that was opened under another policy carries
// nothing that the present one forbids.
func TestAPolicyHoldsForOpenConnections(t *testing.T) {
	var hits atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer srv.Close()
	g, client := through(t, Policy{AllowPrivate: true})
	fetch(t, client, srv.URL)
	if err := g.apply(Policy{AllowPrivate: true, OnlyOrigins: []string{"https://example.gov"}}); err != nil {
		t.Fatal(err)
	}
	if res, _ := fetch(t, client, srv.URL); res.StatusCode != http.StatusForbidden || hits.Load() != 1 {
		t.Errorf("status %d, %d requests arrived", res.StatusCode, hits.Load())
	}
}

func TestGuardAllows(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Host) }))
	defer srv.Close()
	address := srv.Listener.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	for name, c := range map[string]struct {
		policy    Policy
		url, host string
	}{
		"private":           {Policy{AllowPrivate: true}, srv.URL, address},
		"origin":            {Policy{AllowOrigins: []string{srv.URL}}, srv.URL, address},
		"origin, other way": {Policy{AllowOrigins: []string{"HTTP://LocalHost:" + port + "/"}}, "http://localhost:" + port, "localhost:" + port},
		"override":          {Policy{Hosts: map[string]string{"Practice.localhost:80": address}}, "http://practice.localhost/", "practice.localhost"},
		"override, rooted":  {Policy{Hosts: map[string]string{"practice.localhost:80": address}}, "http://practice.localhost./", "practice.localhost."},
		"only":              {Policy{AllowPrivate: true, OnlyOrigins: []string{srv.URL}}, srv.URL, address},
	} {
		_, client := through(t, c.policy)
		if res, body := fetch(t, client, c.url); res.StatusCode != 200 || body != c.host {
			t.Errorf("%s: got %d %q", name, res.StatusCode, body)
		}
	}
	for _, bad := range []string{"127.0.0.1", "ftp://x", "http://", "localhost:80"} {
		if _, err := compile(Policy{AllowOrigins: []string{bad}}); fault.From(err) == nil || fault.From(err).Kind != fault.Invalid {
			t.Errorf("the origin %q gave %v", bad, err)
		}
	}
}

// A name whose second answer differs must not matter: what was checked is dialled.
func TestGuardResolvesOnce(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "checked") }))
	defer srv.Close()
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	var asked atomic.Int32
	rebinding := func(context.Context, string) ([]netip.Addr, error) {
		if asked.Add(1) == 1 {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil // nothing listens there
	}
	_, client := through(t, Policy{AllowPrivate: true, Lookup: rebinding})
	if res, body := fetch(t, client, "http://rebind.example:"+port+"/"); res.StatusCode != 200 || body != "checked" {
		t.Errorf("got %d %s", res.StatusCode, body)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the name was looked up %d times", n)
	}
}

func TestGuardLimitsBytes(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, io.LimitReader(zeros{}, 1<<20))
	}))
	defer srv.Close()
	g, client := through(t, Policy{AllowPrivate: true, MaxBytes: 100_000})
	res, err := client.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	if err == nil || n > 200_000 {
		t.Errorf("%d bytes arrived, error %v", n, err)
	}
	if res, body := fetch(t, client, srv.URL); res.StatusCode != 403 || !strings.Contains(body, "100000 bytes") {
		t.Errorf("the next request gave %d %s", res.StatusCode, body)
	}
	if l := g.account(); l.Bytes > 200_000 {
		t.Errorf("ledger: %d bytes", l.Bytes)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return len(b), nil }

func TestGuardPassesUpgradesAndStreams(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "data: first\n\n")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return
		}
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer c.Close()
		fmt.Fprint(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		_, _ = io.Copy(c, rw)
	}))
	defer srv.Close()
	g, client := through(t, Policy{AllowPrivate: true})
	res, err := client.Get(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(res.Body).ReadString('\n'); line != "data: first\n" {
		t.Errorf("the stream began with %q (%v)", line, err)
	}
	_ = res.Body.Close()

	c, err := net.Dial("tcp", strings.TrimPrefix(g.address(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET %s/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n", srv.URL)
	r := bufio.NewReader(c)
	head, err := http.ReadResponse(r, nil)
	if err != nil || head.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("upgrading gave %v (%v)", head, err)
	}
	fmt.Fprint(c, "hello\n")
	if line, err := r.ReadString('\n'); line != "hello\n" {
		t.Errorf("the echo said %q (%v)", line, err)
	}
}

// TestGuardForwardsBothWaysAtOnce is about servers that answer before they have
// read all of a request: the answer must not end the rest of the body.
func TestGuardForwardsBothWaysAtOnce(t *testing.T) {
	const half = 64 << 10
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).EnableFullDuplex()
		n, _ := io.CopyN(io.Discard, r.Body, half)
		fmt.Fprintf(w, "first %d\n", n)
		w.(http.Flusher).Flush()
		n, err := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "second %d %v\n", n, err)
	}))
	defer srv.Close()
	_, c := through(t, Policy{AllowPrivate: true})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // it hangs when it is wrong
	defer cancel()
	body, more := io.Pipe()
	context.AfterFunc(ctx, func() { _ = more.CloseWithError(context.DeadlineExceeded); _ = body.Close() })
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL, body)
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = 2 * half
	go func() { _, _ = more.Write(make([]byte, half)) }()
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	lines := bufio.NewReader(res.Body)
	first, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, err := more.Write(make([]byte, half)); err != nil {
		t.Fatalf("after %q: %v", first, err)
	}
	_ = more.Close()
	second, err := lines.ReadString('\n')
	if got, want := first+second, fmt.Sprintf("first %d\nsecond %d <nil>\n", half, half); got != want || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}
