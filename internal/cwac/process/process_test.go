package process_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/cwac/process"
)

// The words with which this test binary plays another program.
const (
	playSupervisor = "play-supervisor"
	playServer     = "play-server" // starts a scan and then waits to be killed
)

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == playSupervisor {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		if err := process.Supervise(ctx, os.Args[2], os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) == 4 && os.Args[1] == playServer {
		job := shell(os.Args[2], os.Args[3])
		if _, err := process.Start(context.Background(), supervisor(), filepath.Join(os.Args[2], "job.json"), job); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("started")
		select {}
	}
	os.Exit(m.Run())
}

func supervisor() []string { return []string{os.Args[0], playSupervisor} }

// shell is a job that runs a script in dir.
func shell(dir, script string) process.Job {
	return process.Job{
		Command: []string{"/bin/sh", "-c", script}, Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH")},
		Limit: time.Minute, Grace: 5 * time.Second,
		Remove: []string{filepath.Join(dir, "temp")}, State: filepath.Join(dir, "state.json"),
	}
}

// scan is a job that was started.
type scan struct {
	t   *testing.T
	dir string
	process.State
}

func start(t *testing.T, job process.Job) *scan {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(job.Dir, "temp"), 0o700); err != nil {
		t.Fatal(err)
	}
	state, err := process.Start(t.Context(), supervisor(), filepath.Join(job.Dir, "job.json"), job)
	if err != nil {
		t.Fatal(err)
	}
	x := &scan{t, job.Dir, state}
	t.Cleanup(func() { // until it has ended it writes into the folder that is removed next
		_ = process.Stop(x.read())
		eventually(t, "the end of the supervisor", func() bool { return !x.read().Supervisor.Alive() })
	})
	return x
}

func (x *scan) read() process.State {
	x.t.Helper()
	s, err := process.ReadState(filepath.Join(x.dir, "state.json"))
	if err != nil {
		x.t.Fatal(err)
	}
	process.Collect(s.Supervisor)
	return s
}

func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range 6000 {
		if cond() {
			return
		}
		<-tick.C
	}
	t.Fatal("it never came to pass: " + what)
}

func (x *scan) end() process.State {
	x.t.Helper()
	var s process.State
	eventually(x.t, "the end of the scan", func() bool { s = x.read(); return s.Over() })
	eventually(x.t, "the end of the supervisor", func() bool { x.read(); return !s.Supervisor.Alive() })
	return s
}

// pid reads a process id that a script wrote into a file of its folder.
func pid(t *testing.T, dir, name string) int {
	t.Helper()
	var n int
	eventually(t, name+" is written", func() bool {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		n, _ = strconv.Atoi(strings.TrimSpace(string(raw)))
		return err == nil && n > 0
	})
	return n
}

// gone reports whether no process of this id runs.
func gone(pid int) bool {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	return strings.HasPrefix(rest, "Z")
}

func TestEnds(t *testing.T) {
	tests := []struct {
		name, script string
		cause        process.Cause
		code         int
		folder       string
		stdout       string // its last line
		stderr       string
	}{
		{"well", "echo 'Audit name: 2026-11-27_20-38-33_x_a1b2c3d4'; echo done", process.Exited, 0, "2026-11-27_20-38-33_x_a1b2c3d4", "done", ""},
		{"with a code", "echo no >&2; exit 3", process.Exited, 3, "", "", "no"},
		{"by a signal", "kill -9 $$", process.Killed, -1, "", "", ""},
		{"the first name counts", "echo 'Audit name: a'; echo 'Audit name: b'", process.Exited, 0, "a", "Audit name: b", ""},
		{"a name that is a path", "echo 'Audit name: ../../etc'; echo 'Audit name: ..'", process.Exited, 0, "", "Audit name: ..", ""},
		{"chatty", "head -c 30000000 /dev/zero | tr '\\0' x; echo; echo last", process.Exited, 0, "", "last", ""},
		{"the limit", "sleep 600", process.TimedOut, -1, "", "", ""},
		{"deaf to the limit", "trap '' TERM; while :; do sleep 0.05; done", process.TimedOut, -1, "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			job := shell(t.TempDir(), tt.script)
			job.Grace = 200 * time.Millisecond
			if tt.cause == process.TimedOut {
				job.Limit = 300 * time.Millisecond
			}
			s := start(t, job).end()
			if s.Cause != tt.cause || s.ExitCode != tt.code || s.Folder != tt.folder {
				t.Errorf("it ended as %s, code %d, folder %q; want %s, %d, %q", s.Cause, s.ExitCode, s.Folder, tt.cause, tt.code, tt.folder)
			}
			if last(s.Stdout) != tt.stdout || last(s.Stderr) != tt.stderr {
				t.Errorf("it printed %q and %q", s.Stdout, s.Stderr)
			}
			if _, err := os.Stat(filepath.Join(job.Dir, "temp")); !os.IsNotExist(err) {
				t.Error("the temporary files are still there")
			}
		})
	}
}

func last(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[len(lines)-1]
}

func TestStartFails(t *testing.T) {
	job := shell(t.TempDir(), "")
	job.Command = []string{filepath.Join(job.Dir, "nothing")}
	s := start(t, job).end()
	if s.Cause != process.StartFailed || !strings.Contains(s.Problem, "no such file") {
		t.Errorf("the state is %+v", s)
	}
	deaf := shell(t.TempDir(), "echo $$ > engine; sleep 600")
	deaf.State = filepath.Join(deaf.Dir, "engine", "state.json") // a folder that can never be
	if _, err := process.Start(t.Context(), supervisor(), filepath.Join(deaf.Dir, "job.json"), deaf); err == nil {
		t.Error("a scan whose state cannot be written counts as started")
	}
	if raw, err := os.ReadFile(filepath.Join(deaf.Dir, "engine")); err == nil {
		if n, _ := strconv.Atoi(strings.TrimSpace(string(raw))); n > 0 && !gone(n) {
			t.Error("its engine is left")
		}
	}
	mute := job
	mute.State = deaf.State
	if s, err := process.Start(t.Context(), supervisor(), filepath.Join(job.Dir, "job.json"), mute); err == nil {
		t.Errorf("a scan that did not start and cannot say so counts as started: %+v", s)
	}
	if _, err := process.Start(t.Context(), []string{"/bin/false"}, filepath.Join(job.Dir, "job.json"), job); err == nil {
		t.Error("a supervisor that says nothing counts as started")
	}
}

// TestNothingIsLeft: not even what has left the group and the session of the engine.
func TestNothingIsLeft(t *testing.T) {
	const slips = `setsid sh -c 'trap "" TERM; echo $$ > away; while :; do sleep 0.05; done' & sh -c 'trap "" TERM; echo $$ > near; while :; do sleep 0.05; done' & `
	waits := "while [ ! -s away ] || [ ! -s near ]; do sleep 0.02; done; "
	t.Run("when the engine ends", func(t *testing.T) {
		x := start(t, shell(t.TempDir(), slips+waits+"exit 0"))
		if s := x.end(); s.Cause != process.Exited || s.ExitCode != 0 {
			t.Errorf("it ended as %+v", s)
		}
		if a, n := pid(t, x.dir, "away"), pid(t, x.dir, "near"); !gone(a) || !gone(n) {
			t.Error("a process is left")
		}
	})
	t.Run("when it is stopped", func(t *testing.T) {
		job := shell(t.TempDir(), slips+waits+"sleep 600")
		job.Grace = 300 * time.Millisecond
		x := start(t, job)
		a, n := pid(t, x.dir, "away"), pid(t, x.dir, "near")
		if err := process.Stop(x.read()); err != nil {
			t.Fatal(err)
		}
		if s := x.end(); s.Cause != process.Stopped {
			t.Errorf("it ended as %s", s.Cause)
		}
		if !gone(a) || !gone(n) {
			t.Error("a process is left")
		}
	})
	t.Run("when the engine is killed", func(t *testing.T) {
		x := start(t, shell(t.TempDir(), slips+waits+"sleep 600"))
		a, n := pid(t, x.dir, "away"), pid(t, x.dir, "near")
		if err := syscall.Kill(x.read().Engine.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if s := x.end(); s.Cause != process.Killed || s.Signal != "killed" {
			t.Errorf("it ended as %+v", s)
		}
		if !gone(a) || !gone(n) {
			t.Error("a process is left")
		}
	})
}

// TestSupervisorKilled: the engine ends with it, and who looks next ends the rest
// and writes down what has happened.
func TestSupervisorKilled(t *testing.T) {
	x := start(t, shell(t.TempDir(), `sh -c 'echo $$ > near; while :; do sleep 0.05; done' & echo $$ > engine; wait`))
	engine, near := pid(t, x.dir, "engine"), pid(t, x.dir, "near")
	job := filepath.Join(x.dir, "job.json")
	if s, err := process.Bury(job, time.Now()); err != nil || s.Over() {
		t.Fatalf("a running scan was buried: %+v, %v", s, err)
	}
	if err := syscall.Kill(x.State.Supervisor.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the end of the engine", func() bool { return gone(engine) })
	eventually(t, "the end of the supervisor", func() bool { x.read(); return !x.State.Supervisor.Alive() })
	s, err := process.Bury(job, time.Now())
	if err != nil || s.Cause != process.Interrupted || s.Ended.IsZero() {
		t.Errorf("buried as %+v, %v", s, err)
	}
	if !gone(near) {
		t.Error("a process of the engine is left")
	}
	if _, err := os.Stat(filepath.Join(x.dir, "temp")); !os.IsNotExist(err) {
		t.Error("the temporary files are still there")
	}
	if again, err := process.Bury(job, time.Now().Add(time.Hour)); err != nil || again.Cause != s.Cause || !again.Ended.Equal(s.Ended) {
		t.Errorf("buried twice: %+v, %v", again, err)
	}
}

// TestNumberOfAnotherSession: a supervisor that died long ago takes nobody along who has
// its number now, not even a daemon whose leader has ended.
func TestNumberOfAnotherSession(t *testing.T) {
	dir := t.TempDir()
	daemon := exec.Command("/bin/sh", "-c", "sleep 600 & echo $! > child")
	daemon.Dir, daemon.SysProcAttr = dir, &syscall.SysProcAttr{Setsid: true}
	if err := daemon.Run(); err != nil {
		t.Fatal(err)
	}
	child := pid(t, dir, "child")
	defer func() { _ = syscall.Kill(child, syscall.SIGKILL) }() // it is ours
	x := start(t, shell(t.TempDir(), "exit 0"))
	x.end()
	job := shell(dir, "")
	job.Limit, job.Grace = time.Second, time.Second
	dead := process.State{Supervisor: process.Identity{PID: daemon.Process.Pid, Start: "1", Boot: x.State.Supervisor.Boot}}
	for name, v := range map[string]any{"job.json": job, "state.json": dead} {
		if err := process.WriteFile(filepath.Join(dir, name), v); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := process.Bury(filepath.Join(dir, "job.json"), time.Now()); err != nil || s.Cause != process.Interrupted {
		t.Errorf("buried as %+v, %v", s, err)
	}
	if gone(child) {
		t.Error("a process of another session was killed")
	}
}

// TestServerKilled: the scan outlives who started it, and its end is known.
func TestServerKilled(t *testing.T) {
	dir := t.TempDir()
	server := exec.Command(os.Args[0], playServer, dir, "while [ ! -e go ]; do sleep 0.02; done; echo still here; exit 5")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	word := make([]byte, 64)
	if n, err := out.Read(word); err != nil || string(word[:n]) != "started\n" {
		t.Fatalf("it says %q, %v", word[:n], err)
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait() // it was killed
	x := &scan{t: t, dir: dir}
	if s := x.read(); s.Over() || !s.Supervisor.Alive() {
		t.Fatalf("the scan ended with its server: %+v", s)
	}
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := x.end(); s.Cause != process.Exited || s.ExitCode != 5 || last(s.Stdout) != "still here" {
		t.Errorf("it ended as %+v", s)
	}
}

// TestIdentity: the number of a process alone does not name it.
func TestIdentity(t *testing.T) {
	x := start(t, shell(t.TempDir(), "sleep 600"))
	real := x.State.Supervisor
	if !real.Alive() {
		t.Fatal("the supervisor is not alive")
	}
	for name, other := range map[string]process.Identity{
		"nobody":          {},
		"another start":   {PID: real.PID, Start: "1", Boot: real.Boot},
		"another boot":    {PID: real.PID, Start: real.Start, Boot: "x"},
		"a negative one":  {PID: -real.PID, Start: real.Start, Boot: real.Boot},
		"one that is not": {PID: 1 << 30, Start: real.Start, Boot: real.Boot},
	} {
		if other.Alive() {
			t.Errorf("%s is alive", name)
		}
		if err := process.Stop(process.State{Supervisor: other}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if x.read().Over() {
		t.Error("the scan was stopped in another's name")
	}
}

// TestStateWhileRunning: what was printed can be read before the end, a line that
// has not ended included.
func TestStateWhileRunning(t *testing.T) {
	x := start(t, shell(t.TempDir(), `i=0; while [ $i -lt 40 ]; do echo "line $i"; i=$((i+1)); done; printf 'a\001\033[2J\377b'; sleep 600`))
	eventually(t, "the state follows", func() bool {
		lines := x.read().Stdout
		return len(lines) == 21 && lines[0] == "line 20" && lines[20] == "a[2J?b"
	})
	if err := process.Stop(x.read()); err != nil {
		t.Fatal(err)
	}
	x.end()
}
