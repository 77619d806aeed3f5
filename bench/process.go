package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is a started contender with the end of what it complained about.
type process struct {
	cmd    *exec.Cmd
	stderr *tail
	ended  chan struct{}
}

// spawn starts cmd in a group of its own, so that an interrupt at the terminal
// reaches the benchmark alone, which then ends everything in order.
func spawn(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, stderr: &tail{}, ended: make(chan struct{})}
	cmd.Stderr = p.stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	go func() {
		_ = cmd.Wait() // how it ended shows in what it said
		close(p.ended)
	}()
	return p, nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// gone is the error of a process that ended too early.
func (p *process) gone() error {
	return fmt.Errorf("%s ended: %s", p.cmd.Path, p.stderr)
}

// finish gives the process time to end by itself, then ends it and its children.
func (p *process) finish(patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	select {
	case <-p.ended:
		return nil
	case <-ctx.Done():
	}
	table, err := processes()
	if err != nil {
		return errors.Join(err, p.cmd.Process.Kill())
	}
	for _, pid := range table.tree(p.pid()) {
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended meanwhile
	}
	<-p.ended
	return fmt.Errorf("%s did not end within %s", p.cmd.Path, patience)
}

// tail keeps the last lines that were written to it.
type tail struct {
	mu   sync.Mutex
	text string
}

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	const most = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text += string(b)
	if len(t.text) > most {
		t.text = t.text[len(t.text)-most:]
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(t.text)
}

// environment is this process's own with some variables replaced.
func environment(vars ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return slices.ContainsFunc(vars, func(set string) bool {
			name, _, _ := strings.Cut(set, "=")
			return strings.HasPrefix(v, name+"=")
		})
	})
	return append(env, vars...)
}
