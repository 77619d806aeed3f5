//go:build linux

package browser_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// startChromedriver starts a WebDriver of Chromium as its user would.
func startChromedriver(t *testing.T) (address string, group int) {
	t.Helper()
	path, err := exec.LookPath("chromedriver")
	if err != nil {
		t.Fatal("apt-get install chromium-driver: ", err)
	}
	cmd := exec.Command(path, "--port=0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Env = append(cmd.Environ(), "TMPDIR="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, port, ok := strings.Cut(lines.Text(), "started successfully on port "); ok {
			go io.Copy(io.Discard, out)
			return "http://127.0.0.1:" + strings.TrimSuffix(port, "."), cmd.Process.Pid
		}
	}
	t.Fatal("the driver did not say where it listens")
	return "", 0
}

// TestBrowserOfAWebDriver: where a WebDriver listens, its Chromium does what one of ours
// does, tabs apart from each other and behind the guard, and is given back in the end.
func TestBrowserOfAWebDriver(t *testing.T) {
	address, driver := startChromedriver(t)
	srv := site(t, map[string]string{"/": `<title>Grid</title><input id="x">`})
	p := ownPool(t, browser.Options{Remotes: []string{address}, TabsPerBrowser: 2})
	var tabs []*browser.Tab
	for range 2 {
		tab, err := p.Open(patience(t), browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{srv.URL}}})
		if err != nil {
			t.Fatal(err, errors.Unwrap(err))
		}
		visit(t, tab, srv.URL+"/")
		tabs = append(tabs, tab)
	}
	if got := eval[string](t, tabs[0], "", `function () { document.cookie = 'mine=1'; document.querySelector('#x').focus(); return document.title }`, nil); got != "Grid" {
		t.Errorf("the page says %q", got)
	}
	if err := tabs[0].Type(patience(t), "", "typed"); err != nil {
		t.Fatal(err)
	}
	if got := eval[string](t, tabs[0], "", `function () { return document.querySelector('#x').value }`, nil); got != "typed" {
		t.Errorf("the field holds %q", got)
	}
	if got := eval[string](t, tabs[1], "", `function () { return document.cookie }`, nil); got != "" {
		t.Errorf("the other tab has the cookie %q", got)
	}
	other := site(t, map[string]string{"/": "elsewhere"})
	if err := tabs[1].Navigate(patience(t), other.URL+"/"); fault.From(err).Type != "origin_not_allowed" {
		t.Errorf("the network guard let it go elsewhere: %v", err)
	}
	if err := p.Close(patience(t)); err != nil {
		t.Fatal(err)
	}
	if syscall.Kill(driver, 0) != nil {
		t.Error("the driver was ended")
	}
	// It ends the browser's children a moment after it has answered.
	ask := time.NewTicker(10 * time.Millisecond)
	defer ask.Stop()
	for ctx := patience(t); len(browser.GroupMembers(driver)) > 1; {
		select {
		case <-ask.C:
		case <-ctx.Done():
			t.Fatalf("processes %v are left, the driver is %d", browser.GroupMembers(driver), driver)
		}
	}
}

// TestWebDriversThatGiveNoBrowser: each is told in a fault, and no session stays open.
func TestWebDriversThatGiveNoBrowser(t *testing.T) {
	for _, c := range []struct {
		name, status, session string
		code                  int
		want                  string // in the cause
		given                 int64  // sessions that are given back
	}{
		{"full", `{"value":{"ready":false}}`, "", 200, "no session free", 0},
		{"another browser", `{"value":{"ready":true}}`, `{"value":{"error":"session not created","message":"s3cret"}}`, 500, "gives no Chromium", 0},
		{"no DevTools", `{"value":{"ready":true}}`, `{"value":{"sessionId":"s","capabilities":{"browserName":"chrome"}}}`, 200, "no DevTools endpoint", 1},
		{"DevTools at a closed port", `{"value":{"ready":true}}`, `{"value":{"sessionId":"s","capabilities":{"goog:chromeOptions":{"debuggerAddress":"localhost:1"}}}}`, 200, "refused", 1},
		{"DevTools that are none", `{"value":{"ready":true}}`, `{"value":{"sessionId":"s","capabilities":{"se:cdp":"ws://elsewhere.invalid/session/s/se/cdp"}}}`, 200, "", 1},
		{"no WebDriver", `hello`, "", 200, "no DevTools endpoint", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var given, asked atomic.Int64
			grid := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.Method + " " + r.URL.Path {
				case "GET /status":
					fmt.Fprint(w, c.status)
				case "POST /session":
					w.WriteHeader(c.code)
					fmt.Fprint(w, c.session)
				case "DELETE /session/s":
					given.Add(1)
					fmt.Fprint(w, `{"value":null}`)
				case "GET /session/s/se/cdp":
					asked.Add(1)
				default:
					http.NotFound(w, r)
				}
			}))
			t.Cleanup(grid.Close)
			p := ownPool(t, browser.Options{Remotes: []string{grid.URL}})
			_, err := p.Open(patience(t), browser.TabOptions{})
			f := fault.From(err)
			if f.Type != "browser_unavailable" || f.Action == "" || f.Cause == nil || !strings.Contains(f.Cause.Error(), c.want) || strings.Contains(f.Cause.Error(), "s3cret") {
				t.Errorf("got %v because of %v", err, errors.Unwrap(err))
			}
			if told := strings.Contains(f.Message, "gives no Chromium") && strings.Contains(f.Action, "webkit+"); told != (c.name == "another browser") {
				t.Errorf("it says %q and %q", f.Message, f.Action)
			}
			if given.Load() != c.given {
				t.Errorf("%d sessions were given back, want %d", given.Load(), c.given)
			}
			if strings.Contains(c.session, "se:cdp") && asked.Load() != 1 {
				t.Errorf("its endpoint was asked for %d times at the grid, want once", asked.Load())
			}
		})
	}
}

// TestSessionThatComesTooLate: a session that a WebDriver makes when its caller has gone
// is given back, and with it the browser.
func TestSessionThatComesTooLate(t *testing.T) {
	var given atomic.Int64
	asked, left := make(chan struct{}), make(chan struct{})
	grid := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method + " " + r.URL.Path {
		case "GET /status":
			fmt.Fprint(w, `{"value":{"ready":true}}`)
		case "POST /session":
			close(asked)
			<-left
			fmt.Fprint(w, `{"value":{"sessionId":"s","capabilities":{"browserName":"chrome"}}}`)
		case "DELETE /session/s":
			given.Add(1)
			fmt.Fprint(w, `{"value":null}`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(grid.Close)
	p := browser.NewPool(browser.Options{Remotes: []string{grid.URL}})
	ctx, cancel := context.WithCancel(patience(t))
	defer cancel()
	go func() {
		<-asked
		cancel()
	}()
	if _, err := p.Open(ctx, browser.TabOptions{}); fault.From(err).Kind != fault.Cancelled {
		t.Errorf("got %v", err)
	}
	close(left)
	if err := p.Close(patience(t)); err != nil {
		t.Error(err)
	}
	if given.Load() != 1 {
		t.Errorf("%d sessions were given back, want 1", given.Load())
	}
}
