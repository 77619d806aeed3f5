package browser

import (
	"context"
	"crypto/rand"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// guard is the only way to the network for one tab: a forward proxy on
// loopback that decides by the tab's policy. Blocking inside the browser would
// miss WebSockets, workers and beacons; nothing gets past a proxy.
//
// Its port is open to every program of this machine while the tab lives, and
// what the policy allows the tab would be allowed to them. On Linux the kernel
// tells whose a connection is, and only those of this program's own user are
// served; a program of the same user could do the same by itself. Elsewhere
// nothing tells, and on a machine with users who are not trusted private origins
// should not be allowed.
type guard struct {
	listener net.Listener
	server   *http.Server
	forward  *httputil.ReverseProxy
	token    string // proves that an answer is the guard's own
	peers    []netip.Addr
	owner    func(from, to netip.AddrPort) (uid int, known bool)
	received atomic.Int64

	mu       sync.Mutex
	rules    *rules
	ledger   Ledger
	outcomes map[string]denial  // the last one by host
	conns    map[io.Closer]bool // to be closed with the guard
	sharers  int                // tabs beside the first that use it too
	closed   bool
	traffic  traffic                      // who hears what goes through, or nil
	heardOf  int64                        // requests that were heard of
	headers  map[string]map[string]string // to add, by origin
	handlers sync.WaitGroup
}

// markHeader tells the tab that an answer is the guard's own.
const markHeader = "X-Legwork-Guard"

// loopback is where the guard of a browser on this machine listens.
const loopback = "127.0.0.1"

// newGuard starts a guard that refuses everything until it has a policy. It listens
// at an address of this machine; peers are the only addresses that it serves, or nil
// for the programs of this user on this machine.
func newGuard(at string, peers []netip.Addr) (*guard, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(at, "0"))
	if err != nil && at != loopback {
		return nil, fault.New(fault.Unavailable, "browser_unavailable", "The network guard cannot listen at "+at+".",
			"Set LEGWORK_BROWSER_GUARD_HOST to an address of this machine that the remote browsers can reach.").WithCause(err)
	}
	if err != nil {
		return nil, crashed("The network guard could not be started.", err)
	}
	g := &guard{
		listener: listener, token: rand.Text(), peers: peers, owner: socketOwner,
		outcomes: map[string]denial{}, conns: map[io.Closer]bool{},
	}
	quiet := log.New(io.Discard, "", 0)
	g.forward = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.RawQuery = r.In.URL.RawQuery // exactly as the page wrote it
			if _, ok := r.In.Header["User-Agent"]; !ok {
				r.Out.Header["User-Agent"] = nil
			}
			for name, value := range g.extra(r.In) {
				r.Out.Header.Set(name, value)
			}
		},
		Transport: &http.Transport{
			DialContext:         func(ctx context.Context, _, addr string) (net.Conn, error) { return g.dial(ctx, addr) },
			DisableCompression:  true,
			MaxIdleConnsPerHost: 8,
			IdleConnTimeout:     30 * time.Second,
		},
		FlushInterval: -1,
		ErrorLog:      quiet,
		ModifyResponse: func(r *http.Response) error {
			r.Header.Del(markHeader)
			g.record(r.Request.Method, r.Request.URL.Host, r.StatusCode)
			return nil
		},
		ErrorHandler: g.fail,
	}
	g.server = &http.Server{Handler: g, ErrorLog: quiet, ConnContext: withPeer, ReadHeaderTimeout: time.Minute, IdleTimeout: 2 * time.Minute}
	g.handlers.Go(func() { _ = g.server.Serve(listener) })
	return g, nil
}

func (g *guard) address() string { return "http://" + g.listener.Addr().String() }

// apply gives the guard its policy.
func (g *guard) apply(p Policy) error {
	r, err := compile(p)
	if err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.rules = r
	return nil
}

// current is the policy; without one nothing is allowed.
func (g *guard) current() *rules {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.rules == nil {
		return &rules{only: map[string]bool{"": true}}
	}
	return g.rules
}

// enter counts a handler in, unless the guard is closed.
func (g *guard) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.handlers.Add(1)
	return true
}

// ServeHTTP is the proxy.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !g.enter() {
		return
	}
	defer g.handlers.Done()
	switch {
	case g.stranger(r):
		w.Header().Set("Connection", "close")
		http.Error(w, "This proxy serves the browser of one user only.", http.StatusForbidden)
	case r.Method == http.MethodConnect:
		g.tunnel(w, r)
	case r.URL.Scheme != "http" || r.URL.Host == "":
		http.Error(w, "This is a proxy for one browser tab.", http.StatusBadRequest)
	default:
		w, done := g.heard(w, r)
		defer done()
		// An open connection must not carry what the policy forbids.
		if _, _, err := g.current().permitted(hostPort(r.URL)); err != nil {
			g.fail(w, r, err)
			return
		}
		// Without this the server takes the rest of the body for itself and closes
		// it as soon as the answer begins, while the transport may still read it;
		// the transport then cuts the connection in the middle of the answer.
		// HTTP/1, which is all that this server speaks, can always do it.
		_ = http.NewResponseController(w).EnableFullDuplex()
		g.forward.ServeHTTP(w, r)
	}
}

// share lets one more tab use the guard; it is false when that is closed.
func (g *guard) share() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.sharers++
	}
	return !g.closed
}

// close cuts every connection and waits until nothing runs any more, once no other
// tab uses the guard.
func (g *guard) close() {
	g.mu.Lock()
	if g.sharers > 0 {
		g.sharers--
		g.mu.Unlock()
		return
	}
	g.closed = true
	conns := g.conns
	g.conns = map[io.Closer]bool{}
	g.mu.Unlock()
	_ = g.server.Close()
	for c := range conns {
		_ = c.Close()
	}
	g.forward.Transport.(*http.Transport).CloseIdleConnections()
	g.handlers.Wait()
}

// own makes the guard close c when it is closed itself; it is false when that
// has happened already.
func (g *guard) own(c io.Closer) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.conns[c] = true
	}
	return !g.closed
}

func (g *guard) disown(c io.Closer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
}

// verdict reads from the headers of an answer whether the guard gave it. The
// header holds codes only: a page can read it, and its words must never be shown.
func (g *guard) verdict(headers http.Header) (netError, refused string) {
	for _, text := range headers.Values(markHeader) {
		if code, ok := strings.CutPrefix(text, g.token+" refused "); ok {
			return "", g.current().words(code)
		}
		if code, ok := strings.CutPrefix(text, g.token+" failed "); ok && slices.Contains(netErrors, code) {
			return code, ""
		}
	}
	return "", ""
}

// explain says what is behind the browser's error text: through a proxy every
// failed encrypted connection looks the same to the browser.
func (g *guard) explain(address, text string) (netError, refused string) {
	if !strings.Contains(text, "TUNNEL_CONNECTION_FAILED") && !strings.Contains(text, "PROXY_CONNECTION_FAILED") {
		return text, ""
	}
	u, err := url.Parse(address)
	if err != nil {
		return text, ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	d, ok := g.outcomes[hostPort(u)]
	if !ok {
		return text, ""
	}
	return d.netError, d.refused
}
