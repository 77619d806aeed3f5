package cli_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/runner"
)

// patient are options for a busy machine.
var patient = map[string]any{"timeout_seconds": 120, "wait_seconds": 120, "return_screenshots": false}

// playing keeps the processes whose program file has a name.
func playing(pids []int, name string) []int {
	var out []int
	for _, pid := range pids {
		path, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
		if err == nil && strings.HasPrefix(filepath.Base(path), name) {
			out = append(out, pid)
		}
	}
	return out
}

// TestKilledOnOtherEngines: whichever program of an engine is killed while it holds a
// run, the run ends as browser_error, nothing of it is left and the next run works.
func TestKilledOnOtherEngines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ engine, part string }{
		{"firefox", "firefox"}, {"webkit", "WebKitWebDriver"}, {"webkit", "MiniBrowser"}, {"webkit", "Xvfb"},
	} {
		t.Run(c.engine+"/"+c.part, func(t *testing.T) {
			form := startSlowForm(t)
			client := overStdio(t, append(form.env(t), on(c.engine))...)
			run := form.inFlight(t, client)
			before := children(t, client.cmd.Process.Pid)
			doomed := playing(before, c.part)
			if len(doomed) == 0 {
				t.Fatal("it does not run")
			}
			for _, pid := range doomed {
				if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
					t.Fatal(err)
				}
			}
			if r := <-run; r.err != nil || r.answer.ErrorType != runner.TypeBrowser {
				t.Fatalf("the killed run: %s %v", r.answer.Text(), r.err)
			}
			eventually(t, 20*time.Second, "all that belonged to the killed program is gone", func() bool { return len(alive(before)) == 0 })
			close(form.release)
			a, _, err := execute(t, client, "slow-form", map[string]any{"name": "x"}, patient)
			if err != nil || !a.Success {
				t.Fatalf("the next run: %s %v", a.Text(), err)
			}
		})
	}
}

// spinning is a form whose page never comes to rest. It tells of each visit.
func spinning(t *testing.T) (dir string, visits <-chan struct{}) {
	t.Helper()
	came := make(chan struct{}, 16)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			w.Write([]byte(slowPage + `<script src="spin.js"></script>`))
		case "/spin.js":
			w.Write([]byte(`fetch("spins").finally(() => {}); setTimeout(() => { for (;;); }, 100)`))
		case "/spins":
			came <- struct{}{}
		}
	}))
	t.Cleanup(s.Close)
	return folderOf(t, "spinning", s.URL+"/", nil), came
}

// TestKilledProgramLeavesNothingOnOtherEngines: kill -9 of the program in the middle of
// a run, also of one whose page spins, ends all of its browsers; and the next program
// removes what they kept in files.
func TestKilledProgramLeavesNothingOnOtherEngines(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"firefox", "webkit"} {
		t.Run(engine, func(t *testing.T) {
			temp, form := t.TempDir(), startSlowForm(t)
			env := append(form.env(t), on(engine), "TMPDIR="+temp)
			client := overHTTP(t, env...)
			form.inFlight(t, client)
			killAndCount(t, client)
			if left := profiles(temp); left == 0 {
				t.Error("no profile was left, so that nothing shows whether they are removed")
			}
			close(form.release)
			next := overStdio(t, env...)
			a, _, err := execute(t, next, "slow-form", map[string]any{"name": "x"}, patient)
			if err != nil || !a.Success {
				t.Fatalf("the next run: %s %v", a.Text(), err)
			}
			if err := next.Close(); err != nil {
				t.Error(err)
			}
			if left := profiles(temp); left > 0 {
				t.Errorf("%d profiles are left", left)
			}
		})
		t.Run(engine+"/spinning", func(t *testing.T) {
			dir, visits := spinning(t)
			client := overHTTP(t, "FEDERALRUNNER_WIZARDS_DIR="+dir, "LEGWORK_ALLOW_PRIVATE=1", on(engine))
			go execute(t, client, "spinning", map[string]any{"name": "x"}, patient)
			<-visits
			killAndCount(t, client)
		})
	}
}

// killAndCount kills the program and waits until its browsers are gone.
func killAndCount(t *testing.T, client *legwork) {
	t.Helper()
	before := children(t, client.cmd.Process.Pid)
	if len(before) < 3 {
		t.Fatalf("only %d processes run", len(before))
	}
	client.cmd.Process.Kill()
	client.cmd.Wait()
	eventually(t, 30*time.Second, "no process of the browsers is left", func() bool { return len(alive(before)) == 0 })
}

// profiles counts the folders of browsers.
func profiles(dir string) int {
	found, _ := filepath.Glob(filepath.Join(dir, "legwork-browser-*"))
	return len(found)
}

// load is what a program and its browsers take of the machine.
type load struct {
	Processes, Files, Profiles int
	Memory                     int64 // resident, of the program itself, in bytes
}

func loadOf(t *testing.T, client *legwork, temp string) load {
	t.Helper()
	pid := client.cmd.Process.Pid
	files, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/fd")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		t.Fatal(err)
	}
	pages, _ := strconv.ParseInt(strings.Fields(string(raw))[1], 10, 64) // the kernel writes numbers
	return load{len(children(t, pid)), len(files), profiles(temp), pages * int64(os.Getpagesize())}
}

// TestRunsStayFlatOnWebKit: run after run, each with processes of its own, and nothing
// grows. They are 50 when LEGWORK_SOAK_REPEAT asks for more.
func TestRunsStayFlatOnWebKit(t *testing.T) {
	t.Parallel()
	runs, warm := 8, 3
	if repeats(t) > 0 {
		runs = 50
	}
	address, _, submits := choosy(t, 0)
	temp := t.TempDir()
	client := overStdio(t, "FEDERALRUNNER_WIZARDS_DIR="+folderOf(t, "flat", address, nil), "LEGWORK_ALLOW_PRIVATE=1", on("webkit"), "TMPDIR="+temp)
	var first, last load
	for i := range runs {
		a, _, err := execute(t, client, "flat", map[string]any{"name": "x"}, patient)
		if err != nil || !a.Success {
			t.Fatalf("run %d: %s %v", i+1, a.Text(), err)
		}
		// The next browser is started beside the answer.
		eventually(t, 60*time.Second, "one browser waits for the next run", func() bool {
			all := children(t, client.cmd.Process.Pid)
			return len(playing(all, "WebKitWebProcess")) == 1 && len(playing(all, "WebKitNetworkProcess")) == 1 && profiles(temp) == 1
		})
		if last = loadOf(t, client, temp); i+1 == warm {
			first = last
		}
	}
	t.Logf("%d submissions; after %d runs %+v, after %d %+v", submits.Load(), warm, first, runs, last)
	if last.Processes > first.Processes+1 || last.Files > first.Files+4 || last.Profiles != first.Profiles || last.Memory > first.Memory*3/2 {
		t.Errorf("after %d runs %+v, after %d %+v", warm, first, runs, last)
	}
	if n := submits.Load(); n != int64(runs) {
		t.Errorf("%d runs submitted %d times", runs, n)
	}
}
