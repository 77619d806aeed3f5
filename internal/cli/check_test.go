package cli

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/mcptest/fixture"
)

// TestCheckCommand checks what cannot be checked, and what comes of it.
func TestCheckCommand(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer closed.Close()
	junit, page := filepath.Join(t.TempDir(), "a.xml"), filepath.Join(t.TempDir(), "a.html")
	for _, c := range []struct {
		name, rule string
		args       []string
		code       int
	}{
		{"a server that wants a token", "auth-required", []string{"check", "--json", "--junit", junit, "--html", page, closed.URL}, 4},
		{"a program that is not there", "command-not-started", []string{"check", "--json", "--", "/no/such/program"}, 4},
		{"no address", "", []string{"check", "http://"}, 2},
		{"a header without a value", "", []string{"check", "--header", "Authorization", closed.URL}, 2},
		{"a suite without an address", "", []string{"check", "--conformance", "--", "some", "server"}, 2},
		{"a suite with a token", "", []string{"check", "--conformance", "--header", "Authorization=x", closed.URL}, 2},
		{"a private address", "guard-refused", []string{"check", "--json", "http://10.0.0.1/mcp"}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if code := Main(c.args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Environ: os.Environ()}); code != c.code {
				t.Errorf("exit code %d, want %d\n%s%s", code, c.code, out.String(), errs.String())
			}
			if c.rule == "" {
				return
			}
			var r struct{ Findings []struct{ Rule string } }
			if err := json.Unmarshal(out.Bytes(), &r); err != nil || len(r.Findings) == 0 || r.Findings[0].Rule != c.rule {
				t.Errorf("the first finding is not %s: %v\n%s", c.rule, err, out.String())
			}
		})
	}
	for _, file := range []string{junit, page} {
		if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), "auth-required") {
			t.Errorf("%s lacks the finding: %v", file, err)
		}
	}
}

// TestCheckWithoutNode checks a server and wants the official suite, which cannot run
// here: what the check found is told before that is.
func TestCheckWithoutNode(t *testing.T) {
	t.Parallel()
	target := fixture.Named("plain").StartOver(t, fixture.HTTP)
	var out, errs bytes.Buffer
	nothing := t.TempDir()
	args := []string{"check", "--json", "--no-probes", "--conformance", "--conformance-dir", nothing, target.URL}
	code := Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Environ: []string{"PATH=" + nothing, "HOME=" + nothing}})
	var r struct{ Connected bool }
	if err := json.Unmarshal(out.Bytes(), &r); err != nil || !r.Connected || code == 0 || !strings.Contains(errs.String(), "Node 22") {
		t.Errorf("exit code %d, %v\n%s%s", code, err, out.String(), errs.String())
	}
}
