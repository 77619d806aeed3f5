package engine

import (
	"context"
	"errors"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// worker is the one tab in which the pages of a site are loaded, one after another:
// it keeps the session, the cache and the compiled scripts. It is replaced when it
// has had many pages or much data, and after a page that did not end well.
type worker struct {
	*run
	site  results.Site
	tab   *browser.Tab
	blank *browser.Tab // for checking markup; nil until there is some
	used  int
}

// errLogin is the failure of a login: no page of the site can be scanned.
type errLogin struct{ error }

// Unwrap gives the reason.
func (e errLogin) Unwrap() error { return e.error }

// ready gives a tab that is logged in.
func (w *worker) ready(ctx context.Context) (*browser.Tab, error) {
	if w.tab != nil {
		return w.tab, nil
	}
	tab, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	if err := w.login.enter(ctx, tab); err != nil {
		_ = tab.Close(ctx) // the login is what went wrong
		return nil, errLogin{err}
	}
	w.tab, w.used = tab, 0
	return tab, nil
}

// open tries twice: a browser may end between two pages.
func (w *worker) open(ctx context.Context) (*browser.Tab, error) {
	size := audit.Inner(w.Config.Viewports[0], w.Config.Legwork.NominalBox)
	o := browser.TabOptions{
		Policy: w.Policy, Width: size.Width, Height: size.Height, UserAgent: w.Config.UserAgent, InitScripts: audit.InitScripts(), Headed: !w.Config.Headless,
		NoServiceWorkers: true, // one that an earlier page installed would answer for the later ones
	}
	o.Policy.MaxBytes = 2 * w.Limits.PageBytes
	w.login.dress(&o)
	tab, err := w.Browser.Open(ctx, o)
	if err != nil && ctx.Err() == nil && errors.Is(err, browser.ErrCrashed) {
		tab, err = w.Browser.Open(ctx, o)
	}
	if err != nil && ctx.Err() == nil {
		w.fail(err) // without a browser no other page can be scanned either
	}
	return tab, err
}

// next replaces the tab after a page, if it has to be.
func (w *worker) next(ctx context.Context, well bool) {
	w.used++
	if w.tab == nil {
		return
	}
	if !well || w.used >= w.Limits.Recycle || w.heavy() {
		w.close(ctx)
	}
}

// heavy reports a tab that has loaded so much that the next page might not get all
// that it may load.
func (w *worker) heavy() bool { return int64(w.tab.Ledger().Bytes) > w.Limits.PageBytes }

// full reports a tab that may load nothing more.
func (w *worker) full() bool {
	return w.tab != nil && int64(w.tab.Ledger().Bytes) >= 2*w.Limits.PageBytes
}

// close gives up the tab of the pages.
func (w *worker) close(ctx context.Context) { w.give(ctx, &w.tab) }

// drop gives up the blank page.
func (w *worker) drop(ctx context.Context) { w.give(ctx, &w.blank) }

func (w *worker) give(ctx context.Context, tab **browser.Tab) {
	if *tab == nil {
		return
	}
	if err := (*tab).Close(ctx); err != nil {
		w.Logger.Warn("closing a tab", "error", err)
	}
	*tab = nil
}
