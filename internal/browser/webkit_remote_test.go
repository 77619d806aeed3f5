//go:build linux

package browser_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// farDriver is a WebKitWebDriver that the pool did not start, on a screen of its own.
type farDriver struct {
	address string // as Options.Remotes take it
	group   int
	kill    func()
}

func startFarDriver(t *testing.T) *farDriver {
	t.Helper()
	ours, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	screen := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset")
	screen.ExtraFiles = []*os.File{theirs}
	screen.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := screen.Start(); err != nil {
		t.Fatal(err)
	}
	d := &farDriver{group: screen.Process.Pid}
	var driver *exec.Cmd
	d.kill = sync.OnceFunc(func() {
		_ = syscall.Kill(-d.group, syscall.SIGKILL)
		_ = screen.Wait()
		if driver != nil {
			_ = driver.Wait()
		}
	})
	t.Cleanup(d.kill)
	_ = theirs.Close()
	number, err := bufio.NewReader(ours).ReadString('\n')
	_ = ours.Close()
	if err != nil {
		t.Fatal("the screen did not start: ", err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := ln.Addr().(*net.TCPAddr).Port
	_ = ln.Close()
	cmd := exec.Command("WebKitWebDriver", "--host=127.0.0.1", "--port="+strconv.Itoa(port))
	cmd.Env = append(cmd.Environ(), "DISPLAY=:"+strings.TrimSpace(number), "TZ=America/New_York", "LC_ALL=en_US.UTF-8", "LIBGL_ALWAYS_SOFTWARE=1", "HOME="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: d.group, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	driver = cmd
	base := "http://127.0.0.1:" + strconv.Itoa(port)
	await(t, "the driver answers", func() bool {
		resp, err := http.Get(base + "/status")
		if err != nil {
			return false
		}
		return resp.Body.Close() == nil
	})
	d.address = "webkit+" + base
	return d
}

// await asks until something holds.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ask := time.NewTicker(20 * time.Millisecond)
	defer ask.Stop()
	for ctx := patience(t); !holds(); {
		select {
		case <-ask.C:
		case <-ctx.Done():
			t.Fatal("in vain: ", what)
		}
	}
}

// browsers counts the browsers of a driver.
func (d *farDriver) browsers() int {
	n := 0
	for _, pid := range browser.GroupMembers(d.group) {
		if path, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe"); err == nil && strings.HasSuffix(path, "/MiniBrowser") {
			n++
		}
	}
	return n
}

// TestWebKitOfAWebDriver: where a WebKitWebDriver listens, its WebKit does what one of
// ours does, behind the guard; the next tab waits for it and finds nothing of the one
// before; and the driver stays, with no session.
func TestWebKitOfAWebDriver(t *testing.T) {
	far := startFarDriver(t)
	srv := site(t, map[string]string{"/": `<title>Far</title><input id="x"><iframe srcdoc="<p>inside"></iframe>`})
	p := ownPool(t, browser.Options{Engine: browser.EngineWebKit, Remotes: []string{far.address}})
	if err := p.Check(patience(t)); err != nil {
		t.Fatal(err)
	}
	policy := browser.Policy{AllowOrigins: []string{srv.URL}}
	tab, err := p.Open(patience(t), browser.TabOptions{Policy: policy})
	if err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	visit(t, tab, srv.URL+"/")
	got := eval[[]string](t, tab, "", `function () {
		document.cookie = 'mine=1';
		localStorage.setItem('mine', '1');
		document.querySelector('#x').focus();
		return [document.title, innerWidth + 'x' + innerHeight, Intl.DateTimeFormat().resolvedOptions().timeZone];
	}`, nil)
	if diff := cmp.Diff([]string{"Far", "1280x800", "America/New_York"}, got); diff != "" {
		t.Error("-want +got", diff)
	}
	if err := tab.Type(patience(t), "", "typed"); err != nil {
		t.Fatal(err)
	}
	if got := eval[string](t, tab, "", `function () { return document.querySelector('#x').value }`, nil); got != "typed" {
		t.Errorf("the field holds %q", got)
	}
	other := site(t, map[string]string{"/": "elsewhere"})
	if err := tab.Navigate(patience(t), other.URL+"/"); fault.From(err).Type != "origin_not_allowed" {
		t.Errorf("the network guard let it go elsewhere: %v", err)
	}
	next := make(chan *browser.Tab, 1)
	go func() {
		tab, err := p.Open(patience(t), browser.TabOptions{Engine: browser.EngineWebKitGTK, Policy: policy})
		if err != nil {
			t.Error("the second tab: ", err, errors.Unwrap(err))
		}
		next <- tab
	}()
	// Another program finds it in use, and says so at its deadline.
	late, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	stranger := ownPool(t, browser.Options{Remotes: []string{far.address}})
	if _, err := stranger.Open(late, browser.TabOptions{Engine: browser.EngineWebKit}); fault.From(err) == nil || fault.From(err).Type != "busy" {
		t.Errorf("a second program got %v of a driver that is in use", err)
	}
	eval[any](t, tab, "", `function () { setTimeout(() => { for (;;); }, 50) }`, nil)
	if err := tab.Close(patience(t)); err != nil {
		t.Error("closing a page that spins: ", err)
	}
	if tab = <-next; tab == nil {
		t.FailNow()
	}
	visit(t, tab, srv.URL+"/")
	if got := eval[string](t, tab, "", `function () { return document.cookie + (localStorage.getItem('mine') ?? '') }`, nil); got != "" {
		t.Errorf("the next tab found %q", got)
	}
	// The pool goes with the tab still open.
	if err := p.Close(patience(t)); err != nil {
		t.Fatal(err)
	}
	await(t, "no browser is left", func() bool { return far.browsers() == 0 })
	if n := len(browser.GroupMembers(far.group)); n < 2 {
		t.Errorf("%d processes are left: the driver was ended", n)
	}
}

// TestWebKitDriversShareTheWork: tabs go to each of two drivers; when one is killed its
// tab fails as crashed, the other goes on, and new ones wait for that.
func TestWebKitDriversShareTheWork(t *testing.T) {
	one, two := startFarDriver(t), startFarDriver(t)
	srv := site(t, map[string]string{"/": `<title>Far</title>`})
	p := ownPool(t, browser.Options{Engine: browser.EngineWebKit, Remotes: []string{one.address, two.address}})
	o := browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{srv.URL}}}
	var tabs []*browser.Tab
	for range 2 {
		tab, err := p.Open(patience(t), o)
		if err != nil {
			t.Fatal(err, errors.Unwrap(err))
		}
		visit(t, tab, srv.URL+"/")
		tabs = append(tabs, tab)
	}
	if one.browsers() != 1 || two.browsers() != 1 {
		t.Errorf("%d and %d browsers", one.browsers(), two.browsers())
	}
	two.kill()
	lostTabs(t, tabs, 1)
	tryAgain(t, p, o, srv.URL+"/", tabs, 3)
}

// TestWebKitDriverThatGoesWrong: what is not a driver of WebKit, or one that fails, is
// told in a fault that names no token, and a session that was made is given back, also
// when its caller had gone by then.
func TestWebKitDriverThatGoesWrong(t *testing.T) {
	for _, c := range []struct {
		how, want string
		given     int64
	}{
		{"no WebDriver", "browser_unavailable", 0},
		{"no session", "browser_unavailable", 0},
		{"no window", "browser_unavailable", 1},
		{"late session", "cancelled", 1},
		{"redirect", "browser_unavailable", 0},
	} {
		t.Run(c.how, func(t *testing.T) {
			var given atomic.Int64
			asked, left := make(chan struct{}), make(chan struct{})
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch at := r.Method + " " + r.URL.Path; {
				case c.how == "no WebDriver":
					fmt.Fprint(w, "hello")
				case c.how == "redirect":
					http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusTemporaryRedirect)
				case at == "GET /status":
					fmt.Fprint(w, `{"value":{"ready":true}}`)
				case at == "POST /session" && c.how == "no session":
					w.WriteHeader(http.StatusInternalServerError)
					fmt.Fprint(w, `{"value":{"error":"session not created","message":"no"}}`)
				case at == "POST /session":
					if c.how == "late session" {
						close(asked)
						<-left
					}
					fmt.Fprint(w, `{"value":{"sessionId":"s","capabilities":{}}}`)
				case at == "DELETE /session/s":
					given.Add(1)
					fmt.Fprint(w, `{"value":null}`)
				default:
					w.WriteHeader(http.StatusNotFound)
					fmt.Fprint(w, `{"value":{"error":"unknown command","message":""}}`)
				}
			}))
			t.Cleanup(s.Close)
			p := browser.NewPool(browser.Options{Engine: browser.EngineWebKit, Remotes: []string{"webkit+" + strings.Replace(s.URL, "//", "//me:s3cret@", 1)}})
			ctx, cancel := context.WithCancel(patience(t))
			defer cancel()
			go func() {
				select {
				case <-asked:
					cancel()
				case <-ctx.Done():
				}
			}()
			_, err := p.Open(ctx, browser.TabOptions{})
			if f := fault.From(err); f == nil || f.Type != c.want && string(f.Kind) != c.want || f.Action == "" {
				t.Errorf("got %v, cause %v", err, errors.Unwrap(err))
			}
			for e := err; e != nil; e = errors.Unwrap(e) {
				if strings.Contains(e.Error(), "s3cret") {
					t.Errorf("the token is told: %v", e)
				}
			}
			close(left)
			if err := p.Close(patience(t)); err != nil {
				t.Error(err)
			}
			if given.Load() != c.given {
				t.Errorf("%d sessions were given back, want %d", given.Load(), c.given)
			}
		})
	}
}
