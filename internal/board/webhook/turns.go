package webhook

import (
	"context"
	"errors"
	"sync"
	"time"
)

// ErrBusy is the error of a delivery that did not begin, since others of its agent are
// under way.
var ErrBusy = errors.New("other deliveries of the agent are under way")

// BusyWait is after what time such a delivery is tried again.
const BusyWait = 20 * time.Second

const (
	mostAtOnce = 2           // deliveries of one agent
	patience   = time.Second // after which one under way is slow, and nobody waits for it
)

// turns bound how many deliveries of one agent are under way in this process: an agent
// whose addresses do not answer must not keep all workers.
type turns struct {
	mu sync.Mutex
	of map[string]*turn
}

// turn is the turns of one agent. It is there while somebody holds or awaits one.
type turn struct {
	free  chan struct{} // full when all are held
	users int
	slow  int // held for longer than patience
}

func newTurns() *turns { return &turns{of: map[string]*turn{}} }

// take waits a moment for a turn of the agent, which done gives back. It does not wait
// while those who have the turns are slow.
func (t *turns) take(ctx context.Context, agent string) (done func(), err error) {
	mine, slow := t.join(agent)
	defer func() {
		if err != nil {
			t.leave(agent, mine)
		}
	}()
	if slow {
		return nil, ErrBusy
	}
	over := time.NewTimer(patience)
	defer over.Stop()
	select {
	case mine.free <- struct{}{}:
		return t.hold(agent, mine), nil
	case <-over.C:
		return nil, ErrBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// join returns the turns of an agent, and whether all are held by slow ones.
func (t *turns) join(agent string) (*turn, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	mine := t.of[agent]
	if mine == nil {
		mine = &turn{free: make(chan struct{}, mostAtOnce)}
		t.of[agent] = mine
	}
	mine.users++
	return mine, mine.slow == mostAtOnce
}

// hold counts a turn as slow when it is held for long, and returns what gives it back.
func (t *turns) hold(agent string, mine *turn) func() {
	count := func(n int) {
		t.mu.Lock()
		defer t.mu.Unlock()
		mine.slow += n
	}
	late := time.AfterFunc(patience, func() { count(1) })
	return func() {
		if !late.Stop() {
			count(-1)
		}
		<-mine.free
		t.leave(agent, mine)
	}
}

func (t *turns) leave(agent string, mine *turn) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if mine.users--; mine.users == 0 {
		delete(t.of, agent)
	}
}
