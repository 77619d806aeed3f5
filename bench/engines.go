package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// tabTimes is how long tabs of one engine take to open.
type tabTimes struct {
	launch  []time.Duration // of the browser with its first tab
	another []time.Duration // of a second tab beside it, in a context of its own
}

// opens is how often an engine is launched for that.
const opens = 5

// startEngines starts a Legwork for each engine that was asked for.
func (b *benchmark) startEngines(ctx context.Context) error {
	names := strings.Split(b.options.engines, ",")
	if b.options.engines == "all" {
		names = browser.Engines()
	}
	for _, name := range names {
		if !slices.Contains(browser.Engines(), name) {
			return fmt.Errorf("there is no engine %q; engines: %s", name, strings.Join(browser.Engines(), ", "))
		}
	}
	for _, name := range names {
		l, err := startLegwork(ctx, b.options, b.site.addr, name)
		if err != nil {
			return err
		}
		b.contenders = append(b.contenders, l)
	}
	return nil
}

// opened measures how long browsers and tabs take to open, without a Legwork around.
func (b *benchmark) opened(ctx context.Context) error {
	if b.options.engines == "" {
		return nil
	}
	for range opens {
		for _, c := range b.contenders {
			if err := quiet(ctx, settle); err != nil {
				return err
			}
			t, err := openTwo(ctx, c.name(), "http://"+b.site.addr)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name(), err)
			}
			all := b.tabs[c.name()]
			b.tabs[c.name()] = tabTimes{append(all.launch, t.launch...), append(all.another, t.another...)}
		}
	}
	return nil
}

// openTwo opens two tabs of a new browser.
func openTwo(ctx context.Context, engine, site string) (t tabTimes, err error) {
	p := browser.NewPool(browser.Options{Engine: engine, MaxBrowsers: 2, TabsPerBrowser: 2})
	defer func() { err = errors.Join(err, p.Close(context.WithoutCancel(ctx))) }()
	for _, into := range []*[]time.Duration{&t.launch, &t.another} {
		began := time.Now()
		tab, err := p.Open(ctx, browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{site}}})
		if err != nil {
			return t, err
		}
		*into = append(*into, time.Since(began))
		defer func() { _ = tab.Close(context.WithoutCancel(ctx)) }() // the pool ends the browser
	}
	return t, nil
}

// mostOwn is the share of a run's wall time that Legwork itself may compute.
const mostOwn = 0.15

// reportEngines prints the engines side by side, as Markdown.
func (b *benchmark) reportEngines(p *printer) error {
	p.line("")
	p.line("| engine | launch ms | another tab ms | first run ms | runs (undisturbed) | run ms min | median | CPU s | own CPU s | own / wall | at most 15 %% | %d at once, runs/s |", b.parallel)
	p.line("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, c := range b.contenders {
		s, tabs := b.single[c.name()], b.tabs[c.name()]
		t, own := s.clean().spread(wall), s.clean().spread(driver).median
		share := goal{value: own.Seconds() / t.median.Seconds(), bound: mostOwn}
		atOnce := "-"
		if b.batches > 0 {
			atOnce = fmt.Sprintf("%.2f", b.throughput(b.batch[c.name()]))
		}
		p.line("| %s | %d | %d | %d | %d (%d) | %d | %d | %.2f | %.2f | %.0f %% | %s | %s |", c.name(), middle(tabs.launch).Milliseconds(), middle(tabs.another).Milliseconds(),
			b.first[c.name()].Milliseconds(), len(s), s.undisturbed(), t.min.Milliseconds(), t.median.Milliseconds(), s.clean().spread(cpu).median.Seconds(),
			own.Seconds(), 100*share.value, share.met(), atOnce)
	}
	return p.err
}

// middle is the median of some durations.
func middle(v []time.Duration) time.Duration {
	s := slices.Sorted(slices.Values(v))
	n := len(s)
	if n == 0 {
		return 0
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}
