package wire

import (
	"context"
	"sync"
	"time"
)

// Event is a notification or a request of the server, in the order in which they came.
type Event struct {
	Seq int64
	Message
	// Call is the id of the request that it belongs to; empty when that is not known.
	Call string
}

// eventLog keeps the newest events and wakes those who wait for one.
type eventLog struct {
	most   int
	bytes  int // the most that their bodies may take
	mu     sync.Mutex
	events []Event
	size   int
	seq    int64
	more   chan struct{} // closed when there is a new one
}

func (l *eventLog) add(m Message, call string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seq++
	l.events = append(l.events, Event{Seq: l.seq, Message: m, Call: call})
	l.size += len(m.Raw)
	for len(l.events) > l.most || l.size > l.bytes && len(l.events) > 1 {
		drop := 1
		if len(l.events) > l.most {
			drop = max(1, l.most/8)
		}
		for _, old := range l.events[:drop] {
			l.size -= len(old.Raw)
		}
		l.events = append([]Event(nil), l.events[drop:]...)
	}
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
}

// after gives the events after one, and a channel that is closed when there are more.
func (l *eventLog) after(seq int64) ([]Event, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more == nil {
		l.more = make(chan struct{})
	}
	for i, e := range l.events {
		if e.Seq > seq {
			return append([]Event(nil), l.events[i:]...), l.more
		}
	}
	return nil, l.more
}

// Events are the events of the server after one, as far as they are still kept; 0 is
// from the beginning.
func (c *Conn) Events(after int64) []Event {
	events, _ := c.events.after(after)
	return events
}

// Await waits for an event after a given one that matches; nil matches any. It fails
// with the context, and when the connection ends.
func (c *Conn) Await(ctx context.Context, after int64, match func(Event) bool) (Event, error) {
	for {
		events, more := c.events.after(after)
		for _, e := range events {
			after = e.Seq
			if match == nil || match(e) {
				return e, nil
			}
		}
		select {
		case <-more:
		case <-ctx.Done():
			return Event{}, giveUp(ctx, "", "No such event came.")
		case <-c.dead:
			// what came last may have come between the two
			if events, _ := c.events.after(after); len(events) > 0 {
				continue
			}
			return Event{}, c.deadError("")
		}
	}
}

// giveUp is the failure of a wait that its context ended.
func giveUp(ctx context.Context, method, detail string) *Error {
	kind := Cancelled
	if ctx.Err() == context.DeadlineExceeded {
		kind = Timeout
	}
	return &Error{Kind: kind, Method: method, Detail: detail, Cause: context.Cause(ctx)}
}

// since is the time between two readings of the clock, never negative.
func between(from, to time.Time) time.Duration { return max(0, to.Sub(from)) }
