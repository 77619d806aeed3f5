package markup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Document is an HTML document as it was sent.
type Document struct {
	URL    string   // after redirects
	Source string   //
	Robots []string // values of its X-Robots-Tag header fields
}

// maxTitle is how many characters of a title search engines show: beyond 70 html-validate,
// too, warns (rule long-title). No standard sets a bound.
const maxTitle = 70

const (
	lighthouse = "https://developer.chrome.com/docs/lighthouse/seo/"
	google     = "https://developers.google.com/search/docs/"
	aboutSEO   = "Search engines and social networks read it to find, name and show the page."
)

// seoRules are the demands of the audit. Those of Lighthouse's SEO category have its
// documentation as their source; the others name theirs.
var seoRules = map[string]rule{
	"title-missing":         {moderate, "The page must have a title", aboutSEO, google + "appearance/title-link"},
	"title-several":         {minor, "The page must have one title only", aboutSEO, standard + "semantics.html#the-title-element"},
	"title-long":            {minor, "The title should have at most 70 characters", aboutSEO, "https://html-validate.org/rules/long-title.html"},
	"description-missing":   {moderate, "The page must have a meta description", aboutSEO, lighthouse + "meta-description"},
	"description-several":   {minor, "The page must have one meta description only", aboutSEO, lighthouse + "meta-description"},
	"canonical-several":     {moderate, "The page must name one canonical address only", aboutSEO, lighthouse + "canonical"},
	"canonical-relative":    {minor, "The canonical address must be absolute", aboutSEO, lighthouse + "canonical"},
	"canonical-invalid":     {moderate, "The canonical address must be an http or https address", aboutSEO, lighthouse + "canonical"},
	"canonical-home":        {moderate, "The canonical address of a page must not be the home page", aboutSEO, lighthouse + "canonical"},
	"noindex":               {serious, "The page must not be closed to search engines", aboutSEO, lighthouse + "is-crawlable"},
	"viewport-missing":      {moderate, "The page must have a viewport for mobile devices", aboutSEO, "https://developer.chrome.com/docs/lighthouse/pwa/viewport"},
	"heading-missing":       {minor, "The page should have a main heading (h1)", aboutSEO, google + "fundamentals/seo-starter-guide"},
	"hreflang-invalid":      {moderate, "hreflang must be a language tag or x-default", aboutSEO, lighthouse + "hreflang"},
	"hreflang-relative":     {minor, "Addresses of translations must be absolute", aboutSEO, lighthouse + "hreflang"},
	"open-graph-incomplete": {minor, "Open Graph needs og:title, og:type, og:image and og:url", aboutSEO, "https://ogp.me/"},
	"structured-data":       {moderate, "Structured data must be valid JSON", aboutSEO, lighthouse + "structured-data"},
}

// CheckSEO reads from the source of a document what search engines read. Its facts are
// title, title_length, description, description_length, canonical, canonical_is (self,
// other or none), lang, h1, robots, noindex, viewport, open_graph, hreflang,
// structured_data (types), images and images_without_alt. The last is no finding of
// its own: the axe audit names each of these images.
func CheckSEO(doc Document) Report {
	s := seo{doc: doc, report: Report{Rules: slices.Sorted(maps.Keys(seoRules)), Facts: map[string]any{}}}
	source := strings.TrimPrefix(doc.Source, byteOrderMark)
	if len(source) > maxHTML {
		s.report.Notes = append(s.report.Notes, note(results.AuditSEO, "size_limit", fmt.Sprintf("Only the first %d MB were read.", maxHTML>>20)))
		source = source[:maxHTML]
	}
	root, err := html.Parse(strings.NewReader(source))
	if err != nil {
		// elements are nested deeper than anybody means: the head is still read
		s.partial = true
		s.report.Notes = append(s.report.Notes, note(results.AuditSEO, "partly_read", fmt.Sprintf("Only the head was read: %v.", err)))
		if root, err = html.Parse(strings.NewReader(headOf(source))); err != nil {
			root = &html.Node{Type: html.DocumentNode}
		}
	}
	s.base, _ = url.Parse(doc.URL)
	if s.base == nil {
		s.base = &url.URL{}
	}
	s.walk(root)
	s.judge()
	return s.report
}

// headOf is the beginning of a document, up to its body.
func headOf(source string) string {
	source = cut(source, 64<<10)
	if at := strings.Index(strings.ToLower(source), "<body"); at >= 0 && at < len(source) {
		return source[:at]
	}
	return cut(source, 1<<10)
}

// seo collects what a document says.
type seo struct {
	doc                       Document
	base                      *url.URL
	report                    Report
	titles, descriptions      []*html.Node
	canonicals                []*html.Node
	robots                    []string
	graph                     map[string]string
	languages, types          []string
	lang, viewport            string
	partial                   bool // only the head was read
	headings, images, unnamed int
}

// walk visits the elements in order. What is in a template or a drawing is not of the
// page.
func (s *seo) walk(root *html.Node) {
	skip := func(n *html.Node) bool {
		return n.Type == html.ElementNode && (n.Data == "template" || n.Namespace != "")
	}
	for n := root; n != nil; {
		if n.Type == html.ElementNode && !skip(n) {
			s.element(n)
		}
		if n.FirstChild != nil && !skip(n) {
			n = n.FirstChild
			continue
		}
		for n != nil && n.NextSibling == nil {
			n = n.Parent
		}
		if n != nil {
			n = n.NextSibling
		}
	}
}

func (s *seo) element(n *html.Node) {
	switch n.Data {
	case "html":
		s.lang = cut(attr(n, "lang"), 100)
	case "base":
		if href, err := s.base.Parse(attr(n, "href")); err == nil && attr(n, "href") != "" {
			s.base = href
		}
	case "title":
		s.titles = append(s.titles, n)
	case "h1":
		s.headings++
	case "img":
		s.images++
		if !has(n, "alt") {
			s.unnamed++
		}
	case "meta":
		s.meta(n)
	case "link":
		s.link(n)
	case "script":
		if strings.EqualFold(strings.TrimSpace(attr(n, "type")), "application/ld+json") {
			s.structured(n)
		}
	}
}

func (s *seo) meta(n *html.Node) {
	content := strings.TrimSpace(attr(n, "content"))
	switch name := strings.ToLower(strings.TrimSpace(attr(n, "name"))); name {
	case "description":
		s.descriptions = append(s.descriptions, n)
	case "robots", "googlebot", "bingbot":
		s.robots = append(s.robots, content)
	case "viewport":
		s.viewport = cut(content, 300)
	}
	if property := cut(strings.ToLower(attr(n, "property")), 100); strings.HasPrefix(property, "og:") {
		if s.graph == nil {
			s.graph = map[string]string{}
		}
		if s.graph[property] == "" && len(s.graph) < 50 {
			s.graph[property] = cut(content, 300)
		}
	}
}

// languageTag is the form of a tag (BCP 47, section 2.1) as far as search engines read
// it: language, script, region. hreflang also has x-default.
var languageTag = lazyregexp.New(`(?i)^(?:x-default|[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?)$`)

func (s *seo) link(n *html.Node) {
	rel := strings.Fields(strings.ToLower(attr(n, "rel")))
	if slices.Contains(rel, "canonical") {
		s.canonicals = append(s.canonicals, n)
	}
	if !slices.Contains(rel, "alternate") || !has(n, "hreflang") {
		return
	}
	tag := strings.TrimSpace(attr(n, "hreflang"))
	if len(s.languages) < 200 {
		s.languages = append(s.languages, cut(tag, 40))
	}
	if !languageTag.MatchString(tag) {
		s.fault("hreflang-invalid", n, fmt.Sprintf("%q is no language tag", cut(tag, 40)))
	}
	if href, err := url.Parse(attr(n, "href")); err != nil || !href.IsAbs() {
		s.fault("hreflang-relative", n, "The address is "+cut(attr(n, "href"), 200))
	}
}

// structured reads a block of JSON-LD (W3C JSON-LD 1.1): its syntax is that of JSON.
func (s *seo) structured(n *html.Node) {
	text := text(n)
	decoder := json.NewDecoder(strings.NewReader(text))
	var value any
	err := decoder.Decode(&value)
	if err == nil {
		if _, after := decoder.Token(); !errors.Is(after, io.EOF) {
			err = errors.New("there is text after the JSON value")
		}
	}
	if err != nil {
		s.fault("structured-data", n, fmt.Sprintf("The block is no JSON: %v", err))
		return
	}
	s.types = append(s.types, typesOf(value)...)
}

func typesOf(value any) []string {
	var out []string
	switch v := value.(type) {
	case []any:
		for _, item := range v[:min(len(v), 20)] {
			out = append(out, typesOf(item)...)
		}
	case map[string]any:
		switch t := v["@type"].(type) {
		case string:
			out = append(out, cut(t, 80))
		case []any:
			for _, item := range t[:min(len(t), 20)] {
				if name, ok := item.(string); ok {
					out = append(out, cut(name, 80))
				}
			}
		}
		if graph, ok := v["@graph"].([]any); ok {
			out = append(out, typesOf(graph)...)
		}
	}
	return out[:min(len(out), 50)]
}

// fault reports one finding of a rule. Of many of one rule the first are listed.
func (s *seo) fault(name string, n *html.Node, summary string) {
	found := 0
	for _, f := range s.report.Findings {
		if f.Rule == name {
			found++
		}
	}
	if found >= maxPerRule {
		return
	}
	r := seoRules[name]
	f := results.Finding{
		Audit: results.AuditSEO, Rule: name, Impact: r.impact, Help: r.help, Description: r.about, HelpURL: r.url, Summary: summary, Count: 1,
	}
	if n != nil {
		f.HTML, f.Target = tag(n), "//"+n.Data
	}
	s.report.Findings = append(s.report.Findings, f)
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key && a.Namespace == "" })
}

// text is the text directly in an element.
func text(n *html.Node) string {
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// tag is the start tag of an element.
func tag(n *html.Node) string {
	token := html.Token{Type: html.StartTagToken, Data: n.Data, Attr: n.Attr}
	return cut(token.String(), 300)
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func length(s string) int { return utf8.RuneCountInString(s) }
