package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"
)

// mostBatched bounds the messages of one batch that are looked at.
const mostBatched = 1000

// incoming takes a message of the server; from is the call whose answer it came in,
// when the transport knows that. The bytes are kept.
func (c *Conn) incoming(raw []byte, from *call) {
	e, ok := open(raw)
	entry := Entry{Direction: Received, Method: e.method, ID: string(e.id)}
	c.rec.add(entry, raw)
	if !ok {
		about := from
		if about == nil {
			about = c.only()
		}
		c.observeUnopened(e, about)
		if list, whole := items(bytes.TrimSpace(raw)); whole && json.Valid(raw) {
			for _, one := range list[:min(len(list), mostBatched)] {
				if isObject(one) {
					c.dispatch(one, from)
				}
			}
		}
		return
	}
	c.route(e, from)
}

// dispatch takes a message that is part of a batch.
func (c *Conn) dispatch(raw []byte, from *call) {
	if e, ok := open(raw); ok {
		c.route(e, from)
	}
}

func (c *Conn) observeUnopened(e *envelope, from *call) {
	for _, p := range e.problems {
		if p.code == BatchMessage && c.Version() == Version20250326 {
			continue // the one version that has batches
		}
		c.observe(Observation{Code: p.code, Detail: p.detail, Bytes: p.bytes}, from)
	}
}

func (c *Conn) route(e *envelope, from *call) {
	switch {
	case e.isResponse():
		c.response(e, from)
	case e.isRequest():
		c.observeAll(e.problems, c.owner(e, from))
		c.asked(e, c.owner(e, from))
	default:
		c.notification(e, from)
	}
}

// response gives an answer to whoever waits for it.
func (c *Conn) response(e *envelope, from *call) {
	k, odd := c.match(e, from)
	c.observeAll(e.problems, k)
	c.observeAll(odd, k)
	if k == nil {
		return
	}
	c.proven(k)
	c.answer(e, k)
}

// answer ends a call with its answer.
func (c *Conn) answer(e *envelope, k *call) {
	resultType := c.resultType(e, k)
	c.mu.Lock()
	ex := k.ex
	if !k.over {
		ex.Response, ex.Result, ex.ResultType = e.raw, e.result, resultType
	}
	c.mu.Unlock()
	switch {
	case e.rpcError != nil:
		rpc, _ := readError(e.rpcError)
		c.mu.Lock()
		if !k.over {
			ex.RPC = rpc
		}
		c.mu.Unlock()
		c.settle(k, rpc)
	case e.result == nil:
		c.settle(k, &Error{Kind: Protocol, Stage: StageMessage, Method: ex.Method, Detail: "The answer has neither result nor error."})
	default:
		c.settle(k, nil)
	}
}

// resultType reads the type of a modern result (MCP 2026-07-28, Basic Protocol,
// Responses): absent is complete.
func (c *Conn) resultType(e *envelope, k *call) string {
	raw := field(e.result, "resultType")
	if e.result == nil {
		return ""
	}
	if raw == nil {
		return "complete"
	}
	if c.Era() != EraModern {
		return textField(e.result, "resultType")
	}
	switch kind := textField(e.result, "resultType"); kind {
	case "complete", "input_required", "task":
		return kind
	default:
		c.observe(Observation{Code: BadResultType, Detail: "The resultType is not one that the protocol knows.", Bytes: raw}, k)
		return kind
	}
}

// match finds the call that an answer belongs to, and says what is odd about it.
func (c *Conn) match(e *envelope, from *call) (*call, []problem) {
	key, _ := idKey(e.id)
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.pending[key]; k != nil && key != "" && (from == nil || !from.raw) {
		return k, nil
	}
	if from != nil && from.raw && !from.over {
		return from, nil
	}
	if k := c.pending[otherType(key)]; k != nil && key != "" {
		return k, []problem{{ChangedID, "The answer's id has another type than the request's.", e.id}}
	}
	if key == "" {
		k := from
		if k == nil && len(c.pending) == 1 && len(c.catchers) == 0 {
			for _, only := range c.pending {
				k = only
			}
		}
		if k != nil && !k.over && !k.silent {
			if from == nil && c.holdBack(e, k) {
				return nil, nil
			}
			return k, []problem{{NullID, takenForAnswer, e.raw}}
		}
		if from != nil && from.silent {
			return nil, []problem{{NotificationReply, answersNotification, e.raw}}
		}
	}
	if len(c.catchers) > 0 {
		return c.catchers[0], nil
	}
	return nil, c.stray(e, key)
}

// stray says what an answer is that nobody waits for. The lock is held.
func (c *Conn) stray(e *envelope, key string) []problem {
	if was, ok := c.given.what[key]; ok {
		if was.raw {
			return nil // it was not waited for, or not for long
		}
		after := between(was.sent, c.now())
		if len(c.late) < c.opt.Limits.Observations {
			c.late = append(c.late, LateAnswer{Method: was.method, ID: e.id, After: after, Raw: c.hide.cut(e.raw, c.opt.Limits.Kept)})
		}
		return []problem{{LateResponse, "The answer to " + was.method + " came " + after.Round(time.Millisecond).String() + " after its request, when it had been given up.", e.raw}}
	}
	if was, ok := c.answered.what[key]; ok {
		return []problem{{DuplicateResponse, "A second answer to " + was.method + " came.", e.raw}}
	}
	if key == "" && c.unnamed.notified > 0 && !c.unnamed.usual {
		c.unnamed.notified--
		return []problem{{NotificationReply, answersNotification, e.raw}}
	}
	if key == "" {
		return []problem{{NullID, answersNothing, e.raw}}
	}
	return []problem{{UnknownID, "An answer to no request came.", e.raw}}
}

// otherType is the key of the same id as a string, or as a number.
func otherType(key string) string {
	if text, err := strconv.Unquote(key); err == nil {
		return text
	}
	return strconv.Quote(key)
}

// owner is the call that a notification or request belongs to, as far as that can be
// told: by its progress token or subscription, by the answer that it came in, or
// because there is only one.
func (c *Conn) owner(e *envelope, from *call) *call {
	token, _ := idKey(field(e.params, "progressToken"))
	subscription, _ := idKey(field(field(e.params, "_meta"), "io.modelcontextprotocol/subscriptionId"))
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.tokens[token]; k != nil && token != "" {
		return k
	}
	if k := c.pending[subscription]; k != nil && subscription != "" {
		return k
	}
	if from != nil {
		return from
	}
	if len(c.pending) == 1 {
		for _, only := range c.pending {
			return only
		}
	}
	return nil
}

// notification keeps a notification, with its call and among the events.
func (c *Conn) notification(e *envelope, from *call) {
	k := c.owner(e, from)
	c.observeAll(e.problems, k)
	m := Message{At: c.now(), Method: e.method, Params: e.params, Raw: e.raw}
	c.keep(m, k)
	switch e.method {
	case "notifications/progress":
		c.progress(e, k, from)
	case "notifications/cancelled":
		key, _ := idKey(field(e.params, "requestId"))
		c.mu.Lock()
		stop := c.answering[key]
		c.mu.Unlock()
		if stop != nil {
			stop()
		}
	case "notifications/subscriptions/acknowledged":
		c.mu.Lock()
		if k != nil && k.ack != nil {
			close(k.ack)
			k.ack = nil
		}
		c.mu.Unlock()
	}
}

// keep puts a message of the server where it is looked for.
func (c *Conn) keep(m Message, k *call) {
	id := ""
	var told func(Message)
	if k != nil {
		id = string(k.ex.ID)
		c.mu.Lock()
		if list := &k.ex.Notifications; !k.over {
			told = k.onMsg
			if m.ID != nil {
				list = &k.ex.Requests
			}
			if len(*list) < c.opt.Limits.PerCall && k.kept+len(m.Raw) <= c.opt.Limits.Transcript {
				*list = append(*list, m)
				k.kept += len(m.Raw)
			} else {
				k.ex.Dropped++
			}
		}
		c.mu.Unlock()
	}
	c.events.add(m, id)
	if told != nil {
		told(m)
	}
}

// progress checks progress, which must belong to a request that runs and must grow
// (MCP 2025-11-25, Progress, Behavior Requirements), and wakes who waits for it.
func (c *Conn) progress(e *envelope, k, from *call) {
	token, _ := idKey(field(e.params, "progressToken"))
	var value float64
	sound := json.Unmarshal(field(e.params, "progress"), &value) == nil
	c.mu.Lock()
	known := c.tokens[token]
	_, gaveUp := c.given.what[token]
	if _, answered := c.answered.what[token]; answered && from == nil && c.carrier.transport() == HTTPTransport {
		gaveUp = true // it came on a stream of its own, and nothing orders the two
	}
	shrunk := known != nil && known.counted && value <= known.last
	if known != nil {
		known.counted, known.last = true, value
		select {
		case known.progress <- struct{}{}:
		default:
		}
	}
	c.mu.Unlock()
	switch {
	case token == "" || !sound:
		c.observe(Observation{Code: BadProgress, Detail: "Progress has no progressToken, or its progress is no number.", Bytes: e.raw}, k)
	case known == nil && !gaveUp:
		c.observe(Observation{Code: BadProgress, Detail: "Progress came for no request that runs.", Bytes: e.raw}, k)
	case shrunk:
		c.observe(Observation{Code: BadProgress, Detail: "Progress does not grow.", Bytes: e.raw}, k)
	}
}
