package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// chromium is a whole Chromium that a test speaks to in the DevTools protocol itself: what
// service workers do is not in the browser package.
type chromium struct {
	t      *testing.T
	conn   *websocket.Conn
	last   int
	events []cdpEvent
}

type cdpEvent struct {
	Method, SessionID string
	Params            json.RawMessage
}

// newChromium starts one, which ends with the test.
func newChromium(t *testing.T) *chromium {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("these tests need Chromium:", err)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
		"--remote-debugging-port=0", "--user-data-dir="+dir, "about:blank")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
	})
	c := &chromium{t: t}
	address := c.until("the address of the browser", func() string {
		raw, _ := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		port, path, ok := strings.Cut(strings.TrimSpace(string(raw)), "\n")
		if !ok {
			return ""
		}
		return "ws://127.0.0.1:" + port + path
	})
	if c.conn, _, err = websocket.Dial(patience(t), address, nil); err != nil {
		t.Fatal(err)
	}
	c.conn.SetReadLimit(16 << 20)
	t.Cleanup(func() { _ = c.conn.CloseNow() })
	return c
}

// until asks again and again until there is an answer.
func (c *chromium) until(what string, ask func() string) string {
	c.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for ctx := patience(c.t); ; {
		if got := ask(); got != "" {
			return got
		}
		select {
		case <-ctx.Done():
			c.t.Fatal("there never was ", what)
		case <-tick.C:
		}
	}
}

// do sends a command and reads its answer into out; what comes before it is kept.
func (c *chromium) do(session, method string, params, out any) {
	c.t.Helper()
	if err := c.try(session, method, params, out); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *chromium) try(session, method string, params, out any) error {
	c.last++
	raw, err := json.Marshal(map[string]any{"id": c.last, "method": method, "params": params, "sessionId": session})
	if session == "" {
		raw, err = json.Marshal(map[string]any{"id": c.last, "method": method, "params": params})
	}
	if err != nil {
		return err
	}
	ctx := patience(c.t)
	if err := c.conn.Write(ctx, websocket.MessageText, raw); err != nil {
		return err
	}
	for {
		_, raw, err := c.conn.Read(ctx)
		if err != nil {
			return err
		}
		var in struct {
			ID     int
			Error  *struct{ Message string }
			Result json.RawMessage
			cdpEvent
		}
		if err := json.Unmarshal(raw, &in); err != nil {
			return err
		}
		switch {
		case in.ID != c.last:
			c.events = append(c.events, in.cdpEvent)
		case in.Error != nil:
			return errors.New(in.Error.Message)
		case out == nil:
			return nil
		default:
			return json.Unmarshal(in.Result, out)
		}
	}
}

// attach gives the session of a target.
func (c *chromium) attach(target string) (session string) {
	c.t.Helper()
	var out struct{ SessionID string }
	c.do("", "Target.attachToTarget", map[string]any{"targetId": target, "flatten": true}, &out)
	return out.SessionID
}

// eval is the value of an expression, which may be a promise, as text.
func (c *chromium) eval(session, expression string) (string, error) {
	c.t.Helper()
	var out struct {
		Result           struct{ Value any }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	err := c.try(session, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true}, &out)
	if err == nil && out.ExceptionDetails != nil {
		err = errors.New(out.ExceptionDetails.Text + " " + out.ExceptionDetails.Exception.Description)
	}
	if out.Result.Value == nil {
		return "", err
	}
	return fmt.Sprint(out.Result.Value), err
}

// must is eval of what cannot fail.
func (c *chromium) must(session, expression string) string {
	c.t.Helper()
	got, err := c.eval(session, expression)
	if err != nil {
		c.t.Fatalf("%s: %v", expression, err)
	}
	return got
}
