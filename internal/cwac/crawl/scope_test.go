package crawl

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// within reports whether the scope of a crawl has an address.
func within(t *testing.T, f *Frontier, raw string) bool {
	t.Helper()
	a, err := f.rules.parse(raw, nil)
	if err != nil {
		t.Fatal(err)
	}
	reason, _ := f.scope.judge(a)
	return reason == ""
}

func TestScope(t *testing.T) {
	for _, c := range []struct {
		base, address string
		in            bool
	}{
		{"https://e.org", "https://e.org/", true},
		{"https://e.org", "https://e.org/a/b?c", true},
		{"https://e.org", "https://www.e.org/a", true},
		{"https://www.e.org", "https://e.org/a", true},
		{"https://e.org", "http://e.org/a", true},
		{"https://e.org", "https://sub.e.org/", false},
		{"https://e.org", "https://e.org.evil.example/", false},
		{"https://e.org", "https://evil.example/e.org", false},
		{"https://e.org", "https://e.org:8443/", false},
		{"https://e.org:8443", "https://e.org:8443/a", true},
		{"https://e.org/abc", "https://e.org/abc", true},
		{"https://e.org/abc", "https://e.org/abc/", true},
		{"https://e.org/abc", "https://e.org/abc?x", true},
		{"https://e.org/abc", "https://e.org/abc/d", true},
		{"https://e.org/abc", "https://e.org/abcdef", false},
		{"https://e.org/abc", "https://e.org/", false},
		{"https://e.org/abc/", "https://e.org/abc", true},
		{"https://e.org/abc/index.html", "https://e.org/abc/other.html", true},
		{"https://e.org/index.html", "https://e.org/x", true},
		{"https://e.org/a%20b", "https://e.org/a b/c", true},
		{"https://e.org/v1.2/docs", "https://e.org/v1.2/docs/x", true},
		{"https://e.org/v1.2/docs", "https://e.org/v1.2/other", false},
		{"https://e.org/abc", "https://e.org/ABC/d", false},
		{"https://e.org/abc", "https://e.org/abc/../d", false},
	} {
		f, err := New(Options{Site: c.base, Client: http.DefaultTransport})
		if err != nil {
			t.Fatal(err)
		}
		if got := within(t, f, c.address); got != c.in {
			t.Errorf("%s admits %s: %v", c.base, c.address, got)
		}
	}
}

// TestScopeOfOthers: every base URL of the list owns its part.
func TestScopeOfOthers(t *testing.T) {
	f, err := New(Options{
		Site: "https://e.org/a", Also: []string{"https://e.org", "https://e.org/a", "https://www.e.org/a/b/", "https://f.org/a/c", "not an address"},
		Client: http.DefaultTransport,
	})
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]bool{"https://e.org/a/x": true, "https://e.org/a/b": false, "https://e.org/a/b/c": false, "https://e.org/a/bc": true, "https://e.org/a/c": true} {
		if got := within(t, f, address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}

func TestIncludeAndExclude(t *testing.T) {
	base, _ := serve(t, pages{
		"/": links("/docs/a", "/docs/private/b", "/news/c", "/docs/d?print=1"), "/docs/a": links(), "/docs/private/b": links(), "/news/c": links(), "/docs/d": links(),
	})
	o := usual(base)
	o.Include = []string{"/docs/", "/dcos/"}
	o.Exclude = []string{"*/private/", "*?print="}
	f := walk(t, o, 1)
	want := []string{"/ scanned", "/docs/a scanned", "/docs/private/b skipped excluded", "/news/c skipped excluded", "/docs/d?print=1 skipped excluded"}
	if diff := cmp.Diff(want, rows(f, base)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"/dcos/"}, f.UnusedPatterns()); diff != "" {
		t.Errorf("patterns of no use: %s", diff)
	}
	o.Include = []string{base + "/news/"}
	o.Exclude = nil
	want = []string{"/ scanned", "/docs/a skipped excluded", "/docs/private/b skipped excluded", "/news/c scanned", "/docs/d?print=1 skipped excluded"}
	if diff := cmp.Diff(want, rows(walk(t, o, 1), base)); diff != "" {
		t.Error(diff)
	}
}

// TestBaseRedirects: the scope goes along when the base URL redirects within its
// domain, and stays when it leads to strangers.
func TestBaseRedirects(t *testing.T) {
	for _, c := range []struct {
		name, site string
		hosts      pages // by scheme, host and path
		also       []string
		want       []string
		now        string
	}{
		{
			"to https and www", "http://e.org/", pages{
				"http://e.org/": leads(301, "https://e.org/"), "https://e.org/": leads(301, "https://www.e.org/"),
				"https://www.e.org/": links("/a", "https://e.org/b", "http://e.org/c"), "https://www.e.org/a": links(),
				"https://e.org/b": leads(301, "https://www.e.org/b"), "https://www.e.org/b": links(),
				"http://e.org/c": leads(301, "https://www.e.org/a"),
			}, nil,
			[]string{
				"http://e.org/ skipped redirect https://www.e.org/", "https://www.e.org/ scanned", "https://www.e.org/a scanned",
				"https://e.org/b skipped redirect https://www.e.org/b", "http://e.org/c skipped redirect https://www.e.org/a", "https://www.e.org/b scanned",
			}, "https://www.e.org/",
		},
		{
			"to another folder", "https://e.org/old", pages{
				"https://e.org/old": leads(302, "/new/start.html"), "https://e.org/new/start.html": links("/new/a", "/old/b"), "https://e.org/new/a": links(),
			}, nil,
			[]string{"https://e.org/old skipped redirect https://e.org/new/start.html", "https://e.org/new/start.html scanned", "https://e.org/new/a scanned", "https://e.org/old/b skipped out_of_scope"},
			"https://e.org/new/start.html",
		},
		{
			"into a folder", "https://e.org/", pages{
				"https://e.org/": leads(302, "/en/"), "https://e.org/en/": links("/mi/"), "https://e.org/mi/": links(),
			}, nil,
			[]string{"https://e.org/ skipped redirect https://e.org/en/", "https://e.org/en/ scanned", "https://e.org/mi/ scanned"},
			"https://e.org/en/",
		},
		{
			"to a sister host", "https://e.govt.nz/", pages{
				"https://e.govt.nz/": leads(301, "https://portal.e.govt.nz/x"), "https://portal.e.govt.nz/x": links("/x/y", "/z"), "https://portal.e.govt.nz/x/y": links(),
			}, nil,
			[]string{"https://e.govt.nz/ skipped redirect https://portal.e.govt.nz/x", "https://portal.e.govt.nz/x scanned", "https://portal.e.govt.nz/x/y scanned", "https://portal.e.govt.nz/z skipped out_of_scope"},
			"https://portal.e.govt.nz/x",
		},
		{
			"to a stranger of the same registry", "https://e.govt.nz/", pages{"https://e.govt.nz/": leads(301, "https://login.govt.nz/"), "https://login.govt.nz/": links("/a")}, nil,
			[]string{"https://e.govt.nz/ skipped redirected_out"}, "https://e.govt.nz/",
		},
		{
			"to another base URL", "https://e.org/a", pages{"https://e.org/a": leads(301, "/b/c"), "https://e.org/b/c": links("/b/d")}, []string{"https://e.org/b/c"},
			[]string{"https://e.org/a skipped redirected_out"}, "https://e.org/a",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.RequestURI = r.Header.Get("X-Scheme") + "://" + r.Host + r.RequestURI
				c.hosts.ServeHTTP(w, r)
			}))
			o := usual(base)
			o.Site, o.Also, o.Sitemaps = c.site, c.also, false
			o.Client = atHost(base, "e.org", "www.e.org", "e.govt.nz", "portal.e.govt.nz", "login.govt.nz")
			f := walk(t, o, 1)
			if diff := cmp.Diff(c.want, rows(f, "nowhere")); diff != "" {
				t.Error(diff)
			}
			if _, now := f.Base(); now != c.now {
				t.Errorf("the base is %s", now)
			}
			o.HeaderCheck = false // the browser is redirected instead
			f = walk(t, o, 1)
			if _, now := f.Base(); now != c.now {
				t.Errorf("without a header check the base is %s", now)
			}
			if diff := cmp.Diff(c.want, rows(f, "nowhere")); diff != "" {
				t.Errorf("without a header check: %s", diff)
			}
		})
	}
}

func TestHTTPSOnly(t *testing.T) {
	hosts := pages{
		"http://e.org/": leads(301, "https://e.org/"), "https://e.org/": links("http://e.org/a", "/b", "/c"), "https://e.org/b": links(),
		"https://e.org/c": leads(302, "http://e.org/d"), "http://e.org/d": links(), "http://f.org/": links(),
	}
	base, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RequestURI = r.Header.Get("X-Scheme") + "://" + r.Host + r.RequestURI
		hosts.ServeHTTP(w, r)
	}))
	for site, want := range map[string][]string{
		"https://e.org/": {"https://e.org/ scanned", "http://e.org/a skipped https_only", "https://e.org/b scanned", "https://e.org/c skipped redirect http://e.org/d", "http://e.org/d skipped https_only"},
		"http://f.org/":  {"http://f.org/ skipped https_only"},
	} {
		o := usual(base)
		o.Site, o.HTTPSOnly, o.Sitemaps, o.Client = site, true, false, atHost(base, "e.org", "f.org")
		if diff := cmp.Diff(want, rows(walk(t, o, 1), "nowhere")); diff != "" {
			t.Error(diff)
		}
	}
}
