package cli_test

import (
	"bufio"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/engine/planted"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// ended waits for a program that was told to end, and gives its exit code.
func ended(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		_ = cmd.Process.Kill()
		<-done
		t.Error("the program did not end within half a minute")
	}
	return cmd.ProcessState.ExitCode()
}

// TestStdioEndsWhenItIsTold: also while its client keeps standard input open, as one
// does that was killed together with the server, or a terminal.
func TestStdioEndsWhenItIsTold(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			cmd := command(t, nil, "stdio", "cwac")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
				t.Fatal(err)
			}
			if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.Contains(line, `"id":1`) {
				t.Fatalf("it answers %q, %v", line, err)
			}
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if code := ended(t, cmd); code != 0 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// TestAScanWhoseTerminalIsClosed: it ends as one that is stopped, unless it was started
// with nohup.
func TestAScanWhoseTerminalIsClosed(t *testing.T) {
	t.Parallel()
	addr := serveLocal(t, planted.NewMany(20))
	for name, c := range map[string]struct {
		before []string
		code   int
		state  string
	}{
		"closed": {nil, 6, results.StateCancelled},
		"nohup":  {[]string{"nohup"}, 0, results.StateComplete},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := command(t, nil, "scan", addr, "--max-links", "8", "--plugins", "title", "--fail-on", "none", "--out", dir)
			if c.before != nil {
				path, err := exec.LookPath(c.before[0])
				if err != nil {
					t.Fatal(err)
				}
				cmd.Path, cmd.Args = path, append(c.before, cmd.Args...)
			}
			var out syncBuffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			eventually(t, time.Minute, "the second page", func() bool { return strings.Contains(out.String(), " 2/8 ") })
			if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
				t.Fatal(err)
			}
			if code := ended(t, cmd); code != c.code {
				t.Errorf("exit code %d\n%s", code, out.String())
			}
			read, err := results.Open(folder(t, dir))
			if err != nil || read.Scan == nil || read.Scan.State != c.state {
				t.Errorf("the record is %+v, %v", read.Scan, err)
			}
			if left, err := filepath.Glob(filepath.Join(dir, "*", ".new-*")); len(left) > 0 || err != nil {
				t.Errorf("%q is left, %v", left, err)
			}
		})
	}
}
