package crawl

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

func TestAddressNormalForm(t *testing.T) {
	base, err := url.Parse("https://example.org/dir/page.html?q=1#top")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ raw, want string }{
		{"HTTP://Example.ORG", "http://example.org/"},
		{"https://example.org:443/a", "https://example.org/a"},
		{"http://example.org:80/", "http://example.org/"},
		{"http://example.org:443/", "http://example.org:443/"},
		{"https://example.org:0443/", "https://example.org/"},
		{"https://example.org./a", "https://example.org/a"},
		{"https://user:secret@example.org/a", "https://example.org/a"},
		{"https://[2001:DB8::1]:443/a", "https://[2001:db8::1]/a"},
		// names of other alphabets, RFC 5891
		{"https://bücher.example/", "https://xn--bcher-kva.example/"},
		{"https://B%C3%BCcher.example/", "https://xn--bcher-kva.example/"},
		{"https://日本語.example/道", "https://xn--wgv71a119e.example/%E9%81%93"},
		{"https://a_b.example.org/", "https://a_b.example.org/"},
		// relative links
		{"other.html", "https://example.org/dir/other.html"},
		{"../up", "https://example.org/up"},
		{"../../../up", "https://example.org/up"},
		{"/a/./b/../c", "https://example.org/a/c"},
		{"/a/%2e%2E/c", "https://example.org/c"},
		{"/a/..", "https://example.org/"},
		{"/a/b/.", "https://example.org/a/b/"},
		{"//other.example/x", "https://other.example/x"},
		{`\a\b`, "https://example.org/a/b"},
		{`/a?x=\b`, "https://example.org/a?x=%5Cb"},
		{"?q=2", "https://example.org/dir/page.html?q=2"},
		{"#below", "https://example.org/dir/page.html?q=1"},
		{"", "https://example.org/dir/page.html?q=1"},
		{" \n/a\tb\r\n ", "https://example.org/ab"},
		// percent-encoding: one form, never twice
		{"/a%20b", "https://example.org/a%20b"},
		{"/a b", "https://example.org/a%20b"},
		{"/a%2520b", "https://example.org/a%2520b"},
		{"/%7euser/%41%2d", "https://example.org/~user/A-"},
		{"/a%2fb", "https://example.org/a%2Fb"},
		{"/100%", "https://example.org/100%25"},
		{"/%zz/%4", "https://example.org/%25zz/%254"},
		{"/ü", "https://example.org/%C3%BC"},
		{"/a?b=ü&c=%c3%bc", "https://example.org/a?b=%C3%BC&c=%C3%BC"},
		{"/a[1]?x[]=2", "https://example.org/a[1]?x[]=2"},
		{`/"<>^{}|`, "https://example.org/%22%3C%3E%5E%7B%7D%7C"},
		// what is not folded
		{"/ABOUT", "https://example.org/ABOUT"},
		{"/a//b/", "https://example.org/a//b/"},
		{"/a/index.html", "https://example.org/a/index.html"},
		{"/a?", "https://example.org/a"},
		// what is
		{"/a?utm_source=x&b=2&gclid=1&a=1&UTM_Medium=y", "https://example.org/a?b=2&a=1"},
		{"/a?fbclid=1", "https://example.org/a"},
		{"/a;jsessionid=AB12?x=1", "https://example.org/a?x=1"},
		{"/a;jsessionid=AB12/b", "https://example.org/a/b"},
	} {
		a, err := addressRules{fold: true}.parse(c.raw, base)
		if err != nil || a.url != c.want {
			t.Errorf("parse(%q) = %q, %v; want %q", c.raw, a.url, err, c.want)
		}
	}
}

func TestAddressRefused(t *testing.T) {
	base, err := url.Parse("https://example.org/")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		raw  string
		want Reason
	}{
		{"mailto:a@example.org", ReasonScheme}, {"TEL:123", ReasonScheme}, {"javascript:void(0)", ReasonScheme}, {"java\nscript:alert(1)", ReasonScheme},
		{"data:text/html,x", ReasonScheme}, {"file:///etc/passwd", ReasonScheme}, {"ftp://example.org/", ReasonScheme}, {"blob:https://example.org/1", ReasonScheme},
		{"http://", ReasonInvalid}, {"https:///a", ReasonInvalid}, {"https://a b/", ReasonInvalid}, {"https://example.org:port/", ReasonInvalid},
		{"https://[::1", ReasonInvalid}, {"https://exa%00mple.org/", ReasonInvalid}, {"https://a..b/", ReasonInvalid}, {"https:opaque", ReasonInvalid},
		{"/" + strings.Repeat("a", maxAddress), ReasonTooLong}, {"/" + strings.Repeat("ü", maxAddress/4), ReasonTooLong},
	} {
		_, err := addressRules{}.parse(c.raw, base)
		var no *refused
		if !errors.As(err, &no) || no.reason != c.want {
			t.Errorf("parse(%.40q) = %v, want %s", c.raw, err, c.want)
		}
	}
}

func TestAddressKeys(t *testing.T) {
	rules := addressRules{fold: true, hashRoutes: true}
	for _, c := range []struct {
		a, b        string
		same, alike bool
	}{
		{"https://e.org/?a=1&b=2", "https://e.org/?b=2&a=1", true, true},
		{"https://e.org/?a=1&a=2", "https://e.org/?a=2&a=1", false, false},
		{"https://e.org/?a=1&utm_id=9", "https://e.org/?a=1", true, true},
		{"https://e.org/a", "https://e.org/a/", false, true},
		{"https://e.org/a", "https://www.e.org/a", false, true},
		{"http://e.org/a", "https://e.org/a", false, true},
		{"https://e.org/a/", "https://e.org/a/index.HTML", false, true},
		{"https://e.org/A", "https://e.org//a", false, true},
		{"https://e.org/a?x=1", "https://e.org/a?x=2", false, false},
		{"https://e.org/a#/x", "https://e.org/a#/y", false, false},
		{"https://e.org/a#!x", "https://e.org/a", false, false},
		{"https://e.org/a#x", "https://e.org/a", true, true},
	} {
		a, errA := rules.parse(c.a, nil)
		b, errB := rules.parse(c.b, nil)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if (a.key == b.key) != c.same || (a.alike == b.alike) != c.alike {
			t.Errorf("%s and %s: same %v, alike %v; keys %q %q, alike %q %q", c.a, c.b, a.key == b.key, a.alike == b.alike, a.key, b.key, a.alike, b.alike)
		}
	}
}

// FuzzAddress: a normal form is its own normal form, stays within the web, and never
// has a login in it.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{
		"https://example.org/a%2fb/../c?x=%zz#/r", "//b\\c/./..", "http://ü.example:80/%e4", "?utm_source=1&&a", "https://u:p@h/;jsessionid=1;jsessionid=2/x",
		"/a/%2e%2e/%2E/..", "https://[::1%25eth0]/", "http://%41.example/", "https://h/%", "#!a b", "HTTPS://EXAMPLE.ORG.:00443", "https://h//..//a", "//::", "https://[::ffff:1.2.3.4]", "https://xn--a.example/",
	} {
		f.Add(s)
	}
	base, err := url.Parse("https://example.org/dir/page?x=1")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, rules := range []addressRules{{}, {fold: true}, {fold: true, hashRoutes: true}} {
			a, err := rules.parse(raw, base)
			if err != nil {
				continue
			}
			again, err := rules.parse(a.url, nil)
			if err != nil || again.url != a.url || again.key != a.key || again.alike != a.alike {
				t.Fatalf("%q gives %q, which gives %q, %v", raw, a.url, again.url, err)
			}
			if a.u.Scheme != "https" && a.u.Scheme != "http" || a.u.Host == "" || a.u.User != nil || strings.ContainsAny(a.url, " \n\t\"<>") {
				t.Fatalf("%q gives %q", raw, a.url)
			}
		}
	})
}
