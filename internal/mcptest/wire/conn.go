package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Conn is a connection to a server under test. Its methods may be used by several
// goroutines at one time.
type Conn struct {
	target  Target
	opt     Options
	carrier carrier
	rec     *recorder
	hide    *redactor
	events  *eventLog
	now     func() time.Time

	life   context.Context // until Close
	cancel context.CancelFunc
	work   sync.WaitGroup
	slots  chan struct{} // of the server's requests that are being answered
	renews chan struct{} // of one: who begins the session anew
	closes sync.Once
	closed *Closing
	dead   chan struct{}

	mu           sync.Mutex
	closing      bool
	deadErr      *Error
	next         int64 // id of the last request
	pending      map[string]*call
	tokens       map[string]*call // by progress token
	catchers     []*call          // of Send, which take what nobody else waits for
	given        *memory          // requests that were given up
	answered     *memory          // requests that were answered
	answering    map[string]context.CancelFunc
	unnamed      unnamed
	late         []LateAnswer
	observations []Observation
	counts       map[Code]int
	server       ServerInfo
	era          Era
	version      string
	session      string
	renewed      int
	probed       *Probe
	opening      *Exchange
	params       map[string][]paramHeader // by tool
}

// carrier brings messages to the server. What comes back it gives to Conn.incoming.
type carrier interface {
	transport() Transport
	// send sends a message. Over HTTP it returns when the answer has been read to its
	// end, with an error when a call got no response in it.
	send(ctx context.Context, out *outgoing) error
	// close ends the connection and writes down how that went. It is called once.
	close(*Closing)
}

// outgoing is a message on its way.
type outgoing struct {
	raw    []byte
	method string
	params json.RawMessage
	call   *call  // nil for the answer to a request of the server
	tweak  *Tweak // of Send
}

func newConn(t Target, o Options) *Conn {
	c := &Conn{
		target: t, opt: o, hide: &redactor{}, now: o.Now,
		events:  &eventLog{most: o.Limits.Entries, bytes: o.Limits.Transcript},
		slots:   make(chan struct{}, o.Limits.Answering),
		renews:  make(chan struct{}, 1),
		dead:    make(chan struct{}),
		pending: map[string]*call{}, tokens: map[string]*call{}, counts: map[Code]int{},
		given: newMemory(), answered: newMemory(), answering: map[string]context.CancelFunc{}, params: map[string][]paramHeader{},
	}
	c.rec = &recorder{now: o.Now, hide: c.hide, limits: o.Limits}
	c.life, c.cancel = context.WithCancel(context.Background())
	c.hide.learn(o.Secrets...)
	for _, value := range t.Env {
		c.hide.learn(value)
	}
	c.hide.learnHeader(t.Headers)
	return c
}

// spawn runs a part of the work of the connection, for which Close waits. It reports
// false when the connection is being closed.
func (c *Conn) spawn(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing {
		return false
	}
	c.work.Go(f)
	return true
}

// die makes the connection unusable.
func (c *Conn) die(err *Error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deadErr == nil {
		c.deadErr = err
		close(c.dead)
	}
}

// deadError is why the connection is unusable, for a method.
func (c *Conn) deadError(method string) *Error {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := *c.deadErr
	e.Method = method
	return &e
}

// nextID is the id of a new request. They are integers, as most clients use, so that
// an answer with another type of id shows.
func (c *Conn) nextID() json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	return strconv.AppendInt(nil, c.next, 10)
}

// Close ends the connection, and the child with all of its group, and says how that
// went. It is bounded by CloseTimeout for each step. A second call gives the same.
func (c *Conn) Close() *Closing {
	c.closes.Do(func() {
		start := c.now()
		c.closed = &Closing{}
		c.mu.Lock()
		c.closing = true
		running := slices.Collect(maps.Values(c.pending))
		c.mu.Unlock()
		c.die(&Error{Kind: Closed, Detail: "The connection was closed."})
		for _, k := range running {
			c.settle(k, c.deadError(k.ex.Method))
		}
		c.carrier.close(c.closed)
		c.cancel()
		c.work.Wait()
		c.mu.Lock()
		c.closed.Late = len(c.late)
		c.mu.Unlock()
		c.closed.Took = between(start, c.now())
		c.rec.add(Entry{Direction: Note, Note: fmt.Sprintf("closed: %v", c.closed.Steps)}, nil)
	})
	return c.closed
}

// memory remembers what became of the last requests.
type memory struct {
	order []string
	what  map[string]remembered
}

type remembered struct {
	method string
	sent   time.Time
	raw    bool // nobody has to answer it
}

const mostRemembered = 2000

func newMemory() *memory { return &memory{what: map[string]remembered{}} }

func (m *memory) add(key string, r remembered) {
	if _, known := m.what[key]; !known {
		m.order = append(m.order, key)
	}
	m.what[key] = r
	if len(m.order) > mostRemembered {
		for _, old := range m.order[:mostRemembered/4] {
			delete(m.what, old)
		}
		m.order = append([]string(nil), m.order[mostRemembered/4:]...)
	}
}
