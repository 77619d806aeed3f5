package browser

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// errDetached ends the commands of a session whose target went away.
var errDetached = errors.New("target detached")

// conn is one DevTools connection over a pair of pipes. Messages are JSON
// documents that end with a NUL byte.
//
// One goroutine reads: it applies events and delivers answers in the order in
// which the browser sent them, so whoever gets an answer sees every earlier
// event applied. Event handlers must not block; they may post commands.
type conn struct {
	in  io.ReadCloser
	out io.WriteCloser

	mu       sync.Mutex
	next     int64
	waiting  map[int64]*waiter
	sessions map[string]*session
	queue    []byte        // encoded commands that are not written yet
	queued   chan struct{} // has a token when queue is not empty
	err      error         // why the connection ended

	done  chan struct{} // closed when the connection has ended
	loops sync.WaitGroup
}

// waiter is one command that waits for its answer.
type waiter struct {
	id      int64
	session string
	method  string
	reply   chan reply // holds the one answer
}

type reply struct {
	result jsonv2.Value
	err    error
}

func newConn(in io.ReadCloser, out io.WriteCloser) *conn {
	c := &conn{
		in: in, out: out,
		waiting: map[int64]*waiter{}, sessions: map[string]*session{},
		queued: make(chan struct{}, 1), done: make(chan struct{}),
	}
	c.loops.Go(c.read)
	c.loops.Go(c.write)
	return c
}

// send queues a command and never blocks. Its answer arrives at the waiter;
// without wanted nobody waits and the answer is dropped.
func (c *conn) send(session, method string, params any, wanted bool) *waiter {
	w := &waiter{session: session, method: method, reply: make(chan reply, 1)}
	body, err := jsonv2.Marshal(params, jsonv2.AllowInvalidUTF8(true))
	if err != nil {
		w.reply <- reply{err: fmt.Errorf("encoding %s: %w", method, err)}
		return w
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		w.reply <- reply{err: c.err}
		return w
	}
	if session != "" && c.sessions[session] == nil {
		w.reply <- reply{err: errDetached}
		return w
	}
	c.next++
	w.id = c.next
	if wanted {
		c.waiting[w.id] = w
	}
	c.queue = appendCommand(c.queue, w, body)
	select {
	case c.queued <- struct{}{}:
	default:
	}
	return w
}

// appendCommand writes the envelope by hand: id, method and session are plain
// words, and the parameters are encoded already.
func appendCommand(b []byte, w *waiter, params []byte) []byte {
	b = append(b, `{"id":`...)
	b = strconv.AppendInt(b, w.id, 10)
	if w.session != "" {
		b = append(b, `,"sessionId":"`...)
		b = append(b, w.session...)
		b = append(b, '"')
	}
	b = append(b, `,"method":"`...)
	b = append(b, w.method...)
	b = append(b, `","params":`...)
	b = append(b, params...)
	return append(b, '}', 0)
}

// forget drops a waiter whose caller gave up.
func (c *conn) forget(w *waiter) {
	c.mu.Lock()
	delete(c.waiting, w.id)
	c.mu.Unlock()
}

func (c *conn) write() {
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
		if _, err := c.out.Write(batch); err != nil {
			c.end(err)
			return
		}
	}
}

func (c *conn) read() {
	r := bufio.NewReaderSize(c.in, 1<<16)
	for {
		line, err := r.ReadSlice(0) // what is decoded holds no part of it
		if errors.Is(err, bufio.ErrBufferFull) {
			begin := bytes.Clone(line)
			line, err = r.ReadBytes(0)
			line = append(begin, line...)
		}
		if err != nil {
			c.end(err)
			return
		}
		if line = line[:len(line)-1]; !unheard(line) {
			c.deliver(line)
		}
	}
}

// noise are the events that come by the hundred with those of the network domain
// and that nobody here wants. To decode them would be half of the work of reading.
var noise = []string{
	"Network.dataReceived", "Network.requestWillBeSentExtraInfo", "Network.responseReceivedExtraInfo", "Network.policyUpdated",
}

// unheard tells by its first bytes whether a message is such an event.
func unheard(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte(`{"method":"`))
	return ok && slices.ContainsFunc(noise, func(name string) bool {
		return len(rest) > len(name) && rest[len(name)] == '"' && string(rest[:len(name)]) == name
	})
}

// message is the envelope of everything that the browser sends.
type message struct {
	ID        int64          `json:"id"`
	SessionID string         `json:"sessionId"`
	Method    string         `json:"method"`
	Params    jsonv2.Value   `json:"params"`
	Result    jsonv2.Value   `json:"result"`
	Error     *protocolError `json:"error"`
}

func (c *conn) deliver(line []byte) {
	var m message
	if err := decode(line, &m); err != nil {
		return // a message that is not understood answers nothing and means nothing
	}
	c.mu.Lock()
	s := c.sessions[m.SessionID]
	w := c.waiting[m.ID]
	delete(c.waiting, m.ID)
	c.mu.Unlock()
	switch {
	case m.ID != 0:
		if w == nil {
			return
		}
		if m.Error != nil {
			m.Error.method = w.method
			w.reply <- reply{err: m.Error}
			return
		}
		w.reply <- reply{result: m.Result}
	case s != nil && s.handle != nil:
		s.handle(m.Method, m.Params)
	}
}

// decode reads JSON as browsers write it: strings may hold half a surrogate pair.
func decode(b []byte, out any) error {
	return jsonv2.Unmarshal(b, out, jsonv2.AllowInvalidUTF8(true))
}

// open registers a session and its event handler. The browser's own session
// has an empty id and no parent.
func (c *conn) open(id string, parent *session, handle func(method string, params jsonv2.Value)) *session {
	s := &session{conn: c, id: id, parent: parent, handle: handle}
	c.mu.Lock()
	c.sessions[id] = s
	c.mu.Unlock()
	return s
}

// drop forgets a session with those inside it, and fails what they still wait for.
func (c *conn) drop(id string) {
	c.mu.Lock()
	s := c.sessions[id]
	delete(c.sessions, id)
	var inside []string
	for _, other := range c.sessions {
		if s != nil && other.parent == s {
			inside = append(inside, other.id)
		}
	}
	c.mu.Unlock()
	c.fail(id, errDetached)
	for _, id := range inside {
		c.drop(id)
	}
}

// fail answers every waiting command of a session with an error.
func (c *conn) fail(id string, why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, w := range c.waiting {
		if w.session == id {
			delete(c.waiting, n)
			w.reply <- reply{err: why}
		}
	}
}

// end fails everything; only the first reason counts.
func (c *conn) end(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return
	}
	c.err = crashed("The browser process ended unexpectedly.", why)
	for n, w := range c.waiting {
		delete(c.waiting, n)
		w.reply <- reply{err: c.err}
	}
	close(c.done)
}

// close ends the connection and waits for its goroutines.
func (c *conn) close() {
	c.end(ErrClosed)
	_ = c.in.Close()
	_ = c.out.Close()
	c.loops.Wait()
}
