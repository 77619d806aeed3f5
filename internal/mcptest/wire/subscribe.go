package wire

import (
	"context"
	"encoding/json"
	"time"
)

// Subscription is an open subscriptions/listen of the modern era.
type Subscription struct {
	c *Conn
	k *call
	// Acknowledged is the notification with which the server accepted it; its method is
	// empty when another one came first.
	Acknowledged Message
}

// Listen asks for notifications (MCP 2026-07-28, Subscriptions). filter is the
// notifications member of the params, such as {"toolsListChanged":true}. It returns
// when the server has acknowledged it; what comes then is among the Events, with the
// id of the subscription as their Call.
func (c *Conn) Listen(ctx context.Context, filter any) (*Subscription, error) {
	const method = "subscriptions/listen"
	raw, err := marshal(filter)
	if err != nil {
		return nil, &Error{Kind: Misused, Method: method, Detail: "The filter is no JSON.", Cause: err}
	}
	if c.Era() != EraModern {
		return nil, &Error{Kind: Misused, Method: method, Detail: "The legacy era subscribes with resources/subscribe and the GET stream."}
	}
	id := c.nextID()
	k := newCall(id, method)
	ack := make(chan struct{})
	k.ack = ack
	params := withMeta(join([]member{{"notifications", raw}}), c.meta(id, method, CallOptions{NoProgressToken: true}))
	k.ex.Request = request(id, method, params)
	if !c.spawn(func() {
		c.run(c.life, k, &outgoing{raw: k.ex.Request, method: method, params: params, call: k}, CallOptions{Timeout: forEver})
	}) {
		return nil, &Error{Kind: Closed, Method: method, Detail: "The connection was closed."}
	}
	s := &Subscription{c: c, k: k}
	limit := time.NewTimer(c.opt.CallTimeout)
	defer limit.Stop()
	select {
	case <-ack:
		s.Acknowledged = c.firstOf(k)
		return s, nil
	case <-k.done:
		if k.ex.Err == nil {
			return nil, &Error{Kind: Protocol, Stage: StageMessage, Method: method, Detail: "The subscription ended before it was acknowledged."}
		}
		return nil, k.ex.Err
	case <-ctx.Done():
		err = giveUp(ctx, method, "The subscription was not acknowledged.")
	case <-limit.C:
		err = &Error{Kind: Timeout, Method: method, Detail: "The subscription was not acknowledged within " + c.opt.CallTimeout.String() + "."}
	}
	s.Close()
	return nil, err
}

// Subscribe asks for what changes, in the way of the era: of a resource, by its URI, or of
// the lists, when what is "lists", which a legacy server tells everybody unasked. The
// exchange is that of the request. end asks for it no more.
func (c *Conn) Subscribe(ctx context.Context, what string, o CallOptions) (ex *Exchange, end func(), err error) {
	lists := what == "lists"
	if c.Era() == EraModern {
		filter := join([]member{{"resourceSubscriptions", json.RawMessage("[" + string(quote(what)) + "]")}})
		if lists {
			filter = json.RawMessage(`{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}`)
		}
		ex = &Exchange{Method: "subscriptions/listen", Result: json.RawMessage(`{}`)}
		s, err := c.Listen(ctx, filter)
		if err != nil {
			ex.Err = err
			return ex, nil, err
		}
		if len(s.Acknowledged.Params) > 0 {
			ex.Result = s.Acknowledged.Params
		}
		return ex, func() { s.Close() }, nil
	}
	if lists {
		return &Exchange{Method: "resources/subscribe", Result: json.RawMessage(`{}`)}, func() {}, nil
	}
	params := join([]member{{"uri", quote(what)}})
	if ex, err = c.Call(ctx, "resources/subscribe", params, o); err != nil {
		return ex, nil, err
	}
	return ex, func() {
		// a server that does not know it shows in the transcript
		_, _ = c.Call(ctx, "resources/unsubscribe", params, CallOptions{Timeout: c.opt.ProbeTimeout})
	}, nil
}

// forEver is how long a subscription may last: until it is closed.
const forEver = 1000 * time.Hour

// firstOf is the first notification of a call.
func (c *Conn) firstOf(k *call) Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(k.ex.Notifications) == 0 {
		return Message{}
	}
	return k.ex.Notifications[0]
}

// ID is the id of the subscription, which its notifications carry.
func (s *Subscription) ID() json.RawMessage { return s.k.ex.ID }

// Done is closed when the subscription has ended, whoever ended it.
func (s *Subscription) Done() <-chan struct{} { return s.k.done }

// Close ends the subscription, and gives all that came of it.
func (s *Subscription) Close() *Exchange {
	s.c.abandon(s.k, &Error{Kind: Cancelled, Method: s.k.ex.Method, Detail: "The subscription was closed."})
	<-s.k.done
	return s.k.ex
}
