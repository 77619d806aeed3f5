//go:build linux

package browser_test

import (
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/browser"
	"github.com/legwork-mcp/legwork/internal/fault"
)

// TestWindowWithoutScreen: who asks for a window where none can be shown is told so.
func TestWindowWithoutScreen(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	p := browser.NewPool(browser.Options{Engine: browser.EngineChromium, Headed: true, DataDir: t.TempDir()})
	defer p.Close(patience(t))
	_, err := p.Open(patience(t), browser.TabOptions{Headed: true})
	f := fault.From(err)
	if f.Type != "browser_unavailable" || !strings.Contains(f.Message, "no screen") || !strings.Contains(f.Action, "without a window") {
		t.Errorf("got %v: %s", err, f.Action)
	}
}
