package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
)

// session is one visitor of a site: his tabs share cookies, storage and cache. He is
// replaced when he has seen many pages or much data, and after a page that did not
// end well.
type session struct {
	*run
	pages int // that he was sent to, under the lock of the site

	mu     sync.Mutex // held while a tab is opened or logged in
	tabs   []*browser.Tab
	logins int
	spent  bool
}

// over reports a visitor who goes to no other page.
func (s *session) over(l Limits) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spent || s.pages >= l.Recycle
}

func (s *session) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spent = true
}

// errLogin is the failure of a login: no page of the site can be scanned.
type errLogin struct{ error }

// Unwrap gives the reason.
func (e errLogin) Unwrap() error { return e.error }

// open gives a tab that is logged in: the first one, or one beside it. A visitor who
// cannot have a second one gets a twin, with a login of his own.
func (s *session) open(ctx context.Context) (*browser.Tab, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.tabs) > 0 {
		if tab, err := s.Browser.Beside(ctx, s.tabs[0], s.tabOptions()); err == nil {
			s.tabs = append(s.tabs, tab)
			return tab, nil
		}
	}
	tab, err := s.fresh(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.login.enter(ctx, tab); err != nil {
		_ = tab.Close(ctx) // the login is what went wrong
		return nil, errLogin{err}
	}
	s.logins++
	s.tabs = append(s.tabs, tab)
	return tab, nil
}

// epoch counts the logins so far.
func (s *session) epoch() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.logins
}

// renew logs in again, unless that was done since the epoch.
func (s *session) renew(ctx context.Context, tab *browser.Tab, epoch int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.logins != epoch {
		return nil
	}
	if err := s.login.enter(ctx, tab); err != nil {
		return err
	}
	s.logins++
	return nil
}

func (s *session) tabOptions() browser.TabOptions {
	size := audit.Inner(s.Config.Viewports[0], s.Config.Legwork.NominalBox)
	o := browser.TabOptions{
		Policy: s.Policy, Width: size.Width, Height: size.Height, UserAgent: s.Config.UserAgent, InitScripts: audit.InitScripts(), Headed: !s.Config.Headless,
		NoServiceWorkers: true, // one that an earlier page installed would answer for the later ones
	}
	o.Policy.MaxBytes = 2 * s.loads()
	s.login.dress(&o)
	return o
}

// loads is what a visitor may load before he is replaced: what one page may, for each
// of his tabs.
func (s *session) loads() int64 { return int64(max(1, s.Tabs)) * s.Limits.PageBytes }

// fresh opens the tab of a new visitor. It tries twice: a browser may end between two
// pages.
func (s *session) fresh(ctx context.Context) (*browser.Tab, error) {
	tab, err := s.Browser.Open(ctx, s.tabOptions())
	if err != nil && ctx.Err() == nil && errors.Is(err, browser.ErrCrashed) {
		tab, err = s.Browser.Open(ctx, s.tabOptions())
	}
	if err != nil && ctx.Err() == nil {
		s.fail(err) // without a browser no other page can be scanned either
	}
	return tab, err
}

// close gives a tab up.
func (s *session) close(ctx context.Context, tab *browser.Tab) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tabs = slices.DeleteFunc(s.tabs, func(have *browser.Tab) bool { return have == tab })
	s.give(ctx, tab)
}

// worker is the one tab of a lane, in which pages are loaded one after another: it
// keeps the compiled scripts.
type worker struct {
	*run
	session *session
	tab     *browser.Tab
}

// change puts the lane into the service of a visitor.
func (w *worker) change(ctx context.Context, s *session) {
	if w.session != s {
		w.close(ctx)
		w.session = s
	}
}

// ready gives the tab, logged in.
func (w *worker) ready(ctx context.Context) (*browser.Tab, error) {
	if w.tab != nil {
		return w.tab, nil
	}
	var err error
	w.tab, err = w.session.open(ctx)
	return w.tab, err
}

// next ends the visitor after a page, if he has to be replaced.
func (w *worker) next(ctx context.Context, well bool) {
	if w.tab == nil {
		return
	}
	if !well || w.loaded() > w.session.loads() {
		w.session.end()
	}
	if !well {
		w.close(ctx)
	}
}

func (w *worker) loaded() int64 { return int64(w.tab.Ledger().Bytes) }

// full reports a tab that may load nothing more.
func (w *worker) full() bool { return w.tab != nil && w.loaded() >= 2*w.session.loads() }

// close gives up the tab.
func (w *worker) close(ctx context.Context) {
	if w.tab != nil {
		w.session.close(ctx, w.tab)
		w.tab = nil
	}
}

// give closes a tab; what goes wrong with it is no trouble of the scan.
func (r *run) give(ctx context.Context, tab *browser.Tab) {
	if err := tab.Close(ctx); err != nil {
		r.Logger.Warn("closing a tab", "error", err)
	}
}
