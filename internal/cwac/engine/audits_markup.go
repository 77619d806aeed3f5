package engine

import (
	"context"
	"strings"
	"sync"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/markup"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// bench is the blank page of a site in which the markup of its pages is checked, one at
// a time: nothing is loaded into it, and it may reach no address. It is kept for all
// pages, since the checker is installed in it once.
type bench struct {
	mu  sync.Mutex
	tab *browser.Tab
}

// Call implements [markup.World].
func (b *bench) Call(ctx context.Context, function string, arg, out any) error {
	return b.tab.Call(ctx, browser.Function{Source: function, Arg: arg}, out)
}

// nowhere is the policy of a tab that has nothing to load.
var nowhere = browser.Policy{OnlyOrigins: []string{"http://nothing.invalid"}}

// check judges a document, within a limit that begins when it is its turn.
func (b *bench) check(ctx context.Context, r *run, source string) (markup.Report, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tab == nil {
		tab, err := r.Browser.Open(ctx, browser.TabOptions{Policy: nowhere})
		if err != nil {
			return markup.Report{}, err
		}
		b.tab = tab
	}
	limited, cancel := context.WithTimeout(ctx, delay(r.Config.ScriptTimeout))
	defer cancel()
	got, err := markup.CheckHTML(limited, b, source)
	if err != nil {
		b.close(ctx, r) // a checker that is stuck is of no use to the next page
	}
	return got, err
}

// drop gives the page up.
func (b *bench) drop(ctx context.Context, r *run) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.close(ctx, r)
}

func (b *bench) close(ctx context.Context, r *run) {
	if b.tab != nil {
		r.give(ctx, b.tab)
		b.tab = nil
	}
}

// noSource is the fault of a document whose source could not be read.
func noSource() error {
	return fault.New(fault.Failed, "source_unavailable", "The source of the page could not be read.", "")
}

// htmlAudit checks the document as the server sent it. One in XML is no HTML: most of
// what the checker would say of it is wrong.
func (v *visit) htmlAudit(ctx context.Context, p results.Plugin) (bool, error) {
	if strings.Contains(v.facts.ContentType, "xml") {
		v.remark(p.Name, "not_html", "The markup was not checked: the page is sent as XML, which has rules of its own.")
		return false, nil
	}
	if len(v.source) == 0 {
		return false, noSource()
	}
	got, err := v.bench.check(ctx, v.run, string(v.source))
	if err != nil {
		return false, err
	}
	return v.keepReport(p.Name, got), nil
}

// seoAudit reads what search engines read.
func (v *visit) seoAudit(_ context.Context, p results.Plugin) (bool, error) {
	if len(v.source) == 0 {
		return false, noSource()
	}
	return v.keepReport(p.Name, markup.CheckSEO(markup.Document{
		URL: v.view.URL, Source: string(v.source), Robots: v.page.Tab.Header().Values("X-Robots-Tag"),
	})), nil
}

// keepReport writes what was found in a document, whatever the viewport.
func (v *visit) keepReport(name string, got markup.Report) bool {
	view := v.view
	view.Viewport = results.Viewport{}
	for _, n := range got.Notes {
		n.Audit = name
		v.take(n)
	}
	v.putFound(got.Findings, func() error { return v.out.Issues(name, view, got.Findings, got.Rules) })
	if len(got.Facts) > 0 {
		v.put(func() error { return v.out.Measure(results.Measure{View: view, Audit: name, Values: got.Facts}) })
	}
	return true
}
