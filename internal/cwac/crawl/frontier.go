package crawl

import (
	"context"
	"fmt"
	"net/url"
	"sync"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Target is one address to load.
type Target struct {
	// Sequence counts the targets of a crawl from 1.
	Sequence int
	URL      string
	Source   Source
	Parent   string // that linked to it first
	Depth    int
	// Status is what the header check saw; 0 without one.
	Status int
	// Suspect names the product that answered the header check instead of the site.
	// It may let a browser pass where it stops a bare client; the loaded page shows.
	Suspect string
}

// Frontier is the crawl of one base URL: see the package comment for how it is used.
type Frontier struct {
	Options
	rules addressRules
	fetch *fetcher

	// asking is held by whoever sends requests for the crawl, and guards what is
	// learnt by them.
	asking       chan struct{}
	robots       map[string]*robots
	noHead       map[string]bool
	headRefused  map[string]int
	sitemapFiles []SitemapFile
	sitemapsRead bool
	checks       int

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced when a worker may go on
	scope    scope
	ledger   ledger
	seed     *entry
	home     *entry // where the base URL leads
	queue    []*entry
	later    []*entry // of patterns that had their turn
	patterns map[string]int
	flights  []*flight // by sequence
	arrived  int       // flights before this one have arrived
	commit   int       // flights before this one are over
	scanned  int
	accepted map[string][]*landed // audited pages by alike path
	ended    bool
	reason   Reason // of a crawl that was stopped
	detail   string
}

// New begins a crawl. It sends no request yet.
func New(o Options) (*Frontier, error) {
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	rules := addressRules{fold: o.Fold, hashRoutes: o.HashRoutes}
	seed, err := rules.parse(o.Site, nil)
	if err != nil {
		return nil, fault.New(fault.Invalid, "invalid_url", "Invalid URL: "+o.Site, "Give a whole address that begins with https:// or http://.")
	}
	seed = exact(seed)
	fetch, err := newFetcher(o, rules)
	if err != nil {
		return nil, fmt.Errorf("crawl %s: %w", o.Site, err)
	}
	fetch.jar.SetCookies(seed.u, o.Cookies)
	f := &Frontier{
		Options: o, rules: rules, fetch: fetch,
		asking: make(chan struct{}, 1), robots: map[string]*robots{}, noHead: map[string]bool{}, headRefused: map[string]int{},
		changed: make(chan struct{}), patterns: map[string]int{}, accepted: map[string][]*landed{},
		ledger: ledger{max: o.Limits.Addresses},
		scope:  scope{area: areaOf(seed.u), include: newChoices(o.Include), exclude: newChoices(o.Exclude)},
	}
	for _, other := range o.Also {
		if a, err := rules.parse(other, nil); err == nil && a.key != seed.key {
			f.scope.others = append(f.scope.others, areaOf(a.u))
		}
	}
	fetch.ours = f.ours
	f.seed = &entry{Entry: Entry{URL: seed.url, Source: SourceSeed, State: StateWaiting}, address: seed}
	f.ledger.add(seed.key, f.seed)
	f.home, f.queue = f.seed, []*entry{f.seed}
	return f, nil
}

// ours reports a host that the login of the caller is for. Plain http never gets
// the login of an https site.
func (f *Frontier) ours(u *url.URL) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.scope.sameHost(u) && (u.Scheme == "https" || f.seed.u.Scheme == "http")
}

// Next gives the next address to load, in an order that depends on the site only.
// It waits while pages that are loading may still bring links. It is false when
// the crawl is over or the context ends; then every address has its reason.
func (f *Frontier) Next(ctx context.Context) (Target, bool) {
	for {
		if err := f.acquire(ctx); err != nil {
			f.end(ReasonStopped, "cancelled")
			return Target{}, false
		}
		if f.wantsSitemaps() {
			f.addSitemaps(ctx)
			<-f.asking
			continue
		}
		e, wait := f.pick()
		if e == nil && wait == nil {
			<-f.asking
			f.end(ReasonLimit, "")
			return Target{}, false
		}
		if wait != nil {
			<-f.asking
			select {
			case <-wait:
			case <-ctx.Done():
			}
			continue
		}
		t, ok := f.consider(ctx, e)
		<-f.asking
		if ok {
			return t, true
		}
	}
}

// acquire takes the right to send requests: <-f.asking gives it back.
func (f *Frontier) acquire(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	select {
	case f.asking <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pick takes the next address of the queue, or says what to wait for; neither when
// the crawl is over.
func (f *Frontier) pick() (*entry, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	flying := len(f.flights) - f.commit
	switch {
	case f.ended || f.scanned >= f.MaxPages:
		return nil, nil
	case f.scanned+flying >= f.MaxPages:
		return nil, f.changed
	case len(f.queue) > 0:
		e := f.queue[0]
		f.queue = f.queue[1:]
		return e, nil
	case flying > 0:
		return nil, f.changed
	case len(f.later) > 0:
		e := f.later[0]
		f.later = f.later[1:]
		return e, nil
	}
	return nil, nil
}

// consider decides about one address, and gives it out if it is to be loaded. When
// the context ends meanwhile, the address gets its reason with the others.
func (f *Frontier) consider(ctx context.Context, e *entry) (Target, bool) {
	chosen, suspect, err := f.decide(ctx, e)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil || chosen == nil || f.ended {
		return Target{}, false
	}
	return f.give(chosen, suspect), true
}

// give hands an address out. The lock is held.
func (f *Frontier) give(e *entry, suspect string) Target {
	f.flights = append(f.flights, &flight{entry: e})
	e.State, e.decided, e.sequence = StateLoading, true, len(f.flights)
	t := Target{Sequence: e.sequence, URL: e.url, Source: e.Source, Depth: e.Depth, Status: e.Status, Suspect: suspect}
	if len(e.Parents) > 0 {
		t.Parent = e.Parents[0]
	}
	return t
}

// Stop ends the crawl for a reason of the caller, such as three failed pages in a
// row. Pages that are loading may still be reported.
func (f *Frontier) Stop(detail string) { f.end(ReasonStopped, detail) }

// end gives every address that is still waiting its reason, once.
func (f *Frontier) end(reason Reason, detail string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return
	}
	f.ended, f.reason, f.detail = true, reason, detail
	for _, e := range f.ledger.entries {
		if e.State == StateWaiting {
			e.skip(reason, detail)
		}
	}
	f.queue, f.later = nil, nil
	f.wake()
}

// wake lets everybody who waits look again. The lock is held.
func (f *Frontier) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}
