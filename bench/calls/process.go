package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// The eras of the protocol: with sessions, and without.
const (
	legacy = "2025-06-18"
	modern = "2026-07-28"
)

// server is a process that is measured.
type server struct {
	name, addr, token string
	eras              []string
	paths             map[string]string // by era
	cmd               *exec.Cmd
	said              *bytes.Buffer // read it after ended only
	ended             chan struct{}
}

// url is the endpoint for an era.
func (s *server) url(era string) string { return "http://" + s.addr + s.paths[era] }

// startLegwork starts the product with a login, limits that are never reached, and
// metrics, which are on by default.
func startLegwork(ctx context.Context, o options, folder string) (*server, error) {
	tokens := filepath.Join(folder, "tokens")
	env := append(os.Environ(), "XDG_DATA_HOME="+folder, "XDG_CONFIG_HOME="+folder, "LEGWORK_TOKENS_FILE="+tokens,
		"LEGWORK_RATE_LIMITS=*=1000000000/1h,all=1000000000/1h")
	make := exec.CommandContext(ctx, o.legwork, "token", "bench")
	make.Env = env
	token, err := make.Output()
	if err != nil {
		return nil, fmt.Errorf("making a token: %w", err)
	}
	s := &server{name: "legwork", token: string(bytes.TrimSpace(token)), eras: []string{legacy, modern}, paths: map[string]string{legacy: "/mcp", modern: "/mcp"}}
	return s, s.start(ctx, env, func(addr string) []string { return []string{o.legwork, "http", "--addr", addr} })
}

// startBare starts this program as the bare server of the Go SDK.
func startBare(ctx context.Context, listing string) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &server{name: "Go SDK, bare", eras: []string{legacy, modern}, paths: map[string]string{legacy: "/mcp", modern: "/modern"}}
	return s, s.start(ctx, os.Environ(), func(addr string) []string { return []string{self, "-serve", addr, listing} })
}

// The two ways to use the TypeScript SDK.
const (
	typeScript     = "TypeScript SDK"       // McpServer, which checks arguments and answers
	typeScriptBare = "TypeScript SDK, bare" // Server, which checks neither
)

func startTypeScript(ctx context.Context, o options, listing, name string) (*server, error) {
	how := "checked"
	if name == typeScriptBare {
		how = "bare"
	}
	s := &server{name: name, eras: []string{legacy}, paths: map[string]string{legacy: "/mcp"}}
	return s, s.start(ctx, os.Environ(), func(addr string) []string { return []string{o.node, o.script, o.clients, addr, listing, how} })
}

// start runs the server on a free port and waits until it listens.
func (s *server) start(ctx context.Context, env []string, argv func(addr string) []string) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s.addr = ln.Addr().String()
	if err := ln.Close(); err != nil {
		return err
	}
	args := argv(s.addr)
	s.cmd, s.said, s.ended = exec.Command(args[0], args[1:]...), &bytes.Buffer{}, make(chan struct{})
	s.cmd.Env = env
	if s.name != "legwork" { // its log is a line for each call
		s.cmd.Stderr = s.said
	}
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt reaches the benchmark alone
	if err := s.cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", s.name, err)
	}
	go func() {
		_ = s.cmd.Wait() // how it ended shows in what it said
		close(s.ended)
	}()
	if err := s.listening(ctx); err != nil {
		return errors.Join(err, s.stop())
	}
	return nil
}

func (s *server) listening(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		var d net.Dialer
		if c, err := d.DialContext(ctx, "tcp", s.addr); err == nil {
			return c.Close()
		}
		select {
		case <-tick.C:
		case <-s.ended:
			return fmt.Errorf("%s ended: %s", s.name, s.said)
		case <-ctx.Done():
			return fmt.Errorf("%s does not listen on %s", s.name, s.addr)
		}
	}
}

// stop ends the process, by force when it does not end by itself.
func (s *server) stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	patience := time.NewTimer(15 * time.Second)
	defer patience.Stop()
	select {
	case <-s.ended:
		return nil
	case <-patience.C:
	}
	err := s.cmd.Process.Kill()
	<-s.ended
	return errors.Join(err, fmt.Errorf("%s did not end by itself", s.name))
}

// peak is the most memory that the process ever had resident, in bytes.
func (s *server) peak() (int64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("%s is gone: %w", s.name, err)
	}
	_, after, _ := bytes.Cut(b, []byte("VmHWM:"))
	n, err := strconv.ParseInt(string(bytes.Fields(after)[0]), 10, 64)
	return n << 10, err
}

// cpu is the processor time of the process so far, in steps of 10 ms.
func (s *server) cpu() (time.Duration, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("%s is gone: %w", s.name, err)
	}
	// The name in brackets may contain anything; what follows is numbers.
	fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	user, err := strconv.ParseInt(string(fields[11]), 10, 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseInt(string(fields[12]), 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond, err
}
