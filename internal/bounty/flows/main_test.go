package flows

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var (
	databases storetest.Databases
	binary    string // the real program, built once
)

func TestMain(m *testing.M) {
	code, err := build(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func build(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "legwork-flows-*")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "legwork")
	cmd := exec.Command("go", "build", "-o", binary, "github.com/legwork-mcp/legwork/cmd/legwork")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as make build has it
	if out, err := cmd.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("building the program: %w\n%s", err, out)
	}
	code := databases.Run(m)
	return code, closePool()
}

// output is what a process wrote.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// with waits until a text was written so often, beside what the program answers, and
// returns all.
func (o *output) with(t *testing.T, times int, text string) string {
	t.Helper()
	tick, over := time.NewTicker(50*time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for {
		if all := o.String(); strings.Count(all, text) >= times {
			return all
		}
		select {
		case <-tick.C:
		case <-over:
			t.Fatalf("%q was not written %d times:\n%s", text, times, o.String())
		}
	}
}

// command is the program with a clean environment of its own.
func command(t *testing.T, env []string, args ...string) (*exec.Cmd, *output) {
	t.Helper()
	cmd, log := exec.Command(binary, args...), &output{}
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir()}, env...)
	cmd.Stderr = log
	return cmd, log
}

// run starts a process that ends with the test.
func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = cmd.Wait()
	})
}

// free is a loopback address that nobody listens on.
func free(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// await asks until done says so; the test's own deadline bounds it.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	for !done() {
		select {
		case <-ctx.Done():
			t.Fatalf("waiting for %s: %v", what, ctx.Err())
		case <-tick.C:
		}
	}
}

// answers reports whether an address answers with success.
func answers(t *testing.T, url string) bool {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// board is a board in a process of its own.
type board struct {
	url string
	log *output
}

func startBoard(t *testing.T, u store.URL, env ...string) *board {
	t.Helper()
	addr := free(t)
	cmd, log := command(t, append(env, "LEGWORK_BOARD_DEV_MAIL=1"), "board", "--addr", addr, "--db", string(u))
	run(t, cmd)
	b := &board{"http://" + addr, log}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the board says:\n%s", tail(log.String()))
		}
	})
	await(t, "the board", func() bool { return answers(t, b.url+"/ready") })
	return b
}

// agent is an MCP client of the program, whose server bounty asks a board.
type agent struct {
	*mcp.ClientSession
	log *output
}

// transports are the two ways to the program.
var transports = map[string]func(*testing.T, *board, ...string) *agent{"stdio": overStdio, "http": overHTTP}

func settings(b *board, more []string) []string {
	return append([]string{"BASE_URL=" + b.url}, more...)
}

func overStdio(t *testing.T, b *board, env ...string) *agent {
	t.Helper()
	cmd, log := command(t, settings(b, env), "stdio")
	return connect(t, &mcp.CommandTransport{Command: cmd, TerminateDuration: 20 * time.Second}, log)
}

func overHTTP(t *testing.T, b *board, env ...string) *agent {
	t.Helper()
	addr := free(t)
	cmd, log := command(t, settings(b, env), "http", "--addr", addr, "bounty")
	run(t, cmd)
	await(t, "the program", func() bool { return answers(t, "http://"+addr+"/health") })
	return connect(t, &mcp.StreamableClientTransport{Endpoint: "http://" + addr + "/mcp/bounty", MaxRetries: -1}, log)
}

func connect(t *testing.T, way mcp.Transport, log *output) *agent {
	t.Helper()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil).Connect(t.Context(), way, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	t.Cleanup(func() { cs.Close() })
	return &agent{cs, log}
}

// args are the arguments of a call.
type args map[string]any

// result is what came of a call.
type result struct {
	text  string
	error bool
	args
}

// at reads a value by its way.
func (a args) at(way ...string) any {
	var v any = map[string]any(a)
	for _, name := range way {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}

func (a args) string(way ...string) string { s, _ := a.at(way...).(string); return s }

// try calls a tool.
func (a *agent) try(t *testing.T, name string, in args) result {
	t.Helper()
	res, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: in})
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, a.log)
	}
	out := result{error: res.IsError}
	for _, c := range res.Content {
		if block, ok := c.(*mcp.TextContent); ok {
			out.text = block.Text
		}
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &out.args)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

// must is try for a call that has to work.
func (a *agent) must(t *testing.T, name string, in args) result {
	t.Helper()
	out := a.try(t, name, in)
	if out.error {
		t.Fatalf("%s: %s", name, out.text)
	}
	return out
}

// fails is try for a call that has to fail with a code and a reason.
func (a *agent) fails(t *testing.T, name string, in args, code, reason string) result {
	t.Helper()
	out := a.try(t, name, in)
	if !out.error || out.string("error", "code") != code || out.string("error", "details", "reason") != reason {
		t.Fatalf("%s: want %s %s: %s", name, code, reason, out.text)
	}
	return out
}

// tail is the end of a log.
func tail(log string) string { return log[max(0, len(log)-4000):] }
