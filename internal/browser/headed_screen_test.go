//go:build linux

package browser_test

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// TestWindowOnAScreen: each engine that can shows its window on the screen of whoever
// asks for one. The size of that screen, which is no usual one, tells where it is.
func TestWindowOnAScreen(t *testing.T) {
	t.Setenv("DISPLAY", screen(t, "1111x777x24"))
	t.Setenv("WAYLAND_DISPLAY", "")
	srv := site(t, map[string]string{"/": `<title>Shown</title><input id="x" autofocus>`})
	for _, engine := range []string{browser.EngineChromium, browser.EngineFirefox, browser.EngineWebKitGTK} {
		t.Run(engine, func(t *testing.T) {
			p := ownPool(t, browser.Options{Engine: engine, Headed: true})
			tab := open(t, p, browser.TabOptions{}, srv)
			visit(t, tab, srv.URL+"/")
			if got := eval[[]int](t, tab, "", "function () { return [screen.width, screen.height] }", nil); !cmp.Equal(got, []int{1111, 777}) {
				t.Errorf("the page is on a screen of %v", got)
			}
			if err := tab.Click(patience(t), "", 20, 20); err != nil {
				t.Error(err)
			}
			if shot, err := tab.Screenshot(patience(t), browser.Shot{}); err != nil || len(shot) < 1000 {
				t.Errorf("a picture of %d bytes: %v", len(shot), err)
			}
		})
	}
}

// screen starts an X server and gives its name.
func screen(t *testing.T, size string) string {
	t.Helper()
	ours, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", size, "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	err = cmd.Start()
	_ = theirs.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	number, err := bufio.NewReader(ours).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return ":" + strings.TrimSpace(number)
}
