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

var answerRequest = tool.New(tool.Spec{
	Name: "answer_request", Title: "Answer what the server asks",
	Description: "Answers a request of the server (elicitation, sampling, roots) that answers of connect_to_server hands up, and waits for the call that waits for it.",
	// The call that goes on may do anything.
	Effect: tool.Destroy, OpenWorld: true, Scope: scopeRun, Rate: rateCall, Timeout: 11 * time.Minute, Reword: asSpecified,
	Outline: []string{"answered", "tool_call", "open_requests"},
	Examples: []tool.Example{
		{Name: "accept", Args: AnswerIn{Key: "1", Result: json.RawMessage(`{"action":"accept","content":{"name":"Kaya"}}`)}},
		{Name: "refuse", Args: AnswerIn{Key: "1", Error: &AnswerError{Code: -1, Message: "not today"}}},
	},
}, (*Server).answer)

// AnswerIn is an answer to a request of the server.
type AnswerIn struct {
	Key        string          `json:"key,omitempty" jsonschema:"default: the only one"`
	Result     json.RawMessage `json:"result,omitempty" type:"object" jsonschema:"sent as it is"`
	Error      *AnswerError    `json:"error,omitempty" jsonschema:"instead of result"`
	Connection string          `json:"connection,omitempty"`
}

// AnswerError is an answer that is a JSON-RPC error.
type AnswerError struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
}

// AnswerOut is what was answered, and what came of the call that had waited for it.
type AnswerOut struct {
	Success    bool       `json:"success"`
	Connection Connection `json:"connection"`
	Answered   Answered   `json:"answered"`
	Call       *ToolCall  `json:"tool_call,omitempty"`
	Open       []AskBlock `json:"open_requests" jsonschema:"what the server asks now"`
	Metadata   Metadata   `json:"metadata"`
	Findings   []Finding  `json:"findings,omitempty"`

	pictures []tool.Image
	text     string
}

// Answered is the request that was answered.
type Answered struct {
	Key    string `json:"key"`
	Method string `json:"method"`
}

// Images are the pictures of the call's result.
func (o AnswerOut) Images() []tool.Image { return o.pictures }

// Text is what a model reads.
func (o AnswerOut) Text() string {
	out := fmt.Sprintf("Answered %s (key %s).", o.Answered.Method, o.Answered.Key)
	if o.Call != nil {
		return out + " " + o.text
	}
	if len(o.Open) > 0 {
		return out + " The server asks more:\n" + asksText(o.Open)
	}
	return out + " No call waits."
}

func (s *Server) answer(ctx context.Context, in AnswerIn) (AnswerOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return AnswerOut{}, err
	}
	g := given{result: in.Result}
	switch {
	case in.Error != nil && in.Result != nil, in.Error == nil && in.Result == nil:
		return AnswerOut{}, k.fail(failure{typ: errInvalidArguments, message: "An answer has either result or error.", suggestion: "Give one of them.", details: map[string]any{}})
	case in.Error != nil:
		g = given{err: &wire.RPCError{Code: in.Error.Code, Message: in.Error.Message}}
	}
	one, err := k.c.asks.settle(in.Key, g)
	if err != nil {
		return AnswerOut{}, k.fail(failure{
			typ: errInvalidArguments, message: "Nothing was answered: " + strings.TrimPrefix(err.Error(), errBad.Error()+": ") + ".",
			suggestion: "See details.open_requests; a request that waits too long is given up.", details: map[string]any{"open_requests": k.asked(k.c.asks.waiting())},
		})
	}
	out := AnswerOut{Success: true, Answered: Answered{one.Key, line(one.Method, 100)}, Open: []AskBlock{}}
	r := k.c.interrupted(one)
	if r == nil {
		out.Connection, out.Open, out.Metadata = k.c.block(), append(out.Open, k.asked(k.c.asks.waiting())...), k.metadata()
		return out, nil
	}
	made, err := k.follow(r)
	if err != nil {
		return out, err
	}
	out.Connection, out.Metadata, out.Findings, out.pictures, out.text = made.Connection, made.Metadata, made.Findings, made.pictures, made.Text()
	out.Call, out.Open = &made.Call, append(out.Open, made.Call.Requests...)
	return out, nil
}
