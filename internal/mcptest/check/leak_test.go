package check

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// TestCancelledCheckLeavesNothing: a check that is given up, or runs out of its time, ends
// the process that it started.
func TestCancelledCheckLeavesNothing(t *testing.T) {
	for _, last := range []string{"connect", "tools"} {
		before := goleak.IgnoreCurrent()
		ctx, cancel := context.WithCancel(t.Context())
		r, err := Check(ctx, command("sdk"), Options{
			Wire: wire.Options{Environ: os.Environ(), HTTPClient: http.DefaultClient},
			Progress: func(s Step) {
				if s.Name == last {
					cancel()
				}
			},
		})
		cancel()
		if err == nil || !r.Connected {
			t.Fatalf("after %s: %v\n%s", last, err, asText(r))
		}
		goleak.VerifyNone(t, before)
	}
}

// TestCancelledBeforeItIsConnected: that a check is given up is no fault of the server.
func TestCancelledBeforeItIsConnected(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	target := fixture.Named("start-silent").StartOver(t, fixture.Stdio)
	time.AfterFunc(time.Second, cancel)
	r, err := Check(ctx, wire.Target{Command: target.Command, Env: target.Env}, Options{Wire: wire.Options{Environ: os.Environ(), CloseTimeout: time.Second}})
	if err == nil || len(r.Findings) > 0 || !strings.Contains(r.Verdict(), "it was given up") {
		t.Errorf("%v\n%s", err, asText(r))
	}
}
