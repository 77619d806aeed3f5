package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"regexp"
	"syscall"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
)

// options are the command line.
type options struct {
	turns            int
	many             int
	only             string
	legwork, peers   string
	chrome, chromium string // driver and browser of the peers
}

func main() {
	var o options
	flag.IntVar(&o.turns, "turns", 3, "turns of each contender")
	flag.IntVar(&o.many, "many", 0, "instead: one scan of that many pages, with the curve of its memory")
	flag.StringVar(&o.only, "only", "", "contenders whose names this regular expression matches")
	flag.StringVar(&o.legwork, "legwork", "bin/legwork", "legwork's binary")
	flag.StringVar(&o.peers, "peers", "build/scan-peers", "the folder whose node_modules has the others")
	flag.StringVar(&o.chrome, "chromedriver", "/usr/bin/chromedriver", "the driver that @axe-core/cli uses")
	flag.StringVar(&o.chromium, "chromium", "/usr/bin/chromium", "the browser of the others")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := bench(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "scans:", err)
		os.Exit(1)
	}
}

// bench serves the site, lets the contenders take turns and prints the report.
func bench(ctx context.Context, o options) (err error) {
	if err := adoptOrphans(); err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "legwork-scans-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	var site http.Handler = planted.New()
	if o.many > 0 {
		if site, err = newManyPages(o.many); err != nil {
			return err
		}
	}
	base, stop, err := serve(ctx, site)
	if err != nil {
		return err
	}
	defer stop()
	if o.many > 0 {
		return long(ctx, o, folder, base)
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	var all []*contender
	for _, c := range contenders(o, folder, base) {
		if only.MatchString(c.name) {
			all = append(all, c)
		}
	}
	for range o.turns {
		for _, c := range all {
			c.pause = pause
			s, err := c.run(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			c.samples = append(c.samples, s)
		}
	}
	return report(os.Stdout, o, all)
}

// long is one scan of many pages.
func long(ctx context.Context, o options, folder, base string) error {
	c := legworkScan("legwork", place{o, folder, base}, "--viewport", "320x450", "--viewport", "1280x800", "--plugins", "axe", "--max-links", fmt.Sprint(o.many))
	c.pause = longPause
	s, err := c.run(ctx)
	if err != nil {
		return err
	}
	return curve(os.Stdout, s)
}

// serve puts the site on a free port of this machine.
func serve(ctx context.Context, h http.Handler) (base string, stop func(), err error) {
	var listen net.ListenConfig
	ln, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(ln) // it ends when it is closed
	}()
	return "http://" + ln.Addr().String(), func() {
		_ = srv.Close() // nothing is lost with it
		<-done
	}, nil
}
