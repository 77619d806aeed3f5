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

// TestInspectorLogsIn: the same command line registers itself, has a person log in, and
// uses the token that it keeps for the practice wizard.
func TestInspectorLogsIn(t *testing.T) {
	s := startServer(t, auth0.env()...)
	auth0.admit(t, s)
	home := t.TempDir()
	inspect := func(args ...string) (cmd *exec.Cmd, said, log *buffer) {
		args = append([]string{
			filepath.Join(clients, "node_modules", ".bin", "inspector"), "--cli", s.base + "/mcp", "--transport", "http",
			"--callback-url", "http://" + freeAddr() + "/oauth/callback",
		}, args...)
		cmd, said, log = exec.Command(node, args...), &buffer{}, &buffer{}
		// It asks a person only where it could open a browser; here it finds none, and prints the link.
		cmd.Env = []string{"HOME=" + home, "PATH=" + home, "MCP_AUTO_OPEN_ENABLED=true", "MCP_INSPECTOR_SECRET_STORE=file"}
		cmd.Stdout, cmd.Stderr = said, log
		return cmd, said, log
	}
	cmd, said, log := inspect("--method", "tools/list")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // it has ended unless the test failed
	eventually(t, "a link for the person", func() bool {
		return strings.Contains(log.String(), "navigate to: ") && strings.HasSuffix(log.String(), "\n")
	})
	_, link, _ := strings.Cut(log.String(), "navigate to: ")
	come(t, newPerson(t, "ida"), strings.Fields(link)[0])
	if err := <-ended; err != nil || !strings.Contains(said.String(), `"federalrunner_execute_wizard"`) {
		t.Fatalf("after the login: %v\n%.500s\n%s", err, said, log)
	}
	call := func(args ...string) map[string]any {
		t.Helper()
		cmd, said, log := inspect(append([]string{"--stored-auth-only", "--method", "tools/call", "--tool-name"}, args...)...)
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v\n%s%s", err, said, log)
		}
		return inspected(t, said.String())
	}
	example, err := json.Marshal(call("federalrunner_get_wizard_info", "--tool-arg", "wizard_id="+wizard)["example"])
	if err != nil {
		t.Fatal(err)
	}
	if run := call("federalrunner_execute_wizard", "--tool-arg", "wizard_id="+wizard, "user_data="+string(example)); run["status"] != "success" {
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
