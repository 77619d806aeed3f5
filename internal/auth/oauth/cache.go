package oauth

import (
	"crypto/sha256"
	"sync"
	"time"
)

// digest stands for a token wherever one is remembered: what is in memory cannot
// be used to call.
type digest [sha256.Size]byte

func digestOf(token string) digest { return sha256.Sum256([]byte(token)) }

// cache remembers what was found out about tokens, in two generations: when the
// young one is full it becomes the old one, and the old one is forgotten. What is
// used moves to the young one. So there are never more than twice max entries,
// and filling it costs nobody a scan.
type cache[V any] struct {
	max int

	mu         sync.Mutex
	era        int
	young, old map[digest]entry[V]
}

type entry[V any] struct {
	value V
	until time.Time
}

func newCache[V any](limit int) *cache[V] {
	return &cache[V]{max: limit, young: map[digest]entry[V]{}}
}

// get returns what is remembered and has not ended by now.
func (c *cache[V]) get(d digest, now time.Time) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.young[d]
	if !ok {
		if e, ok = c.old[d]; ok {
			c.insert(d, e)
		}
	}
	if !ok || !now.Before(e.until) {
		var none V
		return none, false
	}
	return e.value, true
}

// started returns the era for put: what was found out before a clear is not
// remembered after it.
func (c *cache[V]) started() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.era
}

// put remembers a value that was worked on since era.
func (c *cache[V]) put(era int, d digest, e entry[V]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if era == c.era {
		c.insert(d, e)
	}
}

// insert needs the lock.
func (c *cache[V]) insert(d digest, e entry[V]) {
	if len(c.young) >= c.max {
		c.young, c.old = make(map[digest]entry[V]), c.young
	}
	c.young[d] = e
}

// clear forgets everything, also what is being found out.
func (c *cache[V]) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.era++
	c.young, c.old = map[digest]entry[V]{}, nil
}
