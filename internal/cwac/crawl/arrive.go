package crawl

import (
	"context"
	"net/http"
	"slices"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
)

// Page is what the browser found at a target. Only FinalURL is needed; the more is
// told, the more can be recognised.
type Page struct {
	FinalURL    string // of the document, when it has settled
	Status      int
	Header      http.Header
	ContentType string
	Title       string
	Heading     string // text of the first h1; empty: it is taken from Source
	Source      string // markup, whole or its beginning
	Text        string // as a visitor reads it
	Canonical   string // of <link rel="canonical">
	Digest      string // of the source: equal for equal pages
	LoginLost   bool   // the caller's own test of its session failed
}

// Verdict says what to do with a page that has arrived.
type Verdict struct {
	Audit  bool
	Number int    // of a page to audit, from 1, in the order of the targets
	URL    string // that the page counts as
	State  State  // of a page that is not to be audited
	Reason Reason
	Detail string
	Of     string
}

// flight is a target between Next and Done.
type flight struct {
	*entry
	verdict *Verdict
	visit   *Visit
	parents []string // when it arrived: later ones depend on who is quicker
}

// landed is a page that was accepted for its audit.
type landed struct {
	*entry
	canonical, digest string
}

// arrived reports that it is known where a load ended.
func (fl *flight) arrived() bool { return fl.verdict != nil || fl.visit != nil }

// Arrived judges a loaded page before it is audited: it may be the page of another
// address, an error, a block page, out of scope. It waits for the pages of the same
// batch that come before. The next batch is given out only after it, or after Done for
// a page that could not be loaded.
func (f *Frontier) Arrived(ctx context.Context, t Target, p Page) (Verdict, error) {
	fl, err := f.inTurn(ctx, t)
	if err != nil {
		return Verdict{}, err
	}
	to, err := f.landing(ctx, fl, p)
	if err != nil {
		return Verdict{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.judge(fl, to, p)
	fl.verdict = &v
	fl.parents = slices.Clone(fl.Parents)
	f.wake()
	return v, nil
}

// inTurn completes the batch of a target, and waits until those before it have
// arrived; after the end of the crawl it does neither.
func (f *Frontier) inTurn(ctx context.Context, t Target) (*flight, error) {
	for filled := false; ; filled = true {
		f.mu.Lock()
		fl, changed := f.flights[t.Sequence-1], f.changed
		waits := !f.ended && slices.ContainsFunc(f.flights[f.batch:max(f.batch, t.Sequence-1)], func(fl *flight) bool { return !fl.arrived() })
		fills := !filled && f.filling()
		f.mu.Unlock()
		if fills {
			if err := f.acquire(ctx); err != nil {
				return nil, err
			}
			f.fill(ctx)
			<-f.asking
			continue
		}
		if !waits {
			return fl, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// landing is the address that a page has in the end. It asks for the robots.txt of a
// host that nobody asked before.
func (f *Frontier) landing(ctx context.Context, fl *flight, p Page) (address, error) {
	to, err := f.rules.parse(p.FinalURL, fl.u)
	if p.FinalURL == "" || err != nil {
		return fl.address, nil
	}
	if to.key != fl.key {
		if err := f.acquire(ctx); err != nil {
			return address{}, err
		}
		defer func() { <-f.asking }()
		if _, err := f.robotsOf(ctx, to); err != nil {
			return address{}, err
		}
	}
	return to, nil
}

// judge decides about a page that has arrived. The lock is held.
func (f *Frontier) judge(fl *flight, to address, p Page) Verdict {
	e := fl.entry
	if p.Status != 0 {
		e.Status = p.Status
	}
	if p.ContentType != "" {
		e.ContentType = p.ContentType
	}
	if v, over := f.foreign(e, to, p); over {
		return v
	}
	if to.key != e.key {
		e.Final = to.url
		other, ok := f.swap(e, to)
		if !ok {
			return verdictOf(e)
		}
		other.Status, other.ContentType, other.sequence = e.Status, e.ContentType, e.sequence
		fl.entry, e = other, other
	}
	if twin := f.twin(e, p); twin != nil {
		e.skip(ReasonDuplicate, "")
		e.Of = twin.URL
		return verdictOf(e)
	}
	e.Like = f.like(e, p)
	f.audited++
	return Verdict{Audit: true, Number: f.audited, URL: e.url}
}

// foreign recognises what is not a page of the site. The lock is held.
func (f *Frontier) foreign(e *entry, to address, p Page) (Verdict, bool) {
	p.Source = p.Source[:min(len(p.Source), sniffed)]
	if p.Heading == "" {
		p.Heading = firstHeading(p.Source)
	}
	product := Blocked(Answer{p.Status, p.Header, p.Title, p.Source, p.Text})
	k := kindByType(p.ContentType)
	words, wrong := ErrorPage(p.Title, p.Heading)
	switch {
	case product != "":
		e.State, e.Reason, e.Detail = StateBlocked, ReasonBlocked, product
	case p.LoginLost, f.signedOut(e, to):
		e.skip(ReasonLoginLost, "")
		e.Final = to.url
		if e == f.home && e != f.seed { // the headers led here before the browser did
			f.seed.skip(ReasonLoginLost, "")
		}
	case p.Status != 0 && !usableStatus(p.Status):
		e.skip(ReasonStatus, http.StatusText(p.Status))
	case k == kindDocument:
		e.skip(ReasonDocument, "")
	case k == kindOther:
		e.skip(ReasonNotHTML, "")
	case wrong:
		e.skip(ReasonErrorPage, words)
	default:
		return Verdict{}, false
	}
	return verdictOf(e), true
}

func verdictOf(e *entry) Verdict {
	return Verdict{URL: e.url, State: e.State, Reason: e.Reason, Detail: e.Detail, Of: e.Of}
}

// signIn is what paths of sign-in pages have in common.
var signIn = lazyregexp.New(`(?i)(^|/)(log-?in|sign-?in|auth|sso|account/login|wp-login\.php|session/new|users/sign_in)([/.?]|$)`)

// signInOnly are paths that nobody has who is signed in: below "auth" or "sso" there
// may be pages too.
var signInOnly = lazyregexp.New(`(?i)(^|/)(log-?in|sign-?in|wp-login\.php|session/new|users/sign_in)([/.?]|$)`)

// signedOut recognises a sign-in page in the place of another one. When it is the base
// URL that leads there, nothing of what was asked for can be seen.
func (f *Frontier) signedOut(e *entry, to address) bool {
	if !f.SignedIn && len(f.Headers) == 0 && len(f.Cookies) == 0 {
		return false
	}
	if e == f.home && e != f.seed {
		return signInOnly.MatchString(to.u.Path) && !signIn.MatchString(f.seed.u.Path)
	}
	return signIn.MatchString(to.u.Path) && !signIn.MatchString(e.u.Path)
}

// swap puts the address that the browser ended at in the place of the one that was
// loaded, unless that one is not to be audited or was decided before. The lock is
// held.
func (f *Frontier) swap(e *entry, to address) (*entry, bool) {
	if !f.inside(e, to) {
		return nil, false
	}
	if r := f.robots[to.u.Scheme+"://"+to.u.Host]; r != nil {
		if ok, by := r.allows(to); !ok {
			e.skip(r.forbids(), by)
			return nil, false
		}
	}
	if f.HTTPSOnly && to.u.Scheme != "https" {
		e.skip(ReasonHTTPSOnly, "")
		return nil, false
	}
	e.skip(ReasonRedirect, "")
	e.Of = to.url
	other := f.ledger.byKey[to.key]
	switch {
	case other == nil:
		other = &entry{Entry: Entry{URL: to.url, Source: SourceRedirect, Depth: e.Depth}, address: to}
		other.parent(e.URL)
		if !f.ledger.add(to.key, other) {
			return nil, false
		}
	case other.decided:
		f.standsFor(e, other)
		return nil, false
	}
	f.standsFor(e, other)
	other.State, other.decided = StateLoading, true
	return other, true
}

// likeness is what pages with one title are compared by.
type likeness struct {
	url    string
	sketch Sketch
}

// like finds an earlier page with the same title and nearly the same text, such as
// the notice of a site that answers every address with status 200. It is told, and
// nothing more: short pages under a long navigation are alike too. The lock is held.
func (f *Frontier) like(e *entry, p Page) string {
	if p.Text == "" {
		return ""
	}
	now := likeness{e.url, SketchOf(p.Text)}
	for _, then := range f.likes[p.Title] {
		if now.sketch.Near(then.sketch) {
			return then.url
		}
	}
	f.likes[p.Title] = append(f.likes[p.Title], now)
	return ""
}

// twin finds an accepted page that the site shows to be the same: the addresses
// differ only by what often means nothing and the sources are equal, or the path is
// the same and one of the two is the canonical address of the other. The lock is
// held.
func (f *Frontier) twin(e *entry, p Page) *entry {
	if !f.Fold {
		return nil
	}
	now := &landed{entry: e, digest: p.Digest}
	if c, err := f.rules.parse(p.Canonical, e.u); err == nil && p.Canonical != "" {
		now.canonical = c.key
	}
	group := alikePath(e.u.EscapedPath()) + "#" + e.u.EscapedFragment()
	for _, then := range f.accepted[group] {
		same := then.alike == now.alike && then.digest != "" && then.digest == now.digest
		if same || now.canonical != "" && (now.canonical == then.canonical || now.canonical == then.key) || then.canonical == now.key {
			return then.entry
		}
	}
	f.accepted[group] = append(f.accepted[group], now)
	return nil
}
