package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/runner"
)

// example is the contract's example data of a practice wizard, in a file.
func example(t *testing.T, wizard string) string {
	t.Helper()
	stdout, stderr, code := output(t, command(t, nil, "tool", "call", "--json", "federalrunner_get_wizard_info", `{"wizard_id":"`+wizard+`"}`))
	if code != 0 {
		t.Fatal(stderr)
	}
	var res struct {
		StructuredContent runner.WizardInfoOut `json:"structuredContent"`
	}
	if err := json.Unmarshal([]byte(stdout), &res); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(res.StructuredContent.Example)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "data.json")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDemo(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "out")
	stdout, stderr, code := output(t, command(t, nil, "demo", "--out", dir))
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	for _, want := range []string{"student_aid_index", "page 7 of 7", "exactly the data that was given", filepath.Join(dir, "report.html")} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the output lacks %q:\n%s", want, stdout)
		}
	}
	html, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(html), "<img "); n < 8 {
		t.Errorf("the report has %d pictures", n)
	}
	if strings.Contains(string(html), "<script") {
		t.Error("the report has a script")
	}
	var answer runner.Answer
	raw, err := os.ReadFile(filepath.Join(dir, "answer.json"))
	if err == nil {
		err = json.Unmarshal(raw, &answer)
	}
	if err != nil || !answer.Success || !answer.Practice {
		t.Errorf("answer.json: %v %+v", err, answer.Status)
	}
}

// TestRun covers the ways in which legwork run ends and their exit codes.
func TestRun(t *testing.T) {
	t.Parallel()
	good := example(t, "ssa-quick-calculator")
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.json")
	if err := os.WriteFile(bad, []byte(`{"month":"13"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"answer", []string{"run", "ssa-quick-calculator", "--data", good}, fault.ExitOK, "status: success"},
		{"suffix", []string{"run", "ssa-quick-calculator.json", "--data", good, "--dry-run"}, fault.ExitOK, "nothing was submitted"},
		{"full chromium", []string{"run", "ssa-quick-calculator", "--data", good, "--engine", "chromium"}, fault.ExitOK, "status: success"},
		{"bad data", []string{"run", "ssa-quick-calculator", "--data", bad}, fault.ExitInvalid, "month"},
		{"no data file", []string{"run", "ssa-quick-calculator", "--data", filepath.Join(dir, "none")}, fault.ExitInvalid, "Cannot read the data"},
		{"no such wizard", []string{"run", "no-such-form", "--data", good}, fault.ExitNotFound, "legwork wizards list"},
		{"no such file", []string{"run", "./none.json", "--data", good}, fault.ExitNotFound, "Cannot read the wizard"},
		{"no browser", []string{"run", "ssa-quick-calculator", "--data", good, "--set", "browser_path=/nonexistent/chromium"}, fault.ExitUnavailable, "apt-get install"},
		{"report into a file", []string{"run", "ssa-quick-calculator", "--data", good, "--out", bad}, fault.ExitInvalid, "--out"},
		{"unknown flag", []string{"run", "ssa-quick-calculator", "--dat", good}, fault.ExitInvalid, "--help"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, code := output(t, command(t, nil, c.args...))
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if !strings.Contains(stdout+stderr, c.want) {
				t.Errorf("lacks %q:\n%s%s", c.want, stdout, stderr)
			}
		})
	}
}

func TestRunWritesItsReportAndReadsStandardInput(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(example(t, "ssa-quick-calculator"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "report")
	cmd := command(t, nil, "run", "ssa-quick-calculator", "--data", "-", "--json", "--out", dir)
	cmd.Stdin = strings.NewReader(string(raw))
	stdout, stderr, code := output(t, cmd)
	var answer runner.Answer
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil || code != 0 || !answer.Success {
		t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "report.html")); err != nil {
		t.Error(err)
	}
	if !strings.Contains(stderr, "page 1 of 1") {
		t.Errorf("no line per page:\n%s", stderr)
	}
}

// TestBeyondLoopback: without an issuer nothing is served to the network.
func TestBeyondLoopback(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0"} {
		stdout, stderr, code := output(t, command(t, nil, "http", "--addr", addr))
		if code != fault.ExitDenied || !strings.Contains(stderr, "127.0.0.1") {
			t.Errorf("%s: exit code %d\n%s%s", addr, code, stdout, stderr)
		}
	}
}

func TestConfigHidesSecrets(t *testing.T) {
	t.Parallel()
	stdout, stderr, code := output(t, command(t, []string{"AUTH0_CLIENT_SECRET=Canary7f3a91", "PORT=9999"}, "config"))
	if code != 0 || strings.Contains(stdout+stderr, "Canary7f3a91") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if !strings.Contains(stdout, "9999") || !strings.Contains(stdout, "environment") {
		t.Errorf("neither value nor origin of PORT:\n%s", stdout)
	}
}

func TestWizardCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"example", []string{"wizards", "show", "ssa-quick-calculator", "--example"}, fault.ExitOK, `"birth_year"`},
		{"list", []string{"wizards"}, fault.ExitOK, "practice, not official"},
		{"list as JSON", []string{"wizards", "list", "--json"}, fault.ExitOK, `"fsa-estimator"`},
		{"show", []string{"wizards", "show", "fsa-estimator"}, fault.ExitOK, "Page 7"},
		{"contract", []string{"wizards", "show", "fsa-estimator", "--schema"}, fault.ExitOK, "draft-07"},
		{"check", []string{"wizards", "check", "ssa-quick-calculator"}, fault.ExitOK, "stopped_before_submit"},
		{"diff of different ones", []string{"wizards", "diff", "loan-simulator-repayment", "ssa-quick-calculator"}, fault.ExitFailed, "changed"},
		{"diff of the same", []string{"wizards", "diff", "fsa-estimator", "fsa-estimator"}, fault.ExitOK, "no differences"},
		{"doctor", []string{"doctor"}, fault.ExitOK, "browser"},
		{"version", []string{"version"}, fault.ExitOK, "legwork"},
		{"version as a flag", []string{"--version"}, fault.ExitOK, "legwork 0"},
		{"tools", []string{"tools"}, fault.ExitOK, "federalrunner_execute_wizard"},
		{"where settings are set", []string{"config", "--help"}, fault.ExitOK, "LEGWORK_NAME in the environment"},
		{"help", []string{"--help"}, fault.ExitOK, "Exit codes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr, code := output(t, command(t, nil, c.args...))
			if code != c.code || !strings.Contains(stdout, c.want) {
				t.Errorf("exit code %d, want %d and %q:\n%s%s", code, c.code, c.want, stdout, stderr)
			}
		})
	}
}

// TestToolCallExitCodes: a script can tell what happened.
func TestToolCallExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tool, args string
		code       int
	}{
		{"federalrunner_list_wizards", `{}`, fault.ExitOK},
		{"federalrunner_get_wizard_info", `{"wizard":"x"}`, fault.ExitInvalid},
		{"federalrunner_get_wizard_info", `{not JSON`, fault.ExitInvalid},
		{"federalrunner_get_wizard_info", `{"wizard_id":"no-such-form"}`, fault.ExitNotFound},
		{"federalrunner_get_run", `{"run_id":"run_0"}`, fault.ExitNotFound},
		{"federalrunner_validate_user_data", `{"wizard_id":"fsa-estimator","user_data":{}}`, fault.ExitFailed},
		{"federalrunner_execute_wizard", `{"wizard_id":"fsa-estimator","user_data":{}}`, fault.ExitInvalid},
		{"no_such_tool", `{}`, fault.ExitNotFound},
	} {
		stdout, stderr, code := output(t, command(t, nil, "tool", "call", c.tool, c.args))
		if code != c.code {
			t.Errorf("%s %s: exit code %d, want %d\n%s%s", c.tool, c.args, code, c.code, stdout, stderr)
		}
	}
}

// TestToolCallReadsItsArguments: from the command line, a file or standard input.
func TestToolCallReadsItsArguments(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "args.json")
	args := `{"wizard_id":"ssa-quick-calculator"}`
	if err := os.WriteFile(file, []byte(args), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, given := range []string{args, "@" + file, "-"} {
		cmd := command(t, nil, "tool", "call", "federalrunner_get_wizard_info", given)
		cmd.Stdin = strings.NewReader(args)
		stdout, stderr, code := output(t, cmd)
		if code != fault.ExitOK || !strings.Contains(stdout, ", 1 page,") {
			t.Errorf("%s: exit code %d\n%.300s%s", given, code, stdout, stderr)
		}
	}
	_, stderr, code := output(t, command(t, nil, "tool", "call", "federalrunner_get_wizard_info", "@"+file+".none"))
	if code != fault.ExitInvalid || !strings.Contains(stderr, ".none") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// TestDataThatIsNoJSON: the place of the mistake is named as an editor counts.
func TestDataThatIsNoJSON(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "data.json")
	for data, want := range map[string]string{
		"{\n  \"month\": \"05\",\n  \"é\": \"Canary7f3a91\" \"day\": \"15\"\n}": "line 3, column 23",
		"{\"month\": \"05\",}": "line 1, column 16",
		"{\"month\": 05}":      "line 1, column 12",
		"{\n\"month\": \"05\"": "line 2, column 13",
		"":                     "line 1, column 1",
	} {
		if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := output(t, command(t, nil, "run", "ssa-quick-calculator", "--data", file))
		if code != fault.ExitInvalid || !strings.Contains(stderr, file) || !strings.Contains(stderr, want) {
			t.Errorf("%q: exit code %d, want %s\n%s%s", data, code, want, stdout, stderr)
		}
		if strings.Contains(stdout+stderr, "Canary7f3a91") {
			t.Errorf("a value is in the message:\n%s", stderr)
		}
	}
}
