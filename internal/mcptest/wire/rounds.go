package wire

import (
	"context"
	"encoding/json"
	"errors"
)

var errNoJSON = errors.New("not valid JSON")

// inputMethods are the requests that may be answered with a wish for input (MCP
// 2026-07-28, Multi Round-Trip Requests).
var inputMethods = map[string]bool{"tools/call": true, "prompts/get": true, "resources/read": true}

// rounds makes a call, and again with the input that the server asks for, until it has
// a result.
func (c *Conn) rounds(ctx context.Context, method string, params json.RawMessage, o CallOptions) *Exchange {
	var before []*Exchange
	next := params
	for {
		ex := c.renewing(ctx, method, next, o)
		ex.Rounds = before
		if ex.Err != nil || ex.ResultType != "input_required" || o.HandUp || c.opt.Answer == nil || !inputMethods[method] || c.Era() != EraModern {
			return ex
		}
		if len(before)+1 >= c.opt.Limits.Rounds {
			ex.Err = &Error{Kind: Protocol, Stage: StageMessage, Method: method, Detail: "The server asks for input again and again."}
			return ex
		}
		responses, err := c.inputs(ctx, ex)
		if err != nil {
			ex.Err = err
			return ex
		}
		before = append(before, ex)
		next = WithInput(params, responses, field(ex.Result, "requestState"))
	}
}

// InputRequests are what a result of type input_required asks for, in its order. Their
// Key is the one under which the answer is expected.
func (e *Exchange) InputRequests() []ServerRequest {
	all, _ := members(field(e.Result, "inputRequests"))
	out := make([]ServerRequest, 0, len(all))
	for _, m := range all {
		out = append(out, ServerRequest{Key: m.key, Method: textField(m.value, "method"), Params: field(m.value, "params"), Call: string(e.ID)})
	}
	return out
}

// inputs has the hook answer what a result asks for.
func (c *Conn) inputs(ctx context.Context, ex *Exchange) (map[string]json.RawMessage, error) {
	out := map[string]json.RawMessage{}
	for _, r := range ex.InputRequests() {
		result, rpc := c.ask(ctx, r)
		if rpc != nil {
			return nil, &Error{Kind: Cancelled, Method: ex.Method, Detail: "The input " + r.Key + " was not given.", Cause: rpc}
		}
		out[r.Key] = result
	}
	return out, nil
}

// WithInput gives the params of a call that is made again with the input that its
// result asked for. state is the requestState of that result, as it came; nil is none.
func WithInput(params json.RawMessage, responses map[string]json.RawMessage, state json.RawMessage) json.RawMessage {
	var set []member
	if len(responses) > 0 {
		raw, err := marshal(responses)
		if err == nil {
			set = append(set, member{"inputResponses", raw})
		}
	}
	if state != nil {
		set = append(set, member{"requestState", state})
	}
	return with(params, set)
}
