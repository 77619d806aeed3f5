package docgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// Connection is how a client starts or reaches the program.
type Connection struct {
	Name    string   // of the entry in the client, such as legwork
	Command string   // the binary
	Args    []string // stdio and the servers
	URL     string   // of the HTTP endpoint; "" leaves the remote lines out
}

// Snippet is what one client needs.
type Snippet struct {
	Client string // Claude Code, Cursor, ...
	Where  string // "shell", or the file that the text belongs into
	Lang   string // sh, json, toml
	Text   string
}

type entry map[string]any

// Snippets are the lines for every client that we know, from one table.
func Snippets(c Connection) []Snippet {
	local := entry{"command": c.Command, "args": c.Args}
	typed := entry{"type": "stdio", "command": c.Command, "args": c.Args}
	line := c.Command
	for _, a := range c.Args {
		line += " " + a
	}
	vscode, _ := compact(entry{"name": c.Name, "type": "stdio", "command": c.Command, "args": c.Args}) // strings always marshal
	out := []Snippet{
		{"Claude Code", "shell", "sh", fmt.Sprintf("claude mcp add %s -- %s\n", c.Name, line)},
		{"Claude Desktop", "claude_desktop_config.json", "json", string(pretty(entry{"mcpServers": entry{c.Name: local}}))},
		{"Cursor", ".cursor/mcp.json", "json", string(pretty(entry{"mcpServers": entry{c.Name: local}}))},
		{"VS Code", ".vscode/mcp.json", "json", string(pretty(entry{"servers": entry{c.Name: typed}}))},
		{"VS Code", "shell", "sh", fmt.Sprintf("code --add-mcp %s\n", quote(vscode))},
		{"Codex", "shell", "sh", fmt.Sprintf("codex mcp add %s -- %s\n", c.Name, line)},
		{"Codex", "~/.codex/config.toml", "toml", codexTOML(c)},
		{"Gemini CLI", "shell", "sh", fmt.Sprintf("gemini mcp add %s %s\n", c.Name, line)},
		{"Gemini CLI", ".gemini/settings.json", "json", string(pretty(entry{"mcpServers": entry{c.Name: local}}))},
	}
	if c.URL == "" {
		return out
	}
	return append(out,
		Snippet{"Claude Code", "shell, over HTTP", "sh", fmt.Sprintf("claude mcp add --transport http %s %s\n", c.Name, c.URL)},
		Snippet{"Cursor", ".cursor/mcp.json, over HTTP", "json", string(pretty(entry{"mcpServers": entry{c.Name: entry{"url": c.URL}}}))},
		Snippet{"VS Code", ".vscode/mcp.json, over HTTP", "json", string(pretty(entry{"servers": entry{c.Name: entry{"type": "http", "url": c.URL}}}))},
		Snippet{"Gemini CLI", ".gemini/settings.json, over HTTP", "json", string(pretty(entry{"mcpServers": entry{c.Name: entry{"httpUrl": c.URL}}}))},
	)
}

// codexTOML is the same as a table of TOML, whose basic strings and arrays are
// written like those of JSON.
func codexTOML(c Connection) string {
	command, _ := compact(c.Command) // strings always marshal
	args, _ := compact(c.Args)
	return fmt.Sprintf("[mcp_servers.%s]\ncommand = %s\nargs = %s\n", c.Name, command, args)
}

// InstallLinks are one-click links for the clients that have them.
func InstallLinks(c Connection) []Snippet {
	raw, _ := json.Marshal(entry{"name": c.Name, "command": c.Command, "args": c.Args}) // strings always marshal
	// A link needs %20 where a form would have a plus.
	escaped := strings.ReplaceAll(url.QueryEscape(string(raw)), "+", "%20")
	return []Snippet{{"VS Code", "link", "", "vscode:mcp/install?" + escaped}}
}

// Clients is docs/reference/clients.md.
func Clients(c Connection) []byte {
	var b bytes.Buffer
	b.WriteString("<!-- Generated. Change the table in internal/docgen, then run: legwork docs -->\n# Clients\n\n" +
		"`legwork` must be on the PATH of the client, or be written with its full path.\n")
	last := ""
	for _, s := range Snippets(c) {
		if s.Client != last {
			fmt.Fprintf(&b, "\n## %s\n", s.Client)
			last = s.Client
		}
		fmt.Fprintf(&b, "\n%s:\n\n```%s\n%s```\n", s.Where, s.Lang, s.Text)
	}
	return b.Bytes()
}
