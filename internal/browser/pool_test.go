//go:build linux

package browser_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// ownPool is a pool for tests that break browsers.
func ownPool(t *testing.T, o browser.Options) *browser.Pool {
	t.Helper()
	if o.Engine == "" {
		o.Engine = browser.EngineHeadlessShell
	}
	o.DataDir = t.TempDir()
	p := browser.NewPool(o)
	t.Cleanup(func() {
		if err := p.Close(context.Background()); err != nil {
			t.Error("closing the pool:", err)
		}
		for _, left := range append(processesOf(o.DataDir), entries(o.DataDir)...) {
			t.Error("left behind:", left)
		}
	})
	return p
}

func TestPoolQueues(t *testing.T) {
	p := ownPool(t, browser.Options{TabsPerBrowser: 1})
	first := open(t, p, browser.TabOptions{})

	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := p.Open(short, browser.TabOptions{})
	if f := fault.From(err); f.Type != "busy" || f.Kind != fault.Limited || f.RetryAfter == 0 {
		t.Errorf("a full pool gave %v", err)
	}
	cancelled, cancelNow := context.WithCancel(t.Context())
	cancelNow()
	if _, err := p.Open(cancelled, browser.TabOptions{}); fault.From(err).Kind != fault.Cancelled {
		t.Errorf("a cancelled caller got %v", err)
	}

	type place struct{ who, position int }
	places := make(chan place, 10)
	opened := make(chan int, 2)
	release := make(chan struct{})
	for who := 1; who <= 2; who++ {
		go func() {
			tab, err := p.Open(patience(t), browser.TabOptions{Queue: func(n int) { places <- place{who, n} }})
			if err != nil {
				t.Error(err)
			}
			opened <- who
			<-release
			if err := tab.Close(context.Background()); err != nil {
				t.Error(err)
			}
			opened <- 0
		}()
		if got := <-places; got != (place{who, who}) {
			t.Errorf("got the place %v", got)
		}
	}
	if s := p.Stats(); s.Waiting != 2 || s.Tabs != 1 || s.Slots != 1 {
		t.Errorf("stats: %+v", s)
	}
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if who := <-opened; who != 1 {
		t.Errorf("%d came first", who)
	}
	if got := <-places; got != (place{2, 1}) {
		t.Errorf("the next place is %v", got)
	}
	close(release)
	for range 3 {
		<-opened
	}
	if err := first.Close(t.Context()); err != nil {
		t.Error("closing twice:", err)
	}
}

func TestPoolRecyclesAndLeavesNothing(t *testing.T) {
	p := ownPool(t, browser.Options{RecycleAfter: 2, TabsPerBrowser: 4})
	var pids []int
	for range 5 {
		tab := open(t, p, browser.TabOptions{})
		pids = append(pids, browser.PID(tab))
		if err := tab.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	same := []bool{pids[0] == pids[1], pids[1] == pids[2], pids[2] == pids[3], pids[3] == pids[4]}
	if diff := cmp.Diff([]bool{true, false, true, false}, same); diff != "" {
		t.Error("browsers were not replaced after two tabs:", diff)
	}
	if s := p.Stats(); s.Recycled != 2 || s.Launches != 3 || s.Opened != 5 || s.Tabs != 0 || s.Crashes != 0 {
		t.Errorf("stats: %+v", s)
	}
}

// TestNothingIsLeftInTheTemporaryFolder: what a browser keeps beside its profile goes with
// it, also when the browser or this program was killed.
func TestNothingIsLeftInTheTemporaryFolder(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			temp := t.TempDir()
			t.Setenv("TMPDIR", temp)
			p := browser.NewPool(browser.Options{Engine: engine})
			for range 2 {
				tab, err := p.Open(patience(t), browser.TabOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if len(entries(temp)) == 0 {
					t.Error("nothing is there while it runs")
				}
				if err := browser.KillBrowser(tab); err != nil {
					t.Fatal(err)
				}
				if err := tab.Close(patience(t)); err != nil && !errors.Is(err, browser.ErrCrashed) {
					t.Error(err)
				}
			}
			if err := p.Close(patience(t)); err != nil {
				t.Fatal(err)
			}
			if left := entries(temp); len(left) > 0 {
				t.Error("left behind:", left)
			}
		})
	}
}

// TestRelativePaths: folders and programs may be told as they are seen from where this
// program runs.
func TestRelativePaths(t *testing.T) {
	path, err := browser.Installed(browser.Options{Engine: browser.EngineHeadlessShell})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Symlink(path, "headless-shell"); err != nil {
		t.Fatal(err)
	}
	for _, engine := range []string{"./headless-shell", browser.EngineFirefox, browser.EngineWebKitGTK} {
		p := browser.NewPool(browser.Options{Engine: engine, DataDir: "profiles"})
		tab, err := p.Open(patience(t), browser.TabOptions{})
		if err != nil {
			t.Fatal(engine, ": ", err, errors.Unwrap(err))
		}
		if got := eval[int](t, tab, "", "function () { return 1 }", nil); got != 1 {
			t.Errorf("%s: got %d", engine, got)
		}
		if err := errors.Join(tab.Close(patience(t)), p.Close(patience(t))); err != nil {
			t.Error(err)
		}
		if left := entries("profiles"); len(left) > 0 {
			t.Errorf("%s left %v", engine, left)
		}
	}
}

func TestPoolDrainsABrowserInUse(t *testing.T) {
	p := ownPool(t, browser.Options{RecycleAfter: 1, TabsPerBrowser: 4})
	srv := site(t, map[string]string{"/": "x"})
	first := open(t, p, browser.TabOptions{}, srv)
	visit(t, first, srv.URL+"/")
	second := open(t, p, browser.TabOptions{}, srv)
	if browser.PID(first) == browser.PID(second) {
		t.Error("a browser that is due got another tab")
	}
	if got := eval[int](t, first, "", "function () { return 1 }", nil); got != 1 {
		t.Error("the tab in use was cut off")
	}
}

func TestPoolRecyclesAHeavyBrowser(t *testing.T) {
	p := ownPool(t, browser.Options{MaxRSS: 1})
	for range 2 {
		tab := open(t, p, browser.TabOptions{})
		if err := tab.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if s := p.Stats(); s.Recycled != 2 || s.Launches != 2 {
		t.Errorf("stats: %+v", s)
	}
}

func TestPoolSurvivesAKilledBrowser(t *testing.T) {
	srv := site(t, map[string]string{"/": "x"})
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			p := ownPool(t, browser.Options{Engine: engine})
			tab := open(t, p, browser.TabOptions{}, srv)
			visit(t, tab, srv.URL+"/")
			dir := browser.ProfileDir(tab)
			pending := make(chan error, 1)
			go func() {
				pending <- tab.Call(patience(t), browser.Function{Frame: "", Source: "function () { return new Promise(() => {}) }", Arg: nil}, nil)
			}()
			before := tab.Doc()
			if err := browser.KillBrowser(tab); err != nil {
				t.Fatal(err)
			}
			if err := <-pending; !errors.Is(err, browser.ErrCrashed) || fault.From(err).Type != "browser_error" {
				t.Errorf("the pending call got %v", err)
			}
			if d, err := tab.Changed(patience(t), before); err != nil || !d.Crashed {
				t.Errorf("waiting got %+v and %v", d, err)
			}
			next := open(t, p, browser.TabOptions{}, srv)
			visit(t, next, srv.URL+"/")
			lost := 1
			if browser.IsWebKit(next) { // each tab has a browser, and what starts them lives on
				lost = 0
			}
			if s := p.Stats(); s.Crashes != lost || s.Launches != 1+lost || s.Browsers != 1 {
				t.Errorf("stats: %+v", s)
			}
			if browser.ProfileDir(next) == dir {
				t.Error("the profile was used again")
			}
		})
	}
}

func TestKilledRendererEndsItsTabOnly(t *testing.T) {
	srv := site(t, map[string]string{"/": "x"})
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			p := ownPool(t, browser.Options{Engine: engine})
			tab := open(t, p, browser.TabOptions{}, srv)
			visit(t, tab, srv.URL+"/")
			pending := make(chan error, 1)
			go func() {
				pending <- tab.Call(patience(t), browser.Function{Frame: "", Source: "function () { for (;;); }", Arg: nil}, nil)
			}()
			for _, pid := range renderers(t, browser.PID(tab)) {
				if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
			}
			if err := <-pending; !errors.Is(err, browser.ErrCrashed) {
				t.Errorf("the pending call got %v", err)
			}
			next := open(t, p, browser.TabOptions{}, srv)
			visit(t, next, srv.URL+"/")
			if s := p.Stats(); s.Launches != 1 {
				t.Errorf("stats: %+v", s)
			}
		})
	}
}

func renderers(t *testing.T, group int) []int {
	t.Helper()
	var pids []int
	for _, pid := range browser.GroupMembers(group) {
		b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if err == nil && browser.ContentProcess(string(b)) {
			pids = append(pids, pid)
		}
	}
	if len(pids) == 0 {
		t.Fatal("no renderer is running")
	}
	return pids
}

func TestCloseEndsEverything(t *testing.T) {
	p := ownPool(t, browser.Options{TabsPerBrowser: 1})
	tab := open(t, p, browser.TabOptions{})
	pending, waiting := make(chan error, 1), make(chan error, 1)
	queued := make(chan int, 1)
	go func() {
		pending <- tab.Call(patience(t), browser.Function{Frame: "", Source: "function () { for (;;); }", Arg: nil}, nil)
	}()
	go func() {
		_, err := p.Open(patience(t), browser.TabOptions{Queue: func(n int) { queued <- n }})
		waiting <- err
	}()
	<-queued
	if err := p.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-pending; err == nil {
		t.Error("the pending call gave no error")
	}
	if err := <-waiting; !errors.Is(err, browser.ErrClosed) {
		t.Errorf("the waiting caller got %v", err)
	}
	if _, err := p.Open(t.Context(), browser.TabOptions{}); !errors.Is(err, browser.ErrClosed) {
		t.Errorf("opening after the end gave %v", err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error("closing twice:", err)
	}
}

func TestCheckLeavesABrowserWarm(t *testing.T) {
	p := ownPool(t, browser.Options{})
	for range 2 {
		if err := p.Check(patience(t)); err != nil {
			t.Fatal(err)
		}
	}
	if s := p.Stats(); s.Browsers != 1 || s.Launches != 1 || s.Tabs != 0 {
		t.Errorf("stats: %+v", s)
	}
}

// TestCheckTakesNothing: who asks whether there is a browser, which anybody may over
// HTTP, wears none out and waits for no tab.
func TestCheckTakesNothing(t *testing.T) {
	p := ownPool(t, browser.Options{RecycleAfter: 3, TabsPerBrowser: 1})
	for range 10 {
		if err := p.Check(patience(t)); err != nil {
			t.Fatal(err)
		}
	}
	open(t, p, browser.TabOptions{})
	soon, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := p.Check(soon); err != nil {
		t.Errorf("while all tabs are in use: %v", err)
	}
	if s := p.Stats(); s.Launches != 1 || s.Recycled != 0 || s.Tabs != 1 {
		t.Errorf("stats: %+v", s)
	}
}

func TestMissingBrowser(t *testing.T) {
	p := ownPool(t, browser.Options{Engine: filepath.Join(t.TempDir(), "nothing")})
	_, err := p.Open(patience(t), browser.TabOptions{})
	if f := fault.From(err); f.Type != "browser_unavailable" || f.Kind != fault.Unavailable || !strings.Contains(f.Action, "install") {
		t.Errorf("got %v", err)
	}
	p = ownPool(t, browser.Options{Engine: "netscape"})
	if f := fault.From(p.Check(patience(t))); f == nil || f.Kind != fault.Invalid {
		t.Errorf("an unknown engine gave %v", f)
	}
	p = ownPool(t, browser.Options{Engine: browser.EngineHeadlessShell, Headed: true})
	if f := fault.From(p.Check(patience(t))); f == nil || f.Kind != fault.Invalid || f.Type != "engine_unsupported" {
		t.Errorf("a window of the headless shell gave %v", f)
	}
}

// TestMissingProgramsAreNamed: the one command brings what was asked for.
func TestMissingProgramsAreNamed(t *testing.T) {
	dir := t.TempDir()
	driver, err := exec.LookPath("WebKitWebDriver")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(driver, filepath.Join(dir, "WebKitWebDriver")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for _, c := range []struct {
		hidden  bool // the headless shell too
		o       browser.Options
		message string
		install string
	}{
		{false, browser.Options{Engine: browser.EngineChromium}, "No full Chromium", "install chromium"},
		{false, browser.Options{Engine: browser.EngineAny, Headed: true}, "No full Chromium", "install chromium"},
		{true, browser.Options{Engine: browser.EngineAny}, "No Chromium", "install chromium-headless-shell"},
		{true, browser.Options{Engine: browser.EngineHeadlessShell}, "No Chromium", "install chromium-headless-shell"},
		{false, browser.Options{Engine: browser.EngineWebKit}, "there is no Xvfb.", "install webkit2gtk-driver xvfb"},
		{false, browser.Options{Engine: browser.EngineWPE}, "there is no WPEWebDriver and no cog.", "install wpewebkit-driver cog"},
	} {
		restore := browser.HideChromium(c.hidden)
		p := browser.NewPool(c.o)
		f := fault.From(p.Check(patience(t)))
		if f == nil || f.Type != "browser_unavailable" || !strings.Contains(f.Message, c.message) || !strings.HasSuffix(f.Action, c.install) {
			t.Errorf("%+v: got %v, action %q", c.o, f, f.Action)
		}
		if err := p.Close(patience(t)); err != nil {
			t.Error(err)
		}
		restore()
	}
}

// A browser that ends at once must be reported with its own words for the log,
// and must not be started again and again.
func TestBrowserThatDoesNotStart(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken")
	count := filepath.Join(t.TempDir(), "count")
	script := "#!/bin/sh\necho started >> " + count + "\necho no usable display >&2\nexit 3\n"
	if err := os.WriteFile(broken, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	p := ownPool(t, browser.Options{Engine: broken})
	for i := range 5 {
		_, err := p.Open(patience(t), browser.TabOptions{})
		f := fault.From(err)
		if f.Type != "browser_unavailable" {
			t.Fatalf("got %v", err)
		}
		if i == 0 && (f.Cause == nil || !strings.Contains(f.Cause.Error(), "no usable display")) {
			t.Errorf("the cause is %v", f.Cause)
		}
		if i >= 3 && f.RetryAfter <= 0 {
			t.Errorf("attempt %d was made: %v", i+1, err)
		}
	}
	if b, _ := os.ReadFile(count); strings.Count(string(b), "started") != 3 {
		t.Errorf("it was started so often:\n%s", b)
	}
}

func TestAbandonedProfilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	abandoned, foreign := filepath.Join(dir, "legwork-browser-123"), filepath.Join(dir, "something-else")
	for _, d := range []string{abandoned, foreign} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(abandoned, "owner"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	first := browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell, DataDir: dir})
	tab := open(t, first, browser.TabOptions{})
	second := browser.NewPool(browser.Options{Engine: browser.EngineHeadlessShell, DataDir: dir})
	if err := second.Check(patience(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(abandoned); !os.IsNotExist(err) {
		t.Error("the abandoned profile is still there")
	}
	if _, err := os.Stat(browser.ProfileDir(tab)); err != nil {
		t.Error("the profile in use is gone:", err)
	}
	for _, p := range []*browser.Pool{first, second} {
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{foreign}, entries(dir)); diff != "" {
		t.Error("left behind:", diff)
	}
}
