package hosted

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tester is legwork's tester of servers, as an agent on this machine has it.
func tester(t *testing.T) *mcp.ClientSession {
	t.Helper()
	home := t.TempDir()
	cmd := command(home, []string{"MCPTEST_SECRET=" + clientSecret}, "stdio", "mcptest", "--allow-private")
	log := &buffer{}
	cmd.Stderr = log
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	t.Cleanup(func() {
		_ = cs.Close()
		if t.Failed() {
			t.Logf("the log of the tester:\n%.20000s", log)
		}
		if strings.Contains(log.String(), clientSecret) {
			t.Error("the log of the tester holds the secret")
		}
	})
	return cs
}

// connecting is the answer of connect_to_server.
type connecting struct {
	Success bool `json:"success"`
	Login   []struct {
		Step    string            `json:"step"`
		Outcome string            `json:"outcome"`
		Detail  string            `json:"detail"`
		Facts   map[string]string `json:"facts"`
	} `json:"login"`
	Error struct {
		Details struct {
			Link string `json:"authorization_url"`
		} `json:"details"`
	} `json:"error"`
	whole string
}

// connectTo has the tester connect to a server.
func connectTo(t *testing.T, cs *mcp.ClientSession, address string, login map[string]any) {
	t.Helper()
	if got := ask(t, cs, "connect_to_server", map[string]any{"url": address, "login": login}); !got.Success {
		t.Fatalf("connecting answers %s", got.whole)
	}
}

// ask calls a tool of the tester, and wants no secret in its answer.
func ask(t *testing.T, cs *mcp.ClientSession, name string, arguments map[string]any) connecting {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ StructuredContent connecting }
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	got.StructuredContent.whole = string(raw)
	if strings.Contains(string(raw), clientSecret) || strings.Contains(string(raw), "eyJ") {
		t.Errorf("the answer holds a secret or a token: %s", raw)
	}
	return got.StructuredContent
}

// steps are the steps of a login, with their outcome when it is not ok.
func (c connecting) steps() string {
	var out []string
	for _, s := range c.Login {
		name := s.Step
		if s.Outcome != "ok" {
			name += ":" + s.Outcome
		}
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

// TestTesterLogsInAsAProgram: client_credentials at both issuers, by each method.
func TestTesterLogsInAsAProgram(t *testing.T) {
	for _, tt := range []struct {
		name, client string
		issuer       tokenIssuer
	}{{"auth0", "machine", auth0}, {"auth0 basic", "machine-basic", auth0}, {"hydra", "machine", ory}, {"hydra basic", "machine-basic", ory}} {
		t.Run(tt.name, func(t *testing.T) {
			s := startServer(t, tt.issuer.env()...)
			login := map[string]any{"grant": "client_credentials", "client_id": tt.client, "client_secret": "${ENV:MCPTEST_SECRET}", "audience": audience, "resource": "none", "scopes": []string{"federalrunner:read"}}
			cs := tester(t)
			connectTo(t, cs, s.base+"/mcp/runner", login) // anybody may
			if listed, _ := tool(t, cs, "list_tools", map[string]any{})["tools"].([]any); len(listed) < 3 {
				t.Errorf("the tools are %v", listed)
			}
			got := ask(t, cs, "get_connection_status", map[string]any{})
			// Hydra has its metadata at the second place, and the client need not be registered for the method that is tried first
			short := strings.NewReplacer("server_metadata:missing ", "", "token:warning ", "").Replace(got.steps())
			if short != "challenge resource_metadata server_metadata scopes registration token claims" {
				t.Errorf("the steps are %s\n%s", got.steps(), got.whole)
			}
			last := got.Login[len(got.Login)-1]
			if last.Step != "claims" || last.Facts["iss"] != tt.issuer.issuer() || last.Facts["aud"] != audience {
				t.Errorf("the claims are %+v", last)
			}
			login["client_secret"] = "not the secret"
			cs = tester(t)
			connectTo(t, cs, s.base+"/mcp/runner", login)
			if wrong := ask(t, cs, "list_tools", map[string]any{}); wrong.Success || !strings.Contains(wrong.whole, "invalid_client") {
				t.Errorf("with a wrong secret it answers %s", wrong.whole)
			}
		})
	}
}

// TestTesterHasAPersonLogIn: registration, code flow with PKCE and resource, the browser
// coming back, and more scopes when a tool needs them.
func TestTesterHasAPersonLogIn(t *testing.T) {
	s := startServer(t, auth0.env()...)
	auth0.admit(t, s)
	cs := tester(t)
	address := s.base + "/mcp/runner"
	connectTo(t, cs, address, map[string]any{"scopes": []string{"federalrunner:read"}})
	ann := newPerson(t, "ann")
	for _, tt := range []struct {
		tool      string
		arguments map[string]any
	}{
		{"list_tools", map[string]any{}},
		{"call_tool", map[string]any{"name": "federalrunner_execute_wizard", "arguments": map[string]any{"wizard_id": "no-such-wizard", "user_data": map[string]any{}}}},
	} {
		first := ask(t, cs, tt.tool, tt.arguments)
		if first.Success || first.Error.Details.Link == "" {
			t.Fatalf("%s without a login answers %s", tt.tool, first.whole)
		}
		come(t, ann, first.Error.Details.Link)
		if second := ask(t, cs, tt.tool, tt.arguments); strings.Contains(second.whole, "auth_required") {
			t.Fatalf("%s after the login answers %s", tt.tool, second.whole)
		}
	}
	got := ask(t, cs, "get_connection_status", map[string]any{})
	// the provider gives no offline_access, which is a warning
	if n := strings.Count(strings.ReplaceAll(got.steps(), ":warning", ""), "callback token claims"); n != 2 {
		t.Errorf("the steps are %s", got.steps())
	}
}

// come opens a link as a person does, logs in, and lets the browser come back.
func come(t *testing.T, p *person, link string) {
	t.Helper()
	p.callback = "http://127.0.0.1:"
	p.issuer = auth0.url
	q, err := p.authorize(t.Context(), link)
	if err != nil {
		t.Fatal(err)
	}
	back := p.ended
	back.RawQuery = q.Encode()
	send(t, http.MethodGet, back.String(), nil, "").want(t, http.StatusOK)
}

// TestCheckLogsIn: the check of a server that wants a token, on the command line.
func TestCheckLogsIn(t *testing.T) {
	s := startServer(t, ory.env()...)
	home := t.TempDir()
	secret := filepath.Join(home, "secret")
	if err := os.WriteFile(secret, []byte(clientSecret), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(home, nil, "check", "--allow-private", "--json", "--no-probes", "--login", "machine", "--client-id", "machine",
		"--client-secret", "@"+secret, "--audience", audience, s.base+"/mcp/runner")
	log := &buffer{}
	cmd.Stderr = log
	out, _ := cmd.Output() // the code says how the server did
	var report struct {
		Connected bool
		Steps     []struct{ Name, Status, Detail string }
		Findings  []struct{ Rule, Severity, Evidence string }
	}
	if err := json.Unmarshal(out, &report); err != nil || !report.Connected {
		t.Fatalf("%v: %s\n%s", err, out, log)
	}
	var names []string
	for _, step := range report.Steps {
		names = append(names, step.Name+" "+step.Status)
	}
	if all := strings.Join(names, ", "); !strings.Contains(all, "login token passed") || !strings.Contains(all, "lists passed") {
		t.Errorf("the steps are %s", all)
	}
	for _, f := range report.Findings {
		if f.Severity == "error" {
			t.Errorf("a finding: %+v", f)
		}
	}
	if all := fmt.Sprint(string(out), log); strings.Contains(all, clientSecret) || strings.Contains(all, "eyJ") {
		t.Error("a secret or a token is shown")
	}
}
