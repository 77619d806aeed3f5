package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// sample is one run of a contender.
type sample struct {
	pages  int
	wall   time.Duration
	cpu    time.Duration // of all its processes, ended ones too
	peak   int64         // most memory at once, in bytes: the sum of the shares of its processes
	memory []point
}

// point is the memory at one moment.
type point struct {
	at    time.Duration
	pages int // that were done
	pss   int64
	kind  map[string]int64 // of it, by what the processes are
}

// pause is the time between two looks at the memory: a look costs the kernel as much
// as a quarter of a page costs the browser, so a long scan is looked at less often.
const (
	pause     = 250 * time.Millisecond
	longPause = 2 * time.Second
)

// adoptOrphans makes this process the parent of what its children leave behind, so
// that the time of browsers counts whoever started them (prctl(2), PR_SET_CHILD_SUBREAPER).
func adoptOrphans() error {
	const setChildSubreaper = 36
	if _, _, no := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); no != 0 {
		return fmt.Errorf("adopting orphans: %w", no)
	}
	return nil
}

// run checks the pages once.
func (c *contender) run(ctx context.Context) (sample, error) {
	before, err := spent()
	if err != nil {
		return sample{}, err
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, c.command[0], c.command[1:]...)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = 5 * time.Second
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return sample{}, err
	}
	var s sample
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(c.pause)
	defer tick.Stop()
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-tick.C:
			p := held()
			p.at, p.pages = time.Since(began), c.done()
			s.memory = append(s.memory, p)
			s.peak = max(s.peak, p.pss)
		}
	}
	s.wall = time.Since(began)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return s, err
	}
	if !slices.Contains(c.codes, cmd.ProcessState.ExitCode()) {
		return s, fmt.Errorf("it ended with %v: %s", cmd.ProcessState, said.String())
	}
	bury()
	after, err := spent()
	if err != nil {
		return s, err
	}
	s.cpu = after - before
	if s.pages, err = c.pages(); err != nil || s.pages == 0 {
		return s, fmt.Errorf("it checked %d pages (%w): %s", s.pages, err, said.String())
	}
	return s, nil
}

// spent is the processor time of all children that have ended, and of theirs.
func spent() (time.Duration, error) {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r); err != nil {
		return 0, fmt.Errorf("reading the processor time: %w", err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano()), nil
}

// bury ends what a contender left behind and waits for it, so that it counts.
func bury() {
	for _, pid := range descendants() {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended meanwhile
	}
	for {
		if _, err := syscall.Wait4(-1, nil, 0, nil); err != nil {
			return // no child is left
		}
	}
}

// descendants are all processes below this one.
func descendants() []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		raw, err := os.ReadFile(path)
		if err != nil {
			continue // it ended meanwhile
		}
		fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		parent, _ := strconv.Atoi(fields[1])
		children[parent] = append(children[parent], pid)
	}
	all := children[os.Getpid()]
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// held is the memory of all processes below this one, in bytes; what they share
// counts in parts.
func held() point {
	p := point{kind: map[string]int64{}}
	for _, pid := range descendants() {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			continue // it ended meanwhile
		}
		for line := range strings.Lines(string(raw)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "Pss:" {
				kb, _ := strconv.ParseInt(f[1], 10, 64)
				p.pss += kb << 10
				p.kind[kindOf(pid)] += kb << 10
			}
		}
	}
	return p
}

// The kinds of processes that the curve of a long scan tells apart.
const (
	kindLegwork  = "Legwork"
	kindRenderer = "renderers"
	kindBrowser  = "the rest of the browser"
)

// kindOf tells what a process is: the parts of Chromium say so in their arguments.
func kindOf(pid int) string {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return kindBrowser // it ended meanwhile
	}
	args := strings.Fields(strings.ReplaceAll(string(raw), "\x00", " ")) // some parts write all of theirs as one
	switch {
	case slices.Contains(args, "--type=renderer"):
		return kindRenderer
	case slices.ContainsFunc(args, func(a string) bool {
		return strings.HasPrefix(a, "--type=") || strings.HasPrefix(a, "--user-data-dir=")
	}):
		return kindBrowser
	}
	return kindLegwork
}
