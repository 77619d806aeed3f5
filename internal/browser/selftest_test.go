//go:build linux

package browser_test

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

func TestSelfTest(t *testing.T) {
	for _, engine := range browser.Engines() {
		t.Run(engine, func(t *testing.T) {
			dir := t.TempDir()
			got, err := browser.SelfTest(patience(t), browser.Options{Engine: engine, DataDir: dir})
			if err != nil {
				t.Fatal(err)
			}
			want := "Chrome/"
			if onFirefox(t) {
				want = "Firefox/"
			}
			if engine == browser.EngineWebKit {
				want = "AppleWebKit/"
			}
			if !strings.Contains(got.Agent, want) || got.Path == "" || got.How == "" {
				t.Errorf("got %+v", got)
			}
			if left := append(processesOf(dir), entries(dir)...); len(left) > 0 {
				t.Error("left behind:", left)
			}
		})
	}
	for _, engine := range []string{"/nowhere/firefox", "/nowhere/chromium"} {
		if _, err := browser.SelfTest(patience(t), browser.Options{Engine: engine}); fault.From(err).Type != "browser_unavailable" {
			t.Errorf("%s: %v", engine, err)
		}
	}
}

// TestSelfTestOfRemoteBrowsers: a browser that answers is of no use when it does not
// reach the network guard. Only a page that is loaded there shows it.
func TestSelfTestOfRemoteBrowsers(t *testing.T) {
	good := startForeign(t)
	got, err := browser.SelfTest(patience(t), browser.Options{Engine: browser.EngineFirefox, Remotes: []string{good.address}})
	if err != nil || got.Path != good.address || !strings.Contains(got.Agent, "Chrome/") {
		t.Errorf("got %+v, %v", got, err)
	}
	cut := startForeign(t, "--host-resolver-rules=MAP * ~NOTFOUND")
	for name, c := range map[string]struct {
		o    browser.Options
		want string
	}{
		"no way to the guard":        {browser.Options{Remotes: []string{cut.address}}, "loads no page through the network guard at 127.0.0.1"},
		"a guard of another machine": {browser.Options{Remotes: []string{good.address}, GuardHost: "192.0.2.1"}, "cannot listen at 192.0.2.1"},
	} {
		_, err := browser.SelfTest(patience(t), c.o)
		if f := fault.From(err); f.Type != "browser_unavailable" || !strings.Contains(f.Message, c.want) || !strings.Contains(f.Action, "LEGWORK_BROWSER_GUARD_HOST") {
			t.Errorf("%s: got %v, %q", name, err, f.Action)
		}
	}
}
