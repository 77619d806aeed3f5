package cli_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
	"github.com/legwork-mcp/legwork/internal/practice"
)

// binary is the real program, built once for all tests of the package.
var binary string

func TestMain(m *testing.M) {
	if fixture.Play(os.Args, os.Environ()) || playChanged(os.Args) {
		return
	}
	if signal.Ignored(syscall.SIGHUP) { // by nohup, and so it would be by the programs that are tested
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	code, err := build(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func build(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "legwork-test-*")
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
	return m.Run(), nil
}

// bench of a test: the practice site in this process, so that the test sees
// what was really submitted.
type practiceServer struct {
	*practice.Site
	addr string
}

func startPractice(t *testing.T) *practiceServer {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &practiceServer{Site: practice.New(), addr: ln.Addr().String()}
	srv := &http.Server{Handler: p.Site}
	go srv.Serve(ln)
	t.Cleanup(func() { srv.Close() })
	return p
}

// command is the program with a clean environment of its own.
func command(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(binary, args...)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + os.TempDir(),
		"XDG_DATA_HOME=" + filepath.Join(home, "data"), "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
	}, env...)
	return cmd
}

// output runs the program to its end.
func output(t *testing.T, cmd *exec.Cmd) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := err.(*exec.ExitError); ok {
		code, err = exit.ExitCode(), nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), code
}

// legwork is a running program and a client of it.
type legwork struct {
	*mcp.ClientSession
	cmd *exec.Cmd
	url string
	log *syncBuffer
}

func newClient(o *mcp.ClientOptions) *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
}

// overStdio starts the program on pipes and connects to it.
func overStdio(t *testing.T, env ...string) *legwork {
	t.Helper()
	l := &legwork{cmd: command(t, env, "stdio"), log: &syncBuffer{}}
	l.cmd.Stderr = l.log
	cs, err := newClient(nil).Connect(t.Context(), &mcp.CommandTransport{Command: l.cmd, TerminateDuration: 20 * time.Second}, nil)
	if err != nil {
		t.Fatalf("connecting over stdio: %v\n%s", err, l.log)
	}
	l.ClientSession = cs
	t.Cleanup(func() { cs.Close() })
	return l
}

// overHTTP starts the program's HTTP server and connects to it.
func overHTTP(t *testing.T, env ...string) *legwork {
	t.Helper()
	return overHTTPAt(t, "", env...)
}

// overHTTPAt is overHTTP at another path.
func overHTTPAt(t *testing.T, path string, env ...string) *legwork {
	t.Helper()
	l := startHTTP(t, env...)
	cs, err := newClient(nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: l.url + path, MaxRetries: -1}, nil)
	if err != nil {
		t.Fatalf("connecting over HTTP: %v\n%s", err, l.log)
	}
	l.ClientSession = cs
	t.Cleanup(func() { cs.Close() })
	return l
}

// startHTTP starts the program's HTTP server and waits until it is ready.
func startHTTP(t *testing.T, env ...string) *legwork {
	t.Helper()
	return startHTTPWith(t, nil, env...)
}

// startHTTPWith is startHTTP with further flags.
func startHTTPWith(t *testing.T, flags []string, env ...string) *legwork {
	t.Helper()
	addr := freeAddr(t)
	l := &legwork{cmd: command(t, env, append([]string{"http", "--addr", addr}, flags...)...), url: "http://" + addr + "/", log: &syncBuffer{}}
	l.cmd.Stderr = l.log
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminate(t, l.cmd) })
	awaitReady(t, l)
	return l
}

// lastPort is the port that freeAddr gave last.
var lastPort atomic.Int32

// freeAddr is a loopback address that nobody listens on: not one that the system gives to
// whoever asks for any port, since tests beside this one do, and not twice the same.
func freeAddr(t *testing.T) string {
	t.Helper()
	const lowest, ports = 20000, 10000 // Linux gives ports from 32768 on, macOS from 49152 on
	lastPort.CompareAndSwap(0, 1+rand.Int32N(ports))
	for range ports {
		ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", lowest+lastPort.Add(1)%ports))
		if err == nil {
			defer ln.Close()
			return ln.Addr().String()
		}
	}
	t.Fatal("every port is taken")
	return ""
}

// awaitReady asks until the server answers; the test's deadline bounds it.
func awaitReady(t *testing.T, l *legwork) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, l.url+"health", nil)
		if err != nil {
			t.Fatal(err)
		}
		if res, err := http.DefaultClient.Do(req); err == nil {
			res.Body.Close()
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the server did not come up\n%s", l.log)
		case <-tick.C:
		}
	}
}

// serveLocal serves a handler on loopback until the test ends.
func serveLocal(t *testing.T, h http.Handler) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: h}
	go srv.Serve(ln)
	t.Cleanup(func() { srv.Close() })
	return ln.Addr().String()
}

// quoted is a string as JSON.
func quoted(t *testing.T, s string) string {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
