package wire

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// call is an exchange that runs. Its exchange is guarded by the lock of the connection
// until it is over, and belongs to whoever called from then on.
type call struct {
	ex       *Exchange
	key      string
	token    string
	raw      bool // of Send
	silent   bool // nothing answers it
	over     bool
	done     chan struct{}
	progress chan struct{} // of one
	holds    chan bool     // whether its time stands still
	cancel   context.CancelFunc
	onMsg    func(Message)
	answers  []*HTTPAnswer
	kept     int    // bytes of the messages that are kept with it
	session  string // that was sent with it
	last     float64
	counted  bool // progress has been seen
	ack      chan struct{}
	overhear bool
	hangUp   func() error // closes the sending half of its connection; nil when there is none
	cut      sync.Once    // what is heard after that
}

func newCall(id json.RawMessage, method string) *call {
	key, _ := idKey(id)
	return &call{ex: &Exchange{ID: id, Method: method}, key: key, done: make(chan struct{}), progress: make(chan struct{}, 1), holds: make(chan bool)}
}

// Call sends a request and waits for its answer. It always gives an exchange. The error
// is nil when a result came, *RPCError when the server answered with an error, and
// *Error otherwise; it is also the exchange's Err. params are marshalled, and a
// json.RawMessage is sent as it is, apart from the members of _meta that are added to
// it. A modern result that asks for input is answered by Options.Answer and the call is
// made again, unless HandUp is set.
func (c *Conn) Call(ctx context.Context, method string, params any, o CallOptions) (*Exchange, error) {
	raw, err := marshal(params)
	if err == nil && len(raw) > 0 && !json.Valid(raw) {
		err = errNoJSON
	}
	if err != nil {
		ex := &Exchange{Method: method, Err: &Error{Kind: Misused, Method: method, Detail: "The params are no JSON.", Cause: err}}
		return ex, ex.Err
	}
	ex := c.rounds(ctx, method, raw, o)
	if o.FollowTasks {
		ex = c.followTask(ctx, ex, o)
	}
	return ex, ex.Err
}

// Notify sends a notification. Over HTTP it waits for the status.
func (c *Conn) Notify(ctx context.Context, method string, params any) (*Exchange, error) {
	raw, err := marshal(params)
	if err != nil {
		ex := &Exchange{Method: method, Err: &Error{Kind: Misused, Method: method, Detail: "The params are no JSON.", Cause: err}}
		return ex, ex.Err
	}
	k := newCall(nil, method)
	k.silent = true
	k.ex.Request = request(nil, method, raw)
	c.run(ctx, k, &outgoing{raw: k.ex.Request, method: method, params: raw, call: k}, CallOptions{})
	return k.ex, k.ex.Err
}

// once makes one request and waits for its answer.
func (c *Conn) once(ctx context.Context, method string, params json.RawMessage, o CallOptions) *call {
	id := c.nextID()
	k := newCall(id, method)
	k.onMsg, k.overhear = o.OnMessage, o.Overhear
	params = withMeta(params, c.meta(id, method, o))
	if token := field(field(params, "_meta"), "progressToken"); token != nil {
		k.token, _ = idKey(token)
	}
	k.ex.Request = request(id, method, params)
	c.run(ctx, k, &outgoing{raw: k.ex.Request, method: method, params: params, call: k}, o)
	return k
}

// run sends a message and waits until it is over.
func (c *Conn) run(ctx context.Context, k *call, out *outgoing, o CallOptions) {
	sending, cancel := context.WithCancel(c.life)
	k.cancel = cancel
	k.ex.Started = c.now()
	c.enter(k)
	if k.silent {
		c.notified()
	}
	started := c.spawn(func() {
		defer cancel()
		err := c.carrier.send(sending, out)
		if err != nil {
			c.settle(k, asError(err, out.method))
		} else if k.silent {
			c.settle(k, nil)
		}
	})
	if !started {
		cancel()
		c.settle(k, &Error{Kind: Closed, Method: out.method, Detail: "The connection was closed."})
	}
	c.wait(ctx, k, o)
}

func (c *Conn) enter(k *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.pending[k.key]; k.key != "" && !taken && !(k.raw && c.carrier.transport() == HTTPTransport) {
		c.pending[k.key] = k
	}
	if k.token != "" {
		c.tokens[k.token] = k
	}
	if k.raw && c.carrier.transport() != HTTPTransport {
		c.catchers = append(c.catchers, k)
	}
}

// wait waits until a call is over, and gives it up when its time is.
func (c *Conn) wait(ctx context.Context, k *call, o CallOptions) {
	limit := o.Timeout
	if limit <= 0 {
		limit = c.opt.CallTimeout
	}
	most := o.MaxTimeout
	if most <= 0 {
		most = 10 * limit
	}
	timer, end := newCountdown(limit), newCountdown(max(most, limit))
	defer timer.stop()
	defer end.stop()
	waits := 0
	for {
		select {
		case <-k.done:
			return
		case <-k.progress:
			if o.ExtendOnProgress && waits == 0 {
				timer.left = limit
				timer.goOn()
			}
		case held := <-k.holds:
			if held {
				if waits++; waits == 1 {
					timer.stop()
					end.stop()
				}
			} else if waits--; waits == 0 {
				timer.goOn()
				end.goOn()
			}
		case <-timer.C:
			c.abandon(k, &Error{Kind: Timeout, Method: k.ex.Method, Detail: "No answer came within " + limit.String() + "."})
		case <-end.C:
			c.abandon(k, &Error{Kind: Timeout, Method: k.ex.Method, Detail: "No answer came within " + most.String() + ", although there was progress or input."})
		case <-ctx.Done():
			c.abandon(k, giveUp(ctx, k.ex.Method, "The call was given up."))
		case <-c.dead:
			c.settle(k, c.deadError(k.ex.Method))
		}
	}
}

// countdown is a timer that can stand still. A server that asks and asks would never run
// out of a time that began anew with each answer.
type countdown struct {
	*time.Timer
	left  time.Duration // when it began to run
	since time.Time     // when that was
}

func newCountdown(left time.Duration) *countdown {
	return &countdown{time.NewTimer(left), left, time.Now()}
}

func (d *countdown) stop() {
	d.Stop()
	d.left -= time.Since(d.since)
}

func (d *countdown) goOn() {
	d.since = time.Now()
	d.Reset(d.left)
}

// hold stops the time of a call while somebody logs in for it or answers what the server
// asks, which takes a person longer than any server may take to answer; the context of
// the caller still bounds it.
func (k *call) hold(ctx context.Context, held bool) {
	if k == nil {
		return
	}
	select {
	case k.holds <- held:
	case <-k.done:
	case <-ctx.Done():
	}
}

// settle ends a call, once; it reports whether it did.
func (c *Conn) settle(k *call, err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.over {
		return false
	}
	k.over = true
	k.ex.Ended, k.ex.Err = c.now(), err
	for i, a := range k.answers {
		copied := *a
		copied.Events = slices.Clip(copied.Events)
		if i == len(k.answers)-1 {
			k.ex.HTTP = &copied
		} else {
			k.ex.Earlier = append(k.ex.Earlier, &copied)
		}
	}
	if c.pending[k.key] == k {
		delete(c.pending, k.key)
		c.answered.add(k.key, remembered{k.ex.Method, k.ex.Started, k.raw})
	}
	if c.tokens[k.token] == k {
		delete(c.tokens, k.token)
	}
	c.catchers = slices.DeleteFunc(c.catchers, func(other *call) bool { return other == k })
	close(k.done)
	return true
}

// abandon gives a call up and tells the server so, in the way of the era and the
// transport (MCP 2025-11-25, Cancellation; 2026-07-28, Transports).
func (c *Conn) abandon(k *call, err *Error) {
	if !c.settle(k, err) {
		return
	}
	c.mu.Lock()
	delete(c.answered.what, k.key)
	c.given.add(k.key, remembered{k.ex.Method, k.ex.Started, k.raw})
	c.mu.Unlock()
	closes := c.carrier.transport() == HTTPTransport && (k.silent || k.raw || c.Era() == EraModern)
	if closes && !c.hungUp(k) {
		k.cancel()
		return
	}
	time.AfterFunc(c.opt.Limits.Late, k.cancel) // what comes late is still read
	if closes || k.silent || k.raw || k.ex.Method == "initialize" {
		return // it cannot, or must not, be cancelled; a line that was begun is still written
	}
	c.cancelled(k.ex.ID)
}

// cancelled tells the server that a request was given up.
func (c *Conn) cancelled(id json.RawMessage) {
	params := join([]member{{"requestId", id}, {"reason", quote("The client gave up.")}})
	c.spawn(func() {
		ctx, cancel := context.WithTimeout(c.life, c.opt.CloseTimeout)
		defer cancel()
		method := "notifications/cancelled"
		k := newCall(nil, method)
		k.silent = true
		raw := request(nil, method, params)
		c.notified()
		if err := c.carrier.send(ctx, &outgoing{raw: raw, method: method, params: params, call: k}); err != nil {
			c.opt.Logger.Debug("cancelling failed", "error", err.Error())
		}
	})
}

// Cancel gives up a request that another goroutine waits for, by its id: the server is
// told, and the call fails with Cancelled. It reports whether there was one.
func (c *Conn) Cancel(id json.RawMessage) bool {
	key, _ := idKey(id)
	c.mu.Lock()
	k := c.pending[key]
	c.mu.Unlock()
	if k == nil {
		return false
	}
	c.abandon(k, &Error{Kind: Cancelled, Method: k.ex.Method, Detail: "The call was cancelled."})
	return true
}
