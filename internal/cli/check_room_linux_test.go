package cli

import (
	"strings"
	"testing"
)

// TestCheckWithoutRoom: a report that finds no room on the disk is shown all the same.
func TestCheckWithoutRoom(t *testing.T) {
	t.Parallel()
	code, out, errs := checks("--junit", "/dev/full", "http://127.0.0.1:9/mcp")
	if code != 2 || !strings.Contains(out, "UNREACHABLE") || !strings.Contains(errs, "no space left") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}
