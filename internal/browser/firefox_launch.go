package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// foxProcess is one running Firefox with at most one tab.
type foxProcess struct {
	*process
	conn    *bidi.Conn
	workers bool // service workers are allowed

	mu  sync.Mutex
	tab *firefoxTab // that events belong to, or nil
}

// start starts a Firefox and a session in it.
func (e *firefox) start(ctx context.Context, workers bool) (*foxProcess, error) {
	path, o := e.path, e.options
	base, err := newProcess(path, o.DataDir)
	if err != nil {
		return nil, err
	}
	p := &foxProcess{process: base, workers: workers}
	if err := os.WriteFile(filepath.Join(p.profile.dir, "user.js"), []byte(userPrefs(o, p.profile.dir, workers)), 0o600); err != nil {
		p.profile.remove()
		return nil, foxNotStarted(p, err)
	}
	if err := p.start(foxCommand(path, p.profile.dir, o, e.headed), p.lost); err != nil {
		p.profile.remove()
		return nil, foxNotStarted(p, err)
	}
	ctx, cancel := context.WithTimeout(ctx, launchLimit)
	defer cancel()
	if err := p.connect(ctx); err != nil {
		p.kill()
		if errors.Is(ctx.Err(), context.Canceled) {
			return nil, interrupted(ctx, "starting the browser")
		}
		return nil, foxNotStarted(p, err)
	}
	return p, nil
}

// foxCommand is how Firefox is started. Everything that it writes goes into the
// profile.
func foxCommand(path, dir string, o Options, headed bool) *exec.Cmd {
	args := []string{"--no-remote", "--profile", dir, "--remote-debugging-port=0", "--width", "1280", "--height", "900"}
	if !headed {
		args = append(args, "--headless")
	}
	cmd := exec.Command(path, append(args, "about:blank")...)
	cmd.Env = append(cmd.Environ(), "HOME="+dir, "XDG_CACHE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "TMPDIR="+dir,
		"MOZ_CRASHREPORTER_DISABLE=1", "MOZ_DATA_REPORTING=0", "GTK_OVERLAY_SCROLLING=1")
	if o.Sandbox != nil && !*o.Sandbox {
		cmd.Env = append(cmd.Env, "MOZ_DISABLE_CONTENT_SANDBOX=1")
	}
	return cmd
}

// lost ends the connection of a process that has ended.
func (p *foxProcess) lost() {
	p.mu.Lock()
	conn := p.conn
	p.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
}

// connect waits for the address at which Firefox listens, and asks for a session.
// Firefox allows one at a time, so nobody else can have one beside it.
func (p *foxProcess) connect(ctx context.Context) error {
	address, err := p.address(ctx)
	if err != nil {
		return err
	}
	conn, err := bidi.Dial(ctx, address, p.event)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.conn = conn
	p.mu.Unlock()
	if !p.runs() { // it ended before lost could know of the connection
		conn.Close()
	}
	// Message boxes are answered by the tab; file choosers are closed at once.
	prompts := map[string]string{"default": "ignore", "file": "dismiss"}
	_, err = bidi.Call(ctx, conn, bidi.SessionNew, bidi.NewParams{Capabilities: bidi.Capabilities{AlwaysMatch: bidi.AlwaysMatch{Prompts: prompts}}})
	if err != nil {
		return err
	}
	_, err = bidi.Call(ctx, conn, bidi.SessionSubscribe, bidi.SubscribeParams{Events: foxEvents})
	if err != nil {
		return err
	}
	// A question for a password would stay open in a window that nobody sees.
	_, err = bidi.Call(ctx, conn, bidi.AddIntercept, bidi.InterceptParams{Phases: []string{"authRequired"}})
	return err
}

// listening is what Firefox prints when it can be connected to.
const listening = "WebDriver BiDi listening on "

// address reads from the output where Firefox listens.
func (p *foxProcess) address(ctx context.Context) (string, error) {
	for {
		if _, rest, ok := strings.Cut(p.output.String(), listening); ok {
			if address, _, ok := strings.Cut(rest, "\n"); ok {
				return strings.TrimSpace(address) + "/session", nil
			}
		}
		select {
		case <-p.output.more:
		case <-p.exited:
			return "", errors.New("the browser ended at once")
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

func foxNotStarted(p *foxProcess, cause error) error {
	message := "The browser " + filepath.Base(p.path) + " did not start."
	action := "Start it by hand to see why: " + p.path + " --headless --screenshot about:blank"
	if noScreen(p.output) {
		message, action = message+screenMissing, screenAdvice
	}
	return fault.New(fault.Unavailable, "browser_unavailable", message, action).
		WithCause(fmt.Errorf("%w; output: %s", cause, p.output))
}

func (p *foxProcess) alive() bool {
	select {
	case <-p.conn.Done():
		return false
	default:
		return p.runs()
	}
}

// event gives an event to the tab of this process. It runs in the reader goroutine.
func (p *foxProcess) event(method string, params json.RawMessage) {
	if p.answerIntercepted(method, params) {
		return
	}
	p.mu.Lock()
	t := p.tab
	p.mu.Unlock()
	if t != nil {
		t.event(method, params)
	}
}

// use says whose the events are from now on.
func (p *foxProcess) use(t *firefoxTab) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tab = t
}
