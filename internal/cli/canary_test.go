package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoValueIsWritten: a value that a person gave reaches the site and the
// caller, and nothing that is written on the way: not the log at its loudest, not
// a file, whether the run goes well, is refused, or fails.
func TestNoValueIsWritten(t *testing.T) {
	const canary = "Canary7f3a91"
	site := startSlowForm(t)
	close(site.release)
	temp := t.TempDir()
	client := overHTTP(t, append(site.env(t), "LEGWORK_LOG_LEVEL=debug", "TMPDIR="+temp)...)
	a, _, err := execute(t, client, "slow-form", map[string]any{"name": canary}, nil)
	if err != nil || !a.Success {
		t.Fatalf("%s %v", a.Text(), err)
	}
	for _, bad := range []map[string]any{
		{"name": []any{canary}},              // refused by the contract
		{"name": "x", canary: canary},        // an unknown key
		{"name": strings.Repeat(canary, 10)}, // taken
	} {
		if _, _, err := execute(t, client, "slow-form", bad, nil); err != nil {
			t.Fatal(err)
		}
	}
	if log := client.log.String(); strings.Contains(log, canary) {
		t.Errorf("the log holds the value:\n%s", log)
	} else if !strings.Contains(log, "federalrunner_execute_wizard") {
		t.Errorf("the log does not even name the tool:\n%s", log)
	}
	home := ""
	for _, e := range client.cmd.Env {
		if v, ok := strings.CutPrefix(e, "HOME="); ok {
			home = v
		}
	}
	terminate(t, client.cmd)
	for _, dir := range []string{temp, home} {
		grep(t, dir, canary)
	}
}

func grep(t *testing.T, dir, word string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(raw), word) {
			t.Errorf("%s holds the value", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
