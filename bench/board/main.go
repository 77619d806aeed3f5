package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// options are the command line.
type options struct {
	turns, clients  int
	loads           int
	time            time.Duration
	legwork, node   string
	peer, postgres  string
	postedAtLeast   float64
	readAtLeast     float64
	ratioAtLeast    float64
	slowestAtMost   time.Duration
	slowWriteAtMost time.Duration
	weightAtMost    int
	paintAtMost     time.Duration
}

func main() {
	// the goals of the project, for the table
	o := options{postedAtLeast: 300, readAtLeast: 2000, ratioAtLeast: 3, slowestAtMost: 150 * time.Millisecond, slowWriteAtMost: 250 * time.Millisecond, weightAtMost: 60_000, paintAtMost: 300 * time.Millisecond}
	flag.IntVar(&o.turns, "turns", 3, "turns of each contender")
	flag.IntVar(&o.clients, "clients", 16, "clients at once")
	flag.DurationVar(&o.time, "time", 5*time.Second, "time of each part of a turn: posting, reading one task, listing")
	flag.IntVar(&o.loads, "loads", 15, "loads of each page in Chromium's headless shell; 0 leaves them out")
	flag.StringVar(&o.legwork, "legwork", "bin/legwork", "legwork's binary")
	flag.StringVar(&o.node, "node", "node", "the Node that runs Next.js")
	flag.StringVar(&o.peer, "peer", "build/board-peer", "the folder with the built Next.js application; - leaves it out")
	flag.StringVar(&o.postgres, "postgres", "", "an empty Postgres database for a third contender, such as postgres://USER@127.0.0.1/NAME")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := bench(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "board:", err)
		os.Exit(1)
	}
}

// bench starts the contenders, measures them in turns and prints the report.
func bench(ctx context.Context, o options) (err error) {
	folder, err := os.MkdirTemp("", "legwork-board-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	var all []*contender
	defer func() {
		for _, c := range all {
			err = errors.Join(err, c.stop())
		}
	}()
	start := func(c *contender, e error) error {
		if e == nil {
			all = append(all, c)
		}
		return e
	}
	if err := start(startBoard(ctx, o, folder, "")); err != nil {
		return err
	}
	if o.postgres != "" {
		if err := start(startBoard(ctx, o, folder, o.postgres)); err != nil {
			return err
		}
	}
	if o.peer != "-" {
		if err := start(startPeer(ctx, o, folder)); err != nil {
			return err
		}
	}
	for turn := range o.turns + 1 {
		for _, c := range all {
			if err := c.turn(ctx, o); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if turn == 0 {
				c.warm()
			}
		}
	}
	if err := paints(ctx, o, all); err != nil {
		return err
	}
	return report(os.Stdout, o, all)
}
