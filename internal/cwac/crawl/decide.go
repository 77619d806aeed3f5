package crawl

import (
	"context"
	"net/http"
)

// decide finds out whether an address is to be loaded: by robots.txt and by its
// headers. It gives the entry to load, which after a redirect is another one, and
// the product that may stand before the site.
func (f *Frontier) decide(ctx context.Context, e *entry) (*entry, string, error) {
	if e.decided {
		return nil, "", nil
	}
	ok, err := f.permitted(ctx, e, e.address)
	if err != nil || !ok {
		return nil, "", err
	}
	if err := f.fetch.turn(ctx, e.u.Host); err != nil {
		return nil, "", err
	}
	if !f.HeaderCheck || f.routeOfKnown(e) {
		if f.HTTPSOnly && e.u.Scheme != "https" {
			f.skip(e, ReasonHTTPSOnly, "")
			return nil, "", nil
		}
		return e, "", nil
	}
	if f.checks++; f.checks > f.Limits.Checks {
		f.skip(e, ReasonLimit, "enough addresses were checked")
		return nil, "", nil
	}
	c := f.ask(ctx, e.address)
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	return f.weigh(ctx, e, c)
}

// permitted applies robots.txt to where e leads.
func (f *Frontier) permitted(ctx context.Context, e *entry, to address) (bool, error) {
	r, err := f.robotsOf(ctx, to)
	if err != nil {
		return false, err
	}
	if ok, by := r.allows(to); !ok {
		f.skip(e, r.forbids(), by)
		return false, nil
	}
	return true, nil
}

// routeOfKnown reports a hash route of a page that was loaded already: the server
// never sees the difference.
func (f *Frontier) routeOfKnown(e *entry) bool {
	if e.u.Fragment == "" {
		return false
	}
	page := *e.u
	page.Fragment, page.RawFragment = "", ""
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.ledger.byKey[page.String()]
	return known != nil && known.sequence > 0
}

// weigh judges what the header check brought.
func (f *Frontier) weigh(ctx context.Context, e *entry, c check) (*entry, string, error) {
	f.mu.Lock()
	e.Status, e.ContentType, e.Hops = c.status, c.contentType, c.hops
	f.mu.Unlock()
	target := e
	switch {
	case c.err != nil:
		f.skip(e, ReasonHeaderCheck, because(c.err))
		return nil, "", nil
	case c.final.key != e.key && len(c.hops) > 0:
		ok, err := f.redirected(ctx, e, c.final)
		if err != nil || !ok {
			return nil, "", err
		}
		if target = f.stand(e, c.final); target == nil {
			return nil, "", nil
		}
	}
	if f.HTTPSOnly && target.u.Scheme != "https" {
		f.skip(target, ReasonHTTPSOnly, "")
		return nil, "", nil
	}
	f.mu.Lock()
	target.Status, target.ContentType = c.status, c.contentType
	f.mu.Unlock()
	if c.block != "" && c.status != http.StatusTooManyRequests {
		return target, c.block, nil
	}
	return f.usable(target, c), "", nil
}

// usable keeps an entry whose headers are those of a page.
func (f *Frontier) usable(e *entry, c check) *entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case c.status == http.StatusTooManyRequests:
		e.State, e.Reason, e.Detail, e.decided = StateBlocked, ReasonBlocked, "rate limit", true
	case !usableStatus(c.status):
		e.skip(ReasonStatus, http.StatusText(c.status))
	case c.kind == kindDocument:
		e.skip(ReasonDocument, "")
	case c.kind != kindPage:
		e.skip(ReasonNotHTML, "")
	default:
		return e
	}
	return nil
}

func usableStatus(status int) bool {
	return status == http.StatusOK || status == http.StatusAccepted || status == http.StatusNonAuthoritativeInfo
}

// redirected checks where a redirect leads. The base URL takes the scope with it.
func (f *Frontier) redirected(ctx context.Context, e *entry, to address) (bool, error) {
	f.mu.Lock()
	e.Final = to.url
	inside := f.inside(e, to)
	f.mu.Unlock()
	if !inside {
		return false, nil
	}
	return f.permitted(ctx, e, to)
}

// inside moves the scope with the base URL, and skips an entry that leads out of the
// scope. The lock is held.
func (f *Frontier) inside(e *entry, to address) bool {
	if e == f.home {
		if f.scope.follow(to.u) {
			return true
		}
		e.skip(ReasonRedirectedOut, "the base URL leads to another site: scan that address instead")
		return false
	}
	if reason, detail := f.scope.judge(to); reason != "" {
		e.skip(ReasonRedirectedOut, detail)
		return false
	}
	return true
}

// stand finds or makes the entry of the address that e redirects to, and is nil when
// that one was decided before.
func (f *Frontier) stand(e *entry, to address) *entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	e.skip(ReasonRedirect, "")
	e.Of = to.url
	other := f.ledger.byKey[to.key]
	switch {
	case other == nil:
		other = &entry{Entry: Entry{URL: to.url, Source: SourceRedirect, Depth: e.Depth, State: StateWaiting}, address: to}
		other.parent(e.URL)
		if !f.ledger.add(to.key, other) {
			return nil
		}
	case other.decided:
		f.standsFor(e, other)
		return nil
	}
	other.decided = true
	f.standsFor(e, other)
	return other
}

// standsFor books that other is where e leads.
func (f *Frontier) standsFor(e, other *entry) {
	e.Of = other.URL
	if f.home == e {
		f.home = other
	}
}

func (f *Frontier) skip(e *entry, reason Reason, detail string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	e.skip(reason, detail)
}
