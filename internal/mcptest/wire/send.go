package wire

import (
	"bytes"
	"context"
	"encoding/json"
)

// Send sends any bytes, for what no client should send. What comes back is in the
// exchange: over HTTP the status, headers and body, whatever they are, and the first
// message in them; over stdio and SSE the first message that answers. The error is nil
// when something came back that is no JSON-RPC error, whatever its HTTP status;
// *RPCError when an error came back; and *Error when nothing did.
func (c *Conn) Send(ctx context.Context, raw []byte, t Tweak) (*Exchange, error) {
	var id json.RawMessage
	method := ""
	var params json.RawMessage
	if e, ok := open(raw); ok {
		id, method, params = e.id, e.method, e.params
	}
	k := newCall(id, method)
	k.raw, k.ex.Request = true, bytes.Clone(raw)
	limit := t.Timeout
	if t.Await > 0 && c.carrier.transport() != HTTPTransport {
		limit = t.Await
	}
	if method != "" && id == nil && c.carrier.transport() != HTTPTransport {
		k.silent = true // a notification
	}
	c.run(ctx, k, &outgoing{raw: k.ex.Request, method: method, params: params, call: k, tweak: &t}, CallOptions{Timeout: limit})
	return k.ex, k.ex.Err
}

// Request writes a request as Call would send it: what is wrong with it is then only what
// Send is told to change.
func (c *Conn) Request(id, method string) []byte {
	key := quote(id)
	return request(key, method, withMeta(json.RawMessage(`{}`), c.meta(key, method, CallOptions{})))
}

// Alive asks whether the server still answers: with ping, or in the modern era, which
// has none, with server/discover. An error of the server is an answer too: ping is not
// something that every server has.
func (c *Conn) Alive(ctx context.Context, o CallOptions) (*Exchange, error) {
	method := "ping"
	if c.Era() == EraModern {
		method = "server/discover"
	}
	ex := c.once(ctx, method, nil, o).ex
	if ex.RPC != nil {
		return ex, nil
	}
	return ex, ex.Err
}
