package browser

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/coder/websocket"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// remote is a Chromium that somebody else started, on this machine or another one.
// It is never ended: its tabs of ours go with the connection. One that a WebDriver
// started for us is given back.
type remote struct {
	address string
	guardAt string
	peers   []netip.Addr // of a browser on another machine
	conn    *conn
	loan    loan // when a WebDriver keeps the browser
}

// dialChromium connects to a browser at http://HOST:PORT, whose DevTools endpoint is
// asked for, or at a ws:// or wss:// address.
func dialChromium(ctx context.Context, o Options, address string) (host, error) {
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	r := &remote{address: address, guardAt: cmp.Or(o.GuardHost, loopback)}
	e := &chromium{body: r, tabs: map[cdp.BrowserContextID][]*chromiumTab{}, scrollbars: o.Scrollbars}
	if err := e.dial(ctx, o, r); err != nil {
		r.loan.giveBack()
		return nil, notConnected(address, err)
	}
	h, err := e.attach(ctx)
	if err != nil {
		e.kill()
	}
	return h, err
}

// ping asks the browser, not a page, for an answer.
func (e *chromium) ping(ctx context.Context) error {
	_, err := call(ctx, e.root, cdpbrowser.GetVersion, cdp.Empty{})
	return err
}

func notConnected(address string, cause error) *fault.Error {
	message := "The browser at " + origin(address) + " does not answer."
	action := "Start Chromium there with --remote-debugging-port, or a WebDriver that gives one, or correct LEGWORK_BROWSER_URLS."
	if errors.Is(cause, errNoChromium) {
		message = "The WebDriver at " + origin(address) + " gives no Chromium."
		action = "If it is WebKitWebDriver, write webkit+ before its address in LEGWORK_BROWSER_URLS. Firefox of another machine cannot be used."
	}
	return fault.New(fault.Unavailable, "browser_unavailable", message, action).WithCause(cause)
}

func (e *chromium) dial(ctx context.Context, o Options, r *remote) error {
	var err error
	if r.peers, err = peersOf(ctx, r.address, r.guardAt); err != nil {
		return err
	}
	endpoint, err := endpointOf(ctx, r.address)
	if errors.Is(err, errNoDevTools) {
		refused := err
		if r.loan, endpoint, err = borrow(ctx, r.address, o); errors.Is(err, errNoDevTools) {
			err = refused
		}
	}
	if err != nil {
		return err
	}
	// The size of a message is the browser's business, as over its pipe.
	socket, resp, err := websocket.Dial(ctx, endpoint, &websocket.DialOptions{HTTPClient: directly})
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	if err != nil {
		return hidden(err)
	}
	socket.SetReadLimit(maxFirstMessage) // until it has shown what it is
	wire := newWire(socket)
	e.conn = newConn(wire, wire)
	r.conn = e.conn
	e.root = e.conn.open("", nil, nil)
	version, err := call(ctx, e.root, cdpbrowser.GetVersion, cdp.Empty{})
	if err != nil {
		e.conn.close()
		return err
	}
	e.agent = version.UserAgent
	socket.SetReadLimit(maxRemoteMessage)
	return nil
}

// maxFirstMessage bounds the answer to the first question.
const maxFirstMessage = 1 << 20

// maxRemoteMessage bounds one message of a browser: a picture of the tallest page
// that is asked for is far below it.
const maxRemoteMessage = 256 << 20

// directly asks no environment for a proxy: where the browser is was said exactly.
var directly = &http.Client{
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// hidden drops the address from an error: it may hold a token.
func hidden(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// peersOf finds the addresses of a remote browser's machine: its connections are the only
// ones that a guard serves which this machine does not keep for itself. There are none
// for this machine, where the programs of this user are served.
func peersOf(ctx context.Context, address, guardAt string) ([]netip.Addr, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return nil, errors.New("its address is no URL with a host")
	}
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", u.Hostname())
	if err != nil {
		return nil, hidden(err)
	}
	var peers []netip.Addr
	for _, a := range addrs {
		if a.Unmap().IsLoopback() {
			return nil, nil
		}
		peers = append(peers, a.Unmap())
	}
	if at, err := netip.ParseAddr(guardAt); err == nil && at.IsLoopback() {
		return nil, errors.New("it is on another machine and cannot reach the network guard on loopback: set LEGWORK_BROWSER_GUARD_HOST to an address of this machine that it can reach")
	}
	return peers, nil
}

// endpointOf is the DevTools endpoint of the whole browser.
func endpointOf(ctx context.Context, address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("its address is no URL")
	}
	switch u.Scheme {
	case "ws", "wss":
		return address, nil
	case "http", "https":
	default:
		return "", fmt.Errorf("the scheme of its address is %q and not http, https, ws or wss", u.Scheme)
	}
	ask := *u
	ask.Path = "/json/version"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, ask.String(), nil)
	if err != nil {
		return "", hidden(err)
	}
	resp, err := directly.Do(req)
	if err != nil {
		return "", hidden(err)
	}
	defer resp.Body.Close()
	var version struct {
		Endpoint string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<16)).Decode(&version); err != nil || version.Endpoint == "" {
		return "", fmt.Errorf("it gave status %d and %w", resp.StatusCode, errNoDevTools)
	}
	// The browser tells the address that it was asked at or its own idea of it: only
	// the path counts, and a token stays.
	end, err := url.Parse(version.Endpoint)
	if err != nil {
		return "", errors.New("its DevTools endpoint is no URL")
	}
	end.Host, end.RawQuery = u.Host, u.RawQuery
	end.Scheme = socketScheme(u.Scheme)
	return end.String(), nil
}

func (r *remote) kill() {
	r.conn.close()
	r.loan.giveBack()
}

func (r *remote) runs() bool { return true } // its connection tells

func (r *remote) guardFor() (*guard, error) { return newGuard(r.guardAt, r.peers) }

func (r *remote) pid() int { return 0 }

func (r *remote) program() string { return origin(r.address) }

func (r *remote) memory() int64 { return 0 }

// wire makes a pair of pipes of a socket: messages end with a NUL byte.
type wire struct {
	socket *websocket.Conn
	ctx    context.Context // ends with the connection
	cancel context.CancelFunc
	rest   []byte // of the message that is read
	close  sync.Once
}

func newWire(socket *websocket.Conn) *wire {
	w := &wire{socket: socket}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	return w
}

// Read reads what the browser sends.
func (w *wire) Read(b []byte) (int, error) {
	if len(w.rest) == 0 {
		_, message, err := w.socket.Read(w.ctx)
		if err != nil {
			return 0, err
		}
		w.rest = append(message, 0)
	}
	n := copy(b, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

// Write sends whole messages.
func (w *wire) Write(b []byte) (int, error) {
	for part := range bytes.SplitSeq(bytes.TrimSuffix(b, []byte{0}), []byte{0}) {
		if err := w.socket.Write(w.ctx, websocket.MessageText, part); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// Close ends the connection.
func (w *wire) Close() error {
	var err error
	w.close.Do(func() {
		w.cancel()
		err = w.socket.CloseNow()
	})
	return err
}
