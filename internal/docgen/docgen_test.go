package docgen_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/docgen"
	"github.com/legwork-mcp/legwork/internal/tool"
)

type in struct {
	ID    string `json:"id" jsonschema:"which one | of all"`
	Mode  string `json:"mode,omitempty" enum:"fast,slow" default:"fast"`
	Count int    `json:"count,omitempty" minimum:"1" maximum:"9" default:"3"`
	Deep  []item `json:"deep,omitempty"`
}

type item struct {
	At time.Time `json:"at"`
}

type out struct {
	Found map[string]item `json:"found" jsonschema:"by name"`
	Raw   json.RawMessage `json:"raw"`
}

type nothing struct{}

func tools() []tool.Bound {
	find := tool.New(tool.Spec{
		Name: "desk_find", Title: "Find", Description: "Finds <one>\nthing.", Effect: tool.Read, Idempotent: true,
		Scope: "desk:read", Timeout: time.Minute, Budget: 8 << 10, Rate: tool.Rate{Calls: 1200, Per: time.Hour, Burst: 100},
		Examples: []tool.Example{{Name: "a quoted id", Args: map[string]any{"id": "it's <a>"}}},
	}, func(int, context.Context, in) (out, error) { return out{}, nil })
	clean := tool.New(tool.Spec{
		Name: "desk_clean", Title: "Clean", Description: "Cleans.", Effect: tool.Destroy, OpenWorld: true, Scope: "desk:write", Cost: 20,
	}, func(int, context.Context, nothing) (nothing, error) { return nothing{}, nil })
	return []tool.Bound{find.Bind(0), clean.Bind(0)}
}

const want = `<!-- Generated from the declared tools. Change a tool, then run: legwork docs -->
# Tools

- [The Desk](#the-desk): 2 tools

A result carries a text that is sufficient alone and the same as structured content. A failure is a result too: ` +
	"`success` is false, `error_type` is a stable word, `error` says what happened and `corrective_action` what to do." + `

Where callers have a login, each may call a tool so often, and spend a number of points on all tools together: see [hosting](../hosting.md#limits).

## The Desk

Server ` + "`desk`" + `.

### desk_find

**Find**

Finds &lt;one> thing.

| effect | idempotent | reaches the outside | scope | time limit | result limit | calls of one caller | points |
|---|---|---|---|---|---|---|---|
| read | yes | no | ` + "`desk:read`" + ` | 1m0s | 8 kB | 1200 an hour, 100 at once | 1 |

| argument | type | required | default | meaning |
|---|---|---|---|---|
| ` + "`id`" + ` | string | yes |  | which one \| of all |
| ` + "`mode`" + ` | ` + "`fast`, `slow`" + ` | no | ` + "`\"fast\"`" + ` |  |
| ` + "`count`" + ` | integer, from 1, to 9 | no | ` + "`3`" + ` |  |
| ` + "`deep`" + ` | list of object | no |  |  |
| ` + "`deep[].at`" + ` | date-time | yes |  |  |

| result | type | meaning |
|---|---|---|
| ` + "`found`" + ` | map to object | by name |
| ` + "`found.*.at`" + ` | date-time |  |
| ` + "`raw`" + ` | any |  |

Example, a quoted id:

` + "```sh" + `
legwork tool call desk_find '{"id":"it'\''s <a>"}'
` + "```" + `

### desk_clean

**Clean**

Cleans.

| effect | idempotent | reaches the outside | scope | time limit | result limit | calls of one caller | points |
|---|---|---|---|---|---|---|---|
| destroy | no | yes | ` + "`desk:write`" + ` | 2m0s | 700 kB | any number | 20 |

Takes no arguments.

| result | type | meaning |
|---|---|---|
`

func TestReference(t *testing.T) {
	got := string(docgen.Reference([]docgen.Server{{Name: "desk", Title: "The Desk", Tools: tools()}}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reference (-want +got):\n%s", diff)
	}
}

func TestServerJSON(t *testing.T) {
	raw := docgen.ServerJSON(docgen.Release{
		Name: "io.github.legwork-mcp/legwork", Description: "Errands.", Version: "1.2.3", Repository: "https://github.com/legwork-mcp/legwork",
		Image: "ghcr.io/legwork-mcp/legwork", Bundle: docgen.Bundle{URL: "https://x/legwork-mcp.mcpb", SHA256: "abc"},
		Settings: []docgen.Setting{{Name: "TOKEN", Description: "token", Secret: true}},
	})
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	env := []any{map[string]any{"name": "TOKEN", "description": "token", "isSecret": true}}
	stdio := map[string]any{"type": "stdio"}
	want := map[string]any{
		"$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		"name":    "io.github.legwork-mcp/legwork", "description": "Errands.", "version": "1.2.3",
		"repository": map[string]any{"url": "https://github.com/legwork-mcp/legwork", "source": "github"},
		"packages": []any{
			map[string]any{"registryType": "oci", "identifier": "ghcr.io/legwork-mcp/legwork:1.2.3", "transport": stdio,
				"packageArguments": []any{map[string]any{"type": "positional", "value": "stdio"}}, "environmentVariables": env},
			map[string]any{"registryType": "mcpb", "identifier": "https://x/legwork-mcp.mcpb", "fileSha256": "abc", "transport": stdio,
				"environmentVariables": env},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("manifest (-want +got):\n%s", diff)
	}
}

func TestSnippets(t *testing.T) {
	c := docgen.Connection{Name: "legwork", Command: "legwork", Args: []string{"stdio", "runner"}}
	clients := map[string]bool{}
	for _, s := range docgen.Snippets(c) {
		clients[s.Client] = true
		if s.Lang == "json" && !json.Valid([]byte(s.Text)) {
			t.Errorf("%s, %s: no JSON: %s", s.Client, s.Where, s.Text)
		}
		if strings.Contains(s.Text, "http") {
			t.Errorf("%s: a remote line without a URL: %s", s.Client, s.Text)
		}
	}
	want := map[string]bool{"Claude Code": true, "Claude Desktop": true, "Cursor": true, "VS Code": true, "Codex": true, "Gemini CLI": true}
	if diff := cmp.Diff(want, clients); diff != "" {
		t.Errorf("clients (-want +got):\n%s", diff)
	}
	texts := map[string]string{}
	c.URL = "http://127.0.0.1:8080/"
	for _, s := range docgen.Snippets(c) {
		texts[s.Client+" "+s.Where] = s.Text
	}
	for where, text := range map[string]string{
		"Claude Code shell":            "claude mcp add legwork -- legwork stdio runner\n",
		"Claude Code shell, over HTTP": "claude mcp add --transport http legwork http://127.0.0.1:8080/\n",
		"Codex ~/.codex/config.toml":   "[mcp_servers.legwork]\ncommand = \"legwork\"\nargs = [\"stdio\",\"runner\"]\n",
	} {
		if texts[where] != text {
			t.Errorf("%s: %q, want %q", where, texts[where], text)
		}
	}
	page := string(docgen.Clients(c))
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %q", text)
		}
	}
}

func TestInstallLinks(t *testing.T) {
	link := docgen.InstallLinks(docgen.Connection{Name: "a b", Command: "legwork", Args: []string{"stdio"}})[0].Text
	raw, err := url.PathUnescape(strings.TrimPrefix(link, "vscode:mcp/install?"))
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"args":["stdio"],"command":"legwork","name":"a b"}`; raw != want {
		t.Errorf("link holds %s, want %s", raw, want)
	}
}
