package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
)

// report prints the tables as Markdown, so that they can go into docs/benchmarks.md
// as they are.
func report(w io.Writer, o options, all []*contender) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d CPUs, %s/%s; %d turns.\n\n", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, o.turns)
	b.WriteString("| checker | pages | wall s, median | pages/s | CPU s per page | per page and viewport | peak MB |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, c := range all {
		fmt.Fprintf(&b, "| %s | %d | %.1f | %.2f | %.2f | %.2f | %.0f |\n", c.name, c.samples[0].pages,
			c.median(func(s sample) float64 { return s.wall.Seconds() }), c.speed(), c.perPage(), c.perView(),
			c.median(func(s sample) float64 { return float64(s.peak) / 1e6 }))
	}
	if ours := all[0]; strings.HasPrefix(ours.name, "legwork") {
		b.WriteString("\n| Legwork, axe, two viewports (ratios of medians) | CPU per page and viewport | pages/s |\n| --- | --- | --- |\n")
		for _, c := range all[1:] {
			fmt.Fprintf(&b, "| to %s | %.2f | %.2f |\n", c.name, ours.perView()/c.perView(), ours.speed()/c.speed())
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// curve prints how the memory of a long scan goes.
func curve(w io.Writer, s sample) error {
	var b strings.Builder
	kinds := []string{kindLegwork, kindRenderer, kindBrowser}
	fmt.Fprintf(&b, "%d pages in %.0f s, %.2f CPU s a page, at most %.0f MB.\n\n", s.pages, s.wall.Seconds(), s.cpu.Seconds()/float64(s.pages), float64(s.peak)/1e6)
	fmt.Fprintf(&b, "| pages | median MB | most MB | of the median: %s |\n| --- | --- | --- | --- | --- | --- |\n", strings.Join(kinds, " | "))
	const parts = 10
	for i := range parts {
		from, to := i*s.pages/parts, (i+1)*s.pages/parts
		var part []point
		for _, p := range s.memory {
			if from <= p.pages && p.pages < to {
				part = append(part, p)
			}
		}
		if len(part) == 0 {
			continue
		}
		of := func(get func(point) int64) []float64 {
			var mb []float64
			for _, p := range part {
				mb = append(mb, float64(get(p))/1e6)
			}
			return mb
		}
		all := of(func(p point) int64 { return p.pss })
		fmt.Fprintf(&b, "| %d to %d | %.0f | %.0f |", from, to, middle(all), slices.Max(all))
		for _, k := range kinds {
			fmt.Fprintf(&b, " %.0f |", middle(of(func(p point) int64 { return p.kind[k] })))
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *contender) speed() float64 {
	return c.median(func(s sample) float64 { return float64(s.pages) / s.wall.Seconds() })
}

func (c *contender) perPage() float64 {
	return c.median(func(s sample) float64 { return s.cpu.Seconds() / float64(s.pages) })
}

func (c *contender) perView() float64 { return c.perPage() / float64(c.viewports) }

func (c *contender) median(of func(sample) float64) float64 {
	var values []float64
	for _, s := range c.samples {
		values = append(values, of(s))
	}
	return middle(values)
}

func middle[T cmp.Ordered](values []T) T {
	s := slices.Sorted(slices.Values(values))
	return s[len(s)/2]
}
