//go:build linux

package browser_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// standIn puts this test's program in the place of a browser's. rung has a token for
// each time that it is where it goes wrong.
func standIn(t *testing.T, name, how string) (path string, rung <-chan struct{}) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), name)
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	bell, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bell.Close() })
	tokens := make(chan struct{}, 100)
	go func() {
		for {
			c, err := bell.Accept()
			if err != nil {
				return
			}
			_ = c.Close()
			select {
			case tokens <- struct{}{}:
			default:
			}
		}
	}()
	t.Setenv(standInHow, how)
	t.Setenv(standInBell, bell.Addr().String())
	return path, tokens
}

// TestDriversThatGoWrong: whatever a browser or its driver does instead of working, the
// caller gets a typed error, not later than his deadline, and nothing is left running.
func TestDriversThatGoWrong(t *testing.T) {
	for _, program := range []struct{ engine, name string }{{browser.EngineFirefox, "firefox-standin"}, {browser.EngineWebKitGTK, "WebKitWebDriver"}} {
		for _, c := range []struct {
			how   string
			waits bool   // until the deadline
			want  string // type of the fault
			only  string // engine
		}{
			{"dies", false, "browser_unavailable", ""},
			{"mute", true, "browser_unavailable", ""},
			{"another port", true, "browser_unavailable", browser.EngineWebKitGTK},
			{"another port", false, "browser_unavailable", browser.EngineFirefox},
			{"another machine", false, "browser_unavailable", browser.EngineFirefox},
			{"no answer", true, "browser_unavailable", ""},
			{"half an answer", true, "browser_unavailable", ""},
			{"never ready", true, "browser_unavailable", browser.EngineWebKitGTK},
			{"no browser", true, "browser_unavailable", browser.EngineWebKitGTK},
			{"no browser", false, "browser_unavailable", browser.EngineFirefox},
			{"no session", false, "browser_unavailable", ""},
			{"no JSON", false, "browser_unavailable", browser.EngineWebKitGTK},
			{"no JSON", true, "browser_unavailable", browser.EngineFirefox},
			{"silent", true, "browser_unavailable", ""},
			{"half a message", true, "browser_unavailable", ""},
			{"stops later", true, "timeout", browser.EngineFirefox},
			{"stops later", true, "browser_unavailable", browser.EngineWebKitGTK},
			{"dies later", false, "browser_error", browser.EngineFirefox},
			{"dies later", false, "browser_unavailable", browser.EngineWebKitGTK},
		} {
			if c.only != "" && c.only != program.engine {
				continue
			}
			t.Run(program.engine+"/"+c.how, func(t *testing.T) {
				path, rung := standIn(t, program.name, c.how)
				o := browser.Options{Engine: path}
				if program.engine == browser.EngineWebKitGTK {
					o.Engine = program.engine
					t.Setenv("PATH", filepath.Dir(path)+string(filepath.ListSeparator)+os.Getenv("PATH"))
				}
				p := ownPool(t, o) // makes sure that nothing of it is left in the end
				ctx := patience(t)
				if c.waits {
					late := expiring{ctx, make(chan struct{})}
					ctx = late
					go func() {
						<-rung
						close(late.expired)
					}()
				}
				_, err := p.Open(ctx, browser.TabOptions{})
				f := fault.From(err)
				if f == nil || f.Type != c.want || f.Action == "" {
					t.Errorf("got %v, cause %v", err, errors.Unwrap(err))
				}
				if left := processesOf(path); len(left) > 0 {
					t.Errorf("left behind when the error came: %v", left)
				}
				if c.how == "dies" && (f.Cause == nil || !strings.Contains(f.Cause.Error(), "no usable display")) {
					t.Errorf("its words are lost: %v", f.Cause)
				}
			})
		}
	}
}

// TestBrowserThatStops: a browser that stops in the middle of its work costs the call
// its time and no more: the tab ends with all of its processes, and the next one works.
func TestBrowserThatStops(t *testing.T) {
	srv := site(t, map[string]string{"/": "x"})
	for _, engine := range []string{browser.EngineHeadlessShell, browser.EngineFirefox, browser.EngineWebKitGTK} {
		t.Run(engine, func(t *testing.T) {
			p := ownPool(t, browser.Options{Engine: engine, TabsPerBrowser: 1})
			tab, err := p.Open(patience(t), browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{srv.URL}}})
			if err != nil {
				t.Fatal(err)
			}
			visit(t, tab, srv.URL+"/")
			group := browser.PID(tab)
			if err := syscall.Kill(-group, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			late := expiring{patience(t), make(chan struct{})}
			failed := make(chan error, 1)
			go func() {
				failed <- tab.Call(late, browser.Function{Source: "function () { return 1 }"}, nil)
			}()
			close(late.expired)
			if err := <-failed; !errors.Is(err, context.DeadlineExceeded) || fault.From(err).Type != "timeout" {
				t.Errorf("the call got %v", err)
			}
			if err := tab.Close(context.Background()); err != nil && !errors.Is(err, browser.ErrCrashed) {
				t.Errorf("closing gave %v", err)
			}
			if left := browser.GroupMembers(group); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			next := open(t, p, browser.TabOptions{}, srv)
			visit(t, next, srv.URL+"/")
		})
	}
}

// TestNothingIsLeftInTheTable: of the processes of a browser that has ended not even
// their entries stay, whoever their parent was. The driver of WebKit does not wait for
// the browser that it starts.
func TestNothingIsLeftInTheTable(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			p := browser.NewPool(browser.Options{Engine: engine, DataDir: t.TempDir()})
			tab, err := p.Open(patience(t), browser.TabOptions{})
			if err != nil {
				t.Fatal(err)
			}
			group := browser.PID(tab)
			if n := browser.GroupEntries(group); n < 2 {
				t.Fatalf("%d processes run", n)
			}
			if err := tab.Close(patience(t)); err != nil {
				t.Error(err)
			}
			if err := p.Close(patience(t)); err != nil {
				t.Error(err)
			}
			if n := browser.GroupEntries(group); n > 0 {
				t.Errorf("%d entries are left", n)
			}
		})
	}
}
