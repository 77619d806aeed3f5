package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var complete = tool.New(tool.Spec{
	Name: "complete", Title: "Complete an argument",
	Description: "Asks the server for values of an argument of a prompt, or of a variable of a resource template.",
	Effect:      tool.Read, OpenWorld: true, Scope: scopeRun, Rate: rateCall, Timeout: 2 * time.Minute, Reword: asSpecified,
	Outline:  []string{"completion"},
	Examples: []tool.Example{{Name: "prompt", Args: CompleteIn{Prompt: "greet", Argument: "who", Value: "k"}}},
}, (*Server).complete)

// CompleteIn says what is to be completed.
type CompleteIn struct {
	Prompt     string            `json:"prompt,omitempty"`
	Template   string            `json:"template,omitempty" jsonschema:"a URI template, instead of prompt"`
	Argument   string            `json:"argument"`
	Value      string            `json:"value,omitempty" jsonschema:"its beginning"`
	Context    map[string]string `json:"context,omitempty" jsonschema:"arguments that are known"`
	Connection string            `json:"connection,omitempty"`
}

// CompleteOut is what the server suggests.
type CompleteOut struct {
	Success    bool            `json:"success"`
	Connection Connection      `json:"connection"`
	Completion json.RawMessage `json:"completion" jsonschema:"as the server sent it"`
	Cut        *Cut            `json:"cut,omitempty"`
	Metadata   Metadata        `json:"metadata"`
	Findings   []Finding       `json:"findings,omitempty"`
}

// Text is what a model reads.
func (o CompleteOut) Text() string {
	return fmt.Sprintf("Completed by %s in %d ms.%s\n", o.Connection.line(), o.Metadata.RequestTime, o.Cut.text()) +
		marked(string(o.Completion)) + findingsText(o.Findings)
}

// mostValues is the most values of one answer (MCP 2025-11-25, Completion, Completion
// Results).
const mostValues = 100

func (s *Server) complete(ctx context.Context, in CompleteIn) (CompleteOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return CompleteOut{}, err
	}
	ref := []member{{"type", quoted("ref/prompt")}, {"name", quoted(in.Prompt)}}
	switch {
	case (in.Prompt == "") == (in.Template == ""):
		return CompleteOut{}, k.fail(failure{typ: errInvalidArguments, message: "A completion is for a prompt or for a template.", suggestion: "Name one of them.", details: map[string]any{}})
	case in.Template != "":
		ref = []member{{"type", quoted("ref/resource")}, {"uri", quoted(in.Template)}}
	}
	params := []member{{"ref", object(ref)}, {"argument", object([]member{{"name", quoted(in.Argument)}, {"value", quoted(in.Value)}})}}
	if len(in.Context) > 0 {
		known, err := json.Marshal(in.Context)
		if err != nil {
			return CompleteOut{}, fmt.Errorf("write the context of a completion: %w", err)
		}
		params = append(params, member{"context", object([]member{{"arguments", known}})})
	}
	ex, err := k.c.conn.Call(ctx, "completion/complete", object(params), wire.CallOptions{Timeout: s.set.Call})
	if err != nil {
		return CompleteOut{}, k.answered(ex, err)
	}
	completion := field(ex.Result, "completion")
	values, ok := itemsOf(field(completion, "values"))
	if !ok {
		return CompleteOut{}, k.misshapen(ex, "completion has no array values")
	}
	out := CompleteOut{Success: true, Connection: k.c.block(), Findings: found(ex)}
	var wrong []string
	for i, v := range values {
		if _, isText := textOf(v); !isText && len(wrong) < 5 {
			wrong = append(wrong, fmt.Sprint(i))
		}
	}
	if len(wrong) > 0 {
		out.Findings = append(out.Findings, Finding{Code: findingSchema, Message: "Values " + strings.Join(wrong, ", ") + " of the completion are no strings."})
	}
	if len(values) > mostValues {
		out.Findings = append(out.Findings, Finding{Code: findingSchema, Message: fmt.Sprintf("The completion has %d values; the protocol allows %d.", len(values), mostValues)})
	}
	out.Completion, out.Cut = k.verbatim(completion, s.set.Answer)
	out.Metadata = k.metadata()
	return out, nil
}
