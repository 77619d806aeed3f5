package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// options are the command line.
type options struct {
	turns                  int
	legwork, node, clients string
	suite                  string
}

// contender is one command that is timed.
type contender struct {
	name    string
	command []string
	says    string // what its output must hold
	took    []time.Duration
}

func main() {
	var o options
	flag.IntVar(&o.turns, "turns", 9, "runs of each command, in turns")
	flag.StringVar(&o.legwork, "legwork", "bin/legwork", "legwork's binary")
	flag.StringVar(&o.node, "node", "build/clients/node", "the Node that runs the Inspector")
	flag.StringVar(&o.clients, "clients", "build/clients", "the folder whose node_modules has @modelcontextprotocol/inspector")
	flag.StringVar(&o.suite, "suite", "bench/checks/basics.yaml", "the suite of the brief check")
	server := flag.Bool("play", false, "be the server that is checked")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	run := func() error { return bench(ctx, o) }
	if *server {
		run = func() error { return play(ctx) }
	}
	err := run()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "checks:", err)
		os.Exit(1)
	}
}

// bench runs the commands in turns, the first of which is not counted, and prints the
// table.
func bench(ctx context.Context, o options) (err error) {
	legwork, err := filepath.Abs(o.legwork)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "legwork-checks-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	server := []string{self, "-play"}
	inspector := filepath.Join(o.clients, "node_modules/.bin/inspector")
	all := []*contender{
		{name: "legwork check, in brief", command: append([]string{legwork, "check", "--suite", o.suite, "--"}, server...), says: "passed"},
		{name: "legwork check, whole", command: append([]string{legwork, "check", "--"}, server...), says: "PASSED"},
		{name: "Inspector, tools/list", command: append(append([]string{o.node, inspector, "--cli"}, server...), "--method", "tools/list"), says: "Adds two numbers."},
	}
	for turn := range o.turns + 1 {
		for _, c := range all {
			took, err := c.run(ctx, home)
			if err != nil {
				return err
			}
			if turn > 0 {
				c.took = append(c.took, took)
			}
		}
	}
	return report(os.Stdout, o, all)
}

// run runs a command once, from its start to its end.
func (c *contender) run(ctx context.Context, home string) (time.Duration, error) {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, c.command[0], c.command[1:]...)
	cmd.Env = append(os.Environ(), "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home)
	cmd.Stdout, cmd.Stderr = &said, &said
	began := time.Now()
	err := cmd.Run()
	took := time.Since(began)
	if err != nil || !strings.Contains(said.String(), c.says) {
		return 0, fmt.Errorf("%s: %w\n%s", c.name, errors.Join(err, errors.New("it does not say "+c.says)), said.String())
	}
	return took, nil
}

// report prints the table.
func report(w io.Writer, o options, all []*contender) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d CPUs, %s/%s; %d runs of each in turns.\n\n| command | min ms | median | max |\n| --- | --- | --- | --- |\n", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, o.turns)
	for _, c := range all {
		slices.Sort(c.took)
		fmt.Fprintf(&b, "| %s | %d | %d | %d |\n", c.name, c.took[0].Milliseconds(), c.median().Milliseconds(), c.took[len(c.took)-1].Milliseconds())
	}
	brief, inspector := all[0].median(), all[2].median()
	met := func(ok bool) string {
		if ok {
			return "met"
		}
		return "missed"
	}
	ratio := float64(inspector) / float64(brief)
	fmt.Fprintf(&b, "\n| goal | measured | |\n| --- | --- | --- |\n| the brief check under 250 ms | %d ms | %s |\n| at least 10 times faster than the Inspector | %.1f | %s |\n",
		brief.Milliseconds(), met(brief < 250*time.Millisecond), ratio, met(ratio >= 10))
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *contender) median() time.Duration { return c.took[len(c.took)/2] }
