package crawl

import (
	"context"
	"fmt"
	"slices"
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
	commit   int       // flights before this one are booked
	batch    int       // the flight that the batch begins with
	held     []Target  // of the batch, for the next who asks
	scanned  int
	audited  int                   // pages that were to be audited
	accepted map[string][]*landed  // audited pages by alike path
	likes    map[string][]likeness // and by title
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
		changed: make(chan struct{}), patterns: map[string]int{}, accepted: map[string][]*landed{}, likes: map[string][]likeness{},
		ledger: ledger{max: o.Limits.Addresses},
		scope:  scope{area: areaOf(seed.u), include: newChoices(o.Include), exclude: newChoices(o.Exclude)},
	}
	for _, other := range o.Also {
		if a, err := rules.parse(other, nil); err == nil && a.key != seed.key {
			f.scope.others = append(f.scope.others, areaOf(a.u))
		}
	}
	f.seed = &entry{Entry: Entry{URL: seed.url, Source: SourceSeed, State: StateWaiting}, address: seed}
	f.ledger.add(seed.key, f.seed)
	f.home, f.queue = f.seed, []*entry{f.seed}
	return f, nil
}

// Next gives the next address to load, in an order that depends on the site only.
// It waits until those of the batch before have arrived, and while pages that are
// audited may still bring links. It is false when the crawl is over or the context
// ends; then every address has its reason.
func (f *Frontier) Next(ctx context.Context) (Target, bool) {
	for {
		if err := f.acquire(ctx); err != nil {
			f.end(ReasonStopped, "cancelled")
			return Target{}, false
		}
		t, ok, wait := f.take()
		if !ok && wait == nil {
			wait = f.step(ctx)
		}
		<-f.asking
		switch {
		case ok:
			return t, true
		case wait == over:
			f.end(ReasonLimit, "")
			return Target{}, false
		case wait != nil:
			select {
			case <-wait:
			case <-ctx.Done():
			}
		}
	}
}

// over is what step waits for when nothing will come any more.
var over = make(<-chan struct{})

// take gives out a target of the batch that nobody loads yet.
func (f *Frontier) take() (Target, bool, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return Target{}, false, over
	}
	if len(f.held) == 0 {
		return Target{}, false, nil
	}
	t := f.held[0]
	f.held = f.held[1:]
	return t, true, nil
}

// step does the next thing of the crawl: it books a page that is done, reads the
// sitemaps, or decides about an address. Which thing that is depends on what was
// done before, never on who is quicker, so that any number of workers makes the same
// crawl.
func (f *Frontier) step(ctx context.Context) (wait <-chan struct{}) {
	if f.wantsSitemaps() {
		f.addSitemaps(ctx)
		return nil
	}
	e, wait := f.pick()
	if e != nil {
		f.consider(ctx, e)
	}
	return wait
}

// fill decides about the rest of a batch before its first page is judged: what that
// shows must not matter to a page that another worker may be loading already. The
// right to send requests is held.
func (f *Frontier) fill(ctx context.Context) {
	for ctx.Err() == nil {
		f.mu.Lock()
		var e *entry
		if f.filling() {
			e = pop(&f.queue)
		}
		f.mu.Unlock()
		if e == nil {
			return
		}
		f.consider(ctx, e)
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

// window is how many targets may be out before the links of the oldest are booked,
// and batchSize how many of them are loaded at the same time: as many as a careful
// visitor has tabs.
const (
	window    = 4
	batchSize = 2
)

// pick takes the next address of the queue, books the oldest target instead, or says
// what to wait for.
func (f *Frontier) pick() (*entry, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.flights[f.commit:]
	switch {
	case f.ended:
		return nil, over
	case f.filling():
		return pop(&f.queue), nil
	case !f.landed():
		return nil, f.changed
	}
	f.batch = len(f.flights)
	switch {
	case f.filling():
		return pop(&f.queue), nil
	case len(out) > 0 && out[0].visit == nil:
		return nil, f.changed
	case len(out) > 0:
		f.book()
		return nil, nil
	case len(f.later) > 0 && f.room() > 0:
		return pop(&f.later), nil
	}
	return nil, over
}

// filling reports that the batch takes another address of the queue. The lock is held.
func (f *Frontier) filling() bool {
	return !f.ended && len(f.queue) > 0 && len(f.flights)-f.batch < batchSize && len(f.flights)-f.commit < window && f.room() > 0
}

// landed reports that it is known where all targets of the batch ended. The lock is
// held.
func (f *Frontier) landed() bool {
	return len(f.held) == 0 && !slices.ContainsFunc(f.flights[f.batch:], func(fl *flight) bool { return !fl.arrived() })
}

// room is how many more pages may be scanned, if all that are out are. The lock is
// held.
func (f *Frontier) room() int {
	room := f.MaxPages - f.scanned
	for _, fl := range f.flights[f.commit:] {
		if fl.verdict == nil || fl.verdict.Audit {
			room--
		}
	}
	return room
}

func pop(queue *[]*entry) *entry {
	e := (*queue)[0]
	*queue = (*queue)[1:]
	return e
}

// consider decides about one address, and puts it into the batch if it is to be
// loaded. When the context ends meanwhile, the address gets its reason with the others.
func (f *Frontier) consider(ctx context.Context, e *entry) {
	chosen, suspect, err := f.decide(ctx, e)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil && chosen != nil && !f.ended {
		f.held = append(f.held, f.give(chosen, suspect))
		f.wake()
	}
}

// give makes a target of an address. The lock is held.
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
	for _, t := range f.held {
		fl := f.flights[t.Sequence-1]
		fl.skip(reason, detail)
		fl.verdict, fl.visit = &Verdict{}, &Visit{}
	}
	for f.commit < len(f.flights) && f.flights[f.commit].visit != nil {
		f.book()
	}
	for _, e := range f.ledger.entries {
		if e.State == StateWaiting {
			e.skip(reason, detail)
		}
	}
	f.queue, f.later, f.held = nil, nil, nil
	f.wake()
}

// wake lets everybody who waits look again. The lock is held.
func (f *Frontier) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}
