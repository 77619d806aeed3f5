package markup_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/cwac/markup"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// pool is the one browser of this test binary.
var pool *browser.Pool

func TestMain(m *testing.M) {
	pool = browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell})
	code := m.Run()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	if err := pool.Close(ctx); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, "closing the browser:", err)
		code = 1
	}
	cancel()
	os.Exit(code)
}

// world is a blank page.
type world struct{ tab *browser.Tab }

func (w world) Call(ctx context.Context, function string, arg, out any) error {
	return w.tab.Call(ctx, browser.Function{Source: function, Arg: arg}, out)
}

func blank(t *testing.T) func(source string) markup.Report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 120*time.Second)
	t.Cleanup(cancel)
	tab, err := pool.Open(ctx, browser.TabOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tab.Close(context.WithoutCancel(ctx)); err != nil {
			t.Error("closing the tab:", err)
		}
	})
	return func(source string) markup.Report {
		t.Helper()
		r, err := markup.CheckHTML(ctx, world{tab}, source)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
}

// places are the findings as "rule line:column".
func places(findings []results.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s %v:%v", f.Rule, f.Data["line"], f.Data["column"]))
	}
	return out
}

const top = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>T</title></head><body>\n"

func TestHTMLFindings(t *testing.T) {
	check := blank(t)
	for _, c := range []struct {
		name, source string
		want         []string
	}{
		{"a document that conforms", top + "<p>a<p>b &amp; c & d<ul><li>e<li>f</ul><img src=x alt><br/><my-el foo></my-el><input id=i><label for=i>x</label></body></html>", nil},
		{"a byte order mark", "\uFEFF" + top + "<p>a", nil},
		{"no doctype", "<html lang=\"en\"><title>T</title><p>a", []string{"missing-doctype 1:1"}},
		{"an old doctype", "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\"><html lang=\"en\"><title>T</title><p>a", []string{"non-conforming-doctype 1:1"}},
		{"elements left open", top + "<div><section><p>x", []string{"close-order 3:2", "close-order 3:7"}},
		{"elements closed crosswise", top + "<p><b>x<i>y</b>z</i></p>", []string{"close-order 3:9"}},
		{"the same ID twice", top + "<p id=q>a</p>\n<p id=q>b</p>\n<template><p id=q></p></template>", []string{"no-dup-id 4:4"}},
		{"a label for nothing, and for what has none", top + "<label for=no>a</label><p id=p></p><label for=p>b</label>", []string{"no-missing-references 3:8", "valid-for 3:43"}},
		{"ARIA references", top + `<div id=a aria-labelledby="a b" role="group">x</div>`, []string{"no-missing-references 3:11"}},
		{"attributes", top + `<p id="a" ID="b" class="x"title="y">z</p q>`, []string{"duplicate-attribute 3:13", "missing-whitespace-between-attributes 3:27", "end-tag-with-attributes 3:43"}},
		{"values", top + `<button type="foo">x</button><input type="checkbox" maxlength="3"><img alt="x" width="1px" src=x>`, []string{"attribute-allowed-values 3:15", "input-attributes 3:53", "attribute-allowed-values 3:87"}},
		{"content", top + `<ul><div>x</div></ul><a href=x><button>y</button></a>`, []string{"element-permitted-content 3:6", "element-permitted-content 3:33"}},
		{"obsolete", top + `<p align=left>x</p><font>y</font>`, []string{"no-deprecated-attr 3:4", "deprecated 3:21"}},
		{"references", top + `<p>&foo; &copy x</p>`, []string{"unknown-named-character-reference 3:8", "missing-semicolon-after-character-reference 3:15"}},
		{"an open script", top + `<script>if (a<b`, []string{"eof-in-element-that-can-contain-only-text 3:16"}},
		{"an element that only looks closed", top + `<div/>x</div>`, []string{"non-void-html-element-start-tag-with-trailing-solidus 3:1"}},
		{"an empty title", strings.Replace(top, "<title>T", "<title> ", 1), []string{"empty-title 2:46"}},
		{"an unknown element", top + `<foo>x</foo>`, []string{"element-name 3:2"}},
		{"after what the checker cannot read", top + "<p =x>a</p>\n<p id=q></p><p id=q></p><font>y</font>", []string{"unexpected-equals-sign-before-attribute-name 3:4", "no-dup-id 4:16", "deprecated 4:26"}},
		{"a document that would silence the checker", top + "<!-- [html-validate-disable-next deprecated] --><font>y</font><!-- [html-validate-disable deprecated] --><font>y</font>", []string{"deprecated 3:50", "deprecated 3:107"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := check(c.source)
			if diff := cmp.Diff(c.want, places(got.Findings)); diff != "" {
				t.Error(diff)
			}
			for _, f := range got.Findings {
				if f.Help == "" || f.HelpURL == "" || f.Description == "" || f.Impact == "" || f.Audit != results.AuditHTML || f.Count != 1 {
					t.Errorf("incomplete: %+v", f)
				}
			}
		})
	}
}

func TestHTMLFindingIsWhole(t *testing.T) {
	got := blank(t)(top + "<main>\n<p><font>y</font></p></main>")
	want := results.Finding{
		Audit: results.AuditHTML, Rule: "deprecated", Impact: "minor", Help: "Obsolete elements must not be used",
		Description: "Obsolete features must not be used by authors.", HelpURL: "https://html-validate.org/rules/deprecated.html",
		HTML: `<font>`, Target: "line 4, column 5", Selector: "html > body > main > p > font",
		Summary: "<font> is deprecated: use CSS instead", Data: map[string]any{"line": 4, "column": 5}, Count: 1,
	}
	if diff := cmp.Diff([]results.Finding{want}, got.Findings); diff != "" {
		t.Error(diff)
	}
}

// TestHTMLOfThePlantedSite: the pages of the planted site are checked as they were sent.
// Its faults of content models are found, its first page is clean.
func TestHTMLOfThePlantedSite(t *testing.T) {
	check := blank(t)
	srv := httptest.NewServer(planted.New())
	t.Cleanup(srv.Close)
	rules := map[string][]string{}
	for _, name := range []string{"index", "about", "lists", "viewport"} {
		answer, err := http.Get(srv.URL + "/" + name + ".html")
		if err != nil {
			t.Fatal(err)
		}
		source, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		for _, f := range check(string(source)).Findings {
			rules[name] = append(rules[name], f.Rule)
		}
	}
	want := map[string][]string{
		"lists":    {"element-permitted-content", "element-permitted-parent", "element-permitted-content", "element-required-ancestor"},
		"viewport": {"no-dup-id", "deprecated"},
	}
	if diff := cmp.Diff(want, rules); diff != "" {
		t.Error(diff)
	}
}

// TestHostileHTML: no document takes the checker down, and none fills the report.
func TestHostileHTML(t *testing.T) {
	check := blank(t)
	for _, c := range []struct {
		name, source, kind string
		rules              []string
	}{
		{"empty", "", "", []string{"missing-doctype"}},
		{"deep", top + strings.Repeat("<div>", 20_000), "partly_checked", nil},
		{"wide", top + strings.Repeat("<b>x</b>", 20_000), "partly_checked", nil},
		{"many findings", top + strings.Repeat("<font>x</font>\n", 300), "more", []string{"deprecated"}},
		{"many labels", top + strings.Repeat("<label for=a>x</label><input id=a>", 5_000), "more", []string{"no-dup-id"}},
		{"more than is read", top + "<!--" + strings.Repeat("x", 5<<20), "size_limit", []string{"eof-in-comment"}},
		{"not UTF-8", top + "<p>\xff\xfe\x00</p>", "", []string{"unexpected-null-character"}},
		{"attributes without end", top + "<p " + strings.Repeat("a='", 50_000), "more", []string{"eof-in-tag"}},
		{"names of the checker", top + "<p id=legworkHTML></p><form name=__proto__></form><p id=__proto__ for=constructor></p>", "", []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := check(c.source)
			if len(got.Findings) > 200 {
				t.Errorf("%d findings", len(got.Findings))
			}
			kinds := map[string]bool{}
			for _, n := range got.Notes {
				kinds[n.Kind] = true
			}
			if c.kind != "" && !kinds[c.kind] {
				t.Errorf("notes: %+v, want one of kind %s", got.Notes, c.kind)
			}
			for _, rule := range c.rules {
				if !slices.ContainsFunc(got.Findings, func(f results.Finding) bool { return f.Rule == rule }) {
					t.Errorf("no %s among %d findings", rule, len(got.Findings))
				}
			}
		})
	}
}
