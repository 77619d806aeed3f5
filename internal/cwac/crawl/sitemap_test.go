package crawl

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const smNS = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"`

func urlset(to ...string) string {
	return "<?xml version='1.0'?><urlset" + smNS + "><url><loc> " + strings.Join(to, "\n</loc><lastmod>2026-01-01</lastmod></url>\n<url><loc>") + "</loc></url></urlset>"
}

func index(to ...string) string {
	return "<sitemapindex" + smNS + "><sitemap><loc>" + strings.Join(to, "</loc></sitemap><sitemap><loc>") + "</loc></sitemap></sitemapindex>"
}

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSitemapIndex: all children of an index are read, packed ones and nested ones
// too, and the files that are no pages have their reason.
func TestSitemapIndex(t *testing.T) {
	xml := func(body string) http.HandlerFunc { return sends(200, "application/xml", body) }
	site := pages{
		"/": "<title>t</title>no links", "/a": links("/linked"), "/b": links(), "/c": links(), "/d": links(), "/e": links(), "/linked": links(),
		"/one.xml": xml(urlset("/a", "/b", "/report.pdf", "/photo.jpg", "mailto:x@e.org", "https://elsewhere.example/x")),
		"/two.xml": sends(200, "application/octet-stream", packed(t, urlset("/c"))), // its name says nothing, its first bytes do
		"/sub.xml": xml(index("/three.xml")),
		"/three.xml": xml("\ufeff" + `<?xml version="1.0" encoding="ISO-8859-1"?><urlset><url><loc>/d</loc><image:image xmlns:image="i"><image:loc>/picture</image:loc></image:image></url>` +
			`<url><loc>/e?x=1&amp;y=2</loc></url></urlset>`),
		"/robots.txt": sends(200, "text/plain", "User-agent: *\nDisallow: /b\nSitemap: /index.xml"),
	}
	base, requests := serve(t, site)
	site["/index.xml"] = xml(index(base+"/one.xml", "/two.xml", "https://elsewhere.example/four.xml", "/sub.xml", "/gone.xml", "/one.xml"))
	f := walk(t, usual(base), 1)
	want := []string{
		"/ scanned", "/a scanned", "/b skipped robots", "/report.pdf skipped document", "/photo.jpg skipped not_html", "mailto:x@e.org skipped unsupported_scheme",
		"https://elsewhere.example/x skipped out_of_scope", "/c scanned", "/d scanned", "/e?x=1&y=2 scanned", "/linked scanned",
	}
	if diff := cmp.Diff(want, rows(f, base)); diff != "" {
		t.Error(diff)
	}
	wantFiles := []SitemapFile{
		{URL: "https://elsewhere.example/four.xml", Problem: "on another host"},
		{URL: base + "/index.xml"}, {URL: base + "/one.xml", Addresses: 6}, {URL: base + "/two.xml", Addresses: 1},
		{URL: base + "/sub.xml"}, {URL: base + "/gone.xml", Problem: "no sitemap is there: the server answered 404"}, {URL: base + "/three.xml", Addresses: 2},
	}
	got := f.SitemapFiles()
	if diff := cmp.Diff(sortedFiles(wantFiles), sortedFiles(got)); diff != "" {
		t.Error(diff)
	}
	if asked := strings.Join(requests(), "\n"); strings.Contains(asked, "sitemap.xml") {
		t.Error("it guesses /sitemap.xml although robots.txt names one")
	}
}

func sortedFiles(list []SitemapFile) map[string]SitemapFile {
	m := map[string]SitemapFile{}
	for _, s := range list {
		m[s.URL] = s
	}
	return m
}

func TestSitemapForms(t *testing.T) {
	deep := strings.Repeat("<a>", 50) + strings.Repeat("</a>", 50)
	bomb := `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><urlset><url><loc>/x</loc></url><url><loc>/&b;</loc></url></urlset>`
	outside := `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>/&a;</loc></url></urlset>`
	for _, c := range []struct {
		name, kind, body string
		want             []string
		problem          string
	}{
		{"xml", "application/xml", urlset("/x", "/y"), []string{"/x", "/y"}, ""},
		{"text", "text/plain", "https://e.org/x\r\n\r\n  https://e.org/y\n", []string{"https://e.org/x", "https://e.org/y"}, ""},
		{"rss", "application/rss+xml", "<rss><channel><link>/no</link><item><link>/x</link><guid>/no</guid></item></channel></rss>", []string{"/x"}, ""},
		{"atom", "application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><link href="/no"/><entry><link rel="self" href="/no"/><link href="/x"/></entry></feed>`, []string{"/x"}, ""},
		{"packed text", "application/gzip", packed(t, "https://e.org/x"), []string{"https://e.org/x"}, ""},
		{"empty", "application/xml", "", nil, ""},
		{"a page", "text/html", "<html><loc>/x</loc></html>", nil, "a page, not a sitemap"},
		{"a page as xml", "application/xml", "<!DOCTYPE html><html><body>sorry</body></html>", nil, "a page, not a sitemap"},
		{"xml as a page", "text/html", urlset("/x"), []string{"/x"}, ""},
		{"json", "application/json", `{"urls":["/x"]}`, nil, "neither XML nor a list of addresses"},
		{"cut off", "application/xml", urlset("/x", "/y")[:170], []string{"/x"}, "not well-formed: XML syntax error on line 2: unexpected EOF"},
		{"entity bomb", "application/xml", bomb, []string{"/x"}, "not well-formed: XML syntax error on line 1: invalid character entity &b;"},
		{"outside entity", "application/xml", outside, nil, "not well-formed: XML syntax error on line 1: invalid character entity &a;"},
		{"deep", "application/xml", deep, nil, "nested too deep"},
		{"utf-16", "application/xml", `<?xml version="1.0" encoding="utf-16"?><urlset/>`, nil, `not well-formed: xml: opening charset "utf-16": encoding "utf-16"`},
		{"gzip bomb", "application/gzip", packed(t, urlset("/x")+strings.Repeat(" ", 1<<20)), []string{"/x"}, "longer than 100000 bytes unpacked: the rest was not read"},
		{"gzip bomb of addresses", "application/gzip", packed(t, strings.Repeat("<urlset><url><loc>"+strings.Repeat("a", 5000)+"</loc></url></urlset>", 200)), nil, ""},
		{"broken gzip", "application/gzip", "\x1f\x8bxx", nil, "not gzip: unexpected EOF"},
		{"long", "text/plain", strings.Repeat("https://e.org/x\n", 7000), nil, "longer than 100000 bytes unpacked: the rest was not read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, _ := serve(t, pages{"/": links(), "/sitemap.xml": sends(200, c.kind, c.body)})
			o := usual(base)
			o.Limits.SitemapBytes = 100_000
			o.Limits.SitemapURLs = 10_000
			f, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			a, err := f.rules.parse(base+"/sitemap.xml", nil)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := f.readSitemap(t.Context(), a, o.Limits.SitemapURLs)
			if c.name == "gzip bomb of addresses" || c.name == "long" {
				if len(got) > 7000 || err == nil {
					t.Errorf("%d addresses, %v", len(got), err)
				}
				return
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if problem := fmt.Sprint(err); err != nil && problem != c.problem || err == nil && c.problem != "" {
				t.Errorf("problem %v, want %q", err, c.problem)
			}
		})
	}
}

// TestSitemapLimits: neither an index of indexes without end nor a million addresses
// keep the crawl from its end.
// TestNoSitemapIsNoProblem: a site need not have the sitemap that nobody named; one
// that robots.txt names must be there.
func TestNoSitemapIsNoProblem(t *testing.T) {
	site := pages{"/": links()}
	base, _ := serve(t, site)
	for body, want := range map[string][]SitemapFile{
		"":                       nil,
		"<!doctype html><p>Home": nil,
		index("/child.xml"):      {{URL: base + "/sitemap.xml"}, {URL: base + "/child.xml", Problem: "no sitemap is there: the server answered 404"}},
	} {
		if body != "" {
			site["/sitemap.xml"] = sends(200, "text/html", body)
		}
		if strings.HasPrefix(body, "<sitemapindex") {
			site["/sitemap.xml"] = sends(200, "text/xml", body)
		}
		if diff := cmp.Diff(want, walk(t, usual(base), 1).SitemapFiles()); diff != "" {
			t.Errorf("%q: %s", body, diff)
		}
		delete(site, "/sitemap.xml")
	}
	site["/robots.txt"] = sends(200, "text/plain", "Sitemap: /named.xml")
	want := []SitemapFile{{URL: base + "/named.xml", Problem: "no sitemap is there: the server answered 404"}}
	if diff := cmp.Diff(want, walk(t, usual(base), 1).SitemapFiles()); diff != "" {
		t.Error(diff)
	}
}

func TestSitemapLimits(t *testing.T) {
	n := 0
	site := pages{
		"/": links(), "/loop.xml": sends(200, "text/xml", index("/loop.xml", "/sitemap.xml")),
		"/deep": func(w http.ResponseWriter, _ *http.Request) {
			n++
			_, _ = fmt.Fprint(w, index(fmt.Sprintf("/deep?%d", n), fmt.Sprintf("/deep?x%d", n)))
		},
		"/many.xml": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprint(w, "<urlset>")
			for i := range 2000 {
				_, _ = fmt.Fprintf(w, "<url><loc>/p/%d</loc></url>", i)
			}
			_, _ = fmt.Fprint(w, "</urlset>")
		},
	}
	base, _ := serve(t, site)
	o := usual(base)
	o.Limits.SitemapURLs, o.MaxPages = 100, 3
	site["/sitemap.xml"] = sends(200, "text/xml", index("/deep?0", "/loop.xml"))
	problems := map[string]int{}
	files := walk(t, o, 1).SitemapFiles()
	for _, s := range files {
		problems[s.Problem]++
		if strings.HasSuffix(s.URL, "/loop.xml") {
			problems["loop"]++
		}
	}
	if problems["nested too deep"] == 0 || problems["loop"] != 1 || len(files) > 30 || n > 15 {
		t.Errorf("%d times deep; %v", n, files)
	}

	site["/sitemap.xml"] = sends(200, "text/xml", index("/many.xml", "/loop.xml"))
	f := walk(t, o, 1)
	if got := len(f.Ledger()); got != 101 {
		t.Errorf("%d addresses", got)
	}
	want := []SitemapFile{
		{URL: base + "/sitemap.xml"}, {URL: base + "/many.xml", Addresses: 100, Problem: errFull.Error()},
		{URL: base + "/loop.xml", Problem: "not read: enough after 2 sitemaps and 100 addresses"},
	}
	if diff := cmp.Diff(want, f.SitemapFiles()); diff != "" {
		t.Error(diff)
	}
}

// FuzzSitemap: any file is read within its bounds.
func FuzzSitemap(f *testing.F) {
	for _, s := range []string{urlset("/a", "/b"), index("/a"), "https://e.org/\nhttps://e.org/b", "\x1f\x8b\x08\x00", "<a><b></a>", "\xef\xbb\xbf<rss><item><link>x", "<?xml version='1.0' encoding='latin1'?><url><loc>\xe9</loc></url>"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		s := sitemapReader{most: 5, bytes: 10_000}
		err := s.read(body)
		if got := len(s.pages) + len(s.maps); got > 5 || errors.Is(err, errFull) && got != 5 {
			t.Fatalf("%d addresses, %v", got, err)
		}
		for _, a := range append(s.pages, s.maps...) {
			if a == "" || a != strings.TrimSpace(a) || len(a) > 10_000*2 {
				t.Fatalf("%q", a)
			}
		}
	})
}
