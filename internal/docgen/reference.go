package docgen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/tool"
)

// Server is one MCP server with its tools, for the reference.
type Server struct {
	Name, Title string
	Tools       []tool.Bound
}

// Reference is docs/reference/tools.md: every tool with its hints, scope,
// arguments, result and examples, in the order of the servers' tables.
func Reference(servers []Server) []byte {
	var b bytes.Buffer
	b.WriteString("<!-- Generated from the declared tools. Change a tool, then run: legwork docs -->\n# Tools\n")
	for _, s := range servers {
		fmt.Fprintf(&b, "\n- [%s](#%s): %d tools", s.Title, anchor(s.Title), len(s.Tools))
	}
	b.WriteString("\n\nA result carries a text that is sufficient alone and the same as structured content. A failure is a result too: " +
		"`success` is false, `error_type` is a stable word, `error` says what happened and `corrective_action` what to do.\n\n" +
		"Where callers have a login, each may call a tool so often, and spend a number of points on all tools together: see " +
		"[hosting](../hosting.md#limits).\n")
	for _, s := range servers {
		fmt.Fprintf(&b, "\n## %s\n\nServer `%s`.\n", s.Title, s.Name)
		for _, t := range s.Tools {
			writeTool(&b, t)
		}
	}
	return b.Bytes()
}

// anchor is how a heading is linked to.
func anchor(heading string) string {
	return strings.ReplaceAll(strings.ToLower(heading), " ", "-")
}

func writeTool(b *bytes.Buffer, t tool.Bound) {
	s := t.Spec
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n%s\n\n", s.Name, bold(s.Title), cell(s.Description))
	b.WriteString("| effect | idempotent | reaches the outside | scope | time limit | result limit | calls of one caller | points |\n|---|---|---|---|---|---|---|---|\n")
	fmt.Fprintf(b, "| %s | %s | %s | `%s` | %v | %d kB | %s | %d |\n",
		s.Effect, yes(s.Idempotent), yes(s.OpenWorld), s.Scope, s.Timeout, s.Budget>>10, often(s.Rate), s.Cost)
	if len(t.Input.Properties) == 0 {
		b.WriteString("\nTakes no arguments.\n")
	} else {
		b.WriteString("\n| argument | type | required | default | meaning |\n|---|---|---|---|---|\n")
		rows(b, t.Input, "", true)
	}
	b.WriteString("\n| result | type | meaning |\n|---|---|---|\n")
	rows(b, t.Output, "", false)
	for _, e := range s.Examples {
		args, err := compact(e.Args)
		if err != nil {
			continue // checked when the tool was declared
		}
		fmt.Fprintf(b, "\nExample, %s:\n\n```sh\nlegwork tool call %s %s\n```\n", e.Name, s.Name, quote(args))
	}
}

// often is how often one caller may call where callers are limited.
func often(r tool.Rate) string {
	text := fmt.Sprintf("%d per %v", r.Calls, r.Per)
	switch {
	case r == tool.Rate{}:
		return "any number"
	case r.Per == time.Hour:
		text = fmt.Sprintf("%d an hour", r.Calls)
	}
	if r.Burst > 0 {
		text += fmt.Sprintf(", %d at once", r.Burst)
	}
	return text
}

// rows writes the members of an object, those of inner objects after their own.
func rows(b *bytes.Buffer, s *tool.Schema, prefix string, input bool) {
	for _, p := range s.Properties {
		name := prefix + p.Name
		if input {
			fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s |\n", name, kind(p.Schema), yes(required(s, p.Name)), code(string(p.Schema.Default)), cell(p.Schema.Description))
		} else {
			fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, kind(p.Schema), cell(p.Schema.Description))
		}
		switch {
		case p.Schema.Items != nil:
			rows(b, p.Schema.Items, name+"[].", input)
		case p.Schema.Values != nil:
			rows(b, p.Schema.Values, name+".*.", input)
		default:
			rows(b, p.Schema, name+".", input)
		}
	}
}

func required(s *tool.Schema, name string) bool {
	for _, r := range s.Required {
		if r == name {
			return true
		}
	}
	return false
}

// kind names the type with its bounds.
func kind(s *tool.Schema) string {
	switch {
	case len(s.Enum) > 0:
		words := make([]string, 0, len(s.Enum))
		for _, e := range s.Enum {
			words = append(words, code(strings.Trim(string(e), `"`)))
		}
		return strings.Join(words, ", ")
	case len(s.Types) > 0:
		return strings.Join(s.Types, " or ")
	case s.Items != nil:
		return "list of " + kind(s.Items)
	case s.Values != nil:
		return "map to " + kind(s.Values)
	case s.Type == "":
		return "any"
	case s.Format != "":
		return s.Format
	}
	out := s.Type
	if s.Minimum != "" {
		out += ", from " + s.Minimum.String()
	}
	if s.Maximum != "" {
		out += ", to " + s.Maximum.String()
	}
	return out
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

func bold(s string) string { return "**" + cell(s) + "**" }

// cell keeps a text from breaking a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(s)
}

// quote makes one word of a text for a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// compact is JSON on one line, nothing escaped for HTML.
func compact(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("marshal an example: %w", err)
	}
	return strings.TrimSpace(b.String()), nil
}

// pretty is JSON for files, two spaces deep.
func pretty(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		panic("docgen: " + err.Error()) // strings and maps of them always marshal
	}
	return b.Bytes()
}
