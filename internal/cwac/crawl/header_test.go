package crawl

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// refusing answers HEAD in its own way and GET with a page.
func refusing(head http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			head(w, r)
			return
		}
		sends(200, "text/html", links())(w, r)
	}
}

// TestHeadRefused: a server that refuses HEAD in whatever way is scanned.
func TestHeadRefused(t *testing.T) {
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for name, head := range map[string]http.HandlerFunc{
		"400": sends(400, "text/html", ""), "401": sends(401, "text/html", ""), "403": sends(403, "text/html", ""), "404": sends(404, "text/html", ""), "405": sends(405, "text/html", ""),
		"500": sends(500, "text/html", ""), "501": sends(501, "text/html", ""), "503": sends(503, "text/html", ""),
		"no type": sends(200, "", ""), "204": sends(204, "", ""), "cut off": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "hang": hang,
	} {
		t.Run(name, func(t *testing.T) {
			base, _ := serve(t, pages{"/": refusing(head), "/robots.txt": sends(404, "", "")})
			o := usual(base)
			o.Sitemaps = false
			o.Limits.Request = 300 * time.Millisecond
			if name != "hang" {
				o.Limits.Request = 10 * time.Second
			}
			if diff := cmp.Diff([]string{"/ scanned"}, rows(walk(t, o, 1), base)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestHeadLearnt: after three refusals a host is asked by GET at once, and with
// NoHead from the start. The body of a GET is not fetched to its end.
func TestHeadLearnt(t *testing.T) {
	site := pages{"/robots.txt": sends(404, "", ""), "/": refusing(sends(405, "", ""))}
	names := []string{"/a", "/b", "/c", "/d", "/e"}
	for _, n := range names {
		site[n] = refusing(sends(405, "", ""))
	}
	site["GET /"] = sends(200, "text/html", links(names...))
	base, requests := serve(t, site)
	o := usual(base)
	o.Sitemaps = false
	walk(t, o, 1)
	if n := strings.Count(strings.Join(requests(), "\n"), "HEAD "); n != 3 {
		t.Errorf("HEAD %d times", n)
	}
	o.NoHead = true
	before := len(requests())
	walk(t, o, 1)
	if asked := strings.Join(requests()[before:], "\n"); strings.Contains(asked, "HEAD") {
		t.Errorf("asked %s", asked)
	}
}

func TestTypesAndStatuses(t *testing.T) {
	base, _ := serve(t, pages{
		"/":      links("/xhtml", "/charset", "/none", "/nonebin", "/pdf", "/sheet", "/png", "/x.PDF", "/x.docx", "/x.zip", "/json", "/500", "/202", "/204", "/401", "/410", "/text", "/upper"),
		"/xhtml": sends(200, "application/xhtml+xml", "<html/>"), "/charset": sends(200, "TEXT/HTML ; charset=\"x", ""), "/upper": sends(200, "Text/Html", ""),
		"/none": func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			_, _ = w.Write([]byte("<!doctype html><p>page"))
		},
		"/nonebin": func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			_, _ = w.Write([]byte("%PDF-1.7"))
		},
		"/pdf": sends(200, "application/pdf", ""), "/sheet": sends(200, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ""),
		"/png": sends(200, "image/png", ""), "/json": sends(200, "application/json", "{}"), "/text": sends(200, "text/plain", "x"),
		"/500": sends(500, "text/html", ""), "/202": sends(202, "text/html", ""), "/204": sends(204, "", ""), "/401": sends(401, "text/html", ""), "/410": sends(410, "text/html", ""),
	})
	want := []string{
		"/ scanned", "/xhtml scanned", "/charset scanned", "/none scanned", "/nonebin skipped document", "/pdf skipped document", "/sheet skipped document", "/png skipped not_html",
		"/x.PDF skipped document", "/x.docx skipped document", "/x.zip skipped not_html", "/json skipped not_html", "/500 skipped status", "/202 scanned", "/204 skipped status",
		"/401 skipped status", "/410 skipped status", "/text skipped not_html", "/upper scanned",
	}
	f := walk(t, usual(base), 1)
	if diff := cmp.Diff(want, rows(f, base)); diff != "" {
		t.Error(diff)
	}
	for _, e := range f.Ledger() {
		if e.Reason == ReasonStatus && e.Status == 0 {
			t.Errorf("%+v has no status", e)
		}
	}
}

// TestRedirects: what a page is, is decided where its redirects end.
func TestRedirects(t *testing.T) {
	base, _ := serve(t, pages{
		"/":      links("/302", "/two", "/self", "/ping", "/out", "/to404", "/topdf", "/tomail", "/secret", "/login-needed", "/empty", "/long0", "/same", "/hash"),
		"/302":   leads(302, "/target"),
		"/two":   leads(301, "/302"),
		"/self":  leads(302, "/self"),
		"/ping":  leads(307, "/pong"),
		"/pong":  leads(307, "/ping"),
		"/out":   leads(302, "https://elsewhere.example/"),
		"/to404": leads(302, "/404"), "/topdf": leads(302, "/pdf"), "/pdf": sends(200, "application/pdf", ""), "/tomail": leads(302, "mailto:a@e.org"),
		"/secret": leads(302, "/private/x"), "/private/x": links(), "/robots.txt": sends(200, "text/plain", "User-agent: *\nDisallow: /private"),
		"/login-needed": leads(302, "/login?next=/login-needed"), "/login": links("/forgotten"), "/forgotten": links(),
		"/empty": leads(302, ""), "/same": leads(301, "/same?utm_source=x"), "/same?utm_source=x": links(), "/hash": leads(302, "/target#part"),
		"/target": links(),
	})
	o := usual(base)
	o.Client = tripper(func(r *http.Request) (*http.Response, error) {
		if r.URL.Hostname() == "elsewhere.example" {
			return nil, errors.New("must not be asked by a browser of this test")
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	want := []string{
		"/ scanned", "/302 skipped redirect /target", "/two skipped redirect /target", "/self skipped header_check_failed", "/ping skipped header_check_failed",
		"/out skipped header_check_failed", "/to404 skipped redirect /404", "/topdf skipped redirect /pdf", "/tomail skipped header_check_failed", "/secret skipped robots",
		"/login-needed skipped redirect /login?next=/login-needed", "/empty skipped status", "/long0 skipped status", "/same scanned", "/hash skipped redirect /target",
		"/target scanned", "/404 skipped status", "/pdf skipped document", "/login?next=/login-needed scanned", "/forgotten scanned",
	}
	f := walk(t, o, 1)
	if diff := cmp.Diff(want, rows(f, base)); diff != "" {
		t.Error(diff)
	}
	hops := map[string][]Hop{}
	for _, e := range f.Ledger() {
		if len(e.Hops) > 0 && e.Reason == ReasonRedirect {
			hops[strings.TrimPrefix(e.URL, base)] = e.Hops
		}
	}
	if diff := cmp.Diff([]Hop{{base + "/two", 301}, {base + "/302", 302}}, hops["/two"]); diff != "" {
		t.Error(diff)
	}
}

// TestLongRedirects: ten redirects are followed, more are not.
func TestLongRedirects(t *testing.T) {
	site := pages{"/": links("/r1", "/r2"), "/r12": links()}
	for i := range 12 {
		site[fmt.Sprintf("/r%d", i)] = leads(302, fmt.Sprintf("/r%d", i+1))
	}
	base, _ := serve(t, site)
	want := []string{"/ scanned", "/r1 skipped header_check_failed", "/r2 skipped redirect /r12", "/r12 scanned"}
	if diff := cmp.Diff(want, rows(walk(t, usual(base), 1), base)); diff != "" {
		t.Error(diff)
	}
}

// TestBusyServer: 429 and 503 are asked again after the time that they name, within
// the limit, and the network is given three tries.
func TestBusyServer(t *testing.T) {
	busy := func(status int, times int, after string) http.HandlerFunc {
		n := 0
		return func(w http.ResponseWriter, r *http.Request) {
			if n++; n <= times {
				w.Header().Set("Retry-After", after)
				w.WriteHeader(status)
				return
			}
			sends(200, "text/html", links())(w, r)
		}
	}
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		want    string
		waits   []time.Duration
	}{
		{"503 once", busy(503, 1, "7"), "/ scanned", []time.Duration{7 * time.Second}},
		{"429 twice without a time", busy(429, 2, ""), "/ scanned", []time.Duration{time.Second, 2 * time.Second}},
		{"429 with a date", busy(429, 1, "Sun, 01 Mar 2026 12:00:05 GMT"), "/ scanned", []time.Duration{5 * time.Second}},
		{"429 with a date gone by", busy(429, 1, "Sun, 01 Mar 2020 12:00:05 GMT"), "/ scanned", []time.Duration{time.Second}},
		{"429 for an hour", busy(429, 9, "3600"), "/ blocked blocked", nil},
		{"429 always", busy(429, 99, "1"), "/ blocked blocked", []time.Duration{time.Second, 2 * time.Second}},
		{"nonsense", busy(503, 1, "-5"), "/ scanned", []time.Duration{time.Second}},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, _ := serve(t, pages{"/": c.handler, "/robots.txt": sends(404, "", "")})
			o := usual(base)
			clock := newStillClock()
			o.Clock, o.Sitemaps = clock, false
			if diff := cmp.Diff([]string{c.want}, rows(walk(t, o, 1), base)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.waits, clock.waits); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestDeadHost: a site that cannot be reached ends with its reason, in words that do
// not change, and is not asked again when that cannot help.
func TestDeadHost(t *testing.T) {
	for _, c := range []struct {
		err             error
		detail          string
		strict, lenient int // requests
	}{
		{&net.DNSError{Name: "e.org", IsNotFound: true}, "the host name is not known", 1, 2},
		{&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}, "the certificate is not valid", 1, 2},
		{fault.New(fault.Denied, "", "That address is private.", ""), "That address is private.", 1, 2},
		{context.DeadlineExceeded, "no answer in time", 1, 3},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, "the connection was refused", 3, 9},
		{&net.OpError{Op: "read", Err: syscall.ECONNRESET}, "the connection was reset", 3, 9},
		{errors.New("port 40123"), "the connection failed", 3, 9},
	} {
		for mode, want := range map[RobotsMode]int{RobotsStrict: c.strict, RobotsLenient: c.lenient} {
			asked := 0
			o := usual("https://e.org")
			o.Robots = mode
			o.Client = tripper(func(*http.Request) (*http.Response, error) { asked++; return nil, c.err })
			reason := ReasonHeaderCheck
			if mode == RobotsStrict {
				reason = ReasonNoRobots
			}
			got := walk(t, o, 1).Ledger()
			if len(got) != 1 || got[0].Reason != reason || got[0].Detail != c.detail || asked != want {
				t.Errorf("%v, %s: asked %d times, want %d; %+v", c.err, mode, asked, want, got)
			}
		}
	}
}

// TestRobotsIgnored: what is ignored is not asked for, unless for its sitemaps.
func TestRobotsIgnored(t *testing.T) {
	base, requests := serve(t, pages{"/": links()})
	o := usual(base)
	o.Robots, o.Sitemaps = RobotsIgnore, false
	walk(t, o, 1)
	if diff := cmp.Diff([]string{"HEAD /", "GET /"}, requests()); diff != "" {
		t.Error(diff)
	}
}

// TestLoginStaysHome: the login of the caller goes to the site, and to nobody that
// the site leads to; cookies that the site sets are kept.
func TestLoginStaysHome(t *testing.T) {
	seen := map[string]string{}
	hosts := pages{
		"https://e.org/": links("/out", "/in", "http://e.org/plain", "https://www.e.org/w"), "https://www.e.org/w": links(), "https://e.org/out": leads(302, "https://evil.example/"), "https://evil.example/": links(),
		"https://e.org/in": func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: "set", Value: "2", Path: "/"})
			sends(200, "text/html", links("/after"))(w, r)
		},
		"https://e.org/after": links(), "http://e.org/plain": links(), "https://e.org/robots.txt": sends(404, "", ""),
	}
	base, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RequestURI = r.Header.Get("X-Scheme") + "://" + r.Host + r.RequestURI
		seen[r.RequestURI] = r.Header.Get("Authorization") + "|" + r.Header.Get("Cookie")
		hosts.ServeHTTP(w, r)
	}))
	o := usual(base)
	o.Site, o.Sitemaps = "https://e.org/", false
	o.Headers = map[string]map[string]string{"https://e.org": {"authorization": "Bearer secret"}}
	o.Cookies = []*http.Cookie{{Name: "sid", Value: "1", Path: "/", Secure: true}}
	o.Client = atHost(base, "e.org", "www.e.org", "evil.example")
	f, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for {
		target, ok := f.Next(t.Context())
		if !ok {
			break
		}
		f.Done(target, Visit{State: StateScanned, Links: map[string][]string{"https://e.org/": {"/out", "/in", "http://e.org/plain", "https://www.e.org/w"}, "https://e.org/in": {"/after"}}[target.URL]})
	}
	want := map[string]string{
		"https://e.org/robots.txt": "Bearer secret|sid=1", "https://e.org/": "Bearer secret|sid=1", "https://e.org/out": "Bearer secret|sid=1", "https://e.org/in": "Bearer secret|sid=1",
		"https://evil.example/": "|", "https://e.org/after": "Bearer secret|sid=1; set=2", "http://e.org/plain": "|set=2", "http://e.org/robots.txt": "|set=2",
		"https://www.e.org/w": "|", "https://www.e.org/robots.txt": "|", // in scope, and another origin
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	for _, e := range f.Ledger() {
		if text := strings.Join([]string{e.URL, e.Detail, e.Final}, " "); strings.Contains(text, "secret") {
			t.Error("the ledger has the login in it")
		}
	}
}
