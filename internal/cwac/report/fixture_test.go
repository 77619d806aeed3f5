package report

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// hostile is what a page can put wherever its own words get into a report.
var hostile = []string{
	`</title><script>window.pwned=1</script>`, `"><img src="http://evil.example/x" onerror="window.pwned=1">`, `'><svg onload=window.pwned=1>`,
	`</code></pre></style><script>window.pwned=1</script>`, `{{.R}}{{template "place" .}}`, `=HYPERLINK("http://evil.example")`, "javascript:window.pwned=1",
	"\x00\x08\x1b]0;x\x07\u202eabc\u2028]]>&#0;<!--", `|x| [a](javascript:alert(1)) @someone #1 ` + "```\n# heading", strings.Repeat("long", 500), "",
}

var (
	small  = results.Viewport{Name: "small", Width: 320, Height: 450}
	medium = results.Viewport{Name: "medium", Width: 1280, Height: 800}
	start  = time.Date(2026, 11, 28, 9, 30, 0, 0, time.UTC)
)

func view(site results.Site, url, title string, v results.Viewport) results.View {
	return results.View{Site: site, BaseURL: site.URL, URL: url, Title: title, Viewport: v, PageID: len(url)}
}

// must ends a test whose fixture cannot be made.
func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func screenshot(t *testing.T, w, h int) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Bounds(), image.NewUniform(color.RGBA{0xee, 0xf2, 0xf6, 0xff}), image.Point{}, draw.Src)
	draw.Draw(img, image.Rect(20, 100, 180, 140), image.NewUniform(color.RGBA{0x20, 0x60, 0xa0, 0xff}), image.Point{}, draw.Src)
	var b bytes.Buffer
	must(t, png.Encode(&b, img))
	return b.Bytes()
}

// contrastFinding is one as axe reports it.
func contrastFinding(text string) results.Finding {
	return results.Finding{
		Rule: "color-contrast", Impact: "serious", Help: "Elements must meet minimum color contrast ratio thresholds", Description: "Ensure the contrast",
		HelpURL: "https://dequeuniversity.com/rules/axe/4.13/color-contrast?application=axeAPI", HTML: `<p class="lead">` + text + "</p>",
		Target: "//main[@id='main']/p", Selector: "main > p.lead", Summary: "Fix any of the following:\n  Element has insufficient contrast",
		Tags: []string{"wcag2aa", "wcag143"}, Box: &results.Box{X: 20, Y: 100, Width: 160, Height: 40},
		Data: map[string]any{"contrastRatio": 2.84, "fgColor": "#999999", "bgColor": "#ffffff", "fontSize": "12.0pt (16px)", "expectedContrastRatio": "4.5:1"},
	}
}

// nativeFolder is a results folder of the native engine: three pages of one site that
// share a fault, hostile words everywhere, findings to review, texts, an overflow and
// addresses that were not scanned.
func nativeFolder(t *testing.T) string {
	t.Helper()
	config := results.DefaultConfig()
	config.AuditName = "native"
	w, err := results.Create(t.TempDir(), config, start, results.Scan{Versions: map[string]string{"axe-core": "4.13.0", "legwork": "test"}})
	must(t, err)
	site := results.Site{Organisation: "Example Org", URL: "https://site.example/", Sector: "Test"}
	for i, url := range []string{"https://site.example/", "https://site.example/about", "https://site.example/contact"} {
		for _, vp := range []results.Viewport{small, medium} {
			v := view(site, url, []string{"Home", "About us", "Contact"}[i], vp)
			must(t,
				w.Axe(v, results.Axe{Violations: []results.Finding{contrastFinding("Welcome")}, Rules: []string{"color-contrast", "image-alt", "html-has-lang"},
					Review: []results.Finding{{Rule: "link-in-text-block", Impact: "serious", Review: true, Help: "Links must be distinguishable", HTML: "<a>x</a>", Selector: "a", Target: "/a", Tags: []string{"wcag141"}}}}),
				w.Screenshot(v, screenshot(t, vp.Width, vp.Height)),
				w.Language(v, results.Language{FleschKincaid: 14.2, SMOG: 13.1, Sentences: 30, WordsPerSentence: 20, SyllablesPerWord: 1.8, Hardest: []string{"A sentence that is hard to read."}}))
		}
		must(t, w.Reflow(view(site, url, "", small), results.Reflow{Overflow: 480 * (i % 2), Capped: 100 * (i % 2)}),
			w.Page(results.PageOutcome{Site: site, URL: url, State: results.PageScanned, Title: "x", PageID: len(url)}))
	}
	must(t, hostilePages(w),
		w.Page(results.PageOutcome{Site: site, URL: "https://site.example/secret", Parent: "https://site.example/", State: results.PageSkipped, Reason: "robots"}),
		w.Page(results.PageOutcome{Site: site, URL: "https://site.example/down", State: results.PageFailed, Reason: "status", Status: 503}),
		w.SiteEnds(results.SiteOutcome{Site: site, Pages: 3}), w.Finish(results.StateComplete, start.Add(time.Minute)))
	return w.Dir()
}

// emptyFolder is of a scan that came to no page.
func emptyFolder(t *testing.T) string {
	t.Helper()
	w, err := results.Create(t.TempDir(), results.DefaultConfig(), start, results.Scan{})
	must(t, err)
	site := results.Site{Organisation: "Org", URL: "https://site.example/"}
	must(t, w.Page(results.PageOutcome{Site: site, URL: site.URL + "a", State: results.PageSkipped, Reason: "robots"}),
		w.Page(results.PageOutcome{Site: site, URL: site.URL, State: results.PageBlocked, Reason: "blocked"}), // after an audit of the block page
		w.Axe(view(site, site.URL, "Just a moment", small), results.Axe{Rules: []string{"image-alt"}}),
		w.SiteEnds(results.SiteOutcome{Site: site, Reason: "robots"}), w.Finish(results.StateComplete, start))
	return w.Dir()
}

func hostilePages(w *results.Writer) error {
	for i, text := range hostile {
		site := results.Site{Organisation: text, URL: "https://hostile.example/", Sector: text}
		url := "https://hostile.example/?" + text
		if i%2 == 1 {
			url = text
		}
		v := view(site, url, text, small)
		f := results.Finding{
			Rule: "rule" + text, Impact: text, Help: text, Description: text, HelpURL: text, HTML: text, Target: text, Selector: text, Frame: text, Summary: text,
			Tags: []string{text}, Data: map[string]any{"contrastRatio": text, "fgColor": "url(http://evil.example/c)", "bgColor": text, "fontSize": text},
			Box: &results.Box{X: -1e300, Y: 1e300, Width: 1e308, Height: -5},
		}
		r := f
		r.Review = true
		page := results.PageOutcome{Site: site, URL: url, State: results.PageScanned, Title: text, PageID: i + 1, Notes: []results.Note{{Text: text}}}
		lost := page
		lost.URL, lost.Parent, lost.State, lost.Reason = "lost"+text, text, results.PageFailed, text
		for _, err := range []error{
			w.Axe(v, results.Axe{Violations: []results.Finding{f}, Review: []results.Finding{r}}), w.Page(page), w.Page(lost),
			w.Language(v, results.Language{FleschKincaid: 9, SMOG: 9, Sentences: 12, Hardest: []string{text}}),
		} {
			if err != nil {
				return err
			}
		}
	}
	return nil
}
