package hosted

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience bounds every wait: nothing takes as long unless it is broken.
const patience = 90 * time.Second

// buffer is what a process writes while a test reads.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// process is a program that runs until it is stopped.
type process struct {
	cmd   *exec.Cmd
	log   *buffer
	stdin io.Closer // some programs end with it
	ended chan struct{}
}

// start runs cmd and waits until the URL answers with 200.
func start(cmd *exec.Cmd, url string) (*process, error) {
	p := &process{cmd: cmd, log: &buffer{}, ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p.log, p.log
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = cmd.Wait() // how it ended is in its log
		close(p.ended)
	}()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := until(ctx, func() bool { return p.hasEnded() || statusOf(ctx, url) == http.StatusOK }); err != nil || p.hasEnded() {
		p.stop()
		return nil, fmt.Errorf("%s did not come up:\n%s", cmd.Path, p.log)
	}
	return p, nil
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// stop ends the process as a service manager does, and waits for it.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	_ = p.stdin.Close()
	select {
	case <-p.ended:
	case <-time.After(patience):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

func statusOf(ctx context.Context, url string) int {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// until asks again and again whether something holds.
func until(ctx context.Context, holds func() bool) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			return errors.New("it did not happen in time")
		case <-tick.C:
		}
	}
	return nil
}

// eventually is until for a test.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := until(ctx, holds); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// freeAddr is a loopback address that nobody listens on.
func freeAddr() string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err) // a machine without loopback
	}
	defer ln.Close()
	return ln.Addr().String()
}

// portOf is the port of HOST:PORT.
func portOf(addr string) string { return addr[strings.LastIndexByte(addr, ':')+1:] }
