//go:build linux

package browser_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
)

// TestNoSandboxIsSaid: whoever runs browsers without their sandbox is told, once.
func TestNoSandboxIsSaid(t *testing.T) {
	off := false
	var log bytes.Buffer
	p := browser.NewPool(browser.Options{
		Engine: browser.EngineHeadlessShell, TabsPerBrowser: 1, MaxBrowsers: 2, Sandbox: &off,
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	for range 2 {
		tab, err := p.Open(patience(t), browser.TabOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer tab.Close(t.Context())
	}
	if err := p.Close(patience(t)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(log.String(), "without their sandbox"); n != 1 || p.Stats().Launches != 2 {
		t.Errorf("%d browsers started, %d warnings:\n%s", p.Stats().Launches, n, log.String())
	}
}
