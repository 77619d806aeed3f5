package bidi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Command is a command of the protocol with the types of its parameters and its
// result. P must encode as an object: the protocol refuses null.
type Command[P, R any] struct {
	Method string
}

// None is for commands without parameters or without a result.
type None struct{}

// Error is the browser's refusal of one command. Code is one of the protocol's
// words, such as "no such frame" (WebDriver BiDi, 6.6 Errors).
type Error struct {
	Method, Code, Message string
}

// Error says which command was refused, and why. The text can quote the page.
func (e *Error) Error() string { return e.Method + ": " + e.Code + ": " + e.Message }

// Refused tells whether err is the browser's refusal with one of the codes.
func Refused(err error, codes ...string) bool {
	var e *Error
	return errors.As(err, &e) && slices.Contains(codes, e.Code)
}

// Pending is a command whose answer is still to come. Commands that are started
// one after another reach the browser in that order.
type Pending[R any] struct {
	conn   *Conn
	waiter *waiter
}

// Start sends a command and does not wait.
func Start[P, R any](c *Conn, cmd Command[P, R], params P) Pending[R] {
	return Pending[R]{conn: c, waiter: c.send(cmd.Method, params, true)}
}

// Post sends a command whose answer does not matter. It may be used in an event
// handler, where waiting is forbidden.
func Post[P, R any](c *Conn, cmd Command[P, R], params P) {
	c.send(cmd.Method, params, false)
}

// Call sends a command and waits for its answer. It fails with an [*Error], with
// [ErrLost], or with the error of the context.
func Call[P, R any](ctx context.Context, c *Conn, cmd Command[P, R], params P) (R, error) {
	return Start(c, cmd, params).Wait(ctx)
}

// Wait waits for the answer, as [Call] does.
func (p Pending[R]) Wait(ctx context.Context) (R, error) {
	var out R
	select {
	case r := <-p.waiter.reply:
		return p.unpack(r)
	case <-ctx.Done():
		p.conn.forget(p.waiter)
		return out, ctx.Err()
	}
}

// ErrGone is the error of [Pending.WaitOr] when what was asked went away first.
var ErrGone = errors.New("what was asked went away before the answer")

// WaitOr waits as [Pending.Wait] does, but gives up with [ErrGone] when gone is
// closed: a document that leaves may take its answer with it.
func (p Pending[R]) WaitOr(ctx context.Context, gone <-chan struct{}) (R, error) {
	var out R
	select {
	case r := <-p.waiter.reply:
		return p.unpack(r)
	case <-ctx.Done():
		p.conn.forget(p.waiter)
		return out, ctx.Err()
	case <-gone:
	}
	select { // the answer may have come before that
	case r := <-p.waiter.reply:
		return p.unpack(r)
	default:
		p.conn.forget(p.waiter)
		return out, ErrGone
	}
}

func (p Pending[R]) unpack(r reply) (R, error) {
	var out R
	if r.err != nil {
		return out, r.err
	}
	if err := json.Unmarshal(r.result, &out); err != nil {
		return out, fmt.Errorf("decoding the answer to %s: %w", p.waiter.method, err)
	}
	return out, nil
}

// Done waits for the answer and drops it, so that commands with different results
// can wait in one list.
func (p Pending[R]) Done(ctx context.Context) error {
	_, err := p.Wait(ctx)
	return err
}
