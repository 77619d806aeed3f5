//go:build linux

package browser_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// TestWindowWithoutScreen: who asks for a window where none can be shown is told so, by
// every engine and at once.
func TestWindowWithoutScreen(t *testing.T) {
	t.Setenv("WAYLAND_DISPLAY", "")
	for _, display := range []string{"", ":4711"} {
		t.Setenv("DISPLAY", display)
		for _, engine := range []string{browser.EngineChromium, browser.EngineFirefox, browser.EngineWebKit} {
			p := browser.NewPool(browser.Options{Engine: engine, Headed: true, DataDir: t.TempDir()})
			_, err := p.Open(patience(t), browser.TabOptions{Headed: true})
			f := fault.From(err)
			if f.Type != "browser_unavailable" || !strings.Contains(f.Message, "no screen") || !strings.Contains(f.Action, "without a window") || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s on %q: got %v: %s", engine, display, err, f.Action)
			}
			if err := p.Close(patience(t)); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestWebKitWithoutItsScreen: a screen that does not start is named, and not the browser.
func TestWebKitWithoutItsScreen(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "Xvfb")
	if err := os.WriteFile(broken, []byte("#!/bin/sh\necho no socket >&2\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(broken)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	p := ownPool(t, browser.Options{Engine: browser.EngineWebKit})
	f := fault.From(p.Check(patience(t)))
	if f == nil || f.Type != "browser_unavailable" || !strings.Contains(f.Message, "Xvfb, did not") || !strings.Contains(f.Action, broken) || f.Cause == nil || !strings.Contains(f.Cause.Error(), "no socket") {
		t.Errorf("got %v: %v", f, f.Action)
	}
}
