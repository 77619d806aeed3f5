package crawl

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRobotsRules(t *testing.T) {
	for _, c := range []struct {
		name, file string
		allowed    string // paths, with spaces between
		denied     string
	}{
		{"empty", "", "/ /a", ""},
		{"all", "User-agent: *\nDisallow: /", "/robots.txt", "/ /a"},
		{"nothing", "User-agent: *\nDisallow:", "/ /a", ""},
		{"longest wins", "User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b /a/bc /b", "/a /a/c /ab"},
		{"longest wins, other order", "User-agent: *\nAllow: /a/b\nDisallow: /a/b/c", "/a/b/d", "/a/b/c"},
		{"longer before shorter", "User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/b", "/a /a/c"},
		{"allow of equal length, first", "User-agent: *\nAllow: /a\nDisallow: /a", "/a", ""},
		{"allow of equal length", "User-agent: *\nDisallow: /a\nAllow: /a", "/a /a/b", ""},
		{"wildcard", "User-agent: *\nDisallow: /*.pdf$", "/a.pdf?x=1 /pdf /a.pdfx", "/a.pdf /b/c.pdf"},
		{"wildcards", "User-agent: *\nDisallow: /a*b*c", "/ab /ac /acb", "/abc /axxbyyc /abcd /a/b/c/d"},
		{"end", "User-agent: *\nDisallow: /a$", "/ab /a/", "/a"},
		{"dollar inside", "User-agent: *\nDisallow: /a$b", "/a /ab", "/a$b"},
		{"query", "User-agent: *\nDisallow: /*?sort=", "/a /a?x=1", "/a?sort=1 /b/c?sort="},
		{"encoded", "User-agent: *\nDisallow: /a%2Fb\nDisallow: /ü\nDisallow: /%7ex", "/a/b", "/a%2fb /%C3%BC /~x"},
		{"own group", "User-agent: *\nDisallow: /\n\nUser-agent: testbot\nDisallow: /private", "/ /a", "/private/x"},
		{"own empty group", "User-agent: Testbot\n\nUser-agent: *\nDisallow: /", "", "/a"},
		{"own group that allows", "User-agent: Testbot\nDisallow:\n\nUser-agent: *\nDisallow: /", "/ /a", ""},
		{"with a version", "User-agent: Testbot/1.0 (x)\nDisallow: /a", "/b", "/a"},
		{"prefix of a name", "User-agent: Test\nDisallow: /a\nUser-agent: Testbotter\nDisallow: /b", "/a /b", ""},
		{"groups of one name", "User-agent: Testbot\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\nUser-agent: TESTBOT\nDisallow: /b", "/c", "/a /b"},
		{"names in a row", "User-agent: x\nUser-agent: Testbot\nDisallow: /a", "/b", "/a"},
		{"names in a row with a sitemap between", "User-agent: Testbot\nSitemap: https://e.org/s.xml\nUser-agent: x\nDisallow: /a", "/b", "/a"},
		{"comments and spaces", "  user-AGENT : * # all\n# Disallow: /\n\tDISALLOW\t:  /a#b", "/b", "/a /ab"},
		{"line ends", "User-agent: *\rDisallow: /a\r\nDisallow: /b", "/c", "/a /b"},
		{"byte order mark", "\ufeffUser-agent: *\nDisallow: /a", "/b", "/a"},
		{"no slash", "User-agent: *\nDisallow: private/", "/b", "/private/x"},
		{"rules of nobody", "Disallow: /\nUser-agent: *\nDisallow: /a", "/b", "/a"},
		{"unknown lines", "User-agent: *\nNoindex: /b\nHost: e.org\nnonsense\nDisallow: /a", "/b", "/a"},
		{"stars", "User-agent: *\nDisallow: /" + strings.Repeat("*a", 2000) + "b", "/" + strings.Repeat("a", 3000), ""},
		{"cut by the limit", "User-agent: *\nDisallow: /a\n" + strings.Repeat("#", maxRobots-len("User-agent: *\nDisallow: /a\n\nDisallow: /")) + "\nDisallow: /private", "/ /b", "/a"},
		{"beyond the limit", "User-agent: *\nDisallow: /a\n" + strings.Repeat("#\n", maxRobots/2) + "Disallow: /b", "/b", "/a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := parseRobots([]byte(c.file), "Testbot")
			for want, paths := range map[bool]string{true: c.allowed, false: c.denied} {
				for path := range strings.FieldsSeq(paths) {
					a, err := addressRules{}.parse("https://e.org"+path, nil)
					if err != nil {
						t.Fatal(err)
					}
					if got, by := r.allows(a); got != want {
						t.Errorf("%.60s: allowed %v by %q", path, got, by)
					}
				}
			}
		})
	}
}

func TestRobotsDelayAndSitemaps(t *testing.T) {
	r := parseRobots([]byte("Sitemap: https://e.org/a.xml\nUser-agent: *\nCrawl-delay: 9\nUser-agent: Testbot\nCrawl-delay: 1.5\nSITEMAP:/b.xml"), "testbot")
	if r.delay != 1500*time.Millisecond {
		t.Errorf("delay %s", r.delay)
	}
	if diff := cmp.Diff([]string{"https://e.org/a.xml", "/b.xml"}, r.sitemaps); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"-1", "NaN", "Inf", "1e400", "soon", ""} {
		if r := parseRobots([]byte("User-agent: *\nCrawl-delay: "+bad), "x"); r.delay != 0 {
			t.Errorf("delay of %q is %s", bad, r.delay)
		}
	}
}

// TestRobotsAnswers: what the answer to robots.txt means (RFC 9309, section 2.3.1).
func TestRobotsAnswers(t *testing.T) {
	deny := "User-agent: *\nDisallow: /"
	silent := map[string]bool{"500": true, "503": true, "429": true, "cut off": true} // nobody wrote a rule
	for _, c := range []struct {
		name    string
		robots  http.HandlerFunc
		mode    RobotsMode
		allowed bool
	}{
		{"denies", sends(200, "text/plain", deny), "", false},
		{"denies, ignored", sends(200, "text/plain", deny), RobotsIgnore, true},
		{"no type", sends(200, "", deny), "", false},
		{"another type", sends(200, "application/octet-stream", deny), "", false},
		{"404 as a page", sends(404, "text/html", "<h1>"+deny), "", true},
		{"403", sends(403, "text/plain", deny), "", true},
		{"410", sends(410, "text/plain", deny), "", true},
		{"a page with 200", sends(200, "text/html", deny), "", true},
		{"a page called text", sends(200, "text/plain", "\n <!doctype html>\n"+deny), "", true},
		{"500", sends(500, "text/plain", ""), "", false},
		{"500, lenient", sends(500, "text/plain", ""), RobotsLenient, true},
		{"503", sends(503, "text/plain", ""), "", false},
		{"429", sends(429, "text/plain", ""), "", false},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }, "", false},
		{"cut off, lenient", func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }, RobotsLenient, true},
		{"redirect", leads(302, "/r2"), "", false},
		{"redirects without end", leads(302, "/robots.txt"), "", true},
		{"redirect to nowhere", leads(302, "/gone.txt"), "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, _ := serve(t, pages{"/": links(), "/robots.txt": c.robots, "/r2": leads(301, "/r3"), "/r3": sends(200, "text/plain", deny)})
			o := usual(base)
			o.Robots = c.mode
			o.Sitemaps = false
			got := rows(walk(t, o, 1), base)
			want := map[bool]string{true: "/ scanned", false: "/ skipped robots"}[c.allowed]
			if silent[c.name] {
				want = "/ skipped no_robots"
			}
			if diff := cmp.Diff([]string{want}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRobotsOnce: a robots.txt is fetched once however many pages there are, with
// the crawler's own name.
func TestRobotsOnce(t *testing.T) {
	agent := ""
	base, requests := serve(t, pages{"/": links("/a", "/b"), "/a": links(), "/b": links(), "/robots.txt": func(w http.ResponseWriter, r *http.Request) {
		agent = r.UserAgent()
		w.WriteHeader(404)
	}})
	walk(t, usual(base), 1)
	if n := strings.Count(strings.Join(requests(), "\n"), "GET /robots.txt"); n != 1 || agent != "Testbot/1.0" {
		t.Errorf("%d requests for robots.txt, the last by %q", n, agent)
	}
}

// TestCrawlDelay: the delay is kept between addresses, up to the limit.
func TestCrawlDelay(t *testing.T) {
	for file, want := range map[string]time.Duration{"Crawl-delay: 3": 3 * time.Second, "Crawl-delay: 600": 10 * time.Second, "": 200 * time.Millisecond} {
		base, _ := serve(t, pages{"/": links("/a", "/b"), "/a": links(), "/b": links(), "/robots.txt": sends(200, "text/plain", "User-agent: *\n"+file)})
		o := usual(base)
		clock := newStillClock()
		o.Clock, o.Delay, o.Sitemaps = clock, 200*time.Millisecond, false
		walk(t, o, 1)
		if diff := cmp.Diff([]time.Duration{want, want}, clock.waits); diff != "" {
			t.Errorf("%q: %s", file, diff)
		}
	}
}

// FuzzRobots: any file is read, and what it allows does not depend on the order of
// its groups' names.
func FuzzRobots(f *testing.F) {
	for _, s := range []string{
		"User-agent: *\nDisallow: /", "User-agent: a\nUser-agent: Testbot\nAllow: /x*y$\nDisallow: *", "Sitemap:\n:\n#", "\xef\xbb\xbfuser-agent:*\rcrawl-delay:1e9",
	} {
		f.Add(s, "/x/y?z=1")
	}
	f.Fuzz(func(t *testing.T, file, path string) {
		a, err := addressRules{}.parse("https://e.org/"+path, nil)
		if err != nil {
			return
		}
		r := parseRobots([]byte(file), "Testbot")
		ok, by := r.allows(a)
		if !ok && by == "" {
			t.Fatalf("%q is denied by no rule", a.url)
		}
		if again, _ := parseRobots([]byte("User-agent: Testbot\nAllow: /\nDisallow: /zzz\n"), "Testbot").allows(a); !again && !strings.HasPrefix(a.u.EscapedPath(), "/zzz") {
			t.Fatalf("%q is denied", a.url)
		}
		if r.delay < 0 || len(r.rules) > maxRules || len(r.sitemaps) > maxSitemaps {
			t.Fatalf("%+v", r)
		}
	})
}

// TestRobotsTooLong: of a file that is longer than what is read the last whole line
// counts, also when it came over the network.
func TestRobotsTooLong(t *testing.T) {
	base, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			const last = "\nDisallow: /"
			sends(200, "text/plain", "User-agent: *\n"+strings.Repeat("#", maxRobots-len("User-agent: *\n"+last))+last+"private")(w, r)
			return
		}
		sends(200, "text/html", "here")(w, r)
	}))
	o := usual(base)
	o.Sitemaps = false
	if f := walk(t, o, 1); f.scanned != 1 {
		t.Errorf("%d pages: %+v", f.scanned, f.Ledger())
	}
}

// TestFilesThatBreakOff: of a robots.txt nothing is known then, and a sitemap says so.
func TestFilesThatBreakOff(t *testing.T) {
	broken := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Length", "100000")
			_, _ = w.Write([]byte(text))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
	}
	for _, tt := range []struct {
		mode    RobotsMode
		file    string
		scanned int
		problem string
	}{
		{RobotsStrict, "/robots.txt", 0, ""}, {RobotsLenient, "/robots.txt", 1, ""}, {RobotsStrict, "/sitemap.xml", 2, "only its beginning came"},
	} {
		var base string
		base, _ = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path == "/robots.txt" && tt.file == r.URL.Path:
				broken("User-agent: *\nDisallow: /a\nDisal")(w, r)
			case r.URL.Path == "/sitemap.xml" && tt.file == r.URL.Path:
				broken(base+"/listed\n")(w, r)
			case strings.Contains(r.URL.Path, "."):
				http.NotFound(w, r)
			default:
				sends(200, "text/html", "here")(w, r)
			}
		}))
		o := usual(base)
		o.Robots, o.Sitemaps = tt.mode, true
		f := walk(t, o, 1)
		var problem string
		for _, s := range f.SitemapFiles() {
			problem += s.Problem
		}
		if f.scanned != tt.scanned || !strings.Contains(problem, tt.problem) {
			t.Errorf("%s breaks off: %d pages, problem %q, %+v", tt.file, f.scanned, problem, f.Ledger())
		}
	}
}
