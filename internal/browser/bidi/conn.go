package bidi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"sync"

	"github.com/coder/websocket"
)

// Conn is one connection to a browser.
//
// One goroutine reads: it hands events to the handler and delivers answers in the
// order in which the browser sent them, so whoever gets an answer sees every
// earlier event applied. The handler must not block; it may post commands.
type Conn struct {
	socket *websocket.Conn
	ctx    context.Context // of the socket: ends with the connection
	cancel context.CancelFunc
	handle func(method string, params json.RawMessage)

	mu      sync.Mutex
	next    int64
	waiting map[int64]*waiter
	queue   [][]byte      // encoded commands that are not written yet
	queued  chan struct{} // has a token when queue is not empty
	err     error         // why the connection ended

	done  chan struct{} // closed when the connection has ended
	loops sync.WaitGroup
}

// waiter is one command that waits for its answer.
type waiter struct {
	id     int64
	method string
	reply  chan reply // holds the one answer
}

type reply struct {
	result json.RawMessage
	err    error
}

// ErrLost is what errors.Is finds when the connection ended before the answer.
var ErrLost = errors.New("connection to the browser lost")

// maxMessage bounds one message: a screenshot of the tallest page that is asked
// for is far below it, and a browser that sends more is broken.
const maxMessage = 256 << 20

// Dial connects to a browser of this machine at a ws:// address with a loopback
// IP address: the protocol has no password, so it must not leave the machine.
// handle gets every event.
func Dial(ctx context.Context, address string, handle func(method string, params json.RawMessage)) (*Conn, error) {
	if !near(address) {
		return nil, fmt.Errorf("connecting to the browser: %s is not a loopback address", address)
	}
	// A transport of its own, which asks no environment for a proxy: the browser is near.
	direct := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	socket, resp, err := websocket.Dial(ctx, address, &websocket.DialOptions{HTTPClient: direct})
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("connecting to the browser: %w", err)
	}
	socket.SetReadLimit(maxMessage)
	c := &Conn{
		socket: socket, handle: handle, waiting: map[int64]*waiter{},
		queued: make(chan struct{}, 1), done: make(chan struct{}),
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.loops.Go(c.read)
	c.loops.Go(c.write)
	return c, nil
}

// near tells whether an address leads to this machine.
func near(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "ws" {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err == nil && ip.IsLoopback()
}

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Close ends the connection and waits for its goroutines. What still waits fails
// with [ErrLost].
func (c *Conn) Close() {
	c.end(errors.New("closed here"))
	c.loops.Wait()
}

// command is the envelope of what goes to the browser.
type command struct {
	ID     int64  `json:"id"`
	Method string `json:"method"`
	Params any    `json:"params"`
}

// send queues a command and never blocks. Its answer arrives at the waiter;
// without wanted nobody waits and the answer is dropped.
func (c *Conn) send(method string, params any, wanted bool) *waiter {
	w := &waiter{method: method, reply: make(chan reply, 1)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		w.reply <- reply{err: c.err}
		return w
	}
	c.next++
	w.id = c.next
	body, err := json.Marshal(command{ID: w.id, Method: method, Params: params})
	if err != nil {
		w.reply <- reply{err: fmt.Errorf("encoding %s: %w", method, err)}
		return w
	}
	if wanted {
		c.waiting[w.id] = w
	}
	c.queue = append(c.queue, body)
	select {
	case c.queued <- struct{}{}:
	default:
	}
	return w
}

// forget drops a waiter whose caller gave up.
func (c *Conn) forget(w *waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, w.id)
}

func (c *Conn) write() {
	for {
		select {
		case <-c.queued:
		case <-c.done:
			return
		}
		c.mu.Lock()
		batch := c.queue
		c.queue = nil
		c.mu.Unlock()
		for _, body := range batch {
			if err := c.socket.Write(c.ctx, websocket.MessageText, body); err != nil {
				c.end(err)
				return
			}
		}
	}
}

func (c *Conn) read() {
	for {
		_, body, err := c.socket.Read(c.ctx)
		if err != nil {
			c.end(err)
			return
		}
		c.deliver(body)
	}
}

// message is the envelope of everything that the browser sends (WebDriver BiDi, 5 Protocol).
type message struct {
	Type    string          `json:"type"`
	ID      *int64          `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   string          `json:"error"`
	Message string          `json:"message"`
}

func (c *Conn) deliver(body []byte) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		return // a message that is not understood answers nothing and means nothing
	}
	if m.Type == "event" {
		if c.handle != nil {
			c.handle(m.Method, m.Params)
		}
		return
	}
	if m.ID == nil {
		return
	}
	c.mu.Lock()
	w := c.waiting[*m.ID]
	delete(c.waiting, *m.ID)
	c.mu.Unlock()
	switch {
	case w == nil:
	case m.Type == "error" || m.Error != "":
		w.reply <- reply{err: &Error{Method: w.method, Code: m.Error, Message: m.Message}}
	default:
		w.reply <- reply{result: m.Result}
	}
}

// end fails everything; only the first reason counts.
func (c *Conn) end(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = fmt.Errorf("%w: %w", ErrLost, why)
	for n, w := range c.waiting {
		delete(c.waiting, n)
		w.reply <- reply{err: c.err}
	}
	close(c.done)
	c.cancel()
	_ = c.socket.CloseNow()
}
