package wire

import (
	"encoding/json"
	"slices"
)

// shown is how much of offending bytes an observation keeps.
const shown = 512

// observe records an observation, for a call when there is one.
func (c *Conn) observe(o Observation, call *call) {
	o.At, o.Size = c.now(), max(o.Size, len(o.Bytes))
	o.Bytes = c.hide.cut(o.Bytes, shown)
	if call != nil {
		o.Call = call.ex.ID
	}
	c.mu.Lock()
	c.counts[o.Code]++
	if len(c.observations) < c.opt.Limits.Observations {
		c.observations = append(c.observations, o)
	}
	if call != nil && !call.over && len(call.ex.Observations) < c.opt.Limits.PerCall {
		call.ex.Observations = append(call.ex.Observations, o)
	}
	c.mu.Unlock()
	c.opt.Logger.Debug("observation", "code", string(o.Code), "size", o.Size)
}

func (c *Conn) observeAll(problems []problem, call *call) {
	for _, p := range problems {
		c.observe(Observation{Code: p.code, Detail: p.detail, Bytes: p.bytes}, call)
	}
}

// Observations are what the wire found wrong so far, in order, up to the limit.
func (c *Conn) Observations() []Observation {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.observations)
}

// Counts say how often each was observed, also over the limit.
func (c *Conn) Counts() map[Code]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make(map[Code]int, len(c.counts))
	for code, n := range c.counts {
		out[code] = n
	}
	return out
}

// Transcript is what passed so far after an entry, at most count entries; 0 and 0 are
// all. It can be read while calls run.
func (c *Conn) Transcript(after int64, count int) Transcript { return c.rec.since(after, count) }

// Redact gives bytes without the secrets that this connection knows.
func (c *Conn) Redact(b []byte) []byte { return c.hide.copy(b) }

// Late are the answers that came after their calls had been given up.
func (c *Conn) Late() []LateAnswer {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.late)
}

// Server is what the server said of itself when the connection was opened.
func (c *Conn) Server() ServerInfo {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.server
}

// Era is the wire that is spoken.
func (c *Conn) Era() Era {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.era
}

// Version is the protocol version that is spoken.
func (c *Conn) Version() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version
}

// Probe is what came of the question which era the server speaks; nil when it was not
// asked.
func (c *Conn) Probe() *Probe {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.probed
}

// Opening is the exchange that opened the connection: initialize or server/discover.
func (c *Conn) Opening() *Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opening
}

// Renewed is how often the session was begun anew because the server had lost it.
func (c *Conn) Renewed() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.renewed
}

// Session is the id of the legacy HTTP session; empty when there is none.
func (c *Conn) Session() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.session
}

// Transport is how the server is reached.
func (c *Conn) Transport() Transport { return c.carrier.transport() }

// Dead is closed when the connection can no longer be used.
func (c *Conn) Dead() <-chan struct{} { return c.dead }

// Capability is a member of the capabilities that the server announced; nil when it
// did not.
func (c *Conn) Capability(name string) json.RawMessage {
	return field(c.Server().Capabilities, name)
}
