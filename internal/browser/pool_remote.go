package browser

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"
)

// engineRemote is the kind of the browsers at [Options.Remotes].
const engineRemote = "remote"

// errNoRoom: every browser that could be reached is full.
var errNoRoom = errors.New("no browser has room")

// restTime is how long a remote browser that did not answer is left alone while
// another one can do the work.
const restTime = 15 * time.Second

// kindOf is the kind of browser that a tab goes to. Remote browsers stand in for
// Chromium of this machine; whether they show windows is their owner's business.
func (p *Pool) kindOf(o TabOptions) (kind string, headed bool) {
	kind = cmp.Or(o.Engine, p.options.Engine)
	if len(p.options.Remotes) > 0 && StandsIn("", kind) {
		return engineRemote, false
	}
	if p.options.isFar(kind) {
		return EngineWebKit, false
	}
	return kind, o.Headed
}

// unconnected are the remote browsers that the pool holds no connection to. Those
// that failed a moment ago come last, if they are wanted at all. The caller holds
// the lock.
func (p *Pool) unconnected(all bool) []string {
	connected := map[string]bool{}
	for _, e := range p.engines {
		connected[e.remote] = connected[e.remote] || e.alive()
	}
	var fresh, resting []string
	for _, address := range p.options.Remotes {
		switch {
		case connected[address]:
		case time.Since(p.resting[address]) < restTime:
			resting = append(resting, address)
		default:
			fresh = append(fresh, address)
		}
	}
	if all {
		return append(fresh, resting...)
	}
	return fresh
}

// connect takes in the first remote browser that answers. When none does and those
// that are connected are full, that is errNoRoom.
func (p *Pool) connect(ctx context.Context) error {
	p.mu.Lock()
	addresses := p.unconnected(true)
	full := len(addresses) < len(p.options.Remotes)
	p.mu.Unlock()
	var last error
	for _, address := range addresses {
		h, err := dialChromium(ctx, p.options, address)
		if ctx.Err() != nil && err != nil {
			return interrupted(ctx, "connecting to a browser")
		}
		p.mu.Lock()
		if err != nil {
			p.resting[address] = time.Now()
			p.options.Logger.Warn("remote browser does not answer", "address", origin(address), "error", err, "cause", errors.Unwrap(err))
			p.mu.Unlock()
			last = err
			continue
		}
		delete(p.resting, address)
		p.stats.Launches++
		e := &engine{host: h, kind: engineRemote, remote: address}
		p.options.Logger.Info("browser connected", "address", h.program())
		defer p.mu.Unlock()
		if p.down {
			p.end(e)
			return closedFault()
		}
		p.engines = append(p.engines, e)
		return nil
	}
	if full {
		return errNoRoom
	}
	return last
}

// room waits until a tab is given back, or a browser that failed may be tried again.
func (p *Pool) room(ctx context.Context, freed <-chan struct{}) error {
	again := time.NewTimer(restTime)
	defer again.Stop()
	select {
	case <-freed:
	case <-again.C:
	case <-p.closed:
		return closedFault()
	case <-ctx.Done():
		return interrupted(ctx, "waiting for a browser with room")
	}
	return nil
}

// pinger is a host that can be asked whether it still answers.
type pinger interface {
	ping(ctx context.Context) error
}

// pingLimit is how long a remote browser may take to answer what costs it nothing.
const pingLimit = 10 * time.Second

// silent tells that a remote browser does not answer any more although its connection
// stands, as when its machine has lost power. It has no tabs, so it would be given one
// run after the other.
func (p *Pool) silent(ctx context.Context, e *engine) bool {
	h, ok := e.host.(pinger)
	if e.remote == "" || !ok {
		return false
	}
	inner, cancel := context.WithTimeout(ctx, pingLimit)
	defer cancel()
	return h.ping(inner) != nil && ctx.Err() == nil
}

// abandon leaves a remote browser that does not answer alone for a while. Its tabs are
// lost.
func (p *Pool) abandon(e *engine) {
	p.mu.Lock()
	p.resting[e.remote] = time.Now()
	p.options.Logger.Warn("remote browser does not answer any more", "address", origin(e.remote))
	if i := slices.Index(p.engines, e); i >= 0 {
		p.engines = slices.Delete(p.engines, i, i+1)
		p.stats.Crashes++
		p.end(e)
	}
	p.mu.Unlock()
	p.returned(e, false)
}
