package browser

import (
	"context"
	"errors"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// queue hands out slots first come, first served. Its owner's lock guards it.
type queue struct {
	free    int
	waiting []*ticket
}

// ticket is a place in the queue.
type ticket struct {
	granted chan struct{} // closed when the slot is there
	moved   chan int      // the latest position, if it changed
}

// join takes a slot at once, or stands in line.
func (q *queue) join() *ticket {
	t := &ticket{granted: make(chan struct{}), moved: make(chan int, 1)}
	if q.free > 0 && len(q.waiting) == 0 {
		q.free--
		close(t.granted)
		return t
	}
	q.waiting = append(q.waiting, t)
	t.moved <- len(q.waiting)
	return t
}

// leave gives a slot back, or a place in the line.
func (q *queue) leave(t *ticket) {
	for i, have := range q.waiting {
		if have == t {
			q.waiting = append(q.waiting[:i:i], q.waiting[i+1:]...)
			q.tell()
			return
		}
	}
	q.release()
}

// release gives a slot to the first in line.
func (q *queue) release() {
	if len(q.waiting) == 0 {
		q.free++
		return
	}
	close(q.waiting[0].granted)
	q.waiting = q.waiting[1:]
	q.tell()
}

// tell lets everyone know the new position; only the latest one counts.
func (q *queue) tell() {
	for i, t := range q.waiting {
		select {
		case <-t.moved:
		default:
		}
		t.moved <- i + 1
	}
}

// wait waits for the slot and reports the position while it waits.
func (t *ticket) wait(ctx context.Context, closed <-chan struct{}, position func(int)) error {
	for {
		select {
		case <-t.granted:
			return nil
		default:
		}
		select {
		case <-t.granted:
			return nil
		case n := <-t.moved:
			if position != nil {
				position(n)
			}
		case <-closed:
			return closedFault()
		case <-ctx.Done():
			return tooBusy(ctx)
		}
	}
}

func tooBusy(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return interrupted(ctx, "waiting for a free browser")
	}
	return fault.New(fault.Limited, "busy", "All browsers are in use and none became free in time.",
		"Wait a moment and try again.").WithRetryAfter(10 * time.Second).WithCause(ctx.Err())
}
