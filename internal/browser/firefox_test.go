//go:build linux

package browser_test

import (
	"context"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// TestFirefoxHasAProcessForEachTab: the focus is in one of its windows only, so
// pages that are used at the same time must not share a process.
func TestFirefoxHasAProcessForEachTab(t *testing.T) {
	srv := site(t, map[string]string{"/": `<input id=i><script>onfocus = onblur = e => document.title += e.type + " "</script>`})
	p := ownPool(t, browser.Options{Engine: browser.EngineFirefox, TabsPerBrowser: 3})
	var tabs []*browser.Tab
	pids := map[int]bool{}
	for range 3 {
		tab, err := p.Open(patience(t), browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{srv.URL}}})
		if err != nil {
			t.Fatal(err)
		}
		tabs = append(tabs, tab)
		pids[browser.PID(tab)] = true
		visit(t, tab, srv.URL+"/")
	}
	if len(pids) != len(tabs) {
		t.Errorf("%d tabs are in %d processes", len(tabs), len(pids))
	}
	for i, tab := range tabs {
		if !eval[bool](t, tab, "", "function () { document.getElementById('i').focus(); return document.hasFocus() && document.visibilityState == 'visible' }", nil) {
			t.Errorf("tab %d has no focus", i)
		}
	}
	for _, tab := range tabs {
		if err := tab.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
	living := 0
	for pid := range pids {
		if len(browser.GroupMembers(pid)) > 0 {
			living++
		}
	}
	if s := p.Stats(); living != 2 || s.Browsers != 1 || s.Crashes != 0 {
		t.Errorf("%d processes are kept, stats %+v", living, s)
	}
}

// TestFirefoxStaysFlat: tab after tab in the same process, which must neither keep
// processes of pages that are gone nor their memory.
func TestFirefoxStaysFlat(t *testing.T) {
	srv := site(t, map[string]string{"/": `<script>globalThis.kept = new Array(1e6).fill("memory")</script><iframe srcdoc="frame"></iframe>`})
	p := ownPool(t, browser.Options{Engine: browser.EngineFirefox})
	const runs, warm = 50, 10
	var pid, processes int
	var memory int64
	for i := range runs {
		tab, err := p.Open(patience(t), browser.TabOptions{Policy: browser.Policy{AllowOrigins: []string{srv.URL}}})
		if err != nil {
			t.Fatal(i, err)
		}
		visit(t, tab, srv.URL+"/")
		if i == warm {
			pid, processes, memory = browser.PID(tab), len(browser.GroupMembers(browser.PID(tab))), browser.Memory(tab)
		}
		if i == runs-1 {
			if now := browser.PID(tab); now != pid {
				t.Errorf("the process was %d and is %d", pid, now)
			}
			if now := len(browser.GroupMembers(pid)); now > processes+2 {
				t.Errorf("%d processes became %d", processes, now)
			}
			if now := browser.Memory(tab); now > memory*3/2 {
				t.Errorf("%d MiB became %d", memory>>20, now>>20)
			}
			t.Logf("%d processes, %d MiB, then %d processes, %d MiB", processes, memory>>20, len(browser.GroupMembers(pid)), browser.Memory(tab)>>20)
		}
		if err := tab.Close(context.Background()); err != nil {
			t.Fatal(i, err)
		}
	}
}
