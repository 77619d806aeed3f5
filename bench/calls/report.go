package main

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"
)

// report prints the tables as Markdown, so that they can go into docs/benchmarks.md
// as they are.
func report(w io.Writer, o options, all []*contender) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d CPUs, %s/%s; %d turns of %d calls and %d lists each, over %d connections that are kept alive.\n\n",
		runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, o.turns, o.n, o.lists, o.connections)
	b.WriteString("| server | wire | server CPU µs per call | call p50 ms | p99 | server CPU µs per list | list p50 ms | p99 | peak MB |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, c := range all {
		peak, err := c.server.peak()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %.2f | %.2f | %d | %.2f | %.2f | %.0f |\n", c.server.name, c.era,
			c.calls.perRequest().Microseconds(), c.calls.ms(50), c.calls.ms(99),
			c.lists.perRequest().Microseconds(), c.lists.ms(50), c.lists.ms(99), float64(peak)/1e6)
	}
	b.WriteString("\n| Legwork (ratios of medians) | CPU per call | goal | | call p50 | CPU per list | list p50 |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, ours := range all {
		for _, c := range all {
			if ours.server.name == "legwork" && c.server != ours.server && c.era == ours.era {
				ours.compare(&b, c)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// compare prints what Legwork takes in parts of what another server takes.
func (c *contender) compare(b *strings.Builder, other *contender) {
	const most = 0.5 // of the TypeScript SDK's processor time
	cpu := ratio(c.calls.perRequest(), other.calls.perRequest())
	goal, met := "", ""
	if other.server.name == typeScript {
		goal, met = fmt.Sprintf("at most %g", most), "missed"
		if cpu <= most {
			met = "met"
		}
	}
	fmt.Fprintf(b, "| %s, %s | %.2f | %s | %s | %.2f | %.2f | %.2f |\n", other.server.name, c.era, cpu, goal, met,
		c.calls.ms(50)/other.calls.ms(50), ratio(c.lists.perRequest(), other.lists.perRequest()), c.lists.ms(50)/other.lists.ms(50))
}

// perRequest is the processor time of the server in the median turn.
func (k *kind) perRequest() time.Duration { return percentile(k.cpu, 50) }

// ms is a percentile of what the client waited.
func (k *kind) ms(percent int) float64 { return percentile(k.took, percent).Seconds() * 1e3 }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }

// percentile is the least value that is no less than so many of the values.
func percentile[T cmp.Ordered](values []T, percent int) T {
	s := slices.Sorted(slices.Values(values))
	return s[max((len(s)*percent+99)/100, 1)-1]
}
