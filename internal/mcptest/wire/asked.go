package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// asked answers a request of the server, in a goroutine of its own: a call waits
// meanwhile. Over the limit nothing is answered, so that a flood costs nothing.
func (c *Conn) asked(e *envelope, k *call) {
	m := Message{At: c.now(), Method: e.method, ID: e.id, Params: e.params, Raw: e.raw}
	c.keep(m, k)
	if c.Era() == EraModern {
		c.observe(Observation{Code: WrongEra, Detail: "The server sent a request; in 2026-07-28 it asks in its results.", Bytes: e.raw}, k)
	}
	select {
	case c.slots <- struct{}{}:
	default:
		c.observe(Observation{Code: RequestFlood, Detail: fmt.Sprintf("More than %d requests of the server wait for an answer; this one gets none.", cap(c.slots)), Bytes: e.raw}, k)
		return
	}
	call := ""
	if k != nil {
		call = string(k.ex.ID)
	}
	if !c.spawn(func() {
		defer func() { <-c.slots }()
		c.reply(e, call, k)
	}) {
		<-c.slots
	}
}

// reply finds the answer to a request of the server and sends it.
func (c *Conn) reply(e *envelope, during string, k *call) {
	key, _ := idKey(e.id)
	ctx, cancel := context.WithTimeout(c.life, c.opt.AnswerTimeout)
	defer cancel()
	k.hold(c.life, true)
	defer k.hold(c.life, false)
	c.mu.Lock()
	c.answering[key] = cancel
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.answering, key)
		c.mu.Unlock()
	}()
	var result json.RawMessage
	var rpc *RPCError
	switch {
	case e.method == "ping":
		result = json.RawMessage(`{}`)
	case c.opt.Answer == nil || c.Era() == EraModern:
		rpc = &RPCError{Code: CodeMethodNotFound, Message: "this client does not answer it"}
	default:
		result, rpc = c.ask(ctx, ServerRequest{Key: string(e.id), Method: e.method, Params: e.params, Call: during})
	}
	if rpc != nil && rpc.Code == CodeMethodNotFound {
		c.observe(Observation{Code: RequestRefused, Detail: "Nobody answers " + e.method + " here.", Bytes: e.raw}, k)
	}
	if err := ctx.Err(); err != nil {
		return // the server no longer wants it, or the connection is over
	}
	if err := c.carrier.send(ctx, &outgoing{raw: answer(e.id, result, rpc)}); err != nil {
		c.opt.Logger.Debug("answering failed", "method", e.method, "error", err.Error())
	}
}

// ask has the hook answer.
func (c *Conn) ask(ctx context.Context, r ServerRequest) (json.RawMessage, *RPCError) {
	result, err := c.opt.Answer(ctx, r)
	var rpc *RPCError
	switch {
	case errors.As(err, &rpc):
		return nil, rpc
	case err != nil:
		return nil, &RPCError{Code: CodeInternal, Message: err.Error()}
	case !json.Valid(result):
		return nil, &RPCError{Code: CodeInternal, Message: "the answer is no JSON"}
	}
	return result, nil
}
