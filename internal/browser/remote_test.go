//go:build linux

package browser_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// foreign is a browser that the pool did not start.
type foreign struct {
	address string // http://HOST:PORT
	cmd     *exec.Cmd
}

func startForeign(t *testing.T, flags ...string) *foreign {
	t.Helper()
	dir := t.TempDir()
	path, err := browser.Installed(browser.Options{Engine: browser.EngineHeadlessShell})
	if err != nil {
		t.Fatal(err)
	}
	flags = append(flags, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--user-data-dir="+dir, "about:blank")
	cmd := exec.Command(path, flags...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f := &foreign{cmd: cmd}
	t.Cleanup(f.kill)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, ws, ok := strings.Cut(lines.Text(), "DevTools listening on ws://"); ok {
			host, _, _ := strings.Cut(ws, "/")
			f.address = "http://" + host
			return f
		}
	}
	t.Fatal("the browser did not say where it listens")
	return nil
}

func (f *foreign) kill() {
	_ = syscall.Kill(-f.cmd.Process.Pid, syscall.SIGKILL)
	_ = f.cmd.Wait()
}

func (f *foreign) runs() bool { return syscall.Kill(f.cmd.Process.Pid, 0) == nil }

// TestRemoteBrowser: a browser that somebody else started does what one of ours
// does, and outlives the pool without a trace of it.
func TestRemoteBrowser(t *testing.T) {
	far := startForeign(t)
	srv := site(t, map[string]string{"/": `<title>Far</title><input id="x"><iframe srcdoc="<p id=in>inside</p>"></iframe>`})
	p := ownPool(t, browser.Options{Engine: browser.EngineChromium, Remotes: []string{far.address}})
	tab, err := p.Open(patience(t), browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{srv.URL}}})
	if err != nil {
		t.Fatal(err)
	}
	visit(t, tab, srv.URL+"/")
	if got := eval[string](t, tab, "", `function (text) { document.cookie = 'mine=1'; document.querySelector('#x').focus(); return document.title + text }`, "!"); got != "Far!" {
		t.Errorf("the page says %q", got)
	}
	if err := tab.Type(patience(t), "", "typed"); err != nil {
		t.Fatal(err)
	}
	if got := eval[string](t, tab, "", `function () { return document.querySelector('#x').value }`, nil); got != "typed" {
		t.Errorf("the field holds %q", got)
	}
	if shot, err := tab.Screenshot(patience(t), browser.Shot{}); err != nil || len(shot) < 1000 {
		t.Errorf("a picture of %d bytes: %v", len(shot), err)
	}
	other := site(t, map[string]string{"/": "elsewhere"})
	if err := tab.Navigate(patience(t), other.URL+"/"); fault.From(err).Type != "origin_not_allowed" {
		t.Errorf("the network guard let it go elsewhere: %v", err)
	}
	if s := p.Stats(); s.Browsers != 1 || s.Slots == 0 {
		t.Errorf("stats: %+v", s)
	}
	// The pool goes with the tab still open.
	if err := p.Close(patience(t)); err != nil {
		t.Fatal(err)
	}
	if !far.runs() {
		t.Fatal("the browser was ended")
	}
	again := ownPool(t, browser.Options{Remotes: []string{far.address}})
	tab, err = again.Open(patience(t), browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{srv.URL}}})
	if err != nil {
		t.Fatal(err)
	}
	visit(t, tab, srv.URL+"/")
	if got := eval[string](t, tab, "", `function () { return document.cookie }`, nil); got != "" {
		t.Errorf("the next tab found %q", got)
	}
	if err := tab.Close(patience(t)); err != nil {
		t.Error(err)
	}
}

// TestRemoteBrowsersShareTheWork: tabs go to both of two browsers; when one is
// killed those in it fail as crashed, the others go on, and new ones wait for room
// in the one that is left.
func TestRemoteBrowsersShareTheWork(t *testing.T) {
	one, two := startForeign(t), startForeign(t)
	srv := site(t, map[string]string{"/": `<title>Far</title>`})
	p := ownPool(t, browser.Options{Remotes: []string{one.address, two.address}, TabsPerBrowser: 2})
	policy := browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{srv.URL}}}
	var tabs []*browser.Tab
	for range 4 {
		tab, err := p.Open(patience(t), policy)
		if err != nil {
			t.Fatal(err)
		}
		visit(t, tab, srv.URL+"/")
		tabs = append(tabs, tab)
	}
	if s := p.Stats(); s.Browsers != 2 || s.Tabs != 4 || s.Slots != 4 {
		t.Errorf("stats: %+v", s)
	}
	two.kill()
	lostTabs(t, tabs, 2)
	tryAgain(t, p, policy, srv.URL+"/", tabs, 8)
}

// lostTabs makes sure that so many of the tabs say that their browser has ended.
func lostTabs(t *testing.T, tabs []*browser.Tab, want int) {
	t.Helper()
	lost := 0
	for _, tab := range tabs {
		if err := tab.Call(patience(t), browser.Function{Source: `function () { return 1 }`}, nil); err != nil {
			if lost++; !errors.Is(err, browser.ErrCrashed) {
				t.Errorf("a tab of the killed browser gave %v", err)
			}
		}
	}
	if lost != want {
		t.Errorf("%d tabs were lost, want %d", lost, want)
	}
}

// tryAgain gives all tabs back while more are asked for, each of which loads a page.
func tryAgain(t *testing.T, p *browser.Pool, o browser.TabOptions, address string, tabs []*browser.Tab, more int) {
	t.Helper()
	var wait sync.WaitGroup
	for range more {
		wait.Go(func() {
			tab, err := p.Open(patience(t), o)
			if err != nil {
				t.Error("after the loss:", err, errors.Unwrap(err))
				return
			}
			if err := tab.Navigate(patience(t), address); err != nil {
				t.Error("after the loss:", err)
			}
			if err := tab.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	for _, tab := range tabs {
		if err := tab.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
	wait.Wait()
}

// TestRemoteBrowserThatIsNotThere: each address that leads to no browser says so in
// a fault that tells no token.
func TestRemoteBrowserThatIsNotThere(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Query().Get("token") == "teapot":
			w.WriteHeader(http.StatusTeapot)
		case strings.HasPrefix(r.URL.Path, "/json"):
			fmt.Fprintf(w, `{"webSocketDebuggerUrl":"ws://%s/devtools/browser/x"}`, r.Host)
		}
	}))
	t.Cleanup(other.Close)
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + ln.Addr().String()
	_ = ln.Close()
	for _, address := range []string{
		closed + "/?token=s3cret", other.URL + "/?token=teapot", other.URL + "/?token=s3cret",
		strings.Replace(closed, "http", "ws", 1) + "/x?token=s3cret", "ftp://127.0.0.1/?token=s3cret", "no-address",
		// It could not reach the guard on this machine's loopback address.
		"http://192.0.2.1:9222/?token=s3cret",
	} {
		p := ownPool(t, browser.Options{Remotes: []string{address}})
		_, err := p.Open(patience(t), browser.TabOptions{})
		f := fault.From(err)
		if f.Type != "browser_unavailable" || f.Action == "" {
			t.Errorf("%s gave %v", address, err)
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(e.Error(), "s3cret") {
				t.Errorf("%s: the token is told: %v", address, e)
			}
		}
	}
}

// TestRemoteBrowserThatFreezes: a browser whose connection stands but that answers
// nothing any more, as when its machine has lost power, gets no tab while another one
// does the work.
func TestRemoteBrowserThatFreezes(t *testing.T) {
	one, two := startForeign(t), startForeign(t)
	srv := site(t, map[string]string{"/": `<title>Far</title>`})
	p := ownPool(t, browser.Options{Remotes: []string{one.address, two.address}, TabsPerBrowser: 2})
	policy := browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{srv.URL}}}
	both := func() []*browser.Tab {
		var tabs []*browser.Tab
		for range 2 {
			tab, err := p.Open(patience(t), policy)
			if err != nil {
				t.Fatal(err)
			}
			visit(t, tab, srv.URL+"/")
			tabs = append(tabs, tab)
		}
		return tabs
	}
	for _, tab := range both() {
		if err := tab.Close(patience(t)); err != nil {
			t.Fatal(err)
		}
	}
	if s := p.Stats(); s.Browsers != 2 {
		t.Fatalf("stats: %+v", s)
	}
	if err := syscall.Kill(-two.cmd.Process.Pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for _, tab := range both() {
		if err := tab.Close(patience(t)); err != nil {
			t.Error(err)
		}
	}
	if s := p.Stats(); s.Browsers != 1 || s.Crashes != 1 || s.Tabs != 0 {
		t.Errorf("stats: %+v", s)
	}
}

// TestAddressThatSendsTooMuch: whoever answers at an address without an end, or sends it
// elsewhere, does not fill the memory of this program and is told in time.
func TestAddressThatSendsTooMuch(t *testing.T) {
	var sent atomic.Int64
	var followed atomic.Bool
	flood := func(w io.Writer) {
		block := bytes.Repeat([]byte{' '}, 1<<20)
		for range 1 << 10 {
			n, err := w.Write(block)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	}
	for name, answer := range map[string]func(w http.ResponseWriter, r *http.Request){
		"DevTools": func(w http.ResponseWriter, r *http.Request) { flood(w) },
		"WebDriver": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/status" {
				flood(w)
			}
		},
		"socket": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/x" {
				fmt.Fprintf(w, `{"webSocketDebuggerUrl":"ws://%s/x"}`, r.Host)
				return
			}
			c, err := websocket.Accept(w, r, nil)
			if err != nil {
				return
			}
			message, err := c.Writer(r.Context(), websocket.MessageText)
			if err == nil {
				flood(message)
			}
			_ = c.CloseNow()
		},
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			followed.Store(followed.Load() || r.URL.Path == "/elsewhere")
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
	} {
		t.Run(name, func(t *testing.T) {
			sent.Store(0)
			s := httptest.NewServer(http.HandlerFunc(answer))
			t.Cleanup(s.Close)
			p := ownPool(t, browser.Options{Remotes: []string{s.URL}})
			if _, err := p.Open(patience(t), browser.TabOptions{}); fault.From(err).Type != "browser_unavailable" {
				t.Errorf("got %v", err)
			}
			s.Close() // waits for the handlers
			if n := sent.Load(); n > 64<<20 {
				t.Errorf("it took %d bytes", n)
			}
			if followed.Load() {
				t.Error("it went where the address sent it")
			}
		})
	}
}
