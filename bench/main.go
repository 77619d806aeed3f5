package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// options are the command line.
type options struct {
	n, parallel, batches int
	quality              int
	only                 string
	legwork, floor       string // binaries
	node, clients        string
	script               string
	browser, keep        string
	engines              string
}

// all are the contenders in the order of their turns.
var all = []string{"legwork", "playwright", "floor"}

func main() {
	o := parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := bench(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// parse reads the command line.
func parse() options {
	var o options
	flag.IntVar(&o.n, "n", 10, "undisturbed runs of each contender, one after the other")
	flag.IntVar(&o.parallel, "parallel", 8, "executions at once in the throughput part")
	flag.IntVar(&o.batches, "batches", 3, "batches of each contender in the throughput part; 0 leaves it out")
	flag.IntVar(&o.quality, "quality", 50, "quality of the JPEG pictures of all contenders")
	flag.StringVar(&o.only, "only", strings.Join(all, ","), "contenders, separated by commas")
	flag.StringVar(&o.legwork, "legwork", "bin/legwork", "legwork's binary")
	flag.StringVar(&o.floor, "floor", "build/bench/floor", "the floor's binary")
	flag.StringVar(&o.node, "node", "node", "the Node that runs the playwright script")
	flag.StringVar(&o.clients, "clients", "build/clients", "the folder whose node_modules has playwright-core")
	flag.StringVar(&o.script, "script", "bench/playwright/run.mjs", "the playwright script")
	flag.StringVar(&o.browser, "browser", "/usr/lib/chromium/chromium-headless-shell", "the engine of all contenders")
	flag.StringVar(&o.keep, "keep", "build/bench/pictures", "folder for the pictures of the first runs")
	flag.StringVar(&o.engines, "engines", "", "measure Legwork on these engines side by side instead of the contenders: all, or some of "+strings.Join(browser.Engines(), ","))
	flag.Parse()
	return o
}

// bench runs all parts and prints what it measured.
func bench(ctx context.Context, o options) (err error) {
	s, err := startSite(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	b := &benchmark{options: o, site: s}
	defer func() { err = errors.Join(err, b.stop()) }()
	if err := b.start(ctx); err != nil {
		return err
	}
	if err := b.opened(ctx); err != nil {
		return err
	}
	if err := b.warm(ctx); err != nil {
		return err
	}
	if err := b.alternate(ctx); err != nil {
		return err
	}
	if err := b.together(ctx); err != nil {
		return err
	}
	return b.report(os.Stdout)
}

// benchmark is one benchmark under way.
type benchmark struct {
	options
	site       *site
	contenders []contender
	runs       int
	single     map[string]series
	batch      map[string]series
	pictures   map[string]string // what the pictures of the first run were
	first      map[string]time.Duration
	tabs       map[string]tabTimes // of engines
}

// start starts the contenders that were asked for.
func (b *benchmark) start(ctx context.Context) error {
	b.single, b.batch, b.pictures = map[string]series{}, map[string]series{}, map[string]string{}
	b.first, b.tabs = map[string]time.Duration{}, map[string]tabTimes{}
	if b.engines != "" {
		return b.startEngines(ctx)
	}
	for _, name := range strings.Split(b.only, ",") {
		var c contender
		var err error
		switch name {
		case "legwork":
			c, err = startLegwork(ctx, b.options, b.site.addr, "")
		case "playwright":
			c, err = startLines(name, b.node, b.script, b.clients, b.browser)
		case "floor":
			c, err = startLines(name, b.floor, b.browser)
		default:
			err = fmt.Errorf("there is no contender %q; contenders: %s", name, strings.Join(all, ", "))
		}
		if err != nil {
			return err
		}
		b.contenders = append(b.contenders, c)
	}
	return nil
}

func (b *benchmark) stop() error {
	var err error
	for _, c := range b.contenders {
		err = errors.Join(err, c.stop())
	}
	return err
}

// execute is one run, and whether it was right.
func (b *benchmark) execute(ctx context.Context, c contender, j job) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	a, err := c.run(ctx, j)
	if err != nil {
		return a, err
	}
	if a.Pictures != wantPictures {
		return a, fmt.Errorf("%d pictures, not %d (Legwork leaves out what does not fit into a reply: lower -quality)", a.Pictures, wantPictures)
	}
	return a, b.site.check(a)
}

// job numbers the next run.
func (b *benchmark) job(keep string) job {
	b.runs++
	return job{ID: b.runs, URL: "http://" + b.site.addr + "/aid-estimator/", Data: b.site.data, Keep: keep, Quality: b.quality}
}

// warm lets every contender run once, unmeasured, and keeps its pictures.
func (b *benchmark) warm(ctx context.Context) error {
	for _, c := range b.contenders {
		dir := filepath.Join(b.keep, c.name())
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
			return err
		}
		began := time.Now()
		if _, err := b.execute(ctx, c, b.job(dir)); err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
		b.first[c.name()] = time.Since(began)
		seen, err := describe(dir)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name(), err)
		}
		b.pictures[c.name()] = seen
	}
	return b.site.unique(b.runs)
}

// alternate lets the contenders run in turns until each has enough undisturbed
// runs, but at most three times as many.
func (b *benchmark) alternate(ctx context.Context) error {
	if err := quiet(ctx, settle); err != nil {
		return err
	}
	for round := 0; round < 3*b.n; round++ {
		for _, c := range b.contenders {
			s, err := measure(ctx, c, func() error {
				_, err := b.execute(ctx, c, b.job(""))
				return err
			})
			if err != nil {
				return err
			}
			b.single[c.name()] = append(b.single[c.name()], s)
		}
		enough := func(c contender) bool { return b.single[c.name()].undisturbed() >= b.n }
		if !slices.ContainsFunc(b.contenders, func(c contender) bool { return !enough(c) }) {
			break
		}
	}
	return b.site.unique(b.runs)
}

// together gives every contender a batch of runs at once, in turns.
func (b *benchmark) together(ctx context.Context) error {
	for range b.batches {
		for _, c := range b.contenders {
			s, err := measure(ctx, c, func() error { return b.atOnce(ctx, c) })
			if err != nil {
				return err
			}
			b.batch[c.name()] = append(b.batch[c.name()], s)
		}
	}
	return b.site.unique(b.runs)
}

// atOnce runs the form several times in parallel.
func (b *benchmark) atOnce(ctx context.Context, c contender) error {
	results := make(chan error, b.parallel)
	for range b.parallel {
		j := b.job("")
		go func() {
			_, err := b.execute(ctx, c, j)
			results <- err
		}()
	}
	var err error
	for range b.parallel {
		err = errors.Join(err, <-results)
	}
	return err
}
