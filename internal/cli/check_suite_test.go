package cli_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
	"github.com/legwork-mcp/legwork/internal/mcptest/suite"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

var recordSuites = flag.Bool("record-suites", false, "record the suite of the runner anew")

// changedWord makes this test binary a server that is another program, of whose answers a
// part is changed: changedWord OLD NEW COMMAND ARGS.
const changedWord = "play-changed"

func playChanged(args []string) bool {
	if len(args) < 5 || args[1] != changedWord {
		return false
	}
	cmd := exec.Command(args[4], args[5:]...)
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		fmt.Println(strings.ReplaceAll(lines.Text(), args[2], args[3]))
	}
	if err := cmd.Wait(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return true
}

// runnerSuite is a recorded session with the runner.
const runnerSuite = "testdata/runner.suite.yaml"

// recordRunner records a session with the runner, as somebody explores it who has no
// wizards of his own.
func recordRunner(t *testing.T) {
	t.Helper()
	conn, err := wire.Connect(t.Context(), wire.Target{Command: []string{binary, "stdio", "runner"}}, wire.Options{
		Era: wire.EraLegacy, Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir()},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.List(t.Context(), "tools/list", nil, wire.CallOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, arguments string }{
		{"federalrunner_list_wizards", `{}`},
		{"federalrunner_get_wizard_info", `{"wizard_id":"ssa-quick-calculator"}`},
		{"federalrunner_get_wizard_info", `{"wizard_id":"no-such-wizard"}`},
		{"federalrunner_validate_user_data", `{"wizard_id":"ssa-quick-calculator","user_data":{}}`},
		{"no_such_tool", `{}`},
	} {
		ex, _ := conn.Call(t.Context(), "tools/call", map[string]any{"name": c.tool, "arguments": json.RawMessage(c.arguments)}, wire.CallOptions{})
		if len(ex.Response) == 0 {
			t.Fatalf("%s was not answered: %v", c.tool, ex.Err)
		}
	}
	s, err := suite.Record("the runner with its practice wizards", conn.Transcript(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	s.Server = &suite.Server{Command: []string{"legwork", "stdio", "runner"}, Era: string(wire.EraLegacy)}
	text, err := s.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(runnerSuite, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestRunnerSuite replays the recorded session: it passes on this program, and fails when
// one field of one answer is another.
func TestRunnerSuite(t *testing.T) {
	t.Parallel()
	if *recordSuites {
		recordRunner(t)
	}
	junit := filepath.Join(t.TempDir(), "suite.xml")
	stdout, stderr, code := output(t, command(t, nil, "check", "--suite", runnerSuite, "--junit", junit, "--", binary, "stdio", "runner"))
	if code != 0 || !strings.Contains(stdout, "PASSED: 7 steps passed, 0 failed, 0 left out.") {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if b, err := os.ReadFile(junit); err != nil || !strings.Contains(string(b), `tests="7" failures="0"`) {
		t.Errorf("JUnit: %v\n%s", err, b)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, step string }{
		{`"total_pages":7`, `"total_pages":8`, "call federalrunner_list_wizards"},
		{`"practice":true`, `"practice":false`, "call federalrunner_list_wizards"},
		{`"error_type":"wizard_not_found"`, `"error_type":"not_found"`, "call federalrunner_get_wizard_info"},
		{`"federalrunner_get_run"`, `"federalrunner_run"`, "list tools"},
		{`-32602`, `-32603`, "call no_such_tool"},
	} {
		t.Run(c.new, func(t *testing.T) {
			stdout, stderr, code := output(t, command(t, nil, "check", "--json", "--suite", runnerSuite, "--", self, changedWord, c.old, c.new, binary, "stdio", "runner"))
			var r suite.Result
			if err := json.Unmarshal([]byte(stdout), &r); err != nil || code != 1 || r.Passed || !r.Connected {
				t.Fatalf("%v, exit code %d\n%s%s", err, code, stdout, stderr)
			}
			var failed []string
			for _, s := range r.Steps {
				if !s.Passed {
					failed = append(failed, s.Name)
				}
			}
			if len(failed) == 0 || failed[0] != c.step {
				t.Errorf("failed at %v, want %s", failed, c.step)
			}
		})
	}
}

// TestRecordOfADyingServer: what a recording lacks is said, and it is no success.
func TestRecordOfADyingServer(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "suite.yaml")
	at := fixture.Named("dies-in-call").StartOver(t, fixture.Stdio)
	stdout, stderr, code := output(t, command(t, nil, append([]string{"check", "--record", file, "--"}, at.Command...)...))
	if code != 1 || !strings.Contains(stdout, "2 steps are in "+file) || !strings.Contains(stderr, `"echo", tools/call: the process ended`) || !strings.Contains(stderr, "the server was gone") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("what was recorded is lost: %v", err)
	}
}

// TestRecordSnapshotCompare uses a server, writes down how that went and what it offers,
// and tells the difference to another.
func TestRecordSnapshotCompare(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	everything, plain := fixture.Named("everything"), fixture.Named("plain")
	words := func(s fixture.Server, over fixture.Transport) []string {
		at := s.StartOver(t, over)
		if over == fixture.HTTP {
			return []string{at.URL}
		}
		return append([]string{"--"}, at.Command...)
	}
	run := func(want int, args ...string) string {
		t.Helper()
		stdout, stderr, code := output(t, command(t, nil, append([]string{"check"}, args...)...))
		if code != want {
			t.Fatalf("%v: exit code %d, want %d\n%s%s", args, code, want, stdout, stderr)
		}
		return stdout + stderr
	}
	for _, over := range []fixture.Transport{fixture.HTTP, fixture.Stdio} {
		file, surface := filepath.Join(dir, string(over)+".yaml"), filepath.Join(dir, string(over)+".json")
		target := words(everything, over)
		if out := run(0, append([]string{"--record", file}, target...)...); !strings.Contains(out, "19 steps are in ") {
			t.Errorf("%s: %s", over, out)
		}
		if out := run(0, "--suite", file); !strings.Contains(out, "PASSED: 19 steps passed") { // against what it names
			t.Errorf("%s: %s", over, out)
		}
		if out := run(0, append([]string{"--snapshot", surface}, target...)...); !strings.Contains(out, "are in "+surface) {
			t.Errorf("%s: %s", over, out)
		}
		if out := run(0, append([]string{"--compare", surface}, target...)...); !strings.Contains(out, "0 breaking, 0 additive, 0 cosmetic changes.") {
			t.Errorf("%s: %s", over, out)
		}
		out := run(1, append([]string{"--json", "--compare", surface}, words(plain, over)...)...)
		var d struct {
			Verdict string
			Changes []suite.Change
		}
		if err := json.Unmarshal([]byte(out), &d); err != nil || d.Verdict != "breaking" || len(d.Changes) < 10 {
			t.Errorf("%s: %v, %s with %d changes", over, err, d.Verdict, len(d.Changes))
		}
	}
	bad := filepath.Join(dir, "bad.yaml")
	if err := os.WriteFile(bad, []byte("version: 1\nsuite: x\nsteps: [{call: a, expects: 1}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run(2, "--suite", bad, "http://127.0.0.1:1/mcp")
	run(2, "--suite", filepath.Join(dir, "none.yaml"), "http://127.0.0.1:1/mcp")
	run(2, "--compare", bad, "http://127.0.0.1:1/mcp")
	run(4, append([]string{"--suite", filepath.Join(dir, "http.yaml")}, words(fixture.Named("port-closed"), fixture.HTTP)...)...)
	run(4, append([]string{"--snapshot", filepath.Join(dir, "x.json")}, words(fixture.Named("start-fails"), fixture.Stdio)...)...)
}
