package markup_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/cwac/markup"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

const wellMade = `<!DOCTYPE html><html lang="en-NZ"><head><meta charset="utf-8"><title> A good
 page </title><meta name="Description" content="What it is about."><meta name="viewport" content="width=device-width">
<link rel="canonical" href="https://example.org/a?x=1"><meta name="robots" content="max-snippet:-1, index">
<link rel="alternate" hreflang="mi" href="https://example.org/mi"><link rel="alternate" hreflang="x-default" href="https://example.org/">
<meta property="og:title" content="A"><meta property="og:type" content="article"><meta property="og:image" content="i"><meta property="og:url" content="u">
<script type="application/ld+json">{"@graph":[{"@type":"Organization"},{"@type":["WebPage","Article"]}]}</script></head>
<body><h1>A</h1><img src=a alt=""><img src=b><svg><title>no title of the page</title></svg><template><h1>no</h1></template></body></html>`

func TestSEOFacts(t *testing.T) {
	got := markup.CheckSEO(markup.Document{URL: "https://EXAMPLE.org/a?x=1#top", Source: wellMade})
	if len(got.Findings)+len(got.Notes) > 0 {
		t.Errorf("findings of a well made page: %+v %+v", got.Findings, got.Notes)
	}
	want := map[string]any{
		"title": "A good page", "title_length": 11, "description": "What it is about.", "description_length": 17,
		"canonical": "https://example.org/a?x=1", "canonical_is": "self", "lang": "en-NZ", "h1": 1,
		"robots": "max-snippet:-1, index", "noindex": false, "viewport": "width=device-width",
		"open_graph": map[string]string{"og:title": "A", "og:type": "article", "og:image": "i", "og:url": "u"},
		"hreflang":   []string{"mi", "x-default"}, "structured_data": []string{"Organization", "WebPage", "Article"},
		"images": 2, "images_without_alt": 1,
	}
	if diff := cmp.Diff(want, got.Facts); diff != "" {
		t.Error(diff)
	}
}

func TestSEOFindings(t *testing.T) {
	const at = "https://example.org/a"
	swap := func(pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(wellMade, pairs[i]) {
				t.Fatalf("the page has no %s", pairs[i])
			}
		}
		return strings.NewReplacer(pairs...).Replace(wellMade)
	}
	const canonical = `<link rel="canonical" href="https://example.org/a?x=1">`
	for _, c := range []struct {
		name   string
		source string
		robots []string
		want   []string
	}{
		{"nothing", "", nil, []string{"title-missing", "description-missing", "viewport-missing", "heading-missing"}},
		{"an empty title", swap(" A good\n page ", " \n "), nil, []string{"title-missing"}},
		{"a title of 70 letters", swap("A good", strings.Repeat("é", 65)), nil, nil},
		{"a title of 71 letters", swap("A good", strings.Repeat("é", 66)), nil, []string{"title-long"}},
		{"two titles", swap("</title>", "</title><title>b</title>"), nil, []string{"title-several"}},
		{"an empty description", swap("What it is about.", " "), nil, []string{"description-missing"}},
		{"two descriptions", swap("</head>", `<meta name=description content=x></head>`), nil, []string{"description-several"}},
		{"closed to robots", swap("index\"", "NoIndex\""), nil, []string{"noindex"}},
		{"closed by none", swap("max-snippet:-1, index", "none"), nil, []string{"noindex"}},
		{"closed by the header", wellMade, []string{"googlebot: noindex, nofollow"}, []string{"noindex"}},
		{"a date is no directive", wellMade, []string{"unavailable_after: 25 Jun 2030 15:00:00 PST"}, nil},
		{"a relative canonical address", swap(`href="https://example.org/a?x=1"`, `href="/a"`), nil, []string{"canonical-relative"}},
		{"a canonical address that is none", swap(`href="https://example.org/a?x=1"`, `href="javascript:x"`), nil, []string{"canonical-invalid"}},
		{"an empty canonical address", swap(`href="https://example.org/a?x=1"`, `href`), nil, []string{"canonical-invalid"}},
		{"the home page as canonical", swap(`href="https://example.org/a?x=1"`, `href="https://example.org"`), nil, []string{"canonical-home"}},
		{"two canonical addresses", swap(canonical, canonical+`<link rel="CANONICAL x" href="https://example.org/b">`), nil, []string{"canonical-several"}},
		{"the same canonical address twice", swap(canonical, canonical+canonical), nil, nil},
		{"languages", swap(`hreflang="mi"`, `hreflang="english"`, `href="https://example.org/mi"`, `href="/mi"`), nil, []string{"hreflang-invalid", "hreflang-relative"}},
		{"a region and a script are languages", swap(`hreflang="mi"`, `hreflang="zh-Hant-TW"`), nil, nil},
		{"part of Open Graph", swap(`<meta property="og:image" content="i">`, ""), nil, []string{"open-graph-incomplete"}},
		{"structured data that is no JSON", swap(`]}]}`, `]}]},`), nil, []string{"structured-data"}},
		{"structured data that ends early", swap(`]}]}`, ``), nil, []string{"structured-data"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := markup.CheckSEO(markup.Document{URL: at, Source: c.source, Robots: c.robots})
			var rules []string
			for _, f := range got.Findings {
				rules = append(rules, f.Rule)
				if f.Audit != results.AuditSEO || f.Help == "" || f.HelpURL == "" || f.Impact == "" || f.Summary == "" || f.Count != 1 {
					t.Errorf("incomplete: %+v", f)
				}
			}
			if diff := cmp.Diff(c.want, rules); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCanonicalIsComparedWithTheDocument(t *testing.T) {
	for _, c := range []struct{ url, source, want string }{
		{"https://example.org/a#b", `<link rel=canonical href="#c">`, "self"},
		{"https://example.org", `<link rel=canonical href="https://EXAMPLE.org/">`, "self"},
		{"https://example.org/a", `<link rel=canonical href="https://example.org/a/">`, "other"},
		{"https://example.org/a", `<link rel=canonical href="http://example.org/a">`, "other"},
		{"https://example.org/a", `<base href="https://example.net/"><link rel=canonical href="a">`, "other"},
		{"https://example.org/a", `<link rel=canonical href="mailto:a@example.org">`, "none"},
		{"https://example.org/a", ``, "none"},
	} {
		if got := markup.CheckSEO(markup.Document{URL: c.url, Source: c.source}).Facts["canonical_is"]; got != c.want {
			t.Errorf("%s at %s: %v, want %s", c.source, c.url, got, c.want)
		}
	}
}

// TestSEOOfADeepDocument: what the head says is read although the body is nested
// deeper than the parser goes; what is in the body is not judged.
func TestSEOOfADeepDocument(t *testing.T) {
	source := strings.Replace(wellMade, "<h1>A</h1>", strings.Repeat("<div>", 5000), 1)
	got := markup.CheckSEO(markup.Document{URL: "https://example.org/a?x=1", Source: source})
	if got.Facts["title"] != "A good page" || len(got.Findings) > 0 || len(got.Notes) != 1 || got.Facts["h1"] != nil {
		t.Errorf("%+v", got)
	}
}

// TestHostileSEO: no document makes the report large.
func TestHostileSEO(t *testing.T) {
	for name, source := range map[string]string{
		"deep":        strings.Repeat("<div>", 100_000),
		"links":       strings.Repeat("<link rel=alternate hreflang='' href=x>", 20_000),
		"Open Graph":  strings.Repeat("<meta property=og:x content=y>", 20_000) + "<meta property='og:" + strings.Repeat("x", 1<<20) + "' content=y>",
		"long values": "<title>" + strings.Repeat("x", 3<<20) + "</title><meta name=robots content='" + strings.Repeat("y", 1<<19) + "'>",
		"JSON":        "<script type=application/ld+json>" + strings.Repeat("[", 100_000) + "</script>",
		"no address":  "<base href='%zz'><link rel=canonical href='%zz'><link rel=canonical href='http://[::1'>",
	} {
		t.Run(name, func(t *testing.T) {
			got := markup.CheckSEO(markup.Document{URL: "%zz", Source: source})
			if len(got.Findings) > 100 {
				t.Errorf("%d findings", len(got.Findings))
			}
			size := 0
			for _, f := range got.Findings {
				size += len(f.HTML) + len(f.Summary)
			}
			for key, value := range got.Facts {
				if text, ok := value.(string); ok {
					size += len(key) + len(text)
				}
			}
			for key, value := range got.Facts["open_graph"].(map[string]string) {
				size += len(key) + len(value)
			}
			if size > 50_000 {
				t.Errorf("the report has %d bytes", size)
			}
		})
	}
}
