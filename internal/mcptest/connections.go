package mcptest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

// defaultName is the connection of those who name none.
const defaultName = "default"

// key is whose connection it is, and which of theirs.
type key struct{ owner, name string }

func keyOf(ctx context.Context, name string) key {
	if name = strings.TrimSpace(name); name == "" {
		name = defaultName
	}
	return key{tool.Caller(ctx).ID(), name}
}

// connection is an open connection, or one that is being opened, which has no timer.
type connection struct {
	key     key
	conn    *wire.Conn
	target  target
	since   time.Time
	release func()
	asks    *asks
	session *session       // nil when nobody logs in
	work    sync.WaitGroup // calls that run

	mu      sync.Mutex
	running []*running
	stats   Statistics
	tools   map[string]advertised // as tools/list gave them last
	// subscribed are the ends of subscriptions, by what they are to.
	subscribed map[string]func()

	// guarded by the table
	busy  int
	timer *time.Timer
}

// Statistics count what was done on a connection.
type Statistics struct {
	ToolsCalled      int `json:"tools_called"`
	ResourcesRead    int `json:"resources_read"`
	PromptsRetrieved int `json:"prompts_retrieved"`
	Errors           int `json:"errors" jsonschema:"requests that failed"`
}

// count changes the statistics.
func (c *connection) count(change func(*Statistics)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.stats)
}

func (c *connection) statistics() Statistics {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stats
}

// alive reports whether the connection can still be used.
func (c *connection) alive() bool {
	select {
	case <-c.conn.Dead():
		return false
	default:
		return true
	}
}

// close ends the connection, and the process behind it.
func (c *connection) close() *wire.Closing {
	closing := c.conn.Close()
	c.work.Wait()
	c.release()
	c.session.close()
	return closing
}

// table are the connections of all callers.
type table struct {
	most, each int
	idle       time.Duration

	mu     sync.Mutex
	conns  map[key]*connection
	closed bool
	ends   sync.WaitGroup // connections that are being closed for being idle
}

// Why a connection cannot be opened.
type noRoom string

// Error is the reason as a sentence.
func (e noRoom) Error() string { return string(e) }

// reserve keeps a place for a connection that is about to be opened. A connection of
// the same name that still lives is in the way; one that has ended is taken out and
// returned for closing.
func (t *table) reserve(k key, replace bool) (placed, old *connection, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := 0
	for other := range t.conns {
		if other.owner == k.owner {
			own++
		}
	}
	old = t.conns[k]
	switch {
	case t.closed:
		return nil, nil, noRoom("The server is shutting down.")
	case old != nil && old.timer == nil:
		return nil, nil, noRoom("A connection of this name is being opened by another call.")
	case old != nil && !replace && old.alive():
		return nil, old, nil
	case old == nil && own >= t.each:
		return nil, nil, noRoom(fmt.Sprintf("You have %d connections, which is the most.", own))
	case old == nil && len(t.conns) >= t.most:
		return nil, nil, noRoom("There are as many connections as this server takes.")
	}
	if old != nil {
		old.timer.Stop()
	}
	placed = &connection{key: k, tools: map[string]advertised{}, subscribed: map[string]func(){}}
	t.conns[k] = placed
	return placed, old, nil
}

// opened makes a reserved connection one that can be used. It reports false when the
// table was closed meanwhile.
func (t *table) opened(c *connection) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed || t.conns[c.key] != c {
		return false
	}
	c.timer = time.AfterFunc(t.idle, func() { t.expire(c) })
	return true
}

// forget gives a place up.
func (t *table) forget(c *connection) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.conns[c.key] == c {
		delete(t.conns, c.key)
	}
}

// expire closes a connection that nobody has used for long.
func (t *table) expire(c *connection) {
	t.mu.Lock()
	if c.busy > 0 || t.closed || t.conns[c.key] != c {
		t.mu.Unlock()
		return
	}
	delete(t.conns, c.key)
	t.ends.Add(1)
	t.mu.Unlock()
	defer t.ends.Done()
	c.close()
}

// use gives a connection for one call, which ends with done. Nil is none.
func (t *table) use(k key) (c *connection, done func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c = t.conns[k]
	if c == nil || c.timer == nil {
		return nil, func() {}
	}
	c.busy++
	c.timer.Stop()
	return c, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if c.busy--; c.busy == 0 && t.conns[c.key] == c {
			c.timer.Reset(t.idle)
		}
	}
}

// take takes a connection out of the table.
func (t *table) take(k key) *connection {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.conns[k]
	if c == nil || c.timer == nil {
		return nil
	}
	c.timer.Stop()
	delete(t.conns, k)
	return c
}

// of are the connections of one caller, by name.
func (t *table) of(owner string) []*connection {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []*connection
	for _, c := range t.conns {
		if c.key.owner == owner && c.timer != nil {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b *connection) int { return strings.Compare(a.key.name, b.key.name) })
	return out
}

// drain closes all.
func (t *table) drain(ctx context.Context) error {
	t.mu.Lock()
	t.closed = true
	all := slices.Collect(maps.Values(t.conns))
	t.conns = map[key]*connection{}
	for _, c := range all {
		if c.timer == nil {
			continue // who opens it closes it
		}
		c.timer.Stop()
		t.ends.Go(func() { c.close() })
	}
	t.mu.Unlock()
	over := make(chan struct{})
	go func() {
		defer close(over)
		t.ends.Wait()
	}()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close the connections to servers under test: %w", ctx.Err())
	}
}
