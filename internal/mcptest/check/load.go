package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// The load of a check is what a few agents make, not what brings a server down.
const (
	atOnce   = 8
	eachOf   = 25
	loadTime = 10 * time.Second
)

// Load is how a server does when several ask at one time.
type Load struct {
	Parallel  int     `json:"parallel"`
	Calls     int     `json:"calls"`
	Failed    int     `json:"failed"`
	PerSecond float64 `json:"calls_per_second"`
	P95       float64 `json:"p95_ms"`
}

// load makes cheap calls at one time.
func (r *run) load(ctx context.Context) outcome {
	// ends the making of calls; those on their way are still answered
	during, enough := context.WithTimeout(ctx, loadTime)
	defer enough()
	var mu sync.Mutex
	var took []time.Duration
	var failures []error
	var callers sync.WaitGroup
	began := r.o.Wire.Now()
	for range atOnce {
		callers.Go(func() {
			for range eachOf {
				if during.Err() != nil || r.dead() {
					return
				}
				ex, err := r.beat(ctx, wire.CallOptions{Timeout: min(r.o.CallTimeout, patience)})
				mu.Lock()
				switch {
				case limited(err):
					enough() // it says where its limit is
				case err == nil:
					took = append(took, ex.Duration())
				case ctx.Err() == nil:
					failures = append(failures, err)
				}
				mu.Unlock()
			}
		})
	}
	callers.Wait()
	calls := len(took) + len(failures)
	if ctx.Err() == nil && errors.Is(during.Err(), context.Canceled) {
		r.add("rate-limited", spot{fmt.Sprintf("%d at one time", atOnce), "", fmt.Sprintf("after %d calls", calls)})
	}
	if calls == 0 {
		return outcome{detail: "no call was answered"}
	}
	if len(failures) > 0 {
		r.add("load-failed", spot{fmt.Sprintf("%d calls, %d at one time", calls, atOnce), "", fmt.Sprintf("%d failed, the first: %v", len(failures), r.plain(failures[0]))})
	}
	l := &Load{Parallel: atOnce, Calls: calls, Failed: len(failures)}
	if passed := r.o.Wire.Now().Sub(began).Seconds(); passed > 0 {
		l.PerSecond = float64(len(took)) / passed
	}
	if len(took) > 0 {
		slices.Sort(took)
		l.P95 = float64(took[min(len(took)*95/100, len(took)-1)].Microseconds()) / 1000
	}
	r.report.Load = l
	return outcome{detail: fmt.Sprintf("%d calls, %d at one time: %.0f a second, p95 %.1f ms, %d failed", calls, atOnce, l.PerSecond, l.P95, len(failures))}
}

// plain is an error with what came with it.
func (r *run) plain(err error) string {
	var e *wire.Error
	if errors.As(err, &e) {
		return e.Error() + r.detail(e)
	}
	return err.Error()
}
