package engine_test

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/legwork-mcp/legwork/internal/cwac/engine"
	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// rules counts what was found of a page at a width, by rule.
func rules(t *testing.T, read *results.Results, path, width string) map[string]int {
	t.Helper()
	got := map[string]int{}
	for at, n := range found(t, read) {
		if at.path == path && at.width == width {
			got[at.rule] += n
		}
	}
	return got
}

// TestFaultsInsideFrames: with frames on, the two that CWAC misses are there.
func TestFaultsInsideFrames(t *testing.T) {
	t.Parallel()
	o := options(t, serve(t, planted.New()), "http://"+bench+"/iframe.html")
	o.Config.MaxLinksPerDomain, o.Config.Legwork.Frames = 1, true
	_, read := scan(t, o)
	for _, width := range []string{"320", "1280"} {
		if diff := cmp.Diff(map[string]int{"frame-title": 1, "image-alt": 2}, rules(t, read, "/iframe.html", width)); diff != "" {
			t.Errorf("at %s (-want +got):\n%s", width, diff)
		}
	}
}

// TestAConsentBannerIsAuditedAndDismissed: faults of the banner and of the page
// behind it are both there.
func TestAConsentBannerIsAuditedAndDismissed(t *testing.T) {
	t.Parallel()
	banner := doc(`<main><h1>Shop</h1><div id="late"></div></main>
<div role="dialog" aria-label="Cookie consent" id="cb" style="position:fixed;inset:auto 0 0 0;background:#fff;z-index:99"><p>We use cookies to measure visits. Do you consent?</p><img src="/x.gif">
<button onclick="cb.remove(); late.innerHTML='<select><option>1</option></select>'">Reject all</button><button>Accept all</button></div>`)
	tests := []struct {
		consent string
		want    map[string]int
	}{
		{"keep", map[string]int{"image-alt": 1}},
		{"dismiss", map[string]int{"image-alt": 1, "select-name": 1}},
	}
	for _, tt := range tests {
		t.Run(tt.consent, func(t *testing.T) {
			o := options(t, serve(t, pages{"/": banner}), "http://"+bench+"/")
			o.Config.MaxLinksPerDomain, o.Config.Legwork.Consent = 1, tt.consent
			_, read := scan(t, o)
			for _, width := range []string{"320", "1280"} {
				if diff := cmp.Diff(tt.want, rules(t, read, "/", width)); diff != "" {
					t.Errorf("at %s (-want +got):\n%s", width, diff)
				}
			}
			var noted bool
			for p, err := range read.Pages() {
				if err != nil {
					t.Fatal(err)
				}
				noted = noted || slices.ContainsFunc(p.Notes, func(n results.Note) bool { return n.Kind == "consent_dismissed" })
			}
			if noted != (tt.consent == "dismiss") {
				t.Errorf("the note about it is there: %v", noted)
			}
		})
	}
}

// TestTheCrawlIsTheSameEveryTime: the same pages in the same order, with the same
// reasons for all others.
func TestTheCrawlIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	o := quick(t, planted.New())
	o.Config.CrawlSitemaps, o.Config.Legwork.Compat = true, false
	o.Config.MaxLinksPerDomain = 6 // fewer than there are: which ones must not depend on chance
	o.Config.Viewports = o.Config.Viewports[:1]
	var first string
	for i := range 10 {
		out, _ := scan(t, o)
		ledger, err := os.ReadFile(filepath.Join(out.Dir, results.FileLedger))
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = string(ledger)
			if strings.Count(first, ",scanned,") != 6 {
				t.Fatalf("the ledger is\n%s", first)
			}
			continue
		}
		if diff := cmp.Diff(first, string(ledger)); diff != "" {
			t.Fatalf("run %d differs (-first +this):\n%s", i+1, diff)
		}
	}
}

// TestAScanIsTheSameEveryTime: the findings and all rows, but for times and names.
func TestAScanIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	o := options(t, serve(t, planted.New()), "http://"+bench+"/")
	o.Config.MaxLinksPerDomain, o.Config.Legwork.Frames, o.Config.Legwork.Compat = 8, true, false
	only(&o.Config, append(results.DefaultConfig().Plugins.Enabled(), results.AuditElement)...)
	var first map[string]string
	for i := range 3 {
		out, _ := scan(t, o)
		files := rowsOf(t, out)
		if i == 0 {
			first = files
			continue
		}
		if diff := cmp.Diff(first, files); diff != "" {
			t.Fatalf("run %d differs (-first +this):\n%s", i+1, diff)
		}
	}
}

var seconds = regexp.MustCompile(`"seconds":[0-9.e+-]+,?`)

// rowsOf are the files of a scan that hold no times.
func rowsOf(t *testing.T, out engine.Outcome) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(out.Dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if ext != ".csv" && ext != ".jsonl" || e.Name() == "progress.csv" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(out.Dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = seconds.ReplaceAllString(string(text), "")
	}
	if len(files) < 8 {
		t.Fatalf("the folder has only %d files", len(files))
	}
	return files
}

// TestEveryPlantedFaultIsFound: with frames, best practices and patience, also
// in closed shadow roots.
func TestEveryPlantedFaultIsFound(t *testing.T) {
	t.Parallel()
	policy := serve(t, planted.New())
	o := options(t, policy, "http://"+bench+"/index.html")
	only(&o.Config, results.AuditAxe, results.AuditReflow)
	o.Config.Legwork.Frames, o.Config.Legwork.Compat = true, false
	o.Config.Plugins.Named(results.AuditAxe).BestPractice = true
	o.Config.Legwork.Include = []string{"/*.html"}
	_, read := scan(t, o)
	got := map[string]map[string]int{}
	tally(t, read, got)
	o = options(t, policy, "http://"+bench+"/focus.html") // one page: it takes long
	only(&o.Config, results.AuditFocus)
	o.Config.MaxLinksPerDomain, o.Config.Legwork.Compat = 1, false
	o.Limits.Page, o.Limits.Focus = 4*time.Minute, 3*time.Minute // other tests take the processor meanwhile
	o.Config.Plugins.Named(results.AuditFocus).Viewport = "medium"
	_, read = scan(t, o)
	tally(t, read, got)

	other := map[string]string{planted.RuleReflow: results.RuleReflow, planted.RuleFocus: results.RuleFocusVisible}
	for _, p := range planted.Pages() {
		want := map[string]int{}
		for _, f := range p.Faults {
			rule := f.Rule
			if other[rule] != "" {
				rule = other[rule]
			}
			want[rule] += f.Nodes // those in a closed shadow root too, which axe alone does not enter
		}
		path := "/" + p.Name + ".html"
		for rule, n := range want {
			if got[path][rule] < n {
				t.Errorf("%s: %d of %s are planted, %d found", path, n, rule, got[path][rule])
			}
		}
		if len(want) == 0 && len(got[path]) > 0 {
			t.Errorf("%s has no faults, and it found %v", path, got[path])
		}
	}
}

// tally counts what was found by path and rule; of axe at the last viewport only, as
// both have the same.
func tally(t *testing.T, read *results.Results, got map[string]map[string]int) {
	t.Helper()
	for f, err := range read.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		if f.Review || f.View.Viewport.Name == "small" && f.Audit == results.AuditAxe {
			continue
		}
		path := strings.TrimPrefix(f.View.URL, "http://"+bench)
		if got[path] == nil {
			got[path] = map[string]int{}
		}
		got[path][f.Rule] += f.Count
	}
}

// TestAuditsOfTheDocument: of the source as it was sent, once a page whatever the
// viewports, and of the links when the crawl is over.
func TestAuditsOfTheDocument(t *testing.T) {
	t.Parallel()
	site := pages{
		"/": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header()["X-Robots-Tag"] = []string{"nosnippet", "noindex"}
			fmt.Fprint(w, `<!doctype html><html lang="en"><head><title></title></head><body><p id="bad"><b><div>not in a b</div></b></p><a href="/gone">gone</a><a href="/moved">moved</a><script>document.getElementById('bad').remove()</script></body></html>`)
		},
		"/moved": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/new", http.StatusMovedPermanently) },
		"/new":   doc("here"),
	}
	o := options(t, serve(t, site), "http://"+bench+"/")
	only(&o.Config, results.AuditHTML, results.AuditSEO, results.AuditCrawl)
	o.Config.Legwork.Compat, o.Config.CrawlSitemaps = false, false
	out, read := scan(t, o)
	got := map[string]map[string]int{}
	for f, err := range read.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		if f.View.Viewport != (results.Viewport{}) {
			t.Errorf("%s %s has a viewport", f.Audit, f.Rule)
		}
		if f.View.URL != "http://"+bench+"/" {
			continue
		}
		if got[f.Audit] == nil {
			got[f.Audit] = map[string]int{}
		}
		got[f.Audit][f.Rule]++
	}
	for audit, n := range map[string]int{results.AuditHTML: 1, results.AuditSEO: 1} {
		if len(got[audit]) < n {
			t.Errorf("%s found %v on the first page", audit, got[audit])
		}
	}
	if got[results.AuditSEO]["noindex"] != 1 {
		t.Errorf("of the header that keeps robots away it says %v", got[results.AuditSEO])
	}
	if got[results.AuditCrawl]["broken-link"] != 1 {
		t.Errorf("the crawl has %v", got[results.AuditCrawl])
	}
	if out.Pages != 2 {
		t.Errorf("%d pages are scanned: %v", out.Pages, outcomes(t, read))
	}
}

// TestAuditsOfDocuments: PDF files that the site links to, within their bounds.
func TestAuditsOfDocuments(t *testing.T) {
	t.Parallel()
	file := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			fmt.Fprint(w, body)
		}
	}
	const untagged = "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
	site := pages{
		"/": linking("/a.pdf", "/broken.pdf", "/large.pdf", "/gone.pdf"), "/a.pdf": file(untagged),
		"/broken.pdf": file("no document"), "/large.pdf": file("%PDF-1.4\n" + strings.Repeat("x", 1<<16)),
	}
	o := options(t, serve(t, site), "http://"+bench+"/")
	only(&o.Config, results.AuditTitle, results.AuditPDF)
	o.Config.CrawlSitemaps = false
	o.Limits.Document = 1 << 15
	out, read := scan(t, o)
	got := map[string][]string{}
	for f, err := range read.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimPrefix(f.View.URL, "http://"+bench)
		got[path] = append(got[path], f.Rule)
	}
	if !slices.Contains(got["/a.pdf"], "pdf-untagged") || !slices.Equal(got["/broken.pdf"], []string{"pdf-malformed"}) || len(got) != 2 {
		t.Errorf("the documents have %v", got)
	}
	if !slices.ContainsFunc(out.Notes, func(n results.Note) bool { return strings.HasSuffix(n.Where, "/large.pdf") }) || out.Pages != 1 {
		t.Errorf("%d pages; the notes are %+v", out.Pages, out.Notes)
	}
}

// sends answers with a file.
func sends(contentType, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = io.WriteString(w, text)
	}
}

// TestPDFFilesOfTheSite: they are loaded and checked, each once and by its own address,
// when the audit is on; those that cannot be, or are too long or too many, say why.
func TestPDFFilesOfTheSite(t *testing.T) {
	t.Parallel()
	const bare = "%PDF-1.4\n1 0 obj <</Type/Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF"
	const well = "%PDF-1.7\n1 0 obj <</Type/Catalog/MarkInfo<</Marked true>>/StructTreeRoot 2 0 R/Lang(en)/ViewerPreferences<</DisplayDocTitle true>>>> endobj\n" +
		"2 0 obj <</Type/StructTreeRoot>> endobj\n3 0 obj <</Title(Annual report)>> endobj\ntrailer <</Root 1 0 R/Info 3 0 R>>\n%%EOF"
	requests := make(chan string, 100)
	site := pages{
		"/":         linking("/b", "/bare.pdf", "/well", "/broken.pdf", "/long.pdf", "/gone.pdf", "/text.docx", "/out.pdf", "/last.pdf"),
		"/b":        linking("/bare.pdf"),
		"/bare.pdf": sends("application/pdf", bare), "/well": sends("application/pdf", well), "/last.pdf": sends("application/pdf", well),
		"/long.pdf":  sends("application/pdf", well+strings.Repeat(" ", 2000)),
		"/text.docx": sends("application/msword", "x"),
		"/broken.pdf": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/pdf")
			w.Header().Set("Content-Length", "500")
			_, _ = io.WriteString(w, bare)
		},
		"/out.pdf": func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				http.Redirect(w, r, "http://169.254.169.254/x.pdf", http.StatusFound)
			}
			w.Header().Set("Content-Type", "application/pdf")
		},
	}
	o := quick(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests <- r.Method + " " + r.URL.Path
		site.ServeHTTP(w, r)
	}))
	o.Config.Legwork.Compat = false
	o.Limits = engine.Limits{Document: 1000, Documents: 6}
	scan(t, o)
	for len(requests) > 0 {
		if r := <-requests; strings.HasPrefix(r, "GET ") && strings.HasSuffix(r, ".pdf") {
			t.Errorf("without the audit it asked %s", r)
		}
	}

	only(&o.Config, results.AuditTitle, results.AuditPDF)
	out, read := scan(t, o)
	got := map[string][]string{}
	for f, err := range read.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimPrefix(f.View.URL, "http://"+bench)
		got[path] = append(got[path], f.Rule)
		if f.View.Viewport != (results.Viewport{}) || f.View.PageID == 0 || f.Count != 1 {
			t.Errorf("%+v", f)
		}
	}
	if diff := cmp.Diff(map[string][]string{"/bare.pdf": {"pdf-untagged", "pdf-display-title", "pdf-title", "pdf-lang"}}, got, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	details := map[string]string{}
	for p, err := range read.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if p.Reason == "document" {
			details[strings.TrimPrefix(p.URL, "http://"+bench)] = p.Title + "|" + p.Detail
		}
	}
	want := map[string]string{
		"/bare.pdf": "|", "/well": "Annual report|", "/text.docx": "|", "/last.pdf": "|",
		"/long.pdf":   "|The file could not be read: it is longer than 1000 bytes.",
		"/broken.pdf": "|The file could not be read: the connection failed.",
		"/out.pdf":    "|The file could not be read: The address 169.254.169.254:80 is not allowed: it is link-local, where cloud machines keep their secrets.",
	}
	if diff := cmp.Diff(want, details); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
	limit := func(n results.Note) bool { return n.Kind == "documents_limit" && strings.HasPrefix(n.Text, "1 of 6 ") }
	if !slices.ContainsFunc(out.Notes, limit) || out.Pages != 2 || out.Issues != 4 {
		t.Errorf("%d pages, %d issues, notes %v", out.Pages, out.Issues, out.Notes)
	}
	rows, err := os.ReadFile(filepath.Join(out.Dir, "pdf_audit.csv"))
	if err != nil || strings.Count(string(rows), "\r\n") != 1+4+1 || strings.Count(string(rows), "No issues found") != 1 {
		t.Errorf("%v\n%s", err, rows)
	}
}

// TestRoutesOfOneDocument: the views of an application that the server never sees are
// pages with faults of their own, when they are asked for.
func TestRoutesOfOneDocument(t *testing.T) {
	t.Parallel()
	app := doc(`<a href="#/">home</a> <a href="#/a">a</a> <a href="#/b">b</a> <a href="#main">down</a><main id="main"></main><script>
const views = {"#/a": '<img src="/x.gif">', "#/b": '<select><option>1</option></select>'};
const show = () => { document.title = location.hash || 'home'; document.getElementById('main').innerHTML = views[location.hash] || '<p>home</p>'; };
addEventListener('hashchange', show); show();</script>`)
	tests := []struct {
		on    bool
		pages []string
		want  map[string]map[string]int
	}{
		{false, []string{"/"}, map[string]map[string]int{}},
		{true, []string{"/", "/#/", "/#/a", "/#/b"}, map[string]map[string]int{"/#/a": {"image-alt": 1}, "/#/b": {"select-name": 1}}},
	}
	for _, tt := range tests {
		o := options(t, serve(t, pages{"/": app}), "http://"+bench+"/")
		o.Config.Legwork.Compat, o.Config.Legwork.HashRoutes, o.Config.CrawlSitemaps = false, tt.on, false
		_, read := scan(t, o)
		if diff := cmp.Diff(tt.pages, scanned(t, read)); diff != "" {
			t.Errorf("with routes %v, pages (-want +got):\n%s", tt.on, diff)
		}
		got := map[string]map[string]int{}
		tally(t, read, got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("with routes %v, faults (-want +got):\n%s", tt.on, diff)
		}
	}
}

// TestWideContentThatMayBe: a page that only a data table makes too wide is a matter for
// a person, and no issue.
func TestWideContentThatMayBe(t *testing.T) {
	t.Parallel()
	const table = `<table><tr><th>Year<td style="min-width: 900px">1999</table>`
	site := pages{"/": linking("/both"), "/both": doc(table + `<div style="width: 700px">wide</div>`)}
	site["/"] = doc(`<a href="/both">both</a>` + table)
	o := options(t, serve(t, site), "http://"+bench+"/")
	only(&o.Config, results.AuditReflow)
	o.Config.Legwork.Compat, o.Config.CrawlSitemaps = false, false
	out, read := scan(t, o)
	got := map[string]string{}
	for name, list := range map[string]iter.Seq2[results.Finding, error]{"found": read.Findings(), "to decide": read.NeedsReview()} {
		for f, err := range list {
			if err != nil {
				t.Fatal(err)
			}
			got[f.View.URL] = name + " " + f.HTML[:4]
		}
	}
	want := map[string]string{"http://" + bench + "/": "to decide <tab", "http://" + bench + "/both": "found <div"}
	if diff := cmp.Diff(want, got); diff != "" || out.Issues != 1 {
		t.Errorf("%d issues (-want +got):\n%s", out.Issues, diff)
	}
}

// TestFocusComesLast: no other audit looks at a page that the focus has changed or
// scrolled, whatever the order of plugins and viewports.
func TestFocusComesLast(t *testing.T) {
	t.Parallel()
	page := doc(`<header style="position: fixed; top: 0; left: 0; right: 0; height: 60px; background: #c00000"></header><main style="padding-top: 3000px">
<button onfocus="document.body.insertAdjacentHTML('beforeend', '<i class=focused></i>')">far below</button></main>`)
	o := options(t, serve(t, pages{"/": page}), "http://"+bench+"/")
	o.Config.MaxLinksPerDomain, o.Config.Legwork.Compat = 1, false
	slices.Reverse(o.Config.Viewports)
	o.Config.Plugins = nil
	for _, name := range []string{results.AuditFocus, results.AuditElement, results.AuditScreenshot} {
		o.Config.Plugins = append(o.Config.Plugins, results.Plugin{Name: name, Class: results.ClassName(name), Enabled: true, Target: ".focused"})
	}
	_, read := scan(t, o)
	if got := outcome(t, read, "/"); got.State != results.PageScanned {
		t.Errorf("it is %s: %s", got.State, got.Detail)
	}
	for row, err := range read.Records(results.AuditElement + ".csv") {
		t.Errorf("the element audit found what the focus made: %v, %v", row.Cells, err)
	}
	rows := 0
	for _, err := range read.Records(results.AuditFocus + ".csv") {
		if err != nil {
			t.Fatal(err)
		}
		rows++
	}
	if rows != 1 {
		t.Errorf("the focus audit has %d rows", rows)
	}
	for _, name := range []string{"1_small", "1_medium"} {
		raw, err := read.Picture(name)
		if err != nil {
			t.Fatal(err)
		}
		shot, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if r, g, _, _ := shot.At(100, 30).RGBA(); r>>8 != 0xc0 || g != 0 || shot.Bounds().Dy() < 3000 {
			t.Errorf("%s: the header is not at the top of the picture of %v", name, shot.Bounds())
		}
	}
}
