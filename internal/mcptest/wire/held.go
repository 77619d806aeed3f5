package wire

import "time"

// longestHeld is how long an answer without an id is held back.
const longestHeld = 2 * time.Second

// unnamed is what is known of answers without an id. A server may answer a notification,
// which it must not, and its answer then looks like that to the request that came after
// it. The lock of the connection guards it.
type unnamed struct {
	notified int  // notifications that nothing has answered
	usual    bool // answers to requests come without an id too
	held     []heldAnswer
}

// heldAnswer is an answer without an id that waits for the proof that it is one to a
// notification: the answer to the only request that it can belong to.
type heldAnswer struct {
	e *envelope
	k *call
}

// notified notes a notification that was sent.
func (c *Conn) notified() {
	c.mu.Lock()
	c.unnamed.notified++
	c.mu.Unlock()
}

// holdBack holds an answer without an id back, and reports whether it did. The lock is
// held.
func (c *Conn) holdBack(e *envelope, k *call) bool {
	if c.unnamed.notified == 0 || c.unnamed.usual {
		return false
	}
	c.unnamed.notified--
	h := heldAnswer{e, k}
	c.unnamed.held = append(c.unnamed.held, h)
	time.AfterFunc(min(longestHeld, c.opt.CallTimeout/2), func() { c.letGo(h) })
	return true
}

// letGo takes an answer that was held back for that to its request, when nothing else
// has answered it.
func (c *Conn) letGo(h heldAnswer) {
	c.mu.Lock()
	waits := !h.k.over
	held := len(c.unnamed.forget(h.k)) > 0
	if held && waits {
		c.unnamed.usual = true
	}
	c.mu.Unlock()
	switch {
	case !held: // it was proven to be something else
	case waits:
		c.observe(Observation{Code: NullID, Detail: takenForAnswer, Bytes: h.e.raw}, h.k)
		c.answer(h.e, h.k)
	default:
		c.observe(Observation{Code: NullID, Detail: answersNothing, Bytes: h.e.raw}, nil)
	}
}

// What is said of an answer without an id.
const (
	takenForAnswer      = "The answer has no id; it is taken for the answer to the only request that it can belong to."
	answersNotification = "An answer without an id came after a notification, which must not be answered."
	answersNothing      = "An answer without an id came, and no request waits for one."
)

// proven says of what was held back for a call what it is, now that the call has its
// answer.
func (c *Conn) proven(k *call) {
	c.mu.Lock()
	held := c.unnamed.forget(k)
	c.mu.Unlock()
	for _, h := range held {
		c.observe(Observation{Code: NotificationReply, Detail: answersNotification, Bytes: h.e.raw}, nil)
	}
}

// forget drops what is held for a call, and gives it.
func (u *unnamed) forget(k *call) []heldAnswer {
	var mine, others []heldAnswer
	for _, h := range u.held {
		if h.k == k {
			mine = append(mine, h)
		} else {
			others = append(others, h)
		}
	}
	u.held = others
	return mine
}
