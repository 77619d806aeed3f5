package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTokensAreAdded: a token is shown once and is in the file as a hash only, beside
// those that were there, whatever an editor left of the last line.
func TestTokensAreAdded(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "new", "tokens")
	var made []string
	for _, name := range []string{"ann", "bob"} {
		stdout, stderr, code := output(t, command(t, nil, "token", name, "--file", file, "--scope", "federalrunner:read,metrics:read"))
		if code != 0 || !strings.HasPrefix(stdout, "lgw_") || !strings.Contains(stderr, name) {
			t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
		}
		made = append(made, strings.TrimSpace(stdout))
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.TrimSuffix(string(raw), "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 || made[0] == made[1] {
		t.Errorf("%v %v", info, err)
	}
	lines := strings.Split(string(raw), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "ann federalrunner:read,metrics:read sha256:") || !strings.HasPrefix(lines[1], "bob ") ||
		strings.Contains(string(raw), made[0]) || strings.Contains(string(raw), made[1]) {
		t.Errorf("the file is\n%s", raw)
	}
}

// TestTokensThatWouldNotWork are not made: the file stays as it is, and what is said
// helps.
func TestTokensThatWouldNotWork(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		mode fs.FileMode
		args []string
		says string
	}{
		"others can read the file": {"", 0o644, []string{"ann"}, "chmod 600 "},
		"another line is wrong":    {"junk\n", 0o600, []string{"ann"}, "line 1"},
		"an unknown scope":         {"", 0o600, []string{"ann", "--scope", "federalrunner:excute"}, "federalrunner:execute"},
		"a name with a space":      {"", 0o600, []string{"an n"}, "letters, digits"},
		"no time":                  {"", 0o600, []string{"ann", "--for", "-1h"}, "--for"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "tokens")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(file, tt.mode); err != nil {
				t.Fatal(err)
			}
			stdout, stderr, code := output(t, command(t, nil, append([]string{"token", "--file", file}, tt.args...)...))
			if code == 0 || stdout != "" || !strings.Contains(stderr, tt.says) {
				t.Errorf("exit code %d: %s%s", code, stdout, stderr)
			}
			if raw, err := os.ReadFile(file); err != nil || string(raw) != tt.text {
				t.Errorf("the file has become %q, %v", raw, err)
			}
		})
	}
	if _, stderr, code := output(t, command(t, nil, "token", "ann")); code != 2 || !strings.Contains(stderr, "LEGWORK_TOKENS_FILE") {
		t.Errorf("without a file: exit code %d: %s", code, stderr)
	}
}
