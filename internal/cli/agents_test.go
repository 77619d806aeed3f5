package cli_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/legwork-mcp/legwork/internal/scout"
)

// TestTwoAgentsAtOnce: two callers explore two forms of one site on one server at
// the same time. Nothing of one's pages is in an answer to the other, and each
// ends with the form that he began with.
func TestTwoAgentsAtOnce(t *testing.T) {
	t.Parallel()
	site, file := startPractice(t), filepath.Join(t.TempDir(), "tokens")
	agents := []struct{ name, url, start, only string }{
		{"ann", "http://practice.localhost/aid-estimator/", "Start Estimate", "aid-estimator"},
		{"bob", "http://practice.localhost/loan-simulator", "#fsa_LinkButton_LoanSimulatorLandingRepayStrategyStartUnauth3", "loan-simulator"},
	}
	tokens := make([]bearer, len(agents))
	for i, a := range agents {
		stdout, stderr, code := output(t, command(t, nil, "token", a.name, "--file", file))
		if code != 0 {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		tokens[i] = bearer(strings.TrimSpace(stdout))
	}
	server := startHTTP(t, "LEGWORK_PRACTICE_ADDR="+site.addr, "LEGWORK_TOKENS_FILE="+file, "MCP_SERVER_URL=https://forms.example")
	sessions := make([]*mcp.ClientSession, len(agents))
	for i, a := range agents {
		cs, err := newClient(nil).Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: server.url + "mcp/scout", MaxRetries: -1, HTTPClient: &http.Client{Transport: tokens[i]},
		}, nil)
		if err != nil {
			t.Fatalf("%s: %v\n%s", a.name, err, server.log)
		}
		t.Cleanup(func() { cs.Close() })
		sessions[i] = cs
	}
	var begun, wg sync.WaitGroup
	begun.Add(len(agents))
	for i, a := range agents {
		other := agents[1-i].only
		do := func(name, args string, into any) bool {
			res, err := sessions[i].CallTool(t.Context(), &mcp.CallToolParams{Name: "federalscout_" + name, Arguments: json.RawMessage(args)})
			if err != nil {
				t.Errorf("%s, %s: %v", a.name, name, err)
				return false
			}
			if err := decode(res, into); err != nil || res.IsError {
				t.Errorf("%s, %s: %v %s", a.name, name, err, text(res))
				return false
			}
			raw, err := json.Marshal(res)
			if said := string(raw); err != nil || strings.Contains(said, other) {
				t.Errorf("%s, %s: %v, the answer has the other's form: %s", a.name, name, err, said)
			}
			return true
		}
		wg.Go(func() {
			var view scout.ViewOut
			ok := do("start_discovery", `{"url":"`+a.url+`","start":"`+a.start+`"}`, &view)
			begun.Done()
			begun.Wait() // both are open from here on
			in := `{"session_id":"` + view.SessionID + `"`
			for range 3 {
				var list scout.ListOut
				var draft scout.DraftOut
				if !ok || !do("list_sessions", `{}`, &list) || !do("draft_page", in+`,"save":true,"proceed":true}`, &draft) || !do("get_page_info", in+`}`, &scout.PageInfoOut{}) {
					return
				}
				if list.Count != 1 || !strings.Contains(draft.CurrentURL, a.only) {
					t.Errorf("%s: %d sessions, at %s", a.name, list.Count, draft.CurrentURL)
				}
			}
		})
	}
	wg.Wait()
}
