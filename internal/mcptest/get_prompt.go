package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var getPrompt = tool.New(tool.Spec{
	Name: "get_prompt", Title: "Get a prompt",
	Description: "Gets a specific prompt from the currently connected MCP server. Provide the prompt name and any required arguments.",
	Effect:      tool.Read, OpenWorld: true, Scope: scopeRun, Rate: rateCall, Timeout: 11 * time.Minute, Reword: asSpecified,
	Outline:  []string{"prompt"},
	Examples: []tool.Example{{Name: "with an argument", Args: PromptIn{Name: "summarise", Arguments: json.RawMessage(`{"topic":"birds"}`)}}},
}, (*Server).getPrompt)

// PromptIn names a prompt.
type PromptIn struct {
	Name       string          `json:"name" jsonschema:"as returned by list_prompts"`
	Arguments  json.RawMessage `json:"arguments,omitempty" type:"object" jsonschema:"passed on as they are"`
	Connection string          `json:"connection,omitempty"`
	TimeoutMS  int             `json:"timeout_ms,omitempty" minimum:"0" maximum:"600000"`
}

// PromptOut is a prompt of the server.
type PromptOut struct {
	Success    bool       `json:"success"`
	Connection Connection `json:"connection"`
	Prompt     Prompt     `json:"prompt"`
	Metadata   Metadata   `json:"metadata"`
	Findings   []Finding  `json:"findings,omitempty"`
}

// Prompt is what prompts/get gave.
type Prompt struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Messages    json.RawMessage `json:"messages" jsonschema:"as the server sent them"`
	Cut         *Cut            `json:"cut,omitempty"`
}

// Text is what a model reads.
func (o PromptOut) Text() string {
	out := fmt.Sprintf("The prompt of %s, in %d ms.%s\n", o.Connection.line(), o.Metadata.RequestTime, o.Prompt.Cut.text())
	return out + marked(o.Prompt.Description+"\n"+string(o.Prompt.Messages)) + findingsText(o.Findings)
}

// text says what was cut.
func (c *Cut) text() string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf(" It is cut: %d of %d bytes are here. %s", c.Shown, c.Size, c.Rest)
}

func (s *Server) getPrompt(ctx context.Context, in PromptIn) (PromptOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return PromptOut{}, err
	}
	params := []member{{"name", quoted(in.Name)}}
	if in.Arguments != nil {
		params = append(params, member{"arguments", in.Arguments})
	}
	ex, err := k.c.conn.Call(ctx, aPrompt.method, object(params), wire.CallOptions{Timeout: s.limit(in.TimeoutMS), HandUp: true})
	if err != nil {
		return PromptOut{}, k.rejected(aPrompt, in.Name, ex, err)
	}
	if ex.ResultType == inputRequired {
		return PromptOut{}, k.asksForInput(ex)
	}
	messages, ok := itemsOf(field(ex.Result, "messages"))
	if !ok {
		return PromptOut{}, k.misshapen(ex, "it has no array messages")
	}
	k.c.count(func(s *Statistics) { s.PromptsRetrieved++ })
	out := PromptOut{Success: true, Connection: k.c.block(), Prompt: Prompt{Name: in.Name}, Findings: found(ex), Metadata: k.metadata()}
	description, _ := textOf(field(ex.Result, "description"))
	out.Prompt.Description = clip(k.shown([]byte(description)), 4000)
	out.Prompt.Messages, out.Prompt.Cut = k.verbatim(field(ex.Result, "messages"), s.set.Answer)
	var wrong atMost
	for i, m := range messages {
		if role, ok := textOf(field(m, "role")); !ok || role != "user" && role != "assistant" || members(field(m, "content")) == nil {
			wrong.add(func() Finding {
				return Finding{Code: findingSchema, Message: fmt.Sprintf("Message %d has no role of the protocol, or a content that is no object.", i), Bytes: k.sample(m)}
			})
		}
	}
	out.Findings = append(out.Findings, wrong.all()...)
	return out, nil
}

// inputRequired is the resultType of a call that needs input first (MCP 2026-07-28,
// Multi Round-Trip Requests).
const inputRequired = "input_required"

// asksForInput says that a request needs input, which this tool cannot send.
func (k *call) asksForInput(ex *wire.Exchange) error {
	result, cut := k.verbatim(ex.Result, k.s.set.Answer)
	return k.fail(failure{
		typ: errExecution, subtype: inputRequired, message: "The server asks for input before it answers " + ex.Method + "." + cut.text(),
		shown: string(result), details: map[string]any{"result": result}, findings: found(ex),
		suggestion: "Only call_tool can answer such questions, with input_responses and request_state.",
	})
}
