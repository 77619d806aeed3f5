package browser

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// firefox keeps a process for each tab: the focus is in one window of a process
// only, and a page that has lost it behaves as if its user had left.
type firefox struct {
	options Options
	path    string
	headed  bool

	mu        sync.Mutex
	processes []*foxProcess
	idle      []*foxProcess // of them, without a tab
	closed    bool
}

// maxIdle is how many processes without a tab are kept warm.
const maxIdle = 2

// newFirefox starts the first process.
func newFirefox(ctx context.Context, o Options, headed bool) (host, error) {
	path, err := findFirefox(o.Engine)
	if err != nil {
		return nil, err
	}
	e := &firefox{options: o, path: path, headed: headed}
	p, err := e.launch(ctx, true)
	if err != nil {
		return nil, err
	}
	e.idle = append(e.idle, p)
	return e, nil
}

// launch starts another process. Whether sites may have service workers is said to
// the whole of it.
func (e *firefox) launch(ctx context.Context, workers bool) (*foxProcess, error) {
	p, err := e.start(ctx, workers)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	closed := e.closed
	if !closed {
		e.processes = append(e.processes, p)
	}
	e.mu.Unlock()
	if closed {
		p.kill()
		return nil, closedFault()
	}
	return p, nil
}

// warm takes an idle process of the right kind, if one lives.
func (e *firefox) warm(workers bool) *foxProcess {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := len(e.idle) - 1; i >= 0; i-- {
		p := e.idle[i]
		if p.alive() && p.workers != workers {
			continue
		}
		e.idle = slices.Delete(e.idle, i, i+1)
		if p.alive() {
			return p
		}
		e.drop(p)
	}
	return nil
}

// drop forgets a process. The caller holds the lock.
func (e *firefox) drop(p *foxProcess) {
	if i := slices.Index(e.processes, p); i >= 0 {
		e.processes = slices.Delete(e.processes, i, i+1)
	}
}

func (e *firefox) take(ctx context.Context, o TabOptions) (*Tab, error) {
	p := e.warm(!o.NoServiceWorkers)
	if p == nil {
		var err error
		if p, err = e.launch(ctx, !o.NoServiceWorkers); err != nil {
			return nil, err
		}
	}
	g, err := p.guardFor()
	if err != nil {
		e.back(p)
		return nil, err
	}
	t := newFirefoxTab(e, p, g)
	if err := t.dress(ctx, o); err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			p.kill() // it would be asked in vain, and nobody has the time
		}
		_ = t.end(ctx)
		return nil, explain(ctx, t.read(err), "opening a browser tab")
	}
	return t.Tab, nil
}

// back takes a process that has no tab any more. One that is too many is ended.
func (e *firefox) back(p *foxProcess) {
	e.mu.Lock()
	keep := p.alive() && !e.closed && len(e.idle) < maxIdle
	if keep {
		e.idle = append(e.idle, p)
	} else if len(e.processes) > 1 { // the last one stays, so that its end is known
		e.drop(p)
	}
	e.mu.Unlock()
	if !keep {
		p.kill()
	}
}

// fill does nothing: the process of the last tab is the spare.
func (e *firefox) fill(context.Context) {}

func (e *firefox) end() {
	e.mu.Lock()
	e.closed = true
	list := slices.Clone(e.processes)
	e.mu.Unlock()
	for _, p := range list {
		p.mu.Lock()
		t := p.tab
		p.mu.Unlock()
		if t != nil {
			t.guard.close()
		}
		p.kill()
	}
}

func (e *firefox) alive() bool {
	return slices.ContainsFunc(e.all(), (*foxProcess).alive)
}

func (e *firefox) all() []*foxProcess {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.processes)
}

func (e *firefox) pid() int {
	if list := e.all(); len(list) > 0 {
		return list[0].pid()
	}
	return 0
}

func (e *firefox) program() string { return e.path }

func (e *firefox) memory() int64 {
	var sum int64
	for _, p := range e.all() {
		sum += p.memory()
	}
	return sum
}
