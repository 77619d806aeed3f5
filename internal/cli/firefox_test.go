package cli_test

import (
	"strings"
	"testing"
)

func TestDemoOnFirefox(t *testing.T) {
	t.Parallel()
	cmd := command(t, nil, "demo", "--engine", "firefox")
	cmd.Dir = t.TempDir()
	stdout, stderr, code := output(t, cmd)
	if code != 0 || !strings.Contains(stdout, "ok   the answer read is the answer the site computed") {
		t.Errorf("exit %d\n%s\n%s", code, stdout, stderr)
	}
}
