package engine

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/markup"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// bench is a blank page in which the markup of others is checked: nothing is loaded
// into it, and it may reach no address.
type bench struct{ tab *browser.Tab }

// Call implements [markup.World].
func (b bench) Call(ctx context.Context, function string, arg, out any) error {
	return b.tab.Call(ctx, browser.Function{Source: function, Arg: arg}, out)
}

// nowhere is the policy of a tab that has nothing to load.
var nowhere = browser.Policy{OnlyOrigins: []string{"http://nothing.invalid"}}

// workbench gives the worker's blank page. It is kept for all pages of the site, since
// the checker is installed in it once.
func (w *worker) workbench(ctx context.Context) (bench, error) {
	if w.blank == nil {
		tab, err := w.Browser.Open(ctx, browser.TabOptions{Policy: nowhere})
		if err != nil {
			return bench{}, err
		}
		w.blank = tab
	}
	return bench{w.blank}, nil
}

// noSource is the fault of a document whose source could not be read.
func noSource() error {
	return fault.New(fault.Failed, "source_unavailable", "The source of the page could not be read.", "")
}

// htmlAudit checks the document as the server sent it.
func (v *visit) htmlAudit(ctx context.Context, p results.Plugin) (bool, error) {
	if len(v.source) == 0 {
		return false, noSource()
	}
	b, err := v.tab.workbench(ctx)
	if err != nil {
		return false, err
	}
	limited, cancel := context.WithTimeout(ctx, delay(v.Config.ScriptTimeout))
	defer cancel()
	got, err := markup.CheckHTML(limited, b, string(v.source))
	if err != nil {
		v.tab.drop(ctx) // a checker that is stuck is of no use to the next page
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
	v.issues += v.found(got.Findings)
	v.keep(v.out.Issues(name, view, got.Findings, got.Rules))
	if len(got.Facts) > 0 {
		v.keep(v.out.Measure(results.Measure{View: view, Audit: name, Values: got.Facts}))
	}
	return true
}
