package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// contender is a server that takes tasks.
type contender struct {
	name, addr string
	keys       []string // of its agents, one for each client; none for the peer
	cmd        *exec.Cmd
	said       *bytes.Buffer // read it after ended only
	ended      chan struct{}
	client     *http.Client

	ids                   []string
	posts, reads, listing part
	pages                 []*look
}

// warm forgets what was measured: a first turn is spent on starting.
func (c *contender) warm() { c.posts, c.reads, c.listing = part{}, part{}, part{} }

// startBoard starts a board with limits that are never reached, and opens accounts.
func startBoard(ctx context.Context, o options, folder, postgres string) (*contender, error) {
	home := filepath.Join(folder, "board")
	c := &contender{name: "board, SQLite"}
	env := append(os.Environ(), "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home, "LEGWORK_BOARD_CALLS_PER_MINUTE=1000000", "LEGWORK_BOARD_DAILY_CAP_USD_CENTS=2000000000", "LEGWORK_LOG_LEVEL=error")
	if postgres != "" {
		c.name = "board, Postgres"
		env = append(env, "LEGWORK_BOARD_DATABASE_URL="+postgres, "LEGWORK_BOARD_DIR="+filepath.Join(folder, "files"))
	}
	if err := c.start(ctx, env, func(addr string) []string { return []string{o.legwork, "board", "--addr", addr} }, o.clients); err != nil {
		return nil, err
	}
	for n := range min(o.clients, accounts) {
		body := fmt.Sprintf(`{"name":"Bench %d","paypal_email":"bench%d@agents.legwork-bench.org"}`, n, n)
		var got struct {
			Account string `json:"account_id"`
			Key     string `json:"api_key"`
		}
		if err := c.ask(ctx, request{method: http.MethodPost, path: "/api/ai/accounts", body: body}, &got); err != nil {
			return nil, errors.Join(err, c.stop())
		}
		c.keys = append(c.keys, got.Account+" "+got.Key)
	}
	return c, nil
}

// accounts is how many agents post: a board lets one address open 20 an hour.
const accounts = 16

// startPeer starts the built Next.js application.
func startPeer(ctx context.Context, o options, folder string) (*contender, error) {
	c := &contender{name: "Next.js, better-sqlite3"}
	env := append(os.Environ(), "PEER_DB="+filepath.Join(folder, "peer.db"), "NODE_ENV=production", "NEXT_TELEMETRY_DISABLED=1")
	argv := func(addr string) []string {
		host, port, _ := net.SplitHostPort(addr) // it was made here
		return []string{o.node, filepath.Join(o.peer, "node_modules/next/dist/bin/next"), "start", o.peer, "-H", host, "-p", port}
	}
	return c, c.start(ctx, env, argv, o.clients)
}

// start runs a server on a free port and waits until it listens.
func (c *contender) start(ctx context.Context, env []string, argv func(addr string) []string, clients int) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c.addr = ln.Addr().String()
	if err := ln.Close(); err != nil {
		return err
	}
	args := argv(c.addr)
	c.cmd, c.said, c.ended = exec.Command(args[0], args[1:]...), &bytes.Buffer{}, make(chan struct{})
	c.cmd.Env, c.cmd.Stdout, c.cmd.Stderr = env, c.said, c.said
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt reaches the benchmark alone
	c.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients, MaxConnsPerHost: clients}, Timeout: 30 * time.Second}
	if err := c.cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", c.name, err)
	}
	go func() {
		_ = c.cmd.Wait() // how it ended shows in what it said
		close(c.ended)
	}()
	over := time.NewTimer(60 * time.Second)
	defer over.Stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		var any json.RawMessage
		if c.ask(ctx, request{method: http.MethodGet, path: "/api/tasks"}, &any) == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-over.C:
			return errors.Join(fmt.Errorf("%s does not answer", c.name), c.stop())
		case <-c.ended:
			return fmt.Errorf("%s ended: %s", c.name, c.said)
		case <-ctx.Done():
			return errors.Join(ctx.Err(), c.stop())
		}
	}
}

// stop ends a server and all that it started.
func (c *contender) stop() error {
	if err := syscall.Kill(-c.cmd.Process.Pid, syscall.SIGTERM); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("stop %s: %w", c.name, err)
	}
	select {
	case <-c.ended:
		return nil
	case <-time.After(20 * time.Second):
		return syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
	}
}

// request is one HTTP request; key is the account and the key of an agent.
type request struct {
	method, path, body, key string
}

// ask sends a request and reads its answer, which must be a success.
func (c *contender) ask(ctx context.Context, r request, into any) error {
	req, err := http.NewRequestWithContext(ctx, r.method, "http://"+c.addr+r.path, strings.NewReader(r.body))
	if err != nil {
		return err
	}
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if account, key, ok := strings.Cut(r.key, " "); ok {
		req.Header.Set("X-AI-Account-Id", account)
		req.Header.Set("Authorization", "Bearer "+key)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s %s: %s: %.300s", r.method, r.path, resp.Status, body)
	}
	return json.Unmarshal(body, into)
}
