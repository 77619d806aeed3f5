//go:build linux

package browser

import (
	"context"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

func chromiumOf(t *Tab) *chromium { return t.drive.(*chromiumTab).engine }

func processOf(t *Tab) *process { return chromiumOf(t).body.(*process) }

// CrashRenderer makes the renderer of the tab's page crash.
func CrashRenderer(t *Tab) error {
	v, err := t.page()
	if err != nil {
		return err
	}
	post(t.drive.(*chromiumTab).on(v.session), page.Crash, cdp.Empty{})
	return nil
}

// KillBrowser kills the browser process of a tab from outside.
func KillBrowser(t *Tab) error { return syscall.Kill(processOf(t).cmd.Process.Pid, syscall.SIGKILL) }

// PID is the process of the tab's browser.
func PID(t *Tab) int { return processOf(t).cmd.Process.Pid }

// ProfileDir is where the tab's browser keeps its profile.
func ProfileDir(t *Tab) string { return processOf(t).profile.dir }

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
	e := chromiumOf(t)
	_, err := call(ctx, e.root, cdpbrowser.GetVersion, cdp.Empty{})
	return err
}
