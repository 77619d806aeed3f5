package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// said is the structured part of a result.
func said(t *testing.T, res *mcp.CallToolResult) (out struct {
	Success  bool
	Error    struct{ Type string }
	Metadata struct {
		Total int `json:"total_tools"`
	}
}) {
	t.Helper()
	raw, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTesterTestsThisProgram: the program connects to each of its own servers, over both
// transports on both sides, and lists what that server lists to any client.
func TestTesterTestsThisProgram(t *testing.T) {
	t.Parallel()
	target := startHTTP(t)
	testers := map[string]*legwork{"stdio": overStdio(t), "http": overHTTPAt(t, "mcp/mcptest")}
	for _, name := range []string{"runner", "scout", "cwac", "mcptest", "bounty"} {
		cs, err := newClient(nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: target.url + "mcp/" + name, MaxRetries: -1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := cs.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		cs.Close()
		for over, tester := range testers {
			for _, era := range []string{"legacy", "modern"} {
				connect := fmt.Sprintf(`{"url":%s,"era":%q,"connection":%q}`, quoted(t, target.url+"mcp/"+name), era, name+era)
				if res := call(t, tester, "connect_to_server", connect); res.IsError {
					t.Fatalf("%s to %s, %s: %s", over, name, era, text(res))
				}
				res := call(t, tester, "list_tools", fmt.Sprintf(`{"connection":%q}`, name+era))
				if got := said(t, res); !got.Success || got.Metadata.Total != len(list.Tools) || strings.Contains(text(res), "\nFindings:") {
					t.Errorf("%s to %s, %s: %d of %d tools: %s", over, name, era, got.Metadata.Total, len(list.Tools), text(res))
				}
				if res := call(t, tester, "disconnect", fmt.Sprintf(`{"connection":%q}`, name+era)); res.IsError {
					t.Errorf("%s from %s: %s", over, name, text(res))
				}
			}
		}
	}
	tester := testers["stdio"]
	if res := call(t, tester, "connect_to_server", `{"url":`+quoted(t, binary+" stdio mcptest")+`}`); res.IsError {
		t.Fatal(text(res))
	}
	if res := call(t, tester, "call_tool", `{"name":"list_tools","arguments":{}}`); said(t, res).Error.Type != "execution_error" || !strings.Contains(text(res), "not_connected") {
		t.Errorf("the tester in the tester: %s", text(res))
	}
}

// TestTesterOverHTTPIsCareful: what callers over HTTP may not do, and what nobody may.
func TestTesterOverHTTPIsCareful(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "data", "mcptest", "secrets")
	if err := os.MkdirAll(secret, 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"LEGWORK_MCPTEST_SECRETS_DIR=" + secret, "OTHER=not-for-servers"}
	stdio, http := overStdio(t, env...), overHTTPAt(t, "mcp/mcptest", env...)
	for args, tester := range map[string]*legwork{
		`{"url":"` + binary + ` stdio runner"}`:                         http,
		`{"url":"http://10.0.0.1/mcp"}`:                                 stdio,
		`{"url":"http://169.254.169.254/latest"}`:                       http,
		`{"url":"http://127.0.0.1:9/","token":"${ENV:OTHER}"}`:          stdio,
		`{"url":"http://127.0.0.1:9/","token":"${FILE:../../../x}"}`:    stdio,
		`{"url":"http://127.0.0.1:9/","token":"${FILE:/etc/hostname}"}`: stdio,
	} {
		res := call(t, tester, "connect_to_server", args)
		raw, err := json.Marshal(res.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if !res.IsError || !strings.Contains(string(raw), `"not_allowed"`) && !strings.Contains(string(raw), `"invalid_target"`) || strings.Contains(string(raw), "not-for-servers") {
			t.Errorf("%s: %s", args, raw)
		}
	}
}
