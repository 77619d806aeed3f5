package ratelimit

import (
	"container/heap"
	"context"
	"hash/maphash"
	"sync"
	"time"
)

// DefaultKeys is how many keys a Memory keeps when it is told no other number:
// about 20 MB at most.
const DefaultKeys = 100_000

// keep is how long a key outlives the instant at which its whole burst is there
// again, so that a clock that is put back by less still finds what was counted.
const keep = time.Hour

// Memory is a Source for one process.
//
// It holds a bounded number of keys. When it is full it drops the key that is
// closest to being free, whose loss forgives least. Even that is not forgiven:
// what a dropped key owes stays in one of a fixed number of cells, and an unknown
// key, which may be a dropped one, starts with what its cell holds. Many keys
// therefore cannot be used to reset one. All they do is to let unknown keys of
// the same limit start with a little less than their whole burst.
type Memory struct {
	mu    sync.Mutex
	clock func() time.Time
	start time.Time
	most  int
	keys  map[string]*entry
	order byTime
	// owed holds the latest arrival time that was dropped, by limit and cell. The
	// seed keeps clients from choosing whose cell they share.
	owed map[Limit]*[cells]int64
	seed maphash.Seed
	// forgotten is the latest arrival time of a key that was dropped as free.
	forgotten int64
}

// cells share what dropped keys owe: 128 KiB for each limit that had to drop any.
const cells = 1 << 14

// NewMemory returns a source that keeps at most keys keys (below 1: DefaultKeys)
// and reads the time from clock (nil: the system's, immune to being set).
func NewMemory(keys int, clock func() time.Time) *Memory {
	if keys < 1 {
		keys = DefaultKeys
	}
	if clock == nil {
		clock = time.Now
	}
	return &Memory{
		clock: clock, start: clock(), most: keys,
		keys: map[string]*entry{}, owed: map[Limit]*[cells]int64{}, seed: maphash.MakeSeed(), forgotten: never,
	}
}

// Take implements Source. It fails only for calls that are mistakes.
func (m *Memory) Take(_ context.Context, key string, l Limit, cost int) (Decision, error) {
	if err := checkTake(key, l, cost); err != nil {
		return Decision{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := int64(m.clock().Sub(m.start))
	m.forget(now)
	e := m.keys[key]
	if e == nil {
		e = &entry{key: key, tat: m.unknown(key, l), at: unkept}
	}
	tat, d := l.decide(e.tat, now, cost)
	if !d.Allowed {
		return d, nil // nothing changed, and an unknown key is not worth a place
	}
	e.tat, e.limit = tat, l
	m.put(e)
	return d, nil
}

// Len is how many keys are kept.
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.order)
}

// put keeps an entry or moves it to where it belongs now.
func (m *Memory) put(e *entry) {
	if e.at != unkept {
		heap.Fix(&m.order, e.at)
		return
	}
	for len(m.order) >= m.most {
		d := m.drop()
		owed := m.owed[d.limit]
		if owed == nil {
			owed = new([cells]int64)
			for i := range owed {
				owed[i] = never
			}
			m.owed[d.limit] = owed
		}
		cell := m.cell(d.key)
		owed[cell] = max(owed[cell], d.tat)
	}
	m.keys[e.key] = e
	heap.Push(&m.order, e)
}

// unknown is the arrival time at which a key starts that is not kept.
func (m *Memory) unknown(key string, l Limit) int64 {
	if owed := m.owed[l]; owed != nil {
		return max(m.forgotten, owed[m.cell(key)])
	}
	return m.forgotten
}

func (m *Memory) cell(key string) int { return int(maphash.String(m.seed, key) % cells) }

// forget drops a few keys that have long been free: more than one call can add,
// so that the number goes down, and few enough to cost nothing.
func (m *Memory) forget(now int64) {
	for range 2 {
		if len(m.order) == 0 || m.order[0].tat+int64(keep) > now {
			return
		}
		m.forgotten = max(m.forgotten, m.drop().tat)
	}
}

// drop removes the key that is closest to being free.
func (m *Memory) drop() *entry {
	e := heap.Pop(&m.order).(*entry)
	delete(m.keys, e.key)
	return e
}

// entry is one key and its theoretical arrival time, in nanoseconds since start.
type entry struct {
	key   string
	limit Limit
	tat   int64
	at    int // its place in the heap, or unkept
}

const unkept = -1

// byTime is a heap of entries, the earliest first.
type byTime []*entry

// Len implements heap.Interface, as the methods below do.
func (h byTime) Len() int { return len(h) }

// Less orders by arrival time.
func (h byTime) Less(i, j int) bool { return h[i].tat < h[j].tat }

// Swap keeps the places.
func (h byTime) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i, j
}

// Push appends an entry.
func (h *byTime) Push(x any) {
	e := x.(*entry)
	e.at = len(*h)
	*h = append(*h, e)
}

// Pop removes the last entry.
func (h *byTime) Pop() any {
	old := *h
	last := len(old) - 1
	e := old[last]
	old[last] = nil
	*h = old[:last]
	return e
}
