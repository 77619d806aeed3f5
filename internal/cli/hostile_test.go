package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// call calls a tool with raw JSON arguments.
func call(t *testing.T, client *legwork, name, args string) *mcp.CallToolResult {
	t.Helper()
	res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s %.200s: %v", name, args, err)
	}
	return res
}

func text(res *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			b.WriteString(c.Text + "\n")
		}
	}
	return b.String()
}

// TestHostileInput: what a careless or hostile caller sends ends in an error
// that its text alone explains, and the next call works.
func TestHostileInput(t *testing.T) {
	t.Parallel()
	site := startPractice(t)
	client := overStdio(t, "LEGWORK_PRACTICE_ADDR="+site.addr)
	for _, c := range []struct{ name, tool, args, want string }{
		{"path traversal", "federalrunner_get_wizard_info", `{"wizard_id":"../../etc/passwd"}`, "lower-case letters"},
		{"absolute path", "federalrunner_execute_wizard", `{"wizard_id":"/etc/passwd","user_data":{}}`, "lower-case letters"},
		{"encoded traversal", "federalrunner_validate_user_data", `{"wizard_id":"..%2f..%2fx","user_data":{}}`, "lower-case letters"},
		{"unknown wizard", "federalrunner_get_wizard_info", `{"wizard_id":"no-such-form"}`, "fsa-estimator"},
		{"misspelt argument", "federalrunner_get_wizard_info", `{"wizard":"fsa-estimator"}`, "wizard_id"},
		{"data is a list", "federalrunner_validate_user_data", `{"wizard_id":"fsa-estimator","user_data":[1]}`, "object"},
		{"data is null", "federalrunner_execute_wizard", `{"wizard_id":"fsa-estimator","user_data":null}`, "user_data"},
		{"nothing given", "federalrunner_execute_wizard", `{}`, "user_data"},
		{"5 MB of data", "federalrunner_validate_user_data", `{"wizard_id":"fsa-estimator","user_data":{"state":"` + strings.Repeat("x", 5<<20) + `"}}`, ""},
		{"unknown key", "federalrunner_validate_user_data", `{"wizard_id":"fsa-estimator","user_data":{"birth_mnth":"05"}}`, "birth_month"},
		{"no such run", "federalrunner_get_run", `{"run_id":"run_000000000000000000000000"}`, "run_id"},
		{"timeout out of range", "federalrunner_execute_wizard", `{"wizard_id":"fsa-estimator","user_data":{},"options":{"timeout_seconds":100000}}`, "600"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := call(t, client, c.tool, c.args)
			got := text(res)
			if c.want != "" && !strings.Contains(got, c.want) {
				t.Errorf("the text lacks %q:\n%.2000s", c.want, got)
			}
			if len(got) > 100_000 {
				t.Errorf("an answer of %d bytes to a bad call", len(got))
			}
			if c.tool != "federalrunner_validate_user_data" && !res.IsError {
				t.Errorf("not an error:\n%.2000s", got)
			}
		})
	}
	deep := strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000)
	_, err := client.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "federalrunner_validate_user_data", Arguments: json.RawMessage(`{"wizard_id":"fsa-estimator","user_data":` + deep + `}`),
	})
	if err == nil || !strings.Contains(err.Error(), "too deep") {
		t.Errorf("deep nesting: %.300v", err)
	}
	if res := call(t, client, "federalrunner_list_wizards", `{}`); res.IsError {
		t.Errorf("the call after all that fails:\n%s", text(res))
	}
	if subs := site.Submissions(); len(subs) != 0 {
		t.Errorf("%d submissions from refused calls", len(subs))
	}
}
