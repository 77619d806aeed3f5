package cli_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/runner"
)

const blockPage = `<!doctype html><title>Access Denied</title><h1>Access Denied</h1>
<p>You don't have permission to access this page on this server. Reference #18.2d3f1202.1700000000.1a2b3c</p>`

// choosy is a form of one page that refuses its first visits.
func choosy(t *testing.T, refusals int64) (address string, visits, submits *atomic.Int64) {
	t.Helper()
	visits, submits = new(atomic.Int64), new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path != "/":
			http.NotFound(w, r)
		case r.Method == http.MethodPost:
			submits.Add(1)
			w.Write([]byte("<!doctype html><h1>Done</h1><p>ok"))
		case visits.Add(1) <= refusals:
			w.WriteHeader(http.StatusForbidden)
			w.Write([]byte(blockPage))
		default:
			w.Write([]byte(slowPage))
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/", visits, submits
}

// far starts a Chromium that the program is only told of.
func far(t *testing.T) (address string, kill func()) {
	t.Helper()
	path, err := browser.Installed(browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	t.Cleanup(kill)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, ws, ok := strings.Cut(lines.Text(), "DevTools listening on ws://"); ok {
			host, _, _ := strings.Cut(ws, "/")
			return "http://" + host, kill
		}
	}
	t.Fatal("the browser did not say where it listens")
	return "", nil
}

// TestRunsInRemoteBrowsers: two browsers of somebody else serve 20 runs at once; one
// of them is killed while it holds runs that have submitted. Those end with an error
// that says what to do, and all others with their answers.
func TestRunsInRemoteBrowsers(t *testing.T) {
	t.Parallel()
	const runs, tabs = 20, 3
	one, _ := far(t)
	two, kill := far(t)
	form := startSlowForm(t)
	client := overStdio(t, append(form.env(t), "LEGWORK_BROWSER_URLS="+one+","+two, "LEGWORK_TABS_PER_BROWSER="+strconv.Itoa(tabs))...)
	results := make(chan ran, runs)
	for range runs {
		go func() {
			a, _, err := execute(t, client, "slow-form", map[string]any{"name": "x"}, map[string]any{"timeout_seconds": 120, "wait_seconds": 200, "return_screenshots": false})
			results <- ran{a, err}
		}()
	}
	for range 2 * tabs {
		<-form.arrived
	}
	kill()
	for range tabs {
		<-form.left
	}
	close(form.release)
	answered, lost := 0, 0
	for range runs {
		switch r := <-results; {
		case r.err != nil:
			t.Error(r.err)
		case r.answer.Success:
			answered++
		case r.answer.ErrorType == runner.TypeBrowser && strings.Contains(r.answer.CorrectiveAction, "may have been submitted"):
			lost++
		default:
			t.Errorf("a run ended so:\n%s", r.answer.Text())
		}
	}
	if answered != runs-tabs || lost != tabs {
		t.Errorf("%d answers and %d lost, want %d and %d", answered, lost, runs-tabs, tabs)
	}
	if left := browsers(t, client); len(left) != 0 {
		t.Errorf("the program started browsers of its own: %v", left)
	}
}

// TestTheNextEngine: a site that refuses one browser is tried once in each of the
// others that the wizard names, and the answer says what was seen in which.
func TestTheNextEngine(t *testing.T) {
	t.Parallel()
	both := map[string]any{"engine": "chromium-headless-shell", "engines": []string{"chromium"}}
	for _, c := range []struct {
		name            string
		refusals        int64
		need            map[string]any
		options         map[string]any
		success         bool
		visits, submits int64
		tried           []runner.EngineTry
	}{
		{"the second is let in", 1, both, nil, true, 2, 1, []runner.EngineTry{
			{Engine: "chromium-headless-shell", Seen: runner.TypeBlocked}, {Engine: "chromium"},
		}},
		{"none is let in", 9, both, nil, false, 2, 0, []runner.EngineTry{
			{Engine: "chromium-headless-shell", Seen: runner.TypeBlocked}, {Engine: "chromium", Seen: runner.TypeBlocked},
		}},
		{"other browsers", 9, map[string]any{"engine": "firefox", "engines": []string{"webkit", "chromium"}}, nil, false, 3, 0, []runner.EngineTry{
			{Engine: "firefox", Seen: runner.TypeBlocked}, {Engine: "webkit", Seen: runner.TypeBlocked}, {Engine: "chromium", Seen: runner.TypeBlocked},
		}},
		{"the caller wants one", 1, both, map[string]any{"engine": "chromium"}, false, 1, 0, nil},
		{"the wizard names one", 1, map[string]any{"engine": "chromium"}, nil, false, 1, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			address, visits, submits := choosy(t, c.refusals)
			client := overStdio(t, "LEGWORK_ALLOW_PRIVATE=1", "FEDERALRUNNER_WIZARDS_DIR="+folderOf(t, "choosy", address, c.need))
			options := map[string]any{"return_screenshots": false}
			for k, v := range c.options {
				options[k] = v
			}
			a, _, err := execute(t, client, "choosy", map[string]any{"name": "x"}, options)
			if err != nil {
				t.Fatal(err)
			}
			for i := range a.Engines {
				if (a.Engines[i].Message == "") != (a.Engines[i].Seen == "") {
					t.Errorf("%+v tells one half of what was seen", a.Engines[i])
				}
				if line := "\nTried in " + a.Engines[i].Engine + ": " + a.Engines[i].Seen; !strings.Contains(a.Text(), line) || !strings.Contains(a.Text(), a.Engines[i].Message) {
					t.Errorf("a client that reads the text alone is not told %+v:\n%s", a.Engines[i], a.Text())
				}
				a.Engines[i].Message = ""
			}
			if a.Success != c.success || visits.Load() != c.visits || submits.Load() != c.submits {
				t.Errorf("success %v after %d visits and %d submits\n%s", a.Success, visits.Load(), submits.Load(), a.Text())
			}
			if diff := cmp.Diff(c.tried, a.Engines); diff != "" {
				t.Errorf("browsers (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDoctorTriesRemoteBrowsers: each is tried with a page, also when the settings ask for
// an engine that it does not stand in for, and the engine of this machine is tried too then.
func TestDoctorTriesRemoteBrowsers(t *testing.T) {
	t.Parallel()
	good, _ := far(t)
	for _, c := range []struct {
		urls, engine string
		code         int
		want         []string
	}{
		{good, "", fault.ExitOK, []string{"ok    browser    " + good + ": Chrome "}},
		{"http://127.0.0.1:9", "firefox", fault.ExitUnavailable, []string{"MISS  browser    The browser at http://127.0.0.1:9 does not answer.", "ok    browser    /"}},
		{"webkit+http://127.0.0.1:9", "webkit", fault.ExitUnavailable, []string{"MISS  browser    The WebKit at webkit+http://127.0.0.1:9 cannot be used.", "ok    engine     webkit"}},
	} {
		stdout, stderr, code := output(t, command(t, []string{"LEGWORK_BROWSER_URLS=" + c.urls, "LEGWORK_BROWSER_ENGINE=" + c.engine}, "doctor"))
		for _, want := range c.want {
			if code != c.code || !strings.Contains(stdout, want) {
				t.Errorf("exit code %d, want %d and %q:\n%s%s", code, c.code, want, stdout, stderr)
			}
		}
	}
}
