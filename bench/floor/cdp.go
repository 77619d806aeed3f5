package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// conn is a browser at the other end of two pipes.
type conn struct {
	cmd     *exec.Cmd
	profile string
	out     *os.File
	in      *os.File
	done    chan struct{} // closed when the browser hung up

	mu       sync.Mutex
	last     int
	waiting  map[int]chan message
	sessions map[string]func(message)
}

// message is every shape that the protocol sends.
type message struct {
	ID      int             `json:"id,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// object is the parameters of a command.
type object map[string]any

// command is what to send, to the browser or to one of its pages.
type command struct {
	method  string
	params  object
	session string // empty: the browser
}

// flags start the browser without what a form never needs.
var flags = []string{
	"--headless", "--remote-debugging-pipe", "--no-first-run", "--no-startup-window", "--disable-gpu", "--disable-extensions",
	"--disable-sync", "--disable-background-networking", "--disable-component-update", "--disable-breakpad", "--disable-default-apps",
	"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
	"--disable-hang-monitor", "--disable-popup-blocking", "--force-color-profile=srgb", "--hide-scrollbars", "--mute-audio",
	"--enable-features=NetworkServiceInProcess2", "--disable-features=RenderDocument",
}

// launch starts the browser and waits for its first answer.
func launch(ctx context.Context, path string) (*conn, error) {
	profile, err := os.MkdirTemp("", "floor-")
	if err != nil {
		return nil, err
	}
	args := append([]string{"--user-data-dir=" + profile}, flags...)
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox") // the browser's own rule for root
	}
	toR, toW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromR, fromW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c := &conn{
		cmd: exec.Command(path, args...), profile: profile, out: toW, in: fromR,
		done: make(chan struct{}), waiting: map[int]chan message{}, sessions: map[string]func(message){},
	}
	c.cmd.ExtraFiles = []*os.File{toR, fromW}
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the browser: %w", err)
	}
	toR.Close()
	fromW.Close()
	go c.read()
	if err := c.call(ctx, command{method: "Browser.getVersion"}, nil); err != nil {
		return nil, errors.Join(fmt.Errorf("the browser does not answer: %w", err), c.close(ctx))
	}
	return c, nil
}

// read hands out what the browser sends, until it hangs up.
func (c *conn) read() {
	defer close(c.done)
	r := bufio.NewReaderSize(c.in, 1<<20)
	for {
		b, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(b[:len(b)-1], &m) != nil {
			continue
		}
		c.mu.Lock()
		reply, event := c.waiting[m.ID], c.sessions[m.Session]
		delete(c.waiting, m.ID)
		c.mu.Unlock()
		switch {
		case m.ID != 0 && reply != nil:
			reply <- m
		case m.ID == 0 && event != nil:
			event(m)
		}
	}
}

// start sends a command and returns where its reply will come.
func (c *conn) start(cmd command) (<-chan message, error) {
	if cmd.params == nil {
		cmd.params = object{}
	}
	raw, err := json.Marshal(cmd.params)
	if err != nil {
		return nil, err
	}
	reply := make(chan message, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	c.waiting[c.last] = reply
	b, err := json.Marshal(message{ID: c.last, Session: cmd.session, Method: cmd.method, Params: raw})
	if err != nil {
		return nil, err
	}
	_, err = c.out.Write(append(b, 0))
	return reply, err
}

// finish waits for the reply of a started command.
func (c *conn) finish(ctx context.Context, reply <-chan message, out any) error {
	select {
	case m := <-reply:
		if m.Error != nil {
			return errors.New(m.Error.Message)
		}
		if out == nil {
			return nil
		}
		return json.Unmarshal(m.Result, out)
	case <-c.done:
		return errors.New("the browser hung up")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// call is start and finish.
func (c *conn) call(ctx context.Context, cmd command, out any) error {
	reply, err := c.start(cmd)
	if err == nil {
		err = c.finish(ctx, reply, out)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", cmd.method, err)
	}
	return nil
}

// close ends the browser, by force if it does not go by itself.
func (c *conn) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_ = c.call(ctx, command{method: "Browser.close"}, nil) // it may be gone already
	c.out.Close()
	select {
	case <-c.done:
	case <-ctx.Done():
	}
	_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) // whoever is left of its group
	_ = c.cmd.Wait()                                      // killed or not, it ended
	c.in.Close()
	return os.RemoveAll(c.profile)
}
