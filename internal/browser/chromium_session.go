package browser

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// session is the connection to one target: a page, a frame with a process of
// its own, or with an empty id the browser itself.
type session struct {
	conn   *conn
	id     string
	parent *session // that it was attached through
	handle func(method string, params jsonv2.Value)
}

// pending is a command whose answer is still to come. Commands that are
// started one after another run in that order, and cost one wait together.
type pending[R any] struct {
	session *session
	waiter  *waiter
}

// start sends a command and does not wait.
func start[P, R any](s *session, c cdp.Command[P, R], params P) pending[R] {
	return pending[R]{session: s, waiter: s.conn.send(s.id, c.Method, params, true)}
}

// post sends a command whose answer does not matter. It may be used where
// waiting is forbidden, in an event handler.
func post[P, R any](s *session, c cdp.Command[P, R], params P) {
	s.conn.send(s.id, c.Method, params, false)
}

// call sends a command and waits for its answer.
func call[P, R any](ctx context.Context, s *session, c cdp.Command[P, R], params P) (R, error) {
	return start(s, c, params).wait(ctx)
}

func (p pending[R]) wait(ctx context.Context) (R, error) {
	return p.waitOr(ctx, nil)
}

// waitOr waits for the answer too, but gives up when gone is closed.
func (p pending[R]) waitOr(ctx context.Context, gone <-chan struct{}) (R, error) {
	var zero R
	select {
	case r := <-p.waiter.reply:
		return unpack[R](r)
	case <-ctx.Done():
		p.session.conn.forget(p.waiter)
		return zero, ctx.Err()
	case <-gone:
	}
	select { // the answer may have come before the document went away
	case r := <-p.waiter.reply:
		return unpack[R](r)
	default:
		p.session.conn.forget(p.waiter)
		return zero, ErrNavigated
	}
}

func unpack[R any](r reply) (R, error) {
	var out R
	if r.err != nil {
		return out, r.err
	}
	err := decode(r.result, &out)
	return out, err
}

// outcome lets commands with different results wait in one list.
type outcome interface {
	settle(ctx context.Context) error
}

func (p pending[R]) settle(ctx context.Context) error {
	_, err := p.wait(ctx)
	return err
}

// settle waits for all of them and returns the first error.
func settle(ctx context.Context, list ...outcome) error {
	var first error
	for _, p := range list {
		if err := p.settle(ctx); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// pass lets a target go that was held at its start, and does not follow it.
// Its session stays, since a worker hears the order only when it has come up.
func (c *conn) pass(parent *session, e target.EventAttachedToTarget) {
	s := c.open(string(e.SessionID), parent, nil)
	if e.WaitingForDebugger {
		post(s, runtime.RunIfWaitingForDebugger, cdp.Empty{})
	}
}

// event decodes the payload of an event; ok is false when it is not that event.
func event[E any](e cdp.Event[E], method string, params jsonv2.Value) (E, bool) {
	var out E
	if e.Method != method {
		return out, false
	}
	return out, decode(params, &out) == nil
}
