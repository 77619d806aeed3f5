package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
)

// checks runs a command and gives its exit code and what it says.
func checks(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = Main(append([]string{"check"}, args...), Streams{In: strings.NewReader(""), Out: &o, Err: &e, Environ: os.Environ()})
	return code, o.String(), e.String()
}

// TestCheckFlagsThatDoNothing: what would be ignored is refused, before anything is started.
func TestCheckFlagsThatDoNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	asked := false
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer s.Close()
	for _, c := range []struct {
		says string
		args []string
	}{
		{"--timeout is no time", []string{"--timeout", "0", s.URL}},
		{"--env is for a command", []string{"--env", "A=b", s.URL}},
		{"--header is for an address", []string{"--header", "A=b", "--", "some", "server"}},
		{"--html does nothing with --record", []string{"--html", file, "--record", filepath.Join(dir, "b"), s.URL}},
		{"--junit does nothing with --snapshot", []string{"--junit", file, "--snapshot", filepath.Join(dir, "b"), s.URL}},
		{"--allow-tool does nothing with --snapshot", []string{"--allow-tool", "x", "--snapshot", filepath.Join(dir, "b"), s.URL}},
		{"name the same file", []string{"--html", file, "--junit", file, s.URL}},
		{"cannot be written", []string{"--html", filepath.Join(dir, "none", "a.html"), s.URL}},
		{"cannot be written", []string{"--junit", dir, s.URL}},
		{"is empty", []string{""}},
		{"does not begin with https:// or http://", []string{"htps://mcp.example.org/mcp"}},
		{"no single address", []string{s.URL, s.URL}},
		{"--header Authorization=@FILE", []string{"http://me:word@mcp.example.org/mcp"}},
	} {
		if code, _, errs := checks(c.args...); code != 2 || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit code %d, %s", c.args, code, errs)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 || asked {
		t.Errorf("files are left: %v, %v; the server was asked: %t", left, err, asked)
	}
}

// TestCheckWhatHTTPDoesNotAllow: it is the target that is wrong, and no guard.
func TestCheckWhatHTTPDoesNotAllow(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"http://127.0.0.1:99999/mcp"}, {"--header", "a b=c", "http://127.0.0.1:9/mcp"}, {"--header", "a=b\nc: d", "http://127.0.0.1:9/mcp"}} {
		if code, out, _ := checks(args...); code != 4 || !strings.Contains(out, "[target-invalid]") || strings.Contains(out, "allow-private") {
			t.Errorf("%v: exit code %d\n%s", args, code, out)
		}
	}
}

// TestCheckRunsOutOfTime: nothing has passed that did not reach its end.
func TestCheckRunsOutOfTime(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.xml")
	code, out, _ := checks("--timeout", "5s", "--junit", file, fixture.Named("call-hangs").StartOver(t, fixture.HTTP).URL)
	raw, err := os.ReadFile(file)
	if code != 6 || !strings.Contains(out, "did not reach its end: its time was over") || strings.Contains(out, "PASSED") || err != nil || !strings.Contains(string(raw), `type="interrupted"`) {
		t.Errorf("exit code %d, %v\n%s\n%s", code, err, out, raw)
	}
}
