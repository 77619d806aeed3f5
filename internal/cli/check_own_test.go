package cli_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestOwnServersAreSound: the check of MCP servers finds no error in the servers of this
// program, over stdio and over HTTP; and its tool says what its command says.
func TestOwnServersAreSound(t *testing.T) {
	t.Parallel()
	type report struct {
		Connected bool
		Tools     int
		Findings  []struct{ Rule, Severity, Subject, Evidence string }
	}
	sound := func(t *testing.T, raw []byte) {
		t.Helper()
		var r report
		if err := json.Unmarshal(raw, &r); err != nil {
			t.Fatal(err)
		}
		if !r.Connected || r.Tools == 0 {
			t.Errorf("nothing was checked: %s", raw)
		}
		for _, f := range r.Findings {
			if f.Severity == "error" {
				t.Errorf("%s %s: %s", f.Rule, f.Subject, f.Evidence)
			}
		}
	}
	// Without a board, each call of wait_for_bounty waits for its time to be over.
	board := "LEGWORK_BOUNTY_URL=" + startBoard(t, t.TempDir()).url
	target := startHTTP(t, board)
	for _, name := range []string{"runner", "scout", "cwac", "mcptest", "bounty"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, args := range [][]string{{"--env", board, "--", binary, "stdio", name}, {target.url + "mcp/" + name}} {
				out, errs, code := output(t, command(t, nil, append([]string{"check", "--json"}, args...)...))
				if code != 0 {
					t.Errorf("exit code %d: %s", code, errs)
				}
				sound(t, []byte(out))
			}
		})
	}
	res := call(t, overStdio(t), "check_server", `{"url":`+quoted(t, target.url+"mcp/mcptest")+`}`)
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if sound(t, raw); res.IsError || !strings.HasPrefix(text(res), "PASSED") {
		t.Errorf("the tool: %s", text(res))
	}
}
