package browser

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Pool keeps browsers warm and gives out isolated tabs in them.
type Pool struct {
	options Options

	mu       sync.Mutex
	queue    queue
	engines  []*engine
	unsafe   sync.Once              // warns that there is no sandbox
	failures map[string][]time.Time // of the last launches by engine, for the circuit breaker
	stats    Stats
	down     bool

	freed      chan struct{}        // closed and replaced when a tab is given back
	resting    map[string]time.Time // when a remote browser last failed, by address
	launching  chan struct{}        // holds a token while a browser starts
	closed     chan struct{}
	background sync.WaitGroup
}

// Stats are the figures of a pool.
type Stats struct {
	// Browsers that run, Tabs in use, Slots in total, Waiting callers.
	Browsers, Tabs, Slots, Waiting int
	// Launches, Crashes of browsers, Recycled browsers and Opened tabs so far.
	Launches, Crashes, Recycled, Opened int
}

// NewPool makes a pool. The first browser starts when the first tab is opened.
func NewPool(o Options) *Pool {
	o = o.withDefaults()
	p := &Pool{
		options:   o,
		queue:     queue{free: o.slots()},
		failures:  map[string][]time.Time{},
		freed:     make(chan struct{}),
		resting:   map[string]time.Time{},
		launching: make(chan struct{}, 1),
		closed:    make(chan struct{}),
	}
	p.options.errands = &p.background
	return p
}

// Stats returns the figures of the pool.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.stats
	s.Slots = p.options.slots()
	s.Waiting = len(p.queue.waiting)
	for _, e := range p.engines {
		if e.alive() {
			s.Browsers++
			s.Tabs += e.active
		}
	}
	return s
}

// Check makes sure that a browser runs or can be started, and leaves it warm. It may be
// asked at any time and by anybody: it takes no tab's place and wears out no browser.
func (p *Pool) Check(ctx context.Context) error {
	kind, headed := p.kindOf(TabOptions{Headed: p.options.Headed})
	e, err := p.running(kind, headed)
	if err != nil || e != nil {
		return err
	}
	if e, err = p.engine(ctx, kind, headed); err != nil {
		return err
	}
	p.returned(e, false)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refill(e)
	return nil
}

// running is a browser of this kind that goes on, or nil.
func (p *Pool) running(kind string, headed bool) (*engine, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		return nil, closedFault()
	}
	p.bury()
	for _, e := range p.engines {
		if e.kind == kind && e.headed == headed && !e.draining {
			p.refill(e)
			return e, nil
		}
	}
	return nil, nil
}

// Open waits for a free slot and gives a new tab with its own cookies,
// storage, cache and network policy. The caller must close it.
func (p *Pool) Open(ctx context.Context, o TabOptions) (*Tab, error) {
	return p.slot(ctx, o, p.open)
}

// Beside waits for a free slot and gives a tab that shares cookies, storage, cache,
// network policy and ledger with another one, as a second tab of one visitor does. The
// two may be closed in any order. An engine that cannot do it says so with the fault
// engine_unsupported.
func (p *Pool) Beside(ctx context.Context, first *Tab, o TabOptions) (*Tab, error) {
	return p.slot(ctx, o, func(ctx context.Context, o TabOptions) (*Tab, error) {
		e := first.home
		s, ok := e.host.(sharer)
		if !ok {
			return nil, unsupported(e.kind, "open a second tab for one visitor")
		}
		p.mu.Lock()
		if p.down {
			p.mu.Unlock()
			return nil, closedFault()
		}
		e.active++
		e.opened++
		p.mu.Unlock()
		t, err := s.beside(ctx, first, o)
		if err != nil {
			p.returned(e, false)
			return nil, err
		}
		p.lend(t, e)
		return t, nil
	})
}

// slot opens a tab when there is room for it.
func (p *Pool) slot(ctx context.Context, o TabOptions, open func(context.Context, TabOptions) (*Tab, error)) (*Tab, error) {
	o = o.withDefaults()
	o.Headed = o.Headed || p.options.Headed
	p.mu.Lock()
	place := p.queue.join()
	p.mu.Unlock()
	if err := place.wait(ctx, p.closed, o.Queue); err != nil {
		p.give(place)
		return nil, err
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	t, err := open(ctx, o)
	if err != nil {
		p.give(place)
		return nil, err
	}
	return t, nil
}

// lend books a tab that was opened.
func (p *Pool) lend(t *Tab, e *engine) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.Opened++
	t.home, t.release = e, func() { p.returned(e, true) }
}

func (p *Pool) give(place *ticket) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue.leave(place)
}

// open takes a tab from a browser. One that died unnoticed is replaced once.
func (p *Pool) open(ctx context.Context, o TabOptions) (*Tab, error) {
	kind, headed := p.kindOf(o)
	for attempt := 1; ; attempt++ {
		e, err := p.engine(ctx, kind, headed)
		if err != nil {
			return nil, err
		}
		if p.silent(ctx, e) {
			p.abandon(e)
			attempt-- // it was not tried
			continue
		}
		t, err := e.take(ctx, o)
		if err == nil {
			p.lend(t, e)
			return t, nil
		}
		p.returned(e, false)
		if e.alive() || attempt == 2 || ctx.Err() != nil {
			return nil, err
		}
	}
}

// engine gives the browser with the fewest tabs, with one tab counted already,
// and starts one when there is none with room.
func (p *Pool) engine(ctx context.Context, kind string, headed bool) (*engine, error) {
	for {
		p.mu.Lock()
		freed := p.freed
		p.mu.Unlock()
		if e, err := p.pick(kind, headed); e != nil || err != nil {
			return e, err
		}
		select {
		case p.launching <- struct{}{}:
		case <-ctx.Done():
			return nil, interrupted(ctx, "waiting for a browser to start")
		case <-p.closed:
			return nil, closedFault()
		}
		e, err := p.pick(kind, headed) // someone else may have started one meanwhile
		if e == nil && err == nil {
			err = p.start(ctx, kind, headed)
		}
		<-p.launching
		if errors.Is(err, errNoRoom) {
			if e, err = p.pick(kind, headed); e == nil && err == nil {
				err = p.room(ctx, freed)
			}
		}
		if e != nil || err != nil {
			return e, err
		}
	}
}

func (p *Pool) pick(kind string, headed bool) (*engine, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		return nil, closedFault()
	}
	p.bury()
	var best *engine
	for _, e := range p.engines {
		if e.kind == kind && e.headed == headed && !e.draining && e.active < p.options.TabsPerBrowser && (best == nil || e.active < best.active) {
			best = e
		}
	}
	if kind == engineRemote && best != nil && best.active > 0 && len(p.unconnected(false)) > 0 {
		return nil, nil // an idle browser is better
	}
	if best == nil {
		return nil, nil
	}
	best.active++
	best.opened++
	if best.opened >= p.options.RecycleAfter {
		best.draining = true
	}
	return best, nil
}

// bury forgets browsers that ended. The caller holds the lock.
func (p *Pool) bury() {
	living := p.engines[:0]
	for _, e := range p.engines {
		if e.alive() {
			living = append(living, e)
			continue
		}
		p.stats.Crashes++
		p.options.Logger.Warn("browser ended unexpectedly", "pid", e.pid())
		p.end(e)
	}
	clear(p.engines[len(living):])
	p.engines = living
}

// end kills a browser in the background; Close waits for it. The caller holds
// the lock.
func (p *Pool) end(e *engine) {
	p.background.Go(e.end)
}

// The circuit breaker: after that many failed launches in a row within the
// window no more are tried until the window has passed.
const (
	breakerFailures = 3
	breakerWindow   = time.Minute
)

// start gets another browser of a kind.
func (p *Pool) start(ctx context.Context, kind string, headed bool) error {
	if kind == engineRemote {
		return p.connect(ctx)
	}
	return p.launch(ctx, kind, headed)
}

func (p *Pool) launch(ctx context.Context, kind string, headed bool) error {
	if err := p.breaker(kind); err != nil {
		return err
	}
	o := p.options
	o.Engine = kind
	h, err := newHost(ctx, o, headed)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err != nil {
		if ctx.Err() == nil {
			p.failures[kind] = append(p.failures[kind], time.Now())
		}
		p.options.Logger.Warn("browser did not start", "error", err, "cause", errors.Unwrap(err))
		return err
	}
	delete(p.failures, kind)
	e := &engine{host: h, kind: kind, headed: headed}
	p.stats.Launches++
	p.options.Logger.Info("browser started", "pid", e.pid(), "binary", e.program())
	if !sandboxed(p.options) && e.pid() != 0 {
		p.unsafe.Do(func() {
			p.options.Logger.Warn("browsers run without their sandbox: run as another user than root, or in a container of its own")
		})
	}
	if p.down {
		p.end(e)
		return closedFault()
	}
	p.engines = append(p.engines, e)
	return nil
}

func (p *Pool) breaker(kind string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	failures := p.failures[kind]
	if len(failures) < breakerFailures {
		return nil
	}
	first := failures[len(failures)-breakerFailures]
	wait := breakerWindow - time.Since(first)
	if wait <= 0 {
		return nil
	}
	return fault.New(fault.Unavailable, "browser_unavailable", "The browser failed to start several times in a row.",
		"Fix the installation (legwork doctor says what is missing), then try again.").WithRetryAfter(wait)
}

// returned takes a tab's place in a browser back, and recycles or refills it.
func (p *Pool) returned(e *engine, used bool) {
	heavy := used && p.heavy(e)
	p.mu.Lock()
	defer p.mu.Unlock()
	e.active--
	close(p.freed)
	p.freed = make(chan struct{})
	if used {
		p.queue.release()
	}
	e.draining = e.draining || heavy
	switch {
	case p.down:
	case !e.alive():
		p.bury()
	case e.draining && e.active == 0:
		p.recycle(e)
	case used:
		p.refill(e)
	}
}

// weighEvery is how often a browser's memory is looked at: that reads the state
// of every process of the machine.
const weighEvery = 10 * time.Second

// heavy reports whether a browser holds more memory than it may.
func (p *Pool) heavy(e *engine) bool {
	if p.options.MaxRSS <= 0 || !e.alive() || !p.due(e) {
		return false
	}
	return e.memory() > p.options.MaxRSS
}

// due reports whether it is time to look at a browser's memory again.
func (p *Pool) due(e *engine) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(e.weighed) < weighEvery {
		return false
	}
	e.weighed = time.Now()
	return true
}

// recycle replaces a browser that nobody uses. The caller holds the lock.
func (p *Pool) recycle(e *engine) {
	for i, have := range p.engines {
		if have == e {
			p.engines = append(p.engines[:i:i], p.engines[i+1:]...)
			p.stats.Recycled++
			p.end(e)
			return
		}
	}
}

// refill prepares a spare tab in the background. The caller holds the lock.
func (p *Pool) refill(e *engine) {
	if p.down || e.filling || e.draining {
		return
	}
	e.filling = true
	p.background.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), callLimit)
		defer cancel()
		e.fill(ctx)
		p.mu.Lock()
		defer p.mu.Unlock()
		e.filling = false
	})
}

// Close ends every tab and every browser that the pool started, and waits
// until they are gone.
func (p *Pool) Close(ctx context.Context) error {
	p.mu.Lock()
	if !p.down {
		p.down = true
		close(p.closed)
		for _, e := range p.engines {
			p.end(e)
		}
	}
	p.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		p.background.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return interrupted(ctx, "closing the browsers")
	}
}
