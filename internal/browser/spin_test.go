//go:build linux

package browser_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// cpuTicks is the processor time that a process has used, -1 when it is gone.
func cpuTicks(pid int) int {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return -1
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	f := strings.Fields(rest)
	if len(f) < 12 || f[0] == "Z" {
		return -1
	}
	n, _ := strconv.Atoi(f[11])
	return n
}

// spinner waits until one renderer of the tab's browser has worked far longer
// than it takes to show a page, and returns its process.
func spinner(t *testing.T, tab *browser.Tab) int {
	t.Helper()
	const ticks = 100 // a second
	first := map[int]int{}
	for ctx := patience(t); ctx.Err() == nil; {
		for _, pid := range browser.GroupMembers(browser.PID(tab)) {
			args, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
			if !browser.ContentProcess(string(args)) {
				continue
			}
			now := cpuTicks(pid)
			if _, known := first[pid]; !known {
				first[pid] = now
			}
			if now > first[pid]+ticks {
				return pid
			}
		}
	}
	t.Fatal("no renderer spins")
	return 0
}

// TestCloseEndsASpinningPage: a page that hangs in its own click handler keeps
// the press waiting, but not the end of its tab, and its process goes with it.
func TestCloseEndsASpinningPage(t *testing.T) {
	srv := site(t, map[string]string{"/": `<button style="position:absolute;left:0;top:0;width:100px;height:50px" onclick="for (;;);">stick</button>`})
	onEach(t, func(t *testing.T, p *browser.Pool) {
		tab := open(t, p, browser.TabOptions{}, srv)
		visit(t, tab, srv.URL+"/")
		ctx, cancel := context.WithCancel(patience(t))
		pressed := make(chan error, 1)
		go func() { pressed <- tab.Click(ctx, "", 20, 20) }()
		pid := spinner(t, tab)
		cancel()
		if err := <-pressed; err == nil {
			t.Error("a press that the page never took ended well")
		}
		if err := tab.Close(patience(t)); err != nil {
			t.Fatal(err)
		}
		ask := time.NewTicker(5 * time.Millisecond)
		defer ask.Stop()
		for ctx := patience(t); cpuTicks(pid) >= 0; <-ask.C {
			if ctx.Err() != nil {
				t.Fatal("the renderer of a closed tab still spins")
			}
		}
	})
}
