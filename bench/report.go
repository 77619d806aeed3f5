package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"
)

// report prints everything as Markdown, so that it can go into docs/benchmarks.md
// as it is.
func (b *benchmark) report(w io.Writer) error {
	p := &printer{w: w}
	p.line("%d CPUs, %s/%s; %d checked runs, every one equal to the site's record.", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, b.runs)
	if b.engines != "" {
		return b.reportEngines(p)
	}
	p.line("\n**One run at a time, contenders in turns**\n")
	p.line("| contender | runs (undisturbed) | wall ms min | median | max | CPU s min | median | max | own process, median |")
	p.line("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, c := range b.contenders {
		s := b.single[c.name()]
		t, u := s.clean().spread(wall), s.clean().spread(cpu)
		p.line("| %s | %d (%d) | %d | %d | %d | %.2f | %.2f | %.2f | %.2f |", c.name(), len(s), s.undisturbed(),
			t.min.Milliseconds(), t.median.Milliseconds(), t.max.Milliseconds(), u.min.Seconds(), u.median.Seconds(), u.max.Seconds(),
			s.clean().spread(driver).median.Seconds())
	}
	b.reportBatches(p)
	b.reportGoals(p)
	p.line("\n**Pictures of one run (bytes, pixels)**\n")
	for _, c := range b.contenders {
		p.line("- %s: %s", c.name(), b.pictures[c.name()])
	}
	return p.err
}

func (b *benchmark) reportBatches(p *printer) {
	if b.batches == 0 {
		return
	}
	p.line("\n**%d runs at once**\n", b.parallel)
	p.line("| contender | batches (undisturbed) | wall ms min | median | max | runs/s | CPU s per run |")
	p.line("| --- | --- | --- | --- | --- | --- | --- |")
	for _, c := range b.contenders {
		s := b.batch[c.name()]
		t, u := s.clean().spread(wall), s.clean().spread(cpu)
		p.line("| %s | %d (%d) | %d | %d | %d | %.2f | %.2f |", c.name(), len(s), s.undisturbed(),
			t.min.Milliseconds(), t.median.Milliseconds(), t.max.Milliseconds(), b.throughput(s), u.median.Seconds()/float64(b.parallel))
	}
}

// throughput is runs per second in the median batch.
func (b *benchmark) throughput(s series) float64 {
	return float64(b.parallel) / s.clean().spread(wall).median.Seconds()
}

// goal is a ratio or size that the product promises.
type goal struct {
	what  string
	value float64
	bound float64
	least bool // the bound is the least, not the most
	unit  string
}

func (g goal) met() string {
	if g.least && g.value >= g.bound || !g.least && g.value <= g.bound {
		return "met"
	}
	return "missed"
}

func (b *benchmark) reportGoals(p *printer) {
	goals := b.goals()
	if len(goals) > 0 {
		p.line("\n| Legwork (ratios of medians) | measured | goal | |")
		p.line("| --- | --- | --- | --- |")
	}
	for _, g := range goals {
		sign := "at most"
		if g.least {
			sign = "at least"
		}
		p.line("| %s | %.2f%s | %s %g%s | %s |", g.what, g.value, g.unit, sign, g.bound, g.unit, g.met())
	}
	p.line("\n**Memory**\n")
	for _, c := range b.contenders {
		if m, err := memoryOf(c.pid()); err == nil {
			p.line("- %s: own process without the browser: %.1f MB now (PSS), %.1f MB at most (RSS)", c.name(), mb(m.pss), mb(m.peak))
		}
	}
}

// goals compares Legwork with whoever else ran.
func (b *benchmark) goals() []goal {
	i := slices.IndexFunc(b.contenders, func(c contender) bool { return c.name() == "legwork" })
	if i < 0 {
		return nil
	}
	var goals []goal
	ours := b.single["legwork"].clean()
	ratio := func(of func(sample) time.Duration, other series) float64 {
		return ours.spread(of).median.Seconds() / other.clean().spread(of).median.Seconds()
	}
	if script, ran := b.single["playwright"]; ran {
		goals = append(goals,
			goal{what: "wall time / playwright", value: ratio(wall, script), bound: 0.75},
			goal{what: "CPU time / playwright", value: ratio(cpu, script), bound: 0.7})
		if b.batches > 0 {
			goals = append(goals, goal{what: fmt.Sprintf("throughput of %d at once / playwright", b.parallel),
				value: b.throughput(b.batch["legwork"]) / b.throughput(b.batch["playwright"]), bound: 1.35, least: true})
		}
	}
	if floor, ran := b.single["floor"]; ran {
		goals = append(goals, goal{what: "wall time / floor", value: ratio(wall, floor), bound: 1.15})
	}
	if m, err := memoryOf(b.contenders[i].pid()); err == nil {
		goals = append(goals, goal{what: "own process, peak", value: mb(m.peak), bound: 60, unit: " MB"})
	}
	return goals
}

func mb(bytes int64) float64 { return float64(bytes) / 1e6 }

// printer prints lines until one fails.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, strings.TrimRight(fmt.Sprintf(format, args...), " "))
	}
}
