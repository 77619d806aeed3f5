package cli_test

import (
	"strings"
	"testing"
)

// TestDemoOnWebKit runs the whole errand in WebKit: seven pages with every kind of
// field, one submission, and the answer that the site computed.
func TestDemoOnWebKit(t *testing.T) {
	t.Parallel()
	cmd := command(t, nil, "demo", "--engine", "webkit")
	cmd.Dir = t.TempDir()
	stdout, stderr, code := output(t, cmd)
	if code != 0 || !strings.Contains(stdout, "ok   the answer read is the answer the site computed") {
		t.Errorf("exit %d\n%s\n%s", code, stdout, stderr)
	}
}
