//go:build linux

package audit_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/fault"
)

func TestFacts(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{
		"/a/": `<!doctype html><html lang="en-NZ"><head><title> A  page </title><base href="/b/"><link rel=canonical href="/c">
			<meta name=Robots content="noindex, nofollow"><meta name=description content="About."><meta http-equiv=Refresh content="300;url=/r"></head>
			<body><main><h1>Head</h1><a href="x?q=1#h" rel=nofollow>  one
			two</a><map><area href="//example.org/"></map><a href="javascript:alert(1)">js</a><a href="http://[">bad</a><a name=n>none</a><a href="#/route">route</a>
			<x-y></x-y><iframe src="/in"></iframe><details><summary>s</summary>inside</details><p hidden>unseen</p><script>var code</script></main>
			<script>customElements.define('x-y',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<a href="/deep">deep</a>'}})</script>`,
		"/in": document(`<a href="/framed">framed</a>`),
	})
	page := visit(t, address+"/a/")
	got, err := page.Facts(patience(t))
	if err != nil {
		t.Fatal(err)
	}
	want := audit.Facts{
		Canonical: address + "/c", Lang: "en-NZ", Title: "A page", Robots: "noindex, nofollow", Description: "About.", Refresh: "300;url=/r",
		Base: address + "/b/", URL: address + "/a/", ContentType: "text/html", Text: "Head one twojsbadnoneroute s deep", Details: 1, Frames: 1,
		Links: []audit.Link{
			{Href: address + "/b/x?q=1#h", Raw: "x?q=1#h", Text: "one two", Rel: "nofollow"}, {Href: "http://example.org/", Raw: "//example.org/"},
			{Href: "javascript:alert(1)", Raw: "javascript:alert(1)", Text: "js"}, {Raw: "http://[", Text: "bad"},
			{Href: address + "/b/#/route", Raw: "#/route", Text: "route"}, {Href: address + "/deep", Raw: "/deep", Text: "deep"},
			{Href: address + "/framed", Raw: address + "/framed", Text: "framed"},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(audit.Facts{}, "Elements", "Signature")); diff != "" {
		t.Error("facts differ (-want +got):", diff)
	}
	if got.Elements < 20 || len(got.Signature) != 16 {
		t.Errorf("%d elements, signature %q", got.Elements, got.Signature)
	}
}

// Pages of one template share a signature whatever is written in them.
func TestSignature(t *testing.T) {
	t.Parallel()
	shell := func(class, main string) string {
		return `<!doctype html><html lang=en><title>t</title><body class="` + class + `"><header class=top><nav><ul><li><a href=/>a</a></ul></nav></header><main>` + main + `</main><footer>f</footer>`
	}
	address := site(t, map[string]string{
		"/1": shell("page page-id-17", `<h1>One</h1><p>text</p><div class="card">a</div>`),
		"/2": shell("page page-id-23", `<h1>Two</h1><p>text <b>more</b></p><ul><li>a<li>b</ul><div class="card">a</div><div class="card">b</div>`),
		"/3": shell("page page-id-9", `<h1>Search</h1><form class="search"><input></form>`),
		"/4": `<!doctype html><title>t</title><div class=app><aside>x</aside></div>`,
	})
	var sums []string
	tab := open(t, pool(browser.EngineHeadlessShell))
	for _, path := range []string{"/1", "/2", "/3", "/4"} {
		got, err := load(t, tab, address+path).Facts(patience(t))
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, got.Signature)
	}
	if sums[0] != sums[1] {
		t.Error("two pages of one template differ")
	}
	if sums[0] == sums[2] || sums[2] == sums[3] || sums[0] == sums[3] {
		t.Errorf("different templates agree: %v", sums)
	}
}

func TestElements(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{"/": document(`<p class=n>a <b>b</b></p><x-y></x-y><script>customElements.define('x-y',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<p class=n>deep</p>'}})</script>` +
		strings.Repeat("<i>"+strings.Repeat("x", 30000)+"</i>", 2) + strings.Repeat("<u></u>", 600))})
	page := visit(t, address+"/")
	got, total, err := page.Elements(patience(t), ".n")
	if err != nil || total != 2 || got[0].HTML != `<p class="n">a <b>b</b></p>` || got[0].Target != "/html/body/main/p" || got[1].Selector != "html > body > main > x-y >>> p" {
		t.Errorf("%+v, %d, %v", got, total, err)
	}
	if got, total, err = page.Elements(patience(t), "i,u"); err != nil || total != 602 || len(got) != 500 || len(got[0].HTML) != 20000 {
		t.Errorf("%d of %d, %v", len(got), total, err)
	}
	if _, _, err = page.Elements(patience(t), "[["); fault.From(err).Kind != fault.Invalid {
		t.Errorf("a broken selector gives %v", err)
	}
}

// What a script adds two seconds after the page is waited for, and a page that came
// whole is not kept waiting for it.
func TestSettle(t *testing.T) {
	t.Parallel()
	address := plantedSite(t)
	got, err := visit(t, address+"/spa.html").Axe(patience(t), audit.AxeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"image-alt": 1, "button-name": 1}, rules(got.Violations)); diff != "" {
		t.Error("faults differ (-want +got):", diff)
	}
}

// What the parser itself added is no work of a script, however late the page is told
// of it: such a page gets no patience.
func TestAPageThatCameWholeIsNotBuilt(t *testing.T) {
	t.Parallel()
	begin, end, _ := strings.Cut(document("<p>First.</p>|<p>Last.</p>"), "|")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, begin)
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		select { // until the parser waits for more
		case <-r.Context().Done():
		case <-time.After(50 * time.Millisecond):
		}
		fmt.Fprint(w, end)
	}))
	t.Cleanup(srv.Close)
	tab := open(t, pool(browser.EngineHeadlessShell))
	for range 5 {
		page := load(t, tab, srv.URL+"/")
		notes, err := page.Settle(patience(t), audit.SettleOptions{Patience: time.Hour, Limit: time.Second})
		if err != nil || len(notes) > 0 {
			t.Fatalf("notes are %v, %v", notes, err)
		}
	}
}

// An image that never ends does not hold the audit up for ever.
func TestSettleHasALimit(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/endless.png" {
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, document(`<img alt=x src=/endless.png><p id=p>x</p>`))
	}))
	t.Cleanup(srv.Close)
	tab := open(t, pool(browser.EngineHeadlessShell))
	if err := tab.Navigate(patience(t), srv.URL+"/"); err != nil {
		t.Fatal(err)
	}
	page := &audit.Page{Tab: tab}
	notes, err := page.Settle(patience(t), audit.SettleOptions{Limit: 500 * time.Millisecond})
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0].Text, "loading") {
		t.Errorf("notes are %v, %v", notes, err)
	}
}

func TestOpenDetails(t *testing.T) {
	t.Parallel()
	address := site(t, map[string]string{"/": document(`<details><summary>a</summary><details><summary>b</summary>x</details></details><details open><summary>c</summary>x</details><iframe title=f src=/in></iframe>`),
		"/in": document(`<details><summary>d</summary>x</details>`)})
	page := visit(t, address+"/")
	for _, want := range []int{3, 0} {
		if n, err := page.OpenDetails(patience(t)); err != nil || n != want {
			t.Errorf("%d were opened, want %d: %v", n, want, err)
		}
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	address := plantedSite(t)
	tab := open(t, pool(browser.EngineHeadlessShell))
	for _, p := range planted.Pages()[:10] {
		want := "Bench - " + p.Name
		if p.Name == "title" {
			want = ""
		}
		if got, err := load(t, tab, address+"/"+p.Name+".html").Title(patience(t)); err != nil || got != want {
			t.Errorf("%s: %q, %v", p.Name, got, err)
		}
	}
}

// TestLongTitle: titles are kept to tell pages apart, so that one must not be of any
// length.
func TestLongTitle(t *testing.T) {
	t.Parallel()
	page := visit(t, site(t, map[string]string{"/": "<title>" + strings.Repeat("x", 3<<20) + "</title>"})+"/")
	title, err := page.Title(patience(t))
	facts, failed := page.Facts(patience(t))
	if err != nil || failed != nil || len(title) != 4000 || facts.Title != title {
		t.Errorf("%d and %d characters, %v, %v", len(title), len(facts.Title), err, failed)
	}
}

// TestManyShadowRoots: a page made of components has thousands of them, and links in all.
func TestManyShadowRoots(t *testing.T) {
	t.Parallel()
	const hosts = 3000
	page := visit(t, site(t, map[string]string{"/": fmt.Sprintf(`<!doctype html><html lang="en"><title>t</title><body><script>
customElements.define('x-y', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<a href="/' + this.id + '">link</a>' } });
document.body.insertAdjacentHTML('beforeend', Array.from({ length: %d }, (_, i) => '<x-y id="e' + i + '"></x-y>').join(''))</script>`, hosts)})+"/")
	got, err := page.Facts(patience(t))
	if err != nil || len(got.Links) != hosts || got.Links[hosts-1].Raw != fmt.Sprintf("/e%d", hosts-1) {
		t.Errorf("%d links, %v", len(got.Links), err)
	}
	if list, total, err := page.Elements(patience(t), "a"); err != nil || total != hosts || len(list) != 500 {
		t.Errorf("%d of %d elements, %v", len(list), total, err)
	}
}
