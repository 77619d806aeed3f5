package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"
)

// noisy is the share of the machine that others may use during a sample.
const noisy = 0.15

// sample is one measured run, or one measured batch of parallel runs.
type sample struct {
	wall    time.Duration
	cpu     time.Duration // of the contender's whole tree, with what the run left behind
	driver  time.Duration // of the contender's own process, without the browser
	foreign float64       // share of the machine used by processes outside this benchmark
}

// clocks is what the kernel counted up to one moment.
type clocks struct {
	busy time.Duration // the machine
	ours time.Duration // this process and, as its children, all contenders
	tree time.Duration // the contender that runs
	own  time.Duration // its own process
}

func readClocks(c contender) (r clocks, err error) {
	if r.busy, err = machineBusy(); err != nil {
		return r, err
	}
	t, err := processes()
	r.tree, r.ours, r.own = t.cpu(c.pid()), t.cpu(os.Getpid()), t[c.pid()].own
	return r, err
}

// measure times f. Processor time is read again when the machine is quiet, so
// that what f left behind counts too.
func measure(ctx context.Context, c contender, f func() error) (s sample, err error) {
	before, err := readClocks(c)
	if err != nil {
		return s, err
	}
	began := time.Now()
	if err := f(); err != nil {
		return s, fmt.Errorf("%s: %w", c.name(), err)
	}
	s.wall = time.Since(began)
	after, err := readClocks(c)
	if err != nil {
		return s, err
	}
	if err := quiet(ctx, settle); err != nil {
		return s, err
	}
	end, err := readClocks(c)
	if err != nil {
		return s, err
	}
	s.cpu, s.driver = end.tree-before.tree, end.own-before.own
	foreign := (after.busy - before.busy) - (after.ours - before.ours)
	s.foreign = max(0, foreign.Seconds()/(s.wall.Seconds()*float64(runtime.NumCPU())))
	return s, nil
}

// settle is how long a run's leftovers, or somebody else's work, may delay the
// next run.
const settle = 3 * time.Second

// series is the samples of one contender.
type series []sample

// clean drops the samples that others disturbed, unless too few would be left.
func (s series) clean() series {
	var kept series
	for _, x := range s {
		if x.foreign <= noisy {
			kept = append(kept, x)
		}
	}
	if len(kept) < min(3, len(s)) {
		return s
	}
	return kept
}

// undisturbed counts the samples that others left alone.
func (s series) undisturbed() int {
	n := 0
	for _, x := range s {
		if x.foreign <= noisy {
			n++
		}
	}
	return n
}

// spread is the least, middle and largest of some durations.
type spread struct{ min, median, max time.Duration }

func (s series) spread(of func(sample) time.Duration) spread {
	v := make([]time.Duration, len(s))
	for i, x := range s {
		v[i] = of(x)
	}
	slices.Sort(v)
	n := len(v)
	return spread{v[0], (v[(n-1)/2] + v[n/2]) / 2, v[n-1]}
}

func wall(s sample) time.Duration { return s.wall }
func cpu(s sample) time.Duration  { return s.cpu }

// driver is the part of cpu that is not the browser's.
func driver(s sample) time.Duration { return s.driver }
