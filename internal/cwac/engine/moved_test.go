package engine_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// outcome is that of one address.
func outcome(t *testing.T, read *results.Results, path string) results.PageOutcome {
	t.Helper()
	for p, err := range read.Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if p.URL == "http://"+bench+path {
			return p
		}
	}
	t.Fatalf("the record has no page %s", path)
	return results.PageOutcome{}
}

// TestAPageThatGoesElsewhere: faults are never booked on a page that was left when they
// were found. The page is scanned in part, and the one that it went to for itself.
func TestAPageThatGoesElsewhere(t *testing.T) {
	t.Parallel()
	// then does something at the second viewport, when the engine has opened the details
	then := func(body, do string) http.HandlerFunc {
		return doc(`<main><h1>Here</h1>` + body + `<details id="d"><summary>More</summary>text</details></main>
<script>d.addEventListener('toggle', () => { if (!d.open) return; if (innerWidth > 900) { ` + do + ` } else d.open = false })</script>`)
	}
	const image = `<img src="/x.gif">`
	site := pages{
		"/":      linking("/moves", "/again", "/clock", "/routes"),
		"/moves": then("", "location.href = '/other'"),
		"/other": doc(`<main><h1>Other</h1>` + image + `</main>`),
		// ones that load themselves again, once, and one whose script changes its address
		"/again":  then(image, "if (!sessionStorage.again) { sessionStorage.again = 1; location.reload() }"),
		"/clock":  then(image, "if (!location.search) location.search = '?t=1'"),
		"/routes": then(image, "history.pushState({}, '', '/route')"),
	}
	o := options(t, serve(t, site), "http://"+bench+"/")
	o.Config.CrawlSitemaps = false
	_, read := scan(t, o)
	for path, want := range map[string]map[string]int{"/moves": {}, "/other": {"image-alt": 1}, "/again": {"image-alt": 1}, "/clock": {"image-alt": 1}, "/routes": {"image-alt": 1}} {
		if diff := cmp.Diff(want, rules(t, read, path, "1280")); diff != "" {
			t.Errorf("faults of %s (-want +got):\n%s", path, diff)
		}
	}
	want := map[string]string{"/": "scanned", "/moves": "partial failed", "/other": "scanned", "/again": "scanned", "/clock": "scanned", "/routes": "scanned"}
	if diff := cmp.Diff(want, outcomes(t, read)); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if got := outcome(t, read, "/moves"); !strings.Contains(got.Detail, "went to another address by itself") || !strings.Contains(got.Detail, "/other") || got.Title != "Page" {
		t.Errorf("it says %q", got.Detail)
	}
}

// TestABannerThatLeadsAway: the page is what was asked for, not what the refusal of a
// banner leads to.
func TestABannerThatLeadsAway(t *testing.T) {
	t.Parallel()
	banner := doc(`<main><h1>Shop</h1><div id="late"></div></main><div role="dialog" aria-label="Cookie consent" id="cb"><p>We use cookies to measure visits. Do you consent?</p>
<button onclick="localStorage.no = 1; location.href = '/thanks'">Reject all</button><button>Accept all</button></div>
<script>if (localStorage.no) { cb.remove(); late.innerHTML = '<select><option>1</option></select>' }</script>`)
	o := options(t, serve(t, pages{"/": banner, "/thanks": doc(`<main><h1>Thanks</h1><img src="/x.gif"></main>`)}), "http://"+bench+"/")
	o.Config.MaxLinksPerDomain, o.Config.Legwork.Consent = 1, "dismiss"
	_, read := scan(t, o)
	if diff := cmp.Diff(map[string]int{"select-name": 1}, rules(t, read, "/", "1280")); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	got := outcome(t, read, "/")
	if got.State != results.PageScanned || !slices.ContainsFunc(got.Notes, func(n results.Note) bool { return n.Kind == "consent_dismissed" }) {
		t.Errorf("it is %s with notes %v", got.State, got.Notes)
	}
}

// TestAFocusThatLeadsAway: what the focus audit found before an element led it away counts,
// and the links are those of the page.
func TestAFocusThatLeadsAway(t *testing.T) {
	t.Parallel()
	page := doc(`<main><h1>Here</h1><a href="#x" style="outline: none">no indicator</a> <button onfocus="location.href = '/other'">leads away</button><div class="narrow"></div></main>
<script>if (innerWidth < 900) document.querySelector('.narrow').innerHTML = '<i class="small"></i>'</script>`)
	o := options(t, serve(t, pages{"/": page, "/other": doc(`<i class="small"></i>`)}), "http://"+bench+"/")
	o.Config.MaxLinksPerDomain, o.Config.Viewports = 1, o.Config.Viewports[1:]
	o.Config.Plugins = results.Plugins{
		{Name: results.AuditFocus, Class: results.ClassName(results.AuditFocus), Enabled: true},
		{Name: results.AuditElement, Class: results.ClassName(results.AuditElement), Enabled: true, Target: "h1, .small"},
	}
	_, read := scan(t, o)
	var found []string
	for f, err := range read.Findings() {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, f.Rule+" "+f.Selector)
	}
	for row, err := range read.Records(results.AuditElement + ".csv") {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, row.Get("element_html"))
	}
	if got := outcome(t, read, "/"); got.State != results.PageScanned || !slices.Equal(found, []string{results.RuleFocusVisible + " html > body > main > a", "<h1>Here</h1>"}) {
		t.Errorf("it is %s %s with %q, notes %v", got.State, got.Detail, found, got.Notes)
	}
}

// TestAnAuditThatFailsSaysWhy: in the ledger, where people look for the reason.
func TestAnAuditThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	o := quick(t, pages{"/": doc("here")})
	only(&o.Config, results.AuditTitle, results.AuditElement)
	o.Config.Plugins.Named(results.AuditElement).Target = "]]]"
	_, read := scan(t, o)
	const want = "element_audit at small (The selector of the element audit is no CSS selector: ]]]), element_audit at medium"
	if got := outcome(t, read, "/"); got.State != results.PagePartial || !strings.HasPrefix(got.Detail, want) {
		t.Errorf("it is %s: %s", got.State, got.Detail)
	}
}
