package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// legwork is the product as its users meet it: an MCP server over HTTP.
type legwork struct {
	*process
	session *mcp.ClientSession
	folder  string // its data, empty and away from the user's own
	engine  string // or empty: that of the other contenders
}

// startLegwork starts the server and connects to it. The practice wizards then
// lead to the benchmark's own practice site. Without an engine it takes the browser of
// the other contenders.
func startLegwork(ctx context.Context, o options, practice, engine string) (*legwork, error) {
	addr, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "legwork-bench-")
	if err != nil {
		return nil, err
	}
	l := &legwork{folder: folder, engine: engine}
	cmd := exec.Command(o.legwork, "http", "--addr", addr)
	env := []string{"LEGWORK_PRACTICE_ADDR=" + practice, "XDG_DATA_HOME=" + folder, "XDG_CONFIG_HOME=" + folder,
		"LEGWORK_VIEWPORT_WIDTH=1280", "LEGWORK_VIEWPORT_HEIGHT=1024"}
	if engine == "" {
		env = append(env, "LEGWORK_BROWSER_ENGINE="+browser.EngineHeadlessShell, "LEGWORK_BROWSER_PATH="+o.browser)
	} else {
		env = append(env, "LEGWORK_BROWSER_ENGINE="+engine)
	}
	cmd.Env = environment(env...)
	if l.process, err = spawn(cmd); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if err := l.connect(ctx, addr); err != nil {
		return nil, errors.Join(err, l.stop())
	}
	return l, nil
}

// freeAddress finds a port that nobody listens on.
func freeAddress(ctx context.Context) (string, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return ln.Addr().String(), ln.Close()
}

// connect waits until the server listens, and says hello.
func (l *legwork) connect(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		var d net.Dialer
		if c, err := d.DialContext(ctx, "tcp", addr); err == nil {
			c.Close()
			break
		}
		select {
		case <-tick.C:
		case <-l.ended:
			return l.gone()
		case <-ctx.Done():
			return fmt.Errorf("legwork does not listen on %s: %s", addr, l.stderr)
		}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	var err error
	l.session, err = client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: "http://" + addr + "/mcp/runner"}, nil)
	if err != nil {
		return fmt.Errorf("connecting to legwork: %w", err)
	}
	return nil
}

func (l *legwork) name() string { return cmp.Or(l.engine, "legwork") }

// run is one tool call. The address is the wizard's own: the server maps it to
// the practice site.
func (l *legwork) run(ctx context.Context, j job) (answer, error) {
	res, err := l.session.CallTool(ctx, &mcp.CallToolParams{Name: "federalrunner_execute_wizard", Arguments: map[string]any{
		"wizard_id": formSite, "user_data": j.Data,
		"options": map[string]any{"return_screenshots": true, "screenshot_quality": j.Quality, "wait_seconds": 300, "timeout_seconds": 300},
	}})
	if err != nil {
		return answer{}, errors.Join(err, errors.New(l.stderr.String()))
	}
	a := answer{ID: j.ID, Pairs: map[string]string{}}
	for _, c := range res.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			if res.IsError {
				return a, errors.New(c.Text)
			}
		case *mcp.ImageContent:
			a.Pictures++
			a.Bytes += len(c.Data)
			if j.Keep != "" {
				if err := os.WriteFile(filepath.Join(j.Keep, fmt.Sprintf("%d.jpg", a.Pictures)), c.Data, 0o644); err != nil {
					return a, err
				}
			}
		}
	}
	return a, a.takePairs(res.StructuredContent)
}

// takePairs finds the terms of the answer page in the tool's structured result,
// where they have the names that the wizard gave them.
func (a *answer) takePairs(structured any) error {
	raw, err := json.Marshal(structured)
	if err != nil {
		return err
	}
	var out struct {
		Results struct {
			Reference string `json:"reference"`
			Index     string `json:"student_aid_index"`
		} `json:"results"`
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return fmt.Errorf("reading legwork's answer: %w", err)
	}
	a.Pairs[termReference], a.Pairs[termIndex] = out.Results.Reference, out.Results.Index
	return nil
}

func (l *legwork) stop() error {
	if l.session != nil {
		_ = l.session.Close() // the server goes away next
	}
	_ = l.cmd.Process.Signal(syscall.SIGTERM) // finish notices if it did not help
	return errors.Join(l.finish(15*time.Second), os.RemoveAll(l.folder))
}
