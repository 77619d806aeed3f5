package check

import (
	"context"
	"net/http"
	"os"
	"testing"

	"go.uber.org/goleak"

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
