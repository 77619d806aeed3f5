package login

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// callbackPath is where the browser comes back to.
const callbackPath = "/callback"

// Loopback is a Person at this machine: the browser comes back to a port of it (RFC
// 8252, 7.3).
type Loopback struct {
	show   func(Link)
	wait   bool
	server *http.Server
	addr   string
	work   sync.WaitGroup

	mu     sync.Mutex
	link   Link
	shown  string // state of the link that was shown
	came   url.Values
	arrive chan struct{}
}

// NewLoopback listens on a loopback address, such as "127.0.0.1:0". show is given each
// link once. With wait, Ask waits until the browser comes back or its context ends;
// without, it fails with ErrPending until then. The caller closes it.
func NewLoopback(ctx context.Context, addr string, wait bool, show func(Link)) (*Loopback, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil || !isLoopback(host) {
		return nil, fmt.Errorf("listen for the browser: %q is no loopback address with a port", addr)
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for the browser: %w", err)
	}
	p := &Loopback{show: show, wait: wait, addr: listener.Addr().String(), arrive: make(chan struct{})}
	p.server = &http.Server{Handler: p, ReadTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	p.work.Go(func() { _ = p.server.Serve(listener) }) // it ends with Close
	return p, nil
}

// Close ends the listening.
func (p *Loopback) Close() error {
	err := p.server.Close()
	p.work.Wait()
	if err != nil {
		return fmt.Errorf("end the listening for the browser: %w", err)
	}
	return nil
}

// Redirect is the address of the port.
func (p *Loopback) Redirect(context.Context) (string, error) {
	return "http://" + p.addr + callbackPath, nil
}

// Ask shows the link, once, and gives what the browser brought.
func (p *Loopback) Ask(ctx context.Context, link Link) (url.Values, error) {
	p.mu.Lock()
	if p.shown != link.State {
		p.shown, p.link, p.came, p.arrive = link.State, link, nil, make(chan struct{})
		p.show(link)
	}
	arrive := p.arrive
	p.mu.Unlock()
	if p.wait {
		select {
		case <-arrive:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the browser: %w", context.Cause(ctx))
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.came == nil {
		return nil, ErrPending
	}
	return p.came, nil
}

// ServeHTTP takes what the browser brings. Others who find the port, and pages that
// make a browser go there, do not know the state.
func (p *Loopback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, value := range map[string]string{
		"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Content-Type": "text/html; charset=utf-8",
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
	} {
		w.Header().Set(name, value)
	}
	switch {
	case r.Host != p.addr:
		http.Error(w, "This is not the address of the login.", http.StatusForbidden)
	case r.URL.Path != callbackPath:
		http.Error(w, "There is nothing here.", http.StatusNotFound)
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, "A browser comes here with GET.", http.StatusMethodNotAllowed)
	case !p.take(r.URL.Query()):
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(page("This is no answer to a login that waits here.", "It may have been answered before. Go back to the program and ask for a new link.")))
	default:
		_, _ = w.Write([]byte(page("Thank you.", "You may close this page. The program goes on by itself.")))
	}
}

// take keeps the first answer that belongs to the link.
func (p *Loopback) take(q url.Values) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown == "" || p.came != nil || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(p.shown)) != 1 {
		return false
	}
	p.came = q
	close(p.arrive)
	return true
}

func page(title, text string) string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>` + title + `</title></head><body><h1>` + title + `</h1><p>` + text + `</p></body></html>`
}

var errForeign = errors.New("it is not the address to which this login comes back")

// ReadPasted reads the address at which a browser ended, when it cannot reach this
// machine and a person copies it instead.
func ReadPasted(link Link, address string) (url.Values, error) {
	u, err := url.Parse(address)
	want, err2 := url.Parse(link.Redirect)
	if err != nil || err2 != nil || u.Scheme != want.Scheme || u.Host != want.Host || u.Path != want.Path {
		return nil, fmt.Errorf("read the address of the browser: %w", errForeign)
	}
	return u.Query(), nil
}
