package hosted

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTypeScriptClientsLogIn: both official clients, at every address, with
// registration, login, step-up and renewal, at an issuer whose name ends in a
// slash and at one whose name does not.
func TestTypeScriptClientsLogIn(t *testing.T) {
	for name, p := range map[string]*provider{"slash": newProvider(t, "/"), "no slash": auth0} {
		t.Run(name, func(t *testing.T) {
			s := startServer(t, p.env()...)
			p.admit(t, s)
			program := filepath.Join("..", "..", "scripts", "clients", "oauth.mjs")
			out, err := exec.Command(node, program, clients, s.base, p.issuer(), callback).CombinedOutput()
			if err != nil || strings.Count(string(out), "ok   ") != 18 {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestInspectorWithToken: the command line of the official inspector, with a token
// in a header.
func TestInspectorWithToken(t *testing.T) {
	s := startServer(t, ory.env()...)
	inspect := func(path string, args ...string) string {
		t.Helper()
		args = append([]string{
			filepath.Join(clients, "node_modules", ".bin", "inspector"), "--cli", s.base + path, "--transport", "http",
			"--header", "Authorization: Bearer " + machineToken(t, ory, "machine"),
		}, args...)
		cmd := exec.Command(node, args...)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
		errs := &buffer{}
		cmd.Stderr = errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s%s", err, out, errs)
		}
		return string(out)
	}
	for _, path := range []string{"/", "/mcp", "/mcp/runner"} {
		if out := inspect(path, "--method", "tools/list"); !strings.Contains(out, `"federalrunner_execute_wizard"`) {
			t.Errorf("%s: %.500s", path, out)
		}
	}
	info := inspected(t, inspect("/", "--method", "tools/call", "--tool-name", "federalrunner_get_wizard_info", "--tool-arg", "wizard_id="+wizard))
	example, err := json.Marshal(info["example"])
	if err != nil {
		t.Fatal(err)
	}
	run := inspected(t, inspect("/mcp", "--method", "tools/call", "--tool-name", "federalrunner_execute_wizard",
		"--tool-arg", "wizard_id="+wizard, "user_data="+string(example)))
	if run["status"] != "success" {
		t.Errorf("the form ends with %v", run["status"])
	}
}

// inspected is the structured content of a result that the inspector prints.
func inspected(t *testing.T, out string) map[string]any {
	t.Helper()
	var res struct {
		IsError    bool           `json:"isError"`
		Structured map[string]any `json:"structuredContent"`
	}
	_, text, _ := strings.Cut(out, "{")
	if err := json.Unmarshal([]byte("{"+text), &res); err != nil || res.IsError {
		t.Fatalf("%v: %.500s", err, out)
	}
	return res.Structured
}
