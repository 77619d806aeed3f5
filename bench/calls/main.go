package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// options are the command line.
type options struct {
	n, lists, turns, connections int
	legwork, node                string // binaries
	clients, script              string
}

func main() {
	var o options
	serve := flag.String("serve", "", "be the bare server of the Go SDK at this address, with the listing in the file that follows")
	flag.IntVar(&o.n, "n", 2000, "calls in each turn")
	flag.IntVar(&o.lists, "lists", 500, "lists in each turn")
	flag.IntVar(&o.turns, "turns", 7, "turns of each server")
	flag.IntVar(&o.connections, "connections", 4, "connections, each with a session of its own")
	flag.StringVar(&o.legwork, "legwork", "bin/legwork", "legwork's binary")
	flag.StringVar(&o.node, "node", "build/clients/node", "the Node that runs the TypeScript SDK")
	flag.StringVar(&o.clients, "clients", "build/clients", "the folder whose node_modules has @modelcontextprotocol/sdk")
	flag.StringVar(&o.script, "script", "bench/calls/typescript/server.mjs", "the server of the TypeScript SDK")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	var err error
	if *serve != "" {
		err = serveBare(ctx, *serve, flag.Arg(0))
	} else {
		err = bench(ctx, o)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "calls:", err)
		os.Exit(1)
	}
}

// bench starts the servers, measures them in turns and prints the report.
func bench(ctx context.Context, o options) (err error) {
	folder, err := os.MkdirTemp("", "legwork-calls-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	var servers []*server
	defer func() {
		for _, s := range servers {
			err = errors.Join(err, s.stop())
		}
	}()
	start := func(s *server, e error) error {
		if e == nil {
			servers = append(servers, s)
		}
		return e
	}
	if err := start(startLegwork(ctx, o, folder)); err != nil {
		return err
	}
	listing := filepath.Join(folder, "listing.json")
	if err := record(ctx, servers[0], listing); err != nil {
		return err
	}
	if err := errors.Join(start(startBare(ctx, listing)), start(startTypeScript(ctx, o, listing, typeScript)), start(startTypeScript(ctx, o, listing, typeScriptBare))); err != nil {
		return err
	}
	var all []*contender
	for _, s := range servers {
		for _, era := range s.eras {
			all = append(all, &contender{server: s, era: era})
		}
	}
	for turn := range o.turns + 1 {
		for _, c := range all {
			if err := c.turn(ctx, o); err != nil {
				return fmt.Errorf("%s, %s: %w", c.server.name, c.era, err)
			}
			if turn == 0 {
				c.warm()
			}
		}
	}
	return report(os.Stdout, o, all)
}

// record writes down what Legwork lists and answers, for the others to say the same.
func record(ctx context.Context, s *server, path string) error {
	c, err := connect(ctx, s, legacy)
	if err != nil {
		return err
	}
	defer c.close(ctx)
	list, err := c.send(ctx, listMessage)
	if err != nil {
		return err
	}
	call, err := c.send(ctx, callMessage)
	if err != nil {
		return err
	}
	if !strings.Contains(string(list), toolName) || strings.Contains(string(call), `"isError":true`) {
		return fmt.Errorf("legwork answered %s", call)
	}
	return os.WriteFile(path, fmt.Appendf(nil, `{"list":%s,"call":%s}`, list, call), 0o600)
}
