package main

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"
)

// report prints the tables.
func report(w io.Writer, o options, all []*contender) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d CPUs, %s/%s; %d clients at once, %d turns of %s for each part.\n\n", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, o.clients, o.turns, o.time)
	b.WriteString("| contender | part | requests a second, median | p50 | p99 | slowest | CPU ms a request, median |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, c := range all {
		for _, row := range []struct {
			name string
			part
		}{{"post a task", c.posts}, {"read a task", c.reads}, {"list 20", c.listing}} {
			fmt.Fprintf(&b, "| %s | %s | %.0f | %s | %s | %s | %.2f |\n", c.name, row.name, median(row.perSecond), row.at(0.5), row.at(0.99), row.at(1), median(row.cpu))
		}
	}
	b.WriteString("\n| board on SQLite | measured | goal | |\n| --- | --- | --- | --- |\n")
	board := all[0]
	row := func(name, measured, goal string, met bool) {
		word := "met"
		if !met {
			word = "missed"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, measured, goal, word)
	}
	posts, reads := median(board.posts.perSecond), median(board.reads.perSecond)
	row("posted tasks a second", fmt.Sprintf("%.0f", posts), fmt.Sprintf("at least %.0f", o.postedAtLeast), posts >= o.postedAtLeast)
	row("reads a second", fmt.Sprintf("%.0f", reads), fmt.Sprintf("at least %.0f", o.readAtLeast), reads >= o.readAtLeast)
	slow := max(board.posts.quantile(0.99), board.reads.quantile(0.99))
	row("p99", slow.Round(time.Millisecond).String(), fmt.Sprintf("at most %s", o.slowestAtMost), slow <= o.slowestAtMost)
	worst := board.posts.quantile(1)
	row("slowest write", worst.Round(time.Millisecond).String(), fmt.Sprintf("at most %s", o.slowWriteAtMost), worst <= o.slowWriteAtMost)
	if last := all[len(all)-1]; len(last.keys) == 0 {
		for _, r := range []struct {
			name string
			a, b part
		}{{"posts", board.posts, last.posts}, {"reads", board.reads, last.reads}} {
			ratio := median(r.a.perSecond) / median(r.b.perSecond)
			row(r.name+" a second / "+last.name, fmt.Sprintf("%.2f", ratio), fmt.Sprintf("at least %.0f", o.ratioAtLeast), ratio >= o.ratioAtLeast)
		}
	}
	if len(board.pages) > 0 {
		list := board.pages[0]
		row("bytes of the list of tasks", fmt.Sprint(list.bytes), fmt.Sprintf("less than %d", o.weightAtMost), list.bytes < o.weightAtMost)
		row("first paint of the list of tasks", list.firstPaint(), fmt.Sprintf("less than %s", o.paintAtMost), middle(list.first) < o.paintAtMost)
		b.WriteString(pages(all))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// pages is the table of the pages as a phone loads them.
func pages(all []*contender) string {
	var b strings.Builder
	b.WriteString("\n| contender | page | requests | bytes | first paint, median | largest paint, median | first paint of a second visit |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, c := range all {
		for _, l := range c.pages {
			fmt.Fprintf(&b, "| %s | %s | %d | %d | %s | %s | %s |\n", c.name, l.name, l.requests, l.bytes, l.firstPaint(), rounded(l.largest), rounded(l.again))
		}
	}
	return b.String()
}

func (l *look) firstPaint() string { return rounded(l.first) }

func rounded(all []time.Duration) string { return middle(all).Round(time.Millisecond).String() }

// quantile is how long a share of the requests took at most.
func (p part) quantile(q float64) time.Duration {
	if len(p.took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(p.took))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func (p part) at(q float64) string {
	return fmt.Sprintf("%.1f ms", float64(p.quantile(q).Microseconds())/1000)
}

func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}
