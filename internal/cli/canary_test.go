package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/runner"
)

const canary = "Canary7f3a91"

// TestNoValueIsWritten: a value that a person gave reaches the site and the
// caller, and nothing that is written on the way: not the log at its loudest, not
// a file, whether the run goes well, is refused by contract or site, ends on a
// value that the page changed, or dies with its browser.
func TestNoValueIsWritten(t *testing.T) {
	t.Parallel()
	slow, site := startSlowForm(t), startPractice(t)
	temp := t.TempDir()
	client := overHTTP(t, append(slow.env(t), "LEGWORK_LOG_LEVEL=debug", "TMPDIR="+temp,
		"LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_PRACTICE_WIDGETS=1")...)
	home := homeOf(client)
	for _, c := range []struct {
		wizard string
		data   map[string]any
		typ    string
	}{
		{"f01a-radio-visible", map[string]any{"housing": canary}, runner.StatusValidationError},
		{"f09c-continue-error-summary", map[string]any{"full_name": canary, "postcode": "981", "email": canary}, runner.TypeRejected},
		{"f08b-readonly", map[string]any{"account": canary}, ""},
		{"slow-form", map[string]any{"name": "x", canary: canary}, runner.StatusValidationError},
	} {
		a, _, err := execute(t, client, c.wizard, c.data, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a.Success || c.typ != "" && a.ErrorType != c.typ {
			t.Errorf("%s: %s", c.wizard, a.Text())
		}
	}
	dying := slow.inFlightWith(t, client, canary)
	grepAll(t, canary, temp, home) // while a browser holds the value
	killBrowsers(t, client)
	if r := <-dying; r.answer.ErrorType != runner.TypeBrowser {
		t.Errorf("the killed run: %s %v", r.answer.Text(), r.err)
	}
	close(slow.release)
	if a, _, err := execute(t, client, "slow-form", map[string]any{"name": canary}, nil); err != nil || !a.Success {
		t.Fatalf("%s %v", a.Text(), err)
	}
	grepAll(t, canary, temp, home)
	if log := client.log.String(); strings.Contains(log, canary) {
		t.Errorf("the log holds the value:\n%s", log)
	} else if !strings.Contains(log, "federalrunner_execute_wizard") {
		t.Errorf("the log does not even name the tool:\n%s", log)
	}
	terminate(t, client.cmd)
	grepAll(t, canary, temp, home)
}

// TestReportHoldsNoGivenValue: the files of --out hold none of the data, refused
// or not, and are the person's own.
func TestReportHoldsNoGivenValue(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	dir := t.TempDir()
	data := filepath.Join(dir, "data.json")
	if err := os.WriteFile(data, []byte(`{"full_name":"`+canary+`","postcode":"981","email":"`+canary+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	_, stderr, code := output(t, command(t, []string{"LEGWORK_PRACTICE_ADDR=" + site.addr, "LEGWORK_PRACTICE_WIDGETS=1"},
		"run", "f09c-continue-error-summary", "--data", data, "--out", out))
	if code != 1 {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	grepAll(t, canary, out)
	for _, name := range []string{"answer.json", "report.html"} {
		info, err := os.Stat(filepath.Join(out, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
}

func homeOf(l *legwork) string {
	for _, e := range l.cmd.Env {
		if v, ok := strings.CutPrefix(e, "HOME="); ok {
			return v
		}
	}
	return ""
}

// grepAll looks for word in every file below the folders. Files that go away
// while it looks hold nothing.
func grepAll(t *testing.T, word string, dirs ...string) {
	t.Helper()
	files := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if os.IsNotExist(err) {
				return nil
			}
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			raw, err := os.ReadFile(path)
			if os.IsNotExist(err) {
				return nil
			}
			files++
			if strings.Contains(string(raw), word) {
				t.Errorf("%s holds the value", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files looked at", files)
}
