package wire

import (
	"context"
	"encoding/json"
	"net/http"
)

// renewing makes a call, and again in a new session when the server has lost the old
// one (MCP 2025-11-25, Streamable HTTP, Session Management, 4: a client must begin a
// new session after 404). It does so once a call.
func (c *Conn) renewing(ctx context.Context, method string, params json.RawMessage, o CallOptions) *Exchange {
	k := c.once(ctx, method, params, o)
	if k.ex.Err == nil && method == "tools/list" {
		c.learnTools(k.ex.Result)
	}
	session := c.sessionOf(k)
	if k.ex.Err == nil || session == "" || k.ex.HTTP == nil {
		return k.ex
	}
	switch status := k.ex.HTTP.Status; {
	case status == http.StatusNotFound:
		c.observe(Observation{Code: SessionLost, Status: status, Detail: "The server no longer knows the session; a new one was begun.", Bytes: k.ex.HTTP.Body}, nil)
	case (status == http.StatusBadRequest || status == http.StatusServiceUnavailable) && c.isDead(ctx, k, session):
		c.observe(Observation{Code: SessionDeadStatus, Status: status, Detail: "The session is dead, and the server says so with another status than 404; a new one was begun.", Bytes: k.ex.HTTP.Body}, nil)
	default:
		return k.ex
	}
	if err := c.renew(ctx, session); err != nil {
		return k.ex // what the call itself came to says more
	}
	again := c.once(ctx, method, params, o)
	again.ex.Earlier = append(append(k.ex.Earlier, k.ex.HTTP), again.ex.Earlier...)
	return again.ex
}

// isDead tells a dead session from a request that the server does not like: a ping in
// it is answered with the same status, without an answer of its own.
func (c *Conn) isDead(ctx context.Context, k *call, session string) bool {
	if k.ex.RPC != nil && !isNullID(k.ex.Response) {
		return false
	}
	raw := request(c.nextID(), "ping", nil)
	ex, err := c.Send(ctx, raw, Tweak{Session: session, Timeout: c.opt.ProbeTimeout})
	return err == nil && ex.HTTP != nil && ex.HTTP.Status == k.ex.HTTP.Status
}

func isNullID(response []byte) bool {
	id := field(response, "id")
	return id == nil || isNull(id)
}

// renew begins a new session, unless another call has done so meanwhile.
func (c *Conn) renew(ctx context.Context, lost string) error {
	select {
	case c.renews <- struct{}{}:
	case <-ctx.Done():
		return giveUp(ctx, "initialize", "The call was given up while another one began a new session.")
	}
	defer func() { <-c.renews }()
	c.mu.Lock()
	done, version := c.session != lost, c.version
	if !done {
		c.session = ""
		c.renewed++
	}
	c.mu.Unlock()
	if done {
		return nil
	}
	if ex := c.handshake(ctx, version); ex.Err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.session, c.version = lost, version // the next call finds it lost again, and tries again
		return ex.Err
	}
	c.begun(ctx)
	return nil
}
