package check

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// Growth over the measured calls that is worth a warning. Runtimes keep some memory
// and open some files when they warm up; this is beyond that.
const (
	muchMemory = 50 << 20 // bytes, and twice what it was
	manyFiles  = 10
)

// measure makes cheap calls: how long they take, and what they leave behind.
func (r *run) measure(ctx context.Context) outcome {
	method := "ping"
	if r.conn.Era() == wire.EraModern {
		method = "server/discover"
	}
	var took []time.Duration
	half := r.o.Calls / 2
	var before []wire.Process
	for n := range r.o.Calls {
		if n == half {
			before = r.conn.Usage() // it is warm now
		}
		ex, err := r.pulse(ctx, wire.CallOptions{Timeout: r.o.CallTimeout})
		if err != nil {
			r.pulseless(ctx, method, err)
			break
		}
		method = ex.Method
		took = append(took, ex.Duration())
	}
	if len(took) == 0 {
		return outcome{detail: "no call was answered"}
	}
	r.leaks(before, r.conn.Usage(), len(took)-half)
	slices.Sort(took)
	ms := func(q float64) float64 {
		d := took[min(int(q*float64(len(took))), len(took)-1)]
		return float64(d.Microseconds()) / 1000
	}
	r.report.Latency = &Latency{Method: method, Calls: len(took), P50: ms(0.5), P95: ms(0.95), Max: ms(1)}
	return outcome{detail: fmt.Sprintf("%s %d times: p50 %.1f ms, p95 %.1f ms", method, len(took), ms(0.5), ms(0.95))}
}

// pulseless says why a cheap call was not answered.
func (r *run) pulseless(ctx context.Context, method string, err error) {
	at := spot{method, "", err}
	switch {
	case r.explained(ctx, at, err):
	case refused(err):
		r.add("ping-failed", at)
	default:
		at.evidence = r.plain(err)
		r.add("died", at)
		if !timedOut(err) {
			r.gone = method
		}
	}
}

// leaks compares the processes of a child before and after calls.
func (r *run) leaks(before, after []wire.Process, calls int) {
	if len(before) == 0 || len(after) == 0 {
		return
	}
	sum := func(all []wire.Process) (rss int64, files int) {
		for _, p := range all {
			rss += p.RSS
			files += max(p.Files, 0)
		}
		return rss, files
	}
	rss, files := sum(before)
	laterRSS, laterFiles := sum(after)
	at := func(what string, a, b int64) spot {
		return spot{"process", "", fmt.Sprintf("%s: %d before, %d after %d calls", what, a, b, calls)}
	}
	if grown := laterRSS - rss; grown > muchMemory && grown > rss {
		r.add("leak-memory", at("resident bytes", rss, laterRSS))
	}
	if laterFiles-files > min(manyFiles, calls/2) {
		r.add("leak-files", at("open files", int64(files), int64(laterFiles)))
	}
	if len(after) > len(before) && len(after)-len(before) >= calls/2 {
		r.add("leak-processes", at("processes", int64(len(before)), int64(len(after))))
	}
}
