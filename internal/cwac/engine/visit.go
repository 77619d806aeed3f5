package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/audit"
	"github.com/legwork-mcp/legwork/internal/cwac/crawl"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// visit is the work on one address.
type visit struct {
	*siteScan
	tab      *worker
	target   crawl.Target
	page     *audit.Page
	epoch    int // of the login with which the page was loaded
	view     results.View
	first    results.View // as it was before the first viewport
	shown    browser.Doc  // the document that was judged
	facts    audit.Facts
	restless bool   // it did not come to rest in time
	source   []byte // as the server sent it, if it is needed and could be had

	axe     map[string]results.Axe // by viewport, of the page before its banner went
	writes  []func() error         // of what was found, for when it is this page's turn
	rows    int                    // audits that gave some
	locked  string                 // why no page of the site can be scanned
	broken  []string               // audits that failed
	issues  int                    // that were written
	outcome results.PageOutcome
	scanned bool
	failed  bool
}

// visit loads an address and audits it. Whatever happens, the frontier hears of it
// and the address gets its outcome.
func (s *siteScan) visit(ctx context.Context, t crawl.Target, tab *worker) *visit {
	v := &visit{siteScan: s, tab: tab, target: t, axe: map[string]results.Axe{}}
	began := s.Clock.Now()
	short, cancel := context.WithTimeout(ctx, s.Limits.Page)
	defer cancel()
	arrived, err := v.work(short)
	if ctx.Err() != nil { // a login that was broken off shows nothing about the login
		v.locked = ""
	}
	v.leave(err)
	done := v.judge(ctx, arrived, err)
	s.frontier.Done(t, done)
	tab.next(ctx, err == nil || errors.As(err, new(errMoved)))
	entry := s.frontier.Entry(t)
	notes := v.outcome.Notes
	v.outcome = outcomeOf(s.site, entry)
	v.outcome.Notes, v.outcome.PageID, v.outcome.Title, v.outcome.Signature = append(v.outcome.Notes, notes...), v.view.PageID, v.view.Title, v.facts.Signature
	v.outcome.Seconds = s.Clock.Now().Sub(began).Seconds()
	return v
}

// put keeps what is to be written until it is the page's turn.
func (v *visit) put(write func() error) { v.writes = append(v.writes, write) }

// putFound is put for what has findings, which are counted when they are written.
func (v *visit) putFound(findings []results.Finding, write func() error) {
	v.put(func() error {
		v.issues += v.found(findings)
		return write()
	})
}

// judge turns what happened into the frontier's terms.
func (v *visit) judge(ctx context.Context, arrived crawl.Verdict, err error) crawl.Visit {
	done := crawl.Visit{State: crawl.StateScanned, Base: v.facts.Base}
	for _, l := range v.facts.Links {
		done.Links = append(done.Links, l.Raw)
	}
	v.scanned = v.rows > 0
	if err == nil && v.tab.full() {
		v.remark("", "byte_limit", fmt.Sprintf("The page wanted to load more than %d MiB; what came after that is missing.", 2*v.tab.session.loads()>>20))
		v.broken = append(v.broken, "loading")
	}
	switch {
	case err == nil && arrived.URL != "" && !arrived.Audit:
		v.failed = arrived.State == crawl.StateBlocked || arrived.Reason == crawl.ReasonErrorPage
		return done
	case err == nil && len(v.broken) == 0:
		return done
	case v.scanned:
		done.State = crawl.StatePartial
		if err != nil {
			v.remark("", "cut_short", "The work on the page ended early: "+cause(err))
		}
	default:
		done.State, v.failed = crawl.StateFailed, true
	}
	done.Reason, done.Detail = crawl.ReasonFailed, strings.Join(v.broken, ", ")
	switch {
	case ctx.Err() != nil:
		done.Reason, done.Detail, v.failed = crawl.ReasonStopped, "", false
	case err != nil:
		done.Detail = strings.Join(append(v.broken, cause(err)), ", ")
	}
	return done
}

// work loads and audits. The error is what ended it early.
func (v *visit) work(ctx context.Context) (crawl.Verdict, error) {
	tab, err := v.tab.ready(ctx)
	if err != nil {
		var login errLogin
		if errors.As(err, &login) {
			v.locked = cause(err)
		}
		return crawl.Verdict{}, err
	}
	v.page = &audit.Page{Tab: tab}
	if err := v.load(ctx); err != nil {
		return crawl.Verdict{}, err
	}
	arrived, err := v.arrive(ctx)
	if err != nil || !arrived.Audit {
		v.blocked(arrived)
		return arrived, err
	}
	v.view = results.View{Site: v.site, BaseURL: v.site.URL, Title: v.facts.Title, URL: arrived.URL, PageID: v.pageID(arrived.Number)}
	if v.Config.Visit() {
		v.view.BaseURL = originOf(arrived.URL)
	}
	v.first = v.view
	v.put(func() error { return v.out.PageBegins(v.site, arrived.URL) })
	return arrived, v.audits(ctx)
}

// load brings the page into the tab, at the size of the first viewport. A page that
// did not come in time gets a second try, as CWAC gives it.
func (v *visit) load(ctx context.Context) error {
	if err := v.resize(ctx, v.Config.Viewports[0]); err != nil {
		return err
	}
	v.epoch = v.tab.session.epoch()
	for try := 1; ; try++ {
		short, cancel := context.WithTimeout(ctx, delay(v.Config.PageLoadTimeout))
		err := v.page.Tab.Navigate(short, v.target.URL)
		cancel()
		if err == nil || try == 2 || ctx.Err() != nil || !again(err) {
			return err
		}
	}
}

// again reports whether loading once more may help.
func again(err error) bool {
	f := fault.From(err)
	return (f.Kind == fault.Timeout || f.Kind == fault.Unavailable) && !errors.Is(err, browser.ErrCrashed) && !errors.Is(err, browser.ErrClosed)
}

func (v *visit) resize(ctx context.Context, p results.Viewport) error {
	v.view.Viewport = p
	v.page.View = v.view
	return v.page.Tab.Resize(ctx, audit.Inner(p, v.Config.Legwork.NominalBox))
}

// arrive lets the page settle and asks the frontier whether it is to be audited. A
// page that shows that the session is over is loaded again after a new login.
func (v *visit) arrive(ctx context.Context) (crawl.Verdict, error) {
	for relogged := false; ; relogged = true {
		if err := v.rest(ctx); err != nil {
			return crawl.Verdict{}, err
		}
		lost := v.login.lost(ctx, v.page.Tab, v.facts.Text)
		if lost && !relogged && len(v.login.Steps) > 0 {
			if err := v.again(ctx); err != nil {
				return crawl.Verdict{}, err
			}
			continue
		}
		p := crawl.Page{
			FinalURL: v.shown.URL, Status: v.shown.Status, ContentType: v.facts.ContentType, Title: v.facts.Title, Text: v.facts.Text,
			Canonical: v.facts.Canonical, LoginLost: lost, Header: v.page.Tab.Header(),
		}
		if v.wantsSource() {
			source, err := v.page.Tab.Source(ctx)
			if err == nil && v.stayed() == nil {
				v.source = source
				sum := sha256.Sum256(v.source)
				p.Digest = hex.EncodeToString(sum[:])
				p.Source = string(v.source)
			}
		}
		return v.frontier.Arrived(ctx, v.target, p)
	}
}

// again logs in once more and loads the page anew.
func (v *visit) again(ctx context.Context) error {
	v.remark("", "session_renewed", "The session had ended; the login was repeated.")
	if err := v.tab.session.renew(ctx, v.page.Tab, v.epoch); err != nil {
		return err
	}
	return v.load(ctx)
}

// wantsSource: to judge the markup, or to see that two addresses are one page.
func (v *visit) wantsSource() bool {
	return v.enabled(results.AuditHTML) || v.enabled(results.AuditSEO) || !v.Config.Legwork.Compat
}

// restless is how long a page is waited for again that did not come to rest before,
// such as one with a picture that never ends.
const restless = 2 * time.Second

func (v *visit) settle(ctx context.Context) error {
	o := audit.SettleOptions{}
	if v.restless {
		o.Limit = restless
	}
	notes, err := v.page.Settle(ctx, o)
	for _, n := range notes {
		v.restless = true
		v.take(n)
	}
	return err
}

// remark adds a note to the page's outcome, once.
func (v *visit) remark(auditName, kind, text string) {
	v.take(results.Note{Audit: auditName, Kind: kind, Text: text})
}

// take adds a note of an audit, with the place that it names, once.
func (v *visit) take(n results.Note) {
	for _, have := range v.outcome.Notes {
		if have == n {
			return
		}
	}
	v.outcome.Notes = append(v.outcome.Notes, n)
}

// blocked records a page that a firewall kept.
func (v *visit) blocked(arrived crawl.Verdict) {
	if arrived.State != crawl.StateBlocked {
		return
	}
	domain := ""
	if u, err := url.Parse(arrived.URL); err == nil {
		domain = u.Host
	}
	v.put(func() error {
		return v.out.Blocked(results.AntiBot{
			Organisation: v.site.Organisation, Domain: domain, URL: arrived.URL, Check: arrived.Detail, Viewport: v.Config.Viewports[0],
		})
	})
}

func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return u.Scheme + "://" + u.Host
}
