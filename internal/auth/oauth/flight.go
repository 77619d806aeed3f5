package oauth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

var errClosed = errors.New("the verifier is closed")

// flights do a piece of work once, however many ask for it at the same time. The
// work outlives the caller that began it, since others wait for it too; close
// ends it and waits.
type flights[V any] struct {
	life context.Context
	end  context.CancelFunc

	mu      sync.Mutex
	closed  bool
	running map[digest]*flight[V]
	wg      sync.WaitGroup
}

type flight[V any] struct {
	done  chan struct{}
	value V
	err   error
}

func newFlights[V any]() *flights[V] {
	// Not a caller's context: see above. close ends it.
	life, end := context.WithCancel(context.Background())
	return &flights[V]{life: life, end: end, running: map[digest]*flight[V]{}}
}

// do returns what the work for d came to, whoever began it.
func (f *flights[V]) do(ctx context.Context, d digest, work func(context.Context) (V, error)) (V, error) {
	one, err := f.join(d, work)
	if err != nil {
		var none V
		return none, err
	}
	select {
	case <-one.done:
		return one.value, one.err
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
}

func (f *flights[V]) join(d digest, work func(context.Context) (V, error)) (*flight[V], error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, errClosed
	}
	if one := f.running[d]; one != nil {
		return one, nil
	}
	one := &flight[V]{done: make(chan struct{})}
	f.running[d] = one
	f.wg.Go(func() {
		one.value, one.err = guarded(f.life, work)
		f.mu.Lock()
		delete(f.running, d)
		f.mu.Unlock()
		close(one.done)
	})
	return one, nil
}

// guarded makes a panic an error: what an issuer sends must not be able to end
// the process.
func guarded[V any](ctx context.Context, work func(context.Context) (V, error)) (v V, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: value of type %T", p)
		}
	}()
	return work(ctx)
}

// busy reports whether the work for d runs.
func (f *flights[V]) busy(d digest) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.running[d] != nil
}

// close ends what runs and waits for it.
func (f *flights[V]) close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.end()
	f.wg.Wait()
}

// backoff says when something that failed may be tried again. It is not safe for
// concurrent use.
type backoff struct {
	first, most time.Duration

	next  time.Time
	delay time.Duration
}

// wait is how long to leave it alone; zero or less is now.
func (b *backoff) wait(now time.Time) time.Duration {
	if b.delay == 0 {
		return 0
	}
	return b.next.Sub(now)
}

// failed doubles the pause, up to the most.
func (b *backoff) failed(now time.Time) {
	b.delay = min(max(2*b.delay, b.first), b.most)
	b.next = now.Add(b.delay)
}

func (b *backoff) succeeded() { b.delay = 0 }
