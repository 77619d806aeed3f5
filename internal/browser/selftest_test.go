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
