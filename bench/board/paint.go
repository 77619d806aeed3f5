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

// look is one page as a phone loads it.
type look struct {
	name, path      string
	requests, bytes int // of a first visit: what went over the wire, with headers
	first, largest  []time.Duration
	again           []time.Duration // first paint of a second visit, with what the browser kept
}

// looks are the pages of a contender that a worker sees first. The list is the same in
// all of them: the twenty newest tasks.
func (c *contender) looks() []*look {
	if len(c.keys) == 0 {
		return []*look{{name: "list of tasks", path: "/list"}}
	}
	return []*look{{name: "list of tasks", path: "/"}, {name: "one task", path: "/tasks/" + c.ids[0]}, {name: "sign in", path: "/login"}}
}

// paints loads the pages of all contenders in turns, each time in a new browser context:
// the window of a phone, nothing kept, no slowed network and no slowed CPU, over
// loopback.
func paints(ctx context.Context, o options, all []*contender) (err error) {
	if o.loads == 0 {
		return nil
	}
	pool := browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell})
	defer func() { err = errors.Join(err, pool.Close(context.WithoutCancel(ctx))) }()
	for _, c := range all {
		c.pages = c.looks()
	}
	for load := range o.loads + 1 {
		for _, c := range all {
			for _, l := range c.pages {
				if err := l.load(ctx, pool, c); err != nil {
					return fmt.Errorf("%s: %s: %w", c.name, l.name, err)
				}
				if load == 0 { // spent on starting
					l.first, l.largest, l.again = nil, nil, nil
				}
			}
		}
	}
	return nil
}

// painted is what the page itself knows of how it was loaded (Paint Timing, Largest
// Contentful Paint, Resource Timing; W3C), in milliseconds since navigation began.
type painted struct {
	First, Largest  float64
	Requests, Bytes int
	Broken          []string // what was not loaded
}

// measure waits for the paint, and for the largest element after the last request.
const measure = `() => new Promise((done) => {
  const shown = () => new Promise((then) => new PerformanceObserver((list, o) => {
    if (list.getEntriesByName('first-contentful-paint').length) { o.disconnect(); then(list.getEntriesByName('first-contentful-paint')[0].startTime); }
  }).observe({ type: 'paint', buffered: true }));
  const largest = () => new Promise((then) => new PerformanceObserver((list, o) => { o.disconnect(); then(list.getEntries().at(-1).startTime); })
    .observe({ type: 'largest-contentful-paint', buffered: true }));
  const loaded = document.readyState === 'complete' ? Promise.resolve() : new Promise((then) => addEventListener('load', then, { once: true }));
  loaded.then(shown).then(async (First) => {
    const Largest = await largest();
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    done({ First, Largest, Requests: all.length, Bytes: all.reduce((sum, e) => sum + e.transferSize, 0),
      Broken: all.filter((e) => e.responseStatus >= 400 || e.responseStatus === 0).map((e) => e.name + ' ' + e.responseStatus) });
  });
})`

// load visits the page twice in one browser context.
func (l *look) load(ctx context.Context, pool *browser.Pool, c *contender) (err error) {
	origin := "http://" + c.addr
	tab, err := pool.Open(ctx, browser.TabOptions{
		Width: 375, Height: 780, Locale: "ja", Timezone: "Asia/Tokyo", Policy: browser.Policy{AllowOrigins: []string{origin}, OnlyOrigins: []string{origin}},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tab.Close(context.WithoutCancel(ctx))) }()
	cold, err := visit(ctx, tab, origin+l.path)
	if err != nil {
		return err
	}
	warm, err := visit(ctx, tab, origin+l.path)
	if err != nil {
		return err
	}
	if l.requests != 0 && l.requests != cold.Requests {
		return fmt.Errorf("%d requests, and %d before", cold.Requests, l.requests)
	}
	l.requests, l.bytes = cold.Requests, cold.Bytes
	l.first, l.largest, l.again = append(l.first, ms(cold.First)), append(l.largest, ms(cold.Largest)), append(l.again, ms(warm.First))
	return nil
}

func visit(ctx context.Context, tab *browser.Tab, address string) (p painted, err error) {
	if err := tab.Navigate(ctx, address); err != nil {
		return p, err
	}
	if err := tab.Call(ctx, browser.Function{Source: measure}, &p); err != nil {
		return p, err
	}
	if len(p.Broken) > 0 || tab.Doc().Status != 200 {
		return p, fmt.Errorf("status %d, not loaded: %s", tab.Doc().Status, strings.Join(p.Broken, ", "))
	}
	return p, nil
}

func ms(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }

// middle is the median of some times.
func middle(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(all))[len(all)/2]
}
