package crawl

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCalendar: a calendar without end costs its share and keeps nothing waiting.
func TestCalendar(t *testing.T) {
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var month int
		switch {
		case r.URL.Path == "/":
			sends(200, "text/html", links("/cal?m=1", "/news"))(w, r)
		case r.URL.Path == "/cal":
			_, _ = fmt.Sscan(r.URL.Query().Get("m"), &month)
			sends(200, "text/html", links(fmt.Sprintf("/cal?m=%d", month+1), fmt.Sprintf("/cal?m=%d", month+2)))(w, r)
		case r.URL.Path == "/news" || strings.HasPrefix(r.URL.Path, "/item-"):
			next := "/item-" + strings.Repeat("x", len(r.URL.Path))
			sends(200, "text/html", links(next))(w, r)
		default:
			w.WriteHeader(404)
		}
	})
	base, _ := serve(t, site)
	o := usual(base)
	o.MaxPages = 60
	o.Limits.PerPattern = 10
	counts := map[bool]int{}
	f := walk(t, o, 2)
	for _, e := range f.Ledger() {
		if e.State == StateScanned {
			counts[strings.Contains(e.URL, "/cal")]++
		}
	}
	if counts[true] != 10 || counts[false] != 50 {
		t.Errorf("%d pages of the calendar, %d others", counts[true], counts[false])
	}
}

// TestCalendarAlone: when there is nothing else, the calendar gets the rest.
func TestCalendarAlone(t *testing.T) {
	base, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m int
		_, _ = fmt.Sscan(r.URL.Query().Get("m"), &m)
		sends(200, "text/html", links(fmt.Sprintf("/?m=%d", m+1)))(w, r)
	}))
	o := usual(base)
	o.MaxPages, o.Sitemaps, o.Limits.PerPattern = 20, false, 5
	if scanned := walk(t, o, 1).scanned; scanned != 20 {
		t.Errorf("%d pages", scanned)
	}
}

// TestGrowingAddresses: a wrong relative link makes addresses that repeat themselves.
func TestGrowingAddresses(t *testing.T) {
	n := 0
	base, _ := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.WriteHeader(404)
			return
		}
		n++
		sends(200, "text/html", links("a/b/", "./", "?"))(w, r)
	}))
	o := usual(base)
	o.Sitemaps = false
	f := walk(t, o, 1)
	want := []string{"/ scanned", "/a/b/ scanned", "/a/b/a/b/ scanned", "/a/b/a/b/a/b/ scanned", "/a/b/a/b/a/b/a/b/ skipped trap"}
	o.Fold = false
	if diff := cmp.Diff(want, rows(walk(t, o, 1), base)); diff != "" {
		t.Error(diff)
	}
	if got := f.Ledger(); got[len(got)-1].Reason != ReasonTrap {
		t.Errorf("with folding: %v", rows(f, base))
	}
}

func TestLinksOfAPageAreBounded(t *testing.T) {
	f, target := loading(t, Limits{LinksPerPage: 3})
	f.Done(target, Visit{State: StateScanned, Links: []string{"/a", "/b", "/c", "/d", "/e"}})
	f.Stop("enough")
	if rows, dropped := len(f.Ledger()), f.Dropped(); rows != 4 || dropped != 2 {
		t.Errorf("%d rows, %d dropped", rows, dropped)
	}
}

// loading is a crawl of a site that answers nothing, with its first page in the browser.
func loading(t *testing.T, l Limits) (*Frontier, Target) {
	t.Helper()
	f, err := New(Options{
		Site: "https://e.org/", Client: tripper(func(*http.Request) (*http.Response, error) { return nil, http.ErrNotSupported }), Robots: RobotsLenient,
		HTTPSOnly: true, MaxPages: 2, Limits: l, Clock: newStillClock(),
	})
	if err != nil {
		t.Fatal(err)
	}
	target, ok := f.Next(t.Context())
	if !ok {
		t.Fatal("no target")
	}
	return f, target
}

// TestWhatArrivesIsNoPage: what the browser got is judged even when nobody asked for the
// headers before.
func TestWhatArrivesIsNoPage(t *testing.T) {
	for _, c := range []struct {
		page Page
		want Reason
	}{
		{Page{Status: 200, ContentType: "text/html"}, ""},
		{Page{Status: 404, ContentType: "text/html"}, ReasonStatus},
		{Page{Status: 200, ContentType: "application/pdf"}, ReasonDocument},
		{Page{Status: 200, ContentType: "image/png"}, ReasonNotHTML},
		{Page{Status: 200, ContentType: "text/html", FinalURL: "http://e.org/"}, ReasonHTTPSOnly},
		{Page{Status: 200, ContentType: "text/html", FinalURL: "https://elsewhere.example/"}, ReasonRedirectedOut},
	} {
		f, target := loading(t, Limits{})
		got, err := f.Arrived(t.Context(), target, c.page)
		if err != nil || got.Reason != c.want || got.Audit != (c.want == "") {
			t.Errorf("%+v: %+v, %v", c.page, got, err)
		}
	}
}

// TestManyLinks: a page of a million links is cut, and the rest counted.
func TestManyLinks(t *testing.T) {
	f, err := New(Options{Site: "https://e.org/", Client: tripper(func(*http.Request) (*http.Response, error) { return nil, http.ErrNotSupported }), Robots: RobotsLenient, Limits: Limits{Addresses: 5000}, MaxPages: 2, Clock: newStillClock()})
	if err != nil {
		t.Fatal(err)
	}
	target, ok := f.Next(t.Context())
	if !ok {
		t.Fatal("no target")
	}
	list := make([]string, 1_000_000)
	for i := range list {
		list[i] = fmt.Sprintf("/p%d", i)
	}
	f.Done(target, Visit{State: StateScanned, Links: list})
	f.Stop("enough")
	if got := len(f.Ledger()); got != 5000 {
		t.Errorf("%d rows", got)
	}
	if got := f.Dropped(); got != 1_000_000-4999 {
		t.Errorf("%d dropped", got)
	}
}

// TestHostileLinks: whatever stands in href, the crawl ends and books it once.
func TestHostileLinks(t *testing.T) {
	list := []string{
		"javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html;base64," + strings.Repeat("A", 100_000), "//", "///", "http://[", "\x00\x01", "https://\u202eevil.example/",
		"?" + strings.Repeat("a=1&", 2000), "#", "", " ", "file:///etc/passwd", "http://169.254.169.254/latest", "//user:pass@elsewhere.example", "\xff\xfe", "javascript:alert(1)",
	}
	base, _ := serve(t, pages{"/": links()})
	f, err := New(usual(base))
	if err != nil {
		t.Fatal(err)
	}
	target, _ := f.Next(t.Context())
	f.Done(target, Visit{State: StateScanned, Links: list})
	if next, ok := f.Next(t.Context()); ok {
		t.Errorf("it wants to load %s", next.URL)
	}
	seen := map[string]bool{}
	for _, e := range f.Ledger() {
		if seen[e.URL] || len(e.URL) > maxAddress || e.State == StateWaiting || e.Reason == "" && e.State == StateSkipped {
			t.Errorf("%.80q: %s %s", e.URL, e.State, e.Reason)
		}
		seen[e.URL] = true
	}
	if len(seen) < 8 {
		t.Errorf("only %d of the links are booked", len(seen))
	}
}

// TestRandomSites: on sites of any shape, order and ledger are the same for one
// worker and for four, nothing is loaded twice, and every address has a reason.
func TestRandomSites(t *testing.T) {
	for seed := range uint64(12) {
		base, _ := serve(t, randomSite(rand.New(rand.NewPCG(seed, 1))))
		o := usual(base)
		o.MaxPages = 5 + int(seed)*2
		o.Limits.PerPattern = 6
		o.HeaderCheck = seed%3 != 0
		one := walk(t, o, 1)
		for range 2 {
			if diff := cmp.Diff(one.Ledger(), walk(t, o, 4).Ledger()); diff != "" {
				t.Fatalf("site %d: with four workers (-one +four):\n%s", seed, diff)
			}
		}
		scanned := 0
		for _, e := range one.Ledger() {
			if e.State == StateScanned {
				scanned++
			} else if e.Reason == "" || e.State == StateWaiting || e.State == StateLoading {
				t.Errorf("site %d: %s is %s without a reason", seed, e.URL, e.State)
			}
		}
		if got := one.scanned; scanned != got || scanned > o.MaxPages {
			t.Errorf("site %d: %d pages of %d, counted %d", seed, scanned, o.MaxPages, got)
		}
	}
}

// randomSite has pages, copies under other names, redirects, missing pages and files.
func randomSite(r *rand.Rand) http.Handler {
	site := pages{"/robots.txt": sends(200, "text/plain", "User-agent: *\nDisallow: /no")}
	const n = 40
	name := func() string {
		i := r.IntN(n)
		return []string{fmt.Sprintf("/p%d", i), fmt.Sprintf("/p%d/", i), fmt.Sprintf("/P%d", i), fmt.Sprintf("/r%d", i), fmt.Sprintf("/x%d.pdf", i), fmt.Sprintf("/no%d", i), fmt.Sprintf("/p%d?utm_id=%d", i, i)}[r.IntN(7)]
	}
	for i := range n {
		to := []string{}
		for range r.IntN(6) + 1 {
			to = append(to, name())
		}
		page := links(to...)
		if r.IntN(3) == 0 {
			page += fmt.Sprintf(`<link rel="canonical" href="/p%d">`, i)
		}
		site[fmt.Sprintf("/p%d", i)], site[fmt.Sprintf("/p%d/", i)] = page, page
		site[fmt.Sprintf("/r%d", i)] = leads([]int{301, 302, 307}[r.IntN(3)], name())
	}
	site["/"] = links(name(), name(), name(), name())
	site["/sitemap.xml"] = sends(200, "text/xml", urlset(name(), name(), name()))
	return site
}
