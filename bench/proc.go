package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the kernel's unit of processor time in /proc, on all its platforms.
const tick = 10 * time.Millisecond

// proc is one process: its parent, its processor time, and the same with that of
// its children that ended.
type proc struct {
	parent   int
	own, cpu time.Duration
}

// table is all processes of the machine at one moment.
type table map[int]proc

func processes() (table, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("reading /proc: it lists no process (%v)", err)
	}
	t := table{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // it ended meanwhile
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err != nil {
			continue
		}
		// The name in brackets may contain anything; what follows is numbers.
		fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
		if len(fields) < 15 {
			continue
		}
		p := proc{}
		p.parent, _ = strconv.Atoi(string(fields[1]))
		for i, v := range fields[11:15] { // utime, stime, and those of ended children
			n, _ := strconv.ParseInt(string(v), 10, 64)
			p.cpu += time.Duration(n) * tick
			if i < 2 {
				p.own = p.cpu
			}
		}
		t[pid] = p
	}
	return t, nil
}

// tree lists a process and its descendants.
func (t table) tree(root int) []int {
	children := map[int][]int{}
	for pid, p := range t {
		children[p.parent] = append(children[p.parent], pid)
	}
	all := []int{root}
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}

// cpu is the processor time of a tree so far.
func (t table) cpu(root int) time.Duration {
	var sum time.Duration
	for _, pid := range t.tree(root) {
		sum += t[pid].cpu
	}
	return sum
}

// machineBusy is the processor time that the machine has spent on anything,
// including what its host took away.
func machineBusy() (time.Duration, error) {
	b, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, err
	}
	line, _, _ := strings.Cut(string(b), "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 {
		return 0, fmt.Errorf("/proc/stat starts with %q", line)
	}
	var sum time.Duration
	for i, v := range fields[1:9] { // user nice system idle iowait irq softirq steal
		if i == 3 || i == 4 {
			continue
		}
		n, _ := strconv.ParseInt(v, 10, 64)
		sum += time.Duration(n) * tick
	}
	return sum, nil
}

// quiet waits until the machine is nearly idle, at most for the given time. What
// a run leaves behind then counts for that run, and disturbs no other.
func quiet(ctx context.Context, most time.Duration) error {
	const window, idle = 100 * time.Millisecond, 2 * tick
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	t := time.NewTicker(window)
	defer t.Stop()
	before, err := machineBusy()
	for err == nil {
		select {
		case <-t.C:
		case <-ctx.Done():
			return nil
		}
		var now time.Duration
		if now, err = machineBusy(); now-before <= idle {
			return err
		}
		before = now
	}
	return err
}

// memory is what one process holds: its share now, and the most that it ever had
// resident.
type memory struct{ pss, peak int64 }

func memoryOf(pid int) (m memory, err error) {
	if m.pss, err = kilobytes(fmt.Sprintf("/proc/%d/smaps_rollup", pid), "Pss:"); err != nil {
		return m, err
	}
	m.peak, err = kilobytes(fmt.Sprintf("/proc/%d/status", pid), "VmHWM:")
	return m, err
}

// kilobytes reads "Name:   123 kB" of a file, in bytes.
func kilobytes(path, name string) (int64, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == name {
			n, err := strconv.ParseInt(f[1], 10, 64)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("%s has no %s", path, name)
}
