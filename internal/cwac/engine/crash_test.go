//go:build linux

package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/cwac/results"
)

// below are the processes that this test started, directly or not, whose command
// line has a word.
func below(t *testing.T, word string) []int {
	t.Helper()
	parent, named := map[int]int{}, []int{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		raw, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
		parent[pid], _ = strconv.Atoi(fields[1])
		line, err := os.ReadFile(filepath.Dir(path) + "/cmdline")
		if err == nil && strings.Contains(string(line), word) {
			named = append(named, pid)
		}
	}
	var ours []int
	for _, pid := range named {
		for p := pid; p > 1; p = parent[p] {
			if parent[p] == os.Getpid() {
				ours = append(ours, pid)
				break
			}
		}
	}
	return ours
}

// TestACrashCostsOnePage: of the page's own process, and of the whole browser. It runs
// before the tests that run beside each other, whose browser it would kill too.
func TestACrashCostsOnePage(t *testing.T) {
	const renderer = "--type=renderer"
	// The page waits for its end: one that went on meanwhile could be audited to the
	// end, and the crash would cost the next one.
	const at = `<a href="#going">going</a><script>
function end() { const r = new XMLHttpRequest(); r.open("GET", "/kill", false); r.send() }
%s</script>`
	for name, c := range map[string]struct{ word, script, outcome string }{
		"the page":                   {renderer, `end()`, "failed failed"},
		"the page, while audited":    {renderer, `addEventListener("focusin", end)`, "partial failed"},
		"the browser":                {"--remote-debugging-pipe", `end()`, "failed failed"},
		"the browser, while audited": {"--remote-debugging-pipe", `addEventListener("focusin", end)`, "partial failed"},
	} {
		t.Run(name, func(t *testing.T) {
			kill := func(w http.ResponseWriter, _ *http.Request) {
				for _, pid := range below(t, c.word) {
					_ = syscall.Kill(pid, syscall.SIGKILL) // it may have ended with another one
				}
				http.NotFound(w, nil)
			}
			site := pages{"/": linking("/a", "/crash", "/b"), "/a": doc("a"), "/b": doc("b"), "/crash": doc(fmt.Sprintf(at, c.script)), "/kill": kill}
			o := quick(t, site)
			only(&o.Config, results.AuditTitle, results.AuditFocus)
			own := browser.NewPool(browser.Options{Scrollbars: true}) // the others keep theirs
			t.Cleanup(func() {
				if err := own.Close(context.Background()); err != nil {
					t.Error("closing the browser:", err)
				}
			})
			o.Browser = own
			_, read := scan(t, o)
			want := map[string]string{"/": "scanned", "/a": "scanned", "/crash": c.outcome, "/b": "scanned"}
			if diff := cmp.Diff(want, outcomes(t, read)); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
		})
	}
}
