package engine_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/engine"
	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// pages is a site of handlers by path; "/" links to all that links names.
type pages map[string]http.HandlerFunc

// ServeHTTP implements http.Handler.
func (p pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := p[r.URL.Path]; h != nil {
		h(w, r)
		return
	}
	http.NotFound(w, r)
}

// doc answers with a page.
func doc(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, `<!doctype html><html lang="en"><title>Page</title><body>`+body)
	}
}

// linking is a page with links.
func linking(paths ...string) http.HandlerFunc {
	var b strings.Builder
	for _, p := range paths {
		fmt.Fprintf(&b, `<a href="%s">to %s</a> `, p, p)
	}
	return doc(b.String())
}

// outcomes are the state and reason of every address, by path.
func outcomes(t *testing.T, read *results.Results) map[string]string {
	t.Helper()
	got := map[string]string{}
	for p, err := range read.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		got[strings.TrimPrefix(p.URL, "http://"+bench)] = strings.TrimSpace(p.State + " " + p.Reason)
	}
	return got
}

// quick is a scan for its outcomes only.
func quick(t *testing.T, site http.Handler) engine.Options {
	t.Helper()
	o := options(t, serve(t, site), "http://"+bench+"/")
	only(&o.Config, results.AuditTitle)
	o.Config.CrawlSitemaps = false
	return o
}

func TestPagesThatGoWrongLeaveTheOthers(t *testing.T) {
	t.Parallel()
	stuck := func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			w.Header().Set("Content-Type", "text/html")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><p>begun")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	site := pages{
		"/":        linking("/spin", "/good1", "/alerts", "/stuck", "/good2", "/refuses", "/file", "/away", "/empty", "/good3"),
		"/spin":    doc("<script>setTimeout(() => { for (;;); }, 100)</script>"),
		"/alerts":  doc("<script>for (let i = 0; i < 50; i++) alert(i)</script>"),
		"/stuck":   stuck,
		"/good1":   doc("one"),
		"/good2":   doc("two"),
		"/good3":   doc("three"),
		"/refuses": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusInternalServerError) },
		"/file": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			if r.Method == http.MethodGet {
				w.Header().Set("Content-Disposition", "attachment; filename=x.html")
			}
		},
		"/away": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://elsewhere.example/", http.StatusFound)
		},
		"/empty": doc(""),
	}
	o := quick(t, site)
	o.Config.PageLoadTimeout = 3
	o.Limits = engine.Limits{Page: 15 * time.Second}
	_, read := scan(t, o)
	want := map[string]string{
		"/": "scanned", "/spin": "failed failed", "/alerts": "scanned", "/stuck": "failed failed", "/good1": "scanned", "/good2": "scanned",
		"/good3": "scanned", "/refuses": "skipped status", "/file": "failed failed", "/away": "skipped redirected_out", "/empty": "scanned",
		"http://elsewhere.example/": "skipped out_of_scope",
	}
	got := outcomes(t, read)
	delete(want, "http://elsewhere.example/")
	delete(got, "http://elsewhere.example/")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

func TestThreeFailedPagesEndASite(t *testing.T) {
	t.Parallel()
	down := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.Method == http.MethodGet {
			panic(http.ErrAbortHandler)
		}
	}
	site := pages{"/": linking("/a", "/b", "/c", "/d"), "/a": down, "/b": down, "/c": down, "/d": doc("never asked for")}
	out, read := scan(t, quick(t, site))
	want := map[string]string{"/": "scanned", "/a": "failed failed", "/b": "failed failed", "/c": "failed failed", "/d": "skipped stopped"}
	if diff := cmp.Diff(want, outcomes(t, read)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if !strings.Contains(out.Sites[0].Reason, "several pages in a row") {
		t.Errorf("the site's reason is %q", out.Sites[0].Reason)
	}
}

// TestAFirewallThatComesLater: what was scanned before it stays, and counts.
func TestAFirewallThatComesLater(t *testing.T) {
	t.Parallel()
	block := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1><p>Cloudflare Ray ID: 1</p>")
	}
	o := quick(t, pages{
		"/": linking("/a", "/b", "/c", "/d"), "/a": block, "/b": doc("fine"),
		"/c": doc(`<iframe src="about:blank">Request unsuccessful. Incapsula incident ID: 9</iframe>`), // no visitor reads it: it is in the markup only
		"/d": doc("<h1>Sorry, the page cannot be found</h1>"),
	})
	o.Config.HeaderCheck, o.Config.Legwork.Compat = false, false
	out, read := scan(t, o)
	want := map[string]string{"/": "scanned", "/a": "blocked blocked", "/b": "scanned", "/c": "blocked blocked", "/d": "skipped error_page"}
	if diff := cmp.Diff(want, outcomes(t, read)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if out.Pages != 2 {
		t.Errorf("%d pages count as scanned, not 2", out.Pages)
	}
	rows, err := os.ReadFile(filepath.Join(out.Dir, "anti_bot.csv"))
	if err != nil || !strings.Contains(string(rows), bench+",http://"+bench+"/a,Cloudflare,") {
		t.Errorf("anti_bot.csv is %q, %v", rows, err)
	}
}

// TestAWorkerOfTheSiteAnswersForNoPage: one that an earlier page installed would
// show what it likes, and what it has kept, instead of what the server has.
func TestAWorkerOfTheSiteAnswersForNoPage(t *testing.T) {
	t.Parallel()
	script := `self.addEventListener("install", () => self.skipWaiting()); self.addEventListener("activate", e => e.waitUntil(clients.claim()));
		self.addEventListener("fetch", e => e.respondWith(new Response("<title>of the worker</title>", {headers: {"content-type": "text/html"}})))`
	o := quick(t, pages{
		"/": linking("/a", "/b"), "/b": doc("two"),
		"/a": doc(`<script>navigator.serviceWorker.register("/w.js"); document.title = "before"</script>`),
		"/w.js": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, script)
		},
	})
	_, read := scan(t, o)
	got := map[string]string{}
	for p, err := range read.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		got[strings.TrimPrefix(p.URL, "http://"+bench)] = p.Title
	}
	if diff := cmp.Diff(map[string]string{"/": "Page", "/a": "before", "/b": "Page"}, got); diff != "" {
		t.Errorf("titles (-want +got):\n%s", diff)
	}
}

// stopper cancels a scan after a number of pages.
type stopper struct {
	after  int
	cancel context.CancelFunc
	steps  []engine.Step
}

func (s *stopper) Begin(engine.Begun) {}
func (s *stopper) End(engine.Outcome) {}
func (s *stopper) Step(step engine.Step) {
	s.steps = append(s.steps, step)
	if len(s.steps) == s.after {
		s.cancel()
	}
}

func TestACancelledScanKeepsWhatItHas(t *testing.T) {
	t.Parallel()
	o := quick(t, planted.NewMany(50))
	ctx, cancel := context.WithCancel(patience(t))
	defer cancel()
	o.Watch = &stopper{after: 4, cancel: cancel}
	out, err := engine.Run(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	read, err := results.Open(out.Dir)
	if err != nil {
		t.Fatal(err)
	}
	paths := scanned(t, read)
	if out.State != results.StateCancelled || out.Pages != 4 || len(paths) != 4 {
		t.Errorf("the scan is %s with %d pages, and the folder has %q", out.State, out.Pages, paths)
	}
	sites, err := read.Sites()
	if err != nil || len(sites) != 1 || sites[0].Pages != 4 {
		t.Errorf("the sites are %+v, %v", sites, err)
	}
}

func TestNothingToScanSaysWhy(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	count := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		doc("here")(w, r)
	})
	tests := []struct {
		name, url, reason string
		change            func(*engine.Options)
		silent            bool // the site must not be asked at all
	}{
		{"only https", "http://" + bench + "/", "not served by https", func(o *engine.Options) { o.Config.OnlyHTTPS = true }, false},
		{"a private address", "http://127.0.0.1:9/", "not allowed", func(o *engine.Options) {}, true},
		{"a dead host", "http://dead.invalid/", "no usable answer", func(o *engine.Options) {}, true},
		{"no address", "nonsense", "Invalid URL", func(o *engine.Options) {}, true},
		{"not found", "http://" + bench + "/gone", "error status", func(o *engine.Options) {}, false},
		{"no audit", "http://" + bench + "/", "no audit that is switched on", func(o *engine.Options) { only(&o.Config) }, false},
		{"nothing to measure", "http://" + bench + "/", "no audit that is switched on", func(o *engine.Options) { only(&o.Config, results.AuditLanguage) }, false},
		{"an audit that fails", "http://" + bench + "/", "loaded or audited: element_audit", func(o *engine.Options) {
			only(&o.Config, results.AuditElement)
			o.Config.Plugins.Named(results.AuditElement).Target = "]]]"
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked.Store(0)
			o := quick(t, pages{"/": count.ServeHTTP})
			o.Sites[0].URL = tt.url
			tt.change(&o)
			out, _ := scan(t, o)
			if out.Pages != 0 || len(out.Sites) != 1 || !strings.Contains(out.Sites[0].Reason, tt.reason) {
				t.Errorf("the outcome is %+v; the reason should say %q", out.Sites, tt.reason)
			}
			if tt.silent && asked.Load() > 0 {
				t.Errorf("the site was asked %d times", asked.Load())
			}
		})
	}
}

func TestAScanWithoutSitesSaysSo(t *testing.T) {
	o := quick(t, pages{})
	o.Sites = nil
	var said strings.Builder
	o.Watch = engine.Console{Out: &said}
	out, read := scan(t, o)
	const want = "There was no base URL to scan"
	if out.Pages != 0 || len(read.Scan.Notes) != 1 || !strings.HasPrefix(read.Scan.Notes[0].Text, want) || !strings.Contains(said.String(), want) {
		t.Errorf("the record has %+v\n%s", read.Scan.Notes, said.String())
	}
}

// TestAScanReachesNoPrivateAddress: neither the browser nor the requests beside it,
// whatever a page or a redirect says.
func TestAScanReachesNoPrivateAddress(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	inside := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		doc("secret")(w, r)
	})
	hidden := httptestServer(t, inside)
	site := pages{
		"/":     doc(`<a href="/hop">hop</a><a href="/meta">meta</a><iframe src="` + hidden + `/frame"></iframe><img src="` + hidden + `/image"><script>fetch("` + hidden + `/fetch", {mode: "no-cors"})</script>`),
		"/hop":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, hidden+"/page", http.StatusFound) },
		"/meta": doc(`<meta http-equiv="refresh" content="0; url=` + hidden + `/meta">`),
	}
	o := quick(t, site)
	o.Config.HeaderCheck = false
	_, read := scan(t, o)
	want := map[string]string{"/": "scanned", "/hop": "failed failed", "/meta": "failed failed"}
	if diff := cmp.Diff(want, outcomes(t, read)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if n := reached.Load(); n > 0 {
		t.Errorf("%d requests came to a private address", n)
	}
}

func TestAPageThatLoadsWithoutEndIsBounded(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	flood := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		block := strings.Repeat("x", 1<<16)
		for r.Context().Err() == nil {
			n, err := io.WriteString(w, block)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	}
	site := pages{
		"/":      linking("/flood", "/good"),
		"/flood": doc(`<script>fetch("/data").then(r => r.arrayBuffer())</script>`),
		"/data":  flood,
		"/good":  doc("fine"),
	}
	o := quick(t, site)
	o.Limits.PageBytes = 1 << 20
	_, read := scan(t, o)
	want := map[string]string{"/": "scanned", "/flood": "partial failed", "/good": "scanned"}
	if diff := cmp.Diff(want, outcomes(t, read)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if most := int64(64 << 20); sent.Load() > most { // the limit, and what the buffers on the way hold
		t.Errorf("the server got rid of %d bytes", sent.Load())
	}
}

// TestPagesThatTakeTooLong: one that never comes to rest is audited as it is, with a
// note, and waited for once; one that axe cannot finish in time is scanned in part.
func TestPagesThatTakeTooLong(t *testing.T) {
	t.Parallel()
	site := pages{
		"/":        linking("/endless", "/heavy"),
		"/endless": doc(`<img src="/drip.gif">`),
		"/drip.gif": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "image/gif")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"/heavy": doc(strings.Repeat(`<div><p style="color:#bbb">faint <a href="#x">link</a></p></div>`, 7000)),
	}
	o := quick(t, site)
	only(&o.Config, results.AuditAxe)
	o.Config.ScriptTimeout = 0.5
	_, read := scan(t, o)
	var notes []string
	for p, err := range read.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		switch strings.TrimPrefix(p.URL, "http://"+bench) {
		case "/endless":
			for _, n := range p.Notes {
				if n.Kind == "not_settled" {
					notes = append(notes, n.Text)
				}
			}
			if p.Seconds > 25 { // three waits of ten seconds each
				t.Errorf("the endless page took %.0f s", p.Seconds)
			}
		case "/heavy":
			if p.State != results.PagePartial || !strings.Contains(p.Detail, "axe_core_audit at small (out of time)") {
				t.Errorf("the heavy page is %s: %s", p.State, p.Detail)
			}
		}
	}
	if len(notes) != 1 {
		t.Errorf("the endless page has the notes %q", notes)
	}
}

func TestWhatCannotBeginSaysSo(t *testing.T) {
	tests := []struct {
		name, want string
		change     func(*engine.Options)
	}{
		{"a plugin that nobody has", "No module named 'src.audit_plugins.colour_audit'", func(o *engine.Options) { only(&o.Config, "colour_audit") }},
		{"no viewport", "viewport", func(o *engine.Options) { o.Config.Viewports = nil }},
		{"a broken login", "The login of the scan is wrong", func(o *engine.Options) { o.Config.Legwork.Login = []byte(`{"steps":[{"action":"fly"}]}`) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := quick(t, pages{})
			tt.change(&o)
			_, err := engine.Run(patience(t), o)
			if f := fault.From(err); err == nil || !strings.Contains(f.Message+f.Action, tt.want) {
				t.Errorf("it says %v", err)
			}
			if made, _ := os.ReadDir(o.OutDir); len(made) > 0 {
				t.Errorf("it left %v behind", made)
			}
		})
	}
}

// noBrowser is a machine without one.
type noBrowser struct{}

func (noBrowser) Open(context.Context, browser.TabOptions) (*browser.Tab, error) {
	return nil, fault.New(fault.Unavailable, "browser_unavailable", "No browser is installed.", "Install one.")
}

func (n noBrowser) Beside(ctx context.Context, _ *browser.Tab, o browser.TabOptions) (*browser.Tab, error) {
	return n.Open(ctx, o)
}

func TestAMissingBrowserEndsTheScan(t *testing.T) {
	o := quick(t, pages{"/": linking("/a", "/b"), "/a": doc("a"), "/b": doc("b")})
	o.Browser = noBrowser{}
	out, err := engine.Run(patience(t), o)
	if f := fault.From(err); f.Type != "browser_unavailable" || out.State != results.StateFailed || out.Pages != 0 {
		t.Errorf("the scan is %s, the error %v", out.State, err)
	}
	read, err := results.Open(out.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := read.Scan; got == nil || !strings.Contains(got.Error, "No browser is installed") {
		t.Errorf("the record says %+v", got)
	}
}

// A site that names hundreds of sitemaps of no use must not fill the record of the scan.
func TestSitemapsOfNoUseAreToldInPart(t *testing.T) {
	t.Parallel()
	site := pages{"/": doc("one"), "/robots.txt": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		for i := range 90 {
			_, _ = fmt.Fprintf(w, "Sitemap: http://elsewhere.example/%d.xml\n", i)
		}
	}}
	o := quick(t, site)
	o.Config.CrawlSitemaps = true
	out, read := scan(t, o)
	told := 0
	for _, n := range read.Scan.Notes {
		if n.Kind == "sitemap" {
			told++
		}
	}
	last := out.Notes[len(out.Notes)-1]
	if told != 21 || last.Text != "70 more sitemaps could not be used in full." {
		t.Errorf("%d notes, the last: %+v", told, last)
	}
}
