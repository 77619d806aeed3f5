package crawl

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// lines writes the problems as "page: rule address summary".
func lines(list []PageProblems, base string) []string {
	var out []string
	for _, p := range list {
		if len(p.Findings) == 0 {
			out = append(out, strings.TrimPrefix(p.URL, base)+": clean")
		}
		for _, f := range p.Findings {
			out = append(out, strings.TrimPrefix(p.URL, base)+": "+f.Rule+" "+strings.ReplaceAll(f.Summary, base, ""))
		}
	}
	return out
}

func TestProblems(t *testing.T) {
	site := pages{
		"/":    links("/gone", "/moved", "/temporary", "/chain", "/loop", "/soft", "/a", "/file.pdf", "/missing.pdf", "/doc", "https://elsewhere.example/x", "http://[", "mailto:a@e.org", "/members"),
		"/a":   links("/gone", "/", "/to-gone", "/b"),
		"/b":   links("/"),
		"/500": sends(500, "text/html", ""), "/members": sends(401, "text/html", ""),
		"/moved": leads(301, "/b"), "/temporary": leads(302, "/b"), "/chain": leads(302, "/moved"), "/loop": leads(302, "/loop"), "/to-gone": leads(301, "/gone"),
		"/soft": "<title>Page not found</title>", "/doc": sends(200, "application/pdf", "%PDF"), "/file.pdf": sends(200, "application/pdf", "%PDF"),
		"/sitemap.xml": sends(200, "text/xml", urlset("/b", "/500")),
	}
	base, _ := serve(t, site)
	f := walk(t, usual(base), 1)
	docs, err := f.Documents(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) != 2 || docs[0].URL != base+"/file.pdf" || docs[0].ContentType != "application/pdf" || docs[1].URL != base+"/doc" {
		t.Errorf("documents %+v", docs)
	}
	want := []string{
		"/: broken-link /gone status 404 Not Found",
		"/: link-redirects /moved leads to /b",
		"/: redirect-chain /chain 2 redirects",
		"/: redirect-loop /loop too many redirects",
		`/: broken-link /soft an error page with status 200: "Page not found"`,
		"/: document-link /file.pdf application/pdf",
		"/: broken-link /missing.pdf status 404 Not Found",
		"/: document-link /doc application/pdf",
		"/: broken-link http://[ not an address",
		"/: broken-link /500 status 500 Internal Server Error",
		"/a: broken-link /gone status 404 Not Found",
		"/a: broken-link /to-gone status 404 Not Found",
		"/b: clean",
	}
	got := Problems(f.Ledger())
	if diff := cmp.Diff(want, lines(got, base)); diff != "" {
		t.Error(diff)
	}
	first := got[0].Findings[0]
	if first.Audit != results.AuditCrawl || first.Count != 1 || first.Impact != "serious" || first.Help == "" || first.Description == "" ||
		first.Data["linked_from"] != 2 || first.Data["status"] != 404 {
		t.Errorf("%+v", first)
	}
	used := map[string]bool{}
	for _, p := range got {
		for _, f := range p.Findings {
			used[f.Rule] = true
			if !slices.Contains(Rules(), f.Rule) {
				t.Errorf("the rule %s is not in the list", f.Rule)
			}
			if f.Best != (f.Rule == RuleDocumentLink) {
				t.Errorf("%s: best practice %v", f.Rule, f.Best)
			}
		}
	}
	if len(used) != len(Rules())-1 { // mixed-scheme has its own test
		t.Errorf("rules %v", used)
	}
}

func TestMixedScheme(t *testing.T) {
	hosts := pages{"https://e.org/": links("http://e.org/a", "http://f.example/", "/b"), "http://e.org/a": links(), "https://e.org/b": links()}
	base, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RequestURI = r.Header.Get("X-Scheme") + "://" + r.Host + r.RequestURI
		hosts.ServeHTTP(w, r)
	}))
	for _, only := range []bool{true, false} {
		o := usual(base)
		o.Site, o.Sitemaps, o.Client, o.HTTPSOnly = "https://e.org/", false, atHost(base, "e.org"), only
		got := lines(Problems(walk(t, o, 1).Ledger()), "https://e.org")
		if len(got) == 0 || got[0] != "/: mixed-scheme http://e.org/a" || slices.ContainsFunc(got[1:], func(s string) bool { return strings.Contains(s, "mixed") }) {
			t.Errorf("%v: %q", only, got)
		}
	}
}

// TestFingerprintOfLinks: the same link is the same problem on every page and host.
func TestFingerprintOfLinks(t *testing.T) {
	same := Fingerprint(results.AuditCrawl, RuleBrokenLink, "https://e.org/a?x=1")
	if got := Fingerprint(results.AuditCrawl, RuleBrokenLink, "http://test.example:8080/a?x=1"); got != same || len(same) != 16 {
		t.Errorf("%s and %s", same, got)
	}
	for _, other := range []string{Fingerprint(results.AuditCrawl, RuleBrokenLink, "https://e.org/a?x=2"), Fingerprint(results.AuditCrawl, RuleRedirect, "https://e.org/a?x=1"), Fingerprint(results.AuditCrawl, RuleBrokenLink, "mailto:x")} {
		if other == same {
			t.Error("another problem has the same fingerprint")
		}
	}
}

// TestParentsAreBounded: a broken link of the navigation is told on 20 pages, and
// how many there are is in each of them.
func TestParentsAreBounded(t *testing.T) {
	site := pages{}
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("/p%d", i))
	}
	for _, n := range slices.Concat(names, []string{"/"}) {
		site[n] = links(slices.Concat(names, []string{"/gone"})...) + n
	}
	base, _ := serve(t, site)
	got := Problems(walk(t, usual(base), 2).Ledger())
	n := 0
	for _, p := range got {
		for _, f := range p.Findings {
			if n++; f.Data["linked_from"] != 41 {
				t.Errorf("%v", f.Data)
			}
		}
	}
	if n != maxParents || len(got) != 41 {
		t.Errorf("%d findings on %d pages", n, len(got))
	}
}

// TestDocumentsAreAsked: documents obey robots.txt, and a redirect or a page under
// their name is seen.
func TestDocumentsAreAsked(t *testing.T) {
	base, requests := serve(t, pages{
		"/": links("/a.pdf", "/no/b.pdf", "/c.pdf", "/d.pdf", "/e.docx", "/f.pdf", "/g.pdf"),
		"/g.pdf": func(w http.ResponseWriter, r *http.Request) { // to another site
			http.Redirect(w, r, "http://"+strings.Replace(r.Host, "127.0.0.1", "localhost", 1)+"/a.pdf", http.StatusFound)
		},
		"/a.pdf": sends(200, "application/pdf", ""), "/c.pdf": leads(302, "/real/c"), "/real/c": sends(200, "application/pdf", ""),
		"/d.pdf": sends(200, "text/html", "please sign in"), "/e.docx": sends(200, "application/octet-stream", ""), "/f.pdf": sends(403, "text/html", "Forbidden"),
		"/robots.txt": sends(200, "text/plain", "User-agent: *\nDisallow: /no"),
	})
	o := usual(base)
	o.MaxPages = 1
	f := walk(t, o, 1)
	if docs, err := f.Documents(t.Context(), 10); err != nil || len(docs) != 0 {
		t.Errorf("%v, %v", docs, err)
	}
	o.MaxPages = 2
	f = walk(t, o, 1)
	docs, err := f.Documents(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range docs {
		got = append(got, strings.TrimPrefix(d.URL, base)+" "+strings.TrimPrefix(d.Final, base))
	}
	if diff := cmp.Diff([]string{"/a.pdf ", "/c.pdf /real/c", "/e.docx "}, got); diff != "" {
		t.Error(diff)
	}
	want := []string{"/ scanned", "/a.pdf skipped document", "/no/b.pdf skipped robots", "/c.pdf skipped document", "/d.pdf skipped not_html", "/e.docx skipped document", "/f.pdf skipped status", "/g.pdf skipped redirected_out"}
	if diff := cmp.Diff(want, rows(f, base)); diff != "" {
		t.Error(diff)
	}
	if slices.ContainsFunc(requests(), func(r string) bool { return strings.HasSuffix(r, "/no/b.pdf") }) {
		t.Error("it asked for what robots.txt forbids")
	}
}
