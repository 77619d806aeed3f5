package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var callTool = tool.New(tool.Spec{
	Name: "call_tool", Title: "Call a tool of the server",
	Description: "Calls a specific tool on the currently connected MCP server with provided arguments, passed on byte for byte. " +
		"Returns verbose execution details including the result, execution time, and metadata. It really runs the tool.",
	// What the tool under test does is not known here.
	Effect: tool.Destroy, OpenWorld: true, Scope: scopeRun, Rate: rateCall, Timeout: 11 * time.Minute, Reword: asSpecified,
	Outline:  []string{"tool_call"},
	Examples: []tool.Example{{Name: "add", Args: CallIn{Name: "add", Arguments: json.RawMessage(`{"a":5,"b":3}`)}}},
}, (*Server).callTool)

// CallIn is a call of a tool under test.
type CallIn struct {
	Name       string          `json:"name" jsonschema:"as returned by list_tools"`
	Arguments  json.RawMessage `json:"arguments,omitempty" type:"object"`
	Connection string          `json:"connection,omitempty"`
	TimeoutMS  int             `json:"timeout_ms,omitempty" minimum:"0" maximum:"600000" jsonschema:"default 60000"`
	Extend     bool            `json:"extend_on_progress,omitempty" jsonschema:"progress starts the time anew"`
	Responses  json.RawMessage `json:"input_responses,omitempty" type:"object" jsonschema:"answers to an input_required result"`
	State      string          `json:"request_state,omitempty"`
	Task       bool            `json:"as_task,omitempty" jsonschema:"where the server leaves that to its client"`
}

// CallOut is a call that was made.
type CallOut struct {
	Success    bool       `json:"success"`
	Connection Connection `json:"connection"`
	Call       ToolCall   `json:"tool_call"`
	Metadata   Metadata   `json:"metadata"`
	Findings   []Finding  `json:"findings,omitempty"`

	pictures []tool.Image
}

// Images are the pictures of the result.
func (o CallOut) Images() []tool.Image { return o.pictures }

// ToolCall is what was called and what came of it.
type ToolCall struct {
	Name      string          `json:"tool_name"`
	Arguments json.RawMessage `json:"arguments" type:"object"`
	Result    json.RawMessage `json:"result" jsonschema:"as the server sent it"`
	Cut       *Cut            `json:"cut,omitempty"`
	Execution Execution       `json:"execution"`
	Asks      bool            `json:"input_required,omitempty" jsonschema:"the tool asks for input: answer_request when requests has something, else call again with input_responses"`
	Requests  []AskBlock      `json:"requests,omitempty" jsonschema:"what the server asks while the call goes on"`
	Events    []EventBlock    `json:"notifications,omitempty" jsonschema:"what the server sent meanwhile"`
	Dropped   int             `json:"notifications_left_out,omitempty"`
	Status    int             `json:"http_status,omitempty"`
	Task      *TaskBlock      `json:"task,omitempty" jsonschema:"the server made a task of the call, which was followed to its end"`
}

// TaskBlock is what became of a task.
type TaskBlock struct {
	ID        string `json:"task_id"`
	Status    string `json:"status"`
	Message   string `json:"status_message,omitempty"`
	Polls     int    `json:"polls"`
	Asked     int    `json:"inputs,omitempty" jsonschema:"how often it was given input"`
	Cancelled bool   `json:"cancel_sent,omitempty"`
}

// taskOf is the task of a call; nil when there was none.
func taskOf(ex *wire.Exchange) *TaskBlock {
	if ex == nil || ex.Task == nil {
		return nil
	}
	t := ex.Task
	return &TaskBlock{line(t.ID, 200), string(t.Status), line(t.Message, 500), t.Polls, t.Asked, t.GivenUp}
}

// Execution is when a tool ran.
type Execution struct {
	StartedAt   string `json:"started_at"`
	CompletedAt string `json:"completed_at"`
	Duration    int64  `json:"duration_ms"`
	Success     bool   `json:"success"`
}

// Text is what a model reads.
func (o CallOut) Text() string {
	if len(o.Call.Requests) > 0 {
		return fmt.Sprintf("%s on %s waits: the server asks for input. Call answer_request.\n%s", line(o.Call.Name, 100), o.Connection.line(), asksText(o.Call.Requests))
	}
	what := "succeeded"
	if o.Call.Asks {
		what = "asks for input: call again with input_responses and request_state"
	}
	out := fmt.Sprintf("%s on %s %s in %d ms.%s", line(o.Call.Name, 100), o.Connection.line(), what, o.Call.Execution.Duration, o.Call.Cut.text())
	if t := o.Call.Task; t != nil {
		out += fmt.Sprintf(" The server made it a task, which was asked about %d times.", t.Polls)
	}
	if n := len(o.Call.Events) + o.Call.Dropped; n > 0 {
		out += fmt.Sprintf(" %d messages came meanwhile.", n)
	}
	return out + "\n" + marked(withoutData(o.Call.Result)) + findingsText(o.Findings)
}

func (s *Server) callTool(ctx context.Context, in CallIn) (CallOut, error) {
	k, done, err := s.begin(ctx, in.Connection)
	defer done()
	if err != nil {
		return CallOut{}, err
	}
	if in.Arguments == nil {
		in.Arguments = json.RawMessage("{}")
	}
	if a, ok := k.c.known(in.Name); ok && a.task == "required" && k.c.conn.Era() == wire.EraLegacy {
		in.Task = true
	}
	progress, stop := relay(ctx)
	defer stop()
	r, err := k.start(in, wire.CallOptions{
		Timeout: s.limit(in.TimeoutMS), ExtendOnProgress: in.Extend, MaxTimeout: s.set.MaxCall, HandUp: true, OnMessage: progress, FollowTasks: true,
	})
	if err != nil {
		return CallOut{}, k.fail(failure{typ: errExecution, subtype: subLimit, message: "The tool was not called: " + err.Error() + ".", suggestion: "Answer what the server asks with answer_request, or disconnect.", details: map[string]any{"open_requests": k.asked(k.c.asks.waiting())}})
	}
	return k.follow(r)
}

// ran makes the answer of a call that the server answered with a result.
func (k *call) ran(in CallIn, ex *wire.Exchange) (CallOut, error) {
	out := CallOut{Success: true, Connection: k.c.block(), Findings: found(ex), Call: ToolCall{
		Name: in.Name, Arguments: in.Arguments, Dropped: ex.Dropped, Asks: ex.ResultType == inputRequired,
		Execution: Execution{stamp(ex.Started), stamp(ex.Ended), ex.Duration().Milliseconds(), true},
	}}
	out.Call.Result, out.Call.Cut = k.result(ex.Result)
	out.pictures = pictures(ex.Result)
	if !sound(ex.Result) {
		out.Findings = append(out.Findings, Finding{Code: findingUnsound, Message: "The result has the same key twice, or is no JSON that every client reads: it is shown as a text."})
	}
	out.Call.Task = taskOf(ex)
	if ex.HTTP != nil {
		out.Call.Status = ex.HTTP.Status
	}
	k.meanwhile(&out.Call, ex)
	failed := false
	if !out.Call.Asks {
		var problems []Finding
		failed, problems = k.checkResult(in.Name, ex.Result)
		out.Findings = append(out.Findings, problems...)
	}
	if failed {
		return out, k.executionFailed(in, out, ex)
	}
	out.Metadata = k.metadata()
	return out, nil
}

// executionFailed is a result that says isError. Which error that is follows from the
// server's list: a name that is not in it, or arguments that its schema does not allow.
func (k *call) executionFailed(in CallIn, out CallOut, ex *wire.Exchange) error {
	out.Call.Execution.Success = false
	o := k.lookUp(aTool, in.Name)
	if o.known && o.item == nil {
		return k.notThere(aTool, o, ex, nil)
	}
	f := failure{
		typ: errExecution, message: "The tool " + line(in.Name, 100) + " ran and returned an error." + out.Call.Cut.text(),
		shown: withoutData(out.Call.Result), findings: out.Findings,
		details:    map[string]any{"is_error": true},
		suggestion: "Read the result: it is the tool's own message.",
		more:       map[string]any{"tool_call": out.Call},
	}
	if problems := violations(field(o.item, "inputSchema"), in.Arguments); len(problems) > 0 {
		f.typ = errInvalidArguments
		f.message = "The tool " + line(in.Name, 100) + " returned an error, and the arguments do not match its input schema."
		f.details["problems"] = problems
		f.suggestion = "Correct the arguments: details.problems says which; list_tools shows the schema."
	}
	return k.fail(f)
}

// meanwhile lists what the server sent while the call ran.
func (k *call) meanwhile(c *ToolCall, ex *wire.Exchange) {
	const most = 50
	for _, m := range append(ex.Notifications[:len(ex.Notifications):len(ex.Notifications)], ex.Requests...) {
		if len(c.Events) == most {
			c.Dropped++
			continue
		}
		c.Events = append(c.Events, k.eventBlock(m))
	}
}
