package browser

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser/webdriver"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// webkitMark begins the addresses of [Options.Remotes] where a WebDriver gives WebKitGTK.
const webkitMark = "webkit+"

// split takes the addresses of WebKit out of a list of remote browsers.
func split(remotes []string) (chromiums, webkits []string) {
	for _, address := range remotes {
		if rest, ok := strings.CutPrefix(address, webkitMark); ok {
			webkits = append(webkits, rest)
		} else {
			chromiums = append(chromiums, address)
		}
	}
	return chromiums, webkits
}

// StandsIn tells whether a remote browser at an address is used instead of the engine of
// this machine with that name, see [Options.Engine].
func StandsIn(address, engine string) bool {
	if strings.HasPrefix(address, webkitMark) {
		return engine == EngineWebKit || engine == EngineWebKitGTK
	}
	return engine == EngineAny || engine == EngineChromium || engine == EngineHeadlessShell
}

// isFar tells whether tabs of an engine go to WebKit of other machines.
func (o Options) isFar(engine string) bool {
	return o.webkits != nil && StandsIn(webkitMark, engine)
}

// newWebKitThere makes sure that one of the drivers can be used.
func newWebKitThere(ctx context.Context, o Options) (host, error) {
	if err := o.webkits.answers(ctx); err != nil {
		return nil, err
	}
	return &webkit{
		kind: webkitKind{name: EngineWebKitGTK, option: gtkOption}, options: o, tabs: map[*webkitTab]bool{}, far: o.webkits,
	}, nil
}

// webkitFar are the drivers that somebody else started. Each is a seat for one tab, since
// WebKitWebDriver has one session.
type webkitFar struct {
	guardAt string

	mu    sync.Mutex
	seats []*webkitSeat
	freed chan struct{} // closed and replaced when a seat has become free
}

// webkitSeat is one driver. Of its fields used is under the lock of its webkitFar, the
// rest belongs to whoever uses it.
type webkitSeat struct {
	address string
	used    bool
	peers   []netip.Addr // of a driver on another machine
	client  *webdriver.Client
	http    *http.Client
}

// newWebKitFar makes a seat of each address; without any it is nil.
func newWebKitFar(guardHost string, addresses []string) *webkitFar {
	if len(addresses) == 0 {
		return nil
	}
	f := &webkitFar{guardAt: cmp.Or(guardHost, loopback), freed: make(chan struct{})}
	for _, address := range addresses {
		client := &http.Client{
			Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 4},
			CheckRedirect: directly.CheckRedirect,
		}
		f.seats = append(f.seats, &webkitSeat{address: address, http: client, client: webdriver.New(address, client)})
	}
	return f
}

// take waits for a seat whose driver can make a session. When no seat is in use and no
// driver can, it says why of the last one.
func (f *webkitFar) take(ctx context.Context) (*webkitSeat, error) {
	var last error
	taken := false // by another pool or program, which tells nobody when it has ended
	for tried := map[*webkitSeat]bool{}; ; {
		s, others, freed := f.pick(tried)
		switch {
		case s != nil:
			err := s.check(ctx, f.guardAt)
			if err == nil {
				return s, nil
			}
			f.drop(s)
			tried[s] = true
			if ctx.Err() != nil {
				return nil, interrupted(ctx, "connecting to a browser")
			}
			if errors.Is(err, errTaken) {
				taken = true
			} else {
				last = err
			}
		case !others && !taken:
			return nil, last
		default:
			if err := f.wait(ctx, freed, taken); err != nil {
				return nil, err
			}
			clear(tried)
			taken = false
		}
	}
}

// answers makes sure that one of the drivers can be used, now or when others leave it.
func (f *webkitFar) answers(ctx context.Context) error {
	var last error
	for tried := map[*webkitSeat]bool{}; ; {
		s, others, _ := f.pick(tried)
		if s == nil {
			if others {
				return nil
			}
			return last
		}
		last = s.check(ctx, f.guardAt)
		f.drop(s)
		tried[s] = true
		if last == nil || errors.Is(last, errTaken) {
			return nil
		}
	}
}

// drop gives back a seat that was only looked at.
func (f *webkitFar) drop(s *webkitSeat) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.used = false
}

// pick takes a free seat that was not tried, or tells whether others have seats.
func (f *webkitFar) pick(tried map[*webkitSeat]bool) (s *webkitSeat, others bool, freed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.seats {
		if !s.used && !tried[s] {
			s.used = true
			return s, false, nil
		}
		others = others || s.used
	}
	return nil, others, f.freed
}

// takenTime is after how long a driver that others use is asked again.
const takenTime = time.Second

// wait waits until a seat is given back, or one that could not be had may be tried again.
func (f *webkitFar) wait(ctx context.Context, freed <-chan struct{}, taken bool) error {
	pause := restTime
	if taken {
		pause = takenTime
	}
	again := time.NewTimer(pause)
	defer again.Stop()
	select {
	case <-freed:
	case <-again.C:
	case <-ctx.Done():
		return tooBusy(ctx)
	}
	return nil
}

func (f *webkitFar) give(s *webkitSeat) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.used = false
	close(f.freed)
	f.freed = make(chan struct{})
}

// check makes sure that the driver can make a session now.
func (s *webkitSeat) check(ctx context.Context, guardAt string) error {
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	peers, err := peersOf(ctx, s.address, guardAt)
	if err == nil {
		s.peers = peers
		err = s.free(ctx)
	}
	if err != nil {
		return s.fault(err)
	}
	return nil
}

// free asks the driver whether it can make a session.
func (s *webkitSeat) free(ctx context.Context) error {
	status, err := s.client.Status(ctx)
	if err == nil && !status.Ready {
		err = errTaken
	}
	return err
}

// errTaken: a driver has the one session that it can have.
var errTaken = errors.New("its driver has a session of another program, or one that was left when that was killed")

func (s *webkitSeat) fault(cause error) *fault.Error {
	return fault.New(fault.Unavailable, "browser_unavailable", "The WebKit at "+webkitMark+origin(s.address)+" cannot be used.",
		"Start WebKitWebDriver there as docs/hosting.md says, or correct LEGWORK_BROWSER_URLS.").WithCause(hidden(cause))
}

// startFar takes a seat for one tab. Whoever gets it asks it for a session, with lend.
func (h *webkit) startFar(ctx context.Context) (*webkitProcess, *guard, error) {
	s, err := h.far.take(ctx)
	if err != nil {
		return nil, nil, err
	}
	g, err := newGuard(h.far.guardAt, s.peers)
	if err != nil {
		h.far.give(s)
		return nil, nil, err
	}
	p := &webkitProcess{
		kind: h.kind, seat: s, client: s.client, http: s.http, output: &tail{},
		asked: make(chan struct{}), dying: make(chan struct{}), exited: make(chan struct{}),
	}
	h.parting.Go(func() { p.part(h.far) })
	return p, g, nil
}

// lend asks the driver for the session of the tab. One that comes when nobody waits any
// more is still known, and given back: a driver keeps it for ever.
func (p *webkitProcess) lend(ctx context.Context, caps webdriver.Capabilities) (*webdriver.Session, error) {
	if p.seat == nil {
		return p.newSession(ctx, caps)
	}
	var err error
	go func() { // part waits for it
		defer close(p.asked)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), launchLimit)
		defer cancel()
		p.lent, err = p.client.NewSession(ctx, caps)
	}()
	select {
	case <-p.asked:
		return p.lent, hidden(err)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// part gives session and seat back once the tab has ended.
func (p *webkitProcess) part(f *webkitFar) {
	defer close(p.exited)
	<-p.dying
	<-p.asked
	if p.lent != nil {
		loan{p.lent}.giveBack()
	}
	p.http.CloseIdleConnections()
	f.give(p.seat)
}
