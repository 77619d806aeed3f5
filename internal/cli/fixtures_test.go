package cli_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The fixtures of the conformance suite are nobody's business but the suite's:
// one endpoint has them, only with the flag, and the help does not name it.
func TestConformanceFixturesAreHidden(t *testing.T) {
	t.Parallel()
	if stdout, stderr, _ := output(t, command(t, nil, "http", "--help")); strings.Contains(stdout+stderr, "conformance") {
		t.Errorf("the help names them:\n%s%s", stdout, stderr)
	}
	onlyTools := &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}
	all := &mcp.ServerCapabilities{ // prompts of the bounty server, transcripts of the tester
		Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{},
	}
	for name, server := range map[string]*legwork{"with": startHTTPWith(t, []string{"--conformance-fixtures"}), "without": startHTTP(t)} {
		for _, path := range []string{"", "mcp", "mcp/runner", "mcp/scout"} {
			cs, err := newClient(nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.url + path, MaxRetries: -1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { cs.Close() })
			list, err := cs.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			fixture := slices.ContainsFunc(list.Tools, func(tl *mcp.Tool) bool { return strings.HasPrefix(tl.Name, "test_") })
			if want := name == "with" && path == "mcp"; fixture != want {
				t.Errorf("%s the flag, /%s: fixtures %v, want %v", name, path, fixture, want)
			} else if want {
				continue
			}
			declares := onlyTools
			if path == "mcp" {
				declares = all
			}
			if diff := cmp.Diff(declares, cs.InitializeResult().Capabilities); diff != "" {
				t.Errorf("%s the flag, /%s declares something else (-want +got):\n%s", name, path, diff)
			}
		}
	}
}
