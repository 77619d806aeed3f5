//go:build linux

package browser

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/legwork-mcp/legwork/internal/browser/bidi"
)

// HideChromium makes the binaries of full Chromium, or of both kinds, unknown until the
// returned function is called.
func HideChromium(both bool) (restore func()) {
	shells, chromes := shellPlaces, chromePlaces
	chromePlaces = nil
	if both {
		shellPlaces = nil
	}
	return func() { shellPlaces, chromePlaces = shells, chromes }
}

func chromiumOf(t *Tab) *chromium { return t.drive.(*chromiumTab).engine }

func processOf(t *Tab) *process {
	if fox, ok := t.drive.(*firefoxTab); ok {
		return fox.process.process
	}
	return chromiumOf(t).body.(*process)
}

// webkitOf is the tab as WebKit's driver knows it, nil when another engine drives it.
func webkitOf(t *Tab) *webkitTab {
	w, _ := t.drive.(*webkitTab)
	return w
}

// IsWebKit tells whether WebKit drives a tab.
func IsWebKit(t *Tab) bool { return webkitOf(t) != nil }

// CrashRenderer makes the renderer of the tab's page crash.
func CrashRenderer(t *Tab) error {
	if _, ok := t.drive.(*firefoxTab); ok {
		return killContent(PID(t))
	}
	if w := webkitOf(t); w != nil {
		return killNamed(w.process.leader.Process.Pid, "WebProcess")
	}
	v, err := t.page()
	if err != nil {
		return err
	}
	post(t.drive.(*chromiumTab).on(v.session), page.Crash, cdp.Empty{})
	return nil
}

// KillBrowser kills the browser process of a tab from outside.
func KillBrowser(t *Tab) error {
	if w := webkitOf(t); w != nil {
		return killNamed(w.process.leader.Process.Pid, filepath.Base(w.process.kind.browser))
	}
	return syscall.Kill(PID(t), syscall.SIGKILL)
}

// killNamed kills the members of a group whose program's path holds a name.
func killNamed(group int, name string) error {
	for _, pid := range GroupMembers(group) {
		path, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
		if err == nil && strings.Contains(filepath.Base(path), name) {
			return syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return fmt.Errorf("no %s in group %d", name, group)
}

// KillPart kills one of the programs of a WebKit tab by the name of its file.
func KillPart(t *Tab, name string) error {
	return killNamed(webkitOf(t).process.leader.Process.Pid, name)
}

// PID is the process of the tab's browser.
func PID(t *Tab) int {
	if w := webkitOf(t); w != nil {
		return w.process.leader.Process.Pid
	}
	return processOf(t).pid()
}

// Memory is the unshared memory of the tab's browser in bytes.
func Memory(t *Tab) int64 { return processOf(t).memory() }

// ProfileDir is where the tab's browser keeps its profile.
func ProfileDir(t *Tab) string {
	if w := webkitOf(t); w != nil {
		return w.process.profile.dir
	}
	return processOf(t).profile.dir
}

// ContentProcess tells by its command line whether a process runs pages.
func ContentProcess(line string) bool {
	return strings.Contains(line, "--type=renderer") || strings.Contains(line, "WebProcess") || strings.Contains(line, "-contentproc") && strings.HasSuffix(strings.TrimRight(line, "\x00 "), "tab")
}

// killContent kills the processes of a Firefox that run pages.
func killContent(group int) error {
	for _, pid := range GroupMembers(group) {
		line, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if err == nil && ContentProcess(string(line)) {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				return err
			}
		}
	}
	return nil
}

// GroupMembers are the processes of a process group.
func GroupMembers(group int) []int {
	var pids []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		if of, state := groupOf(path); of != group || state == "Z" || state == "X" {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// GroupEntries counts a group's entries in the table of processes, those included that
// have ended and that nobody has collected.
func GroupEntries(group int) int {
	n := 0
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		if of, _ := groupOf(path); of == group {
			n++
		}
	}
	return n
}

// AgeInput makes the last input to the tab, and what came of it so far, an hour old.
func AgeInput(t *Tab) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reaction.input = t.reaction.input.Add(-time.Hour)
	t.reaction.answered = t.reaction.answered.Add(-time.Hour)
}

// Hear asks the tab's browser for an answer of its own, which comes after all that
// it has told so far. No page has to answer.
func Hear(ctx context.Context, t *Tab) error {
	if fox, ok := t.drive.(*firefoxTab); ok {
		_, err := bidi.Call(ctx, fox.process.conn, bidi.SessionStatus, bidi.None{})
		return err
	}
	if w := webkitOf(t); w != nil {
		w.look(ctx)
		return nil
	}
	e := chromiumOf(t)
	_, err := call(ctx, e.root, cdpbrowser.GetVersion, cdp.Empty{})
	return err
}
