package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"strings"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// someResources is how many resources are read: they may be files of any size.
const someResources = 20

// readResources reads listed resources.
func (r *run) readResources(ctx context.Context) outcome {
	if len(r.resources) == 0 {
		return skip("the server lists none")
	}
	n := 0
	for _, i := range r.resources[:min(len(r.resources), someResources)] {
		if i.name == "" || ctx.Err() != nil || r.dead() {
			continue
		}
		ex, err := r.conn.Call(ctx, "resources/read", map[string]any{"uri": i.name}, wire.CallOptions{Timeout: r.o.CallTimeout, HandUp: true})
		r.asked(i, ex, err)
		if !r.gave(ctx, "resource-failed", i, err) {
			if !r.survived(ctx, i) {
				break
			}
			continue
		}
		n++
		if ex.ResultType != "" && ex.ResultType != "complete" {
			continue
		}
		r.cacheHints("resources/read", ex)
		v, _ := decode(ex.Result) // the wire reports what is no JSON
		m, _ := v.(map[string]any)
		list, ok := m["contents"].([]any)
		if !ok {
			r.add("resource-content", i.at("", "contents is "+shown(m["contents"])))
		}
		for k, c := range list {
			if why := contentsFault(c); why != "" {
				r.add("resource-content", spot{"contents of " + i.subject(), fmt.Sprintf("/contents/%d", k), why + " in " + shown(c)})
			} else if m, _ := c.(map[string]any); isNoJSON(m) {
				r.add("resource-type", spot{"contents of " + i.subject(), fmt.Sprintf("/contents/%d/text", k), fmt.Sprintf("mimeType is %s, text is %s", shown(m["mimeType"]), shown(m["text"]))})
			}
		}
	}
	return outcome{detail: fmt.Sprintf("%d of %d resources read", n, len(r.resources))}
}

// isNoJSON reports whether contents say that they are JSON, and are not (RFC 8259; RFC
// 6839, 3.1 for names that end in +json).
func isNoJSON(m map[string]any) bool {
	kind, _ := m["mimeType"].(string)
	kind, _, err := mime.ParseMediaType(kind)
	text, given := m["text"].(string)
	return err == nil && given && (kind == "application/json" || strings.HasSuffix(kind, "+json")) && !json.Valid([]byte(text))
}

// gave reports whether an answer is a result, and notes what is not.
func (r *run) gave(ctx context.Context, rule string, i item, err error) bool {
	var failed *wire.Error
	switch {
	case err == nil:
		return true
	case errors.As(err, &failed) && failed.Kind == wire.Timeout:
		r.add("call-timeout", i.at("", err))
	case errors.As(err, &failed) && failed.Kind == wire.Cancelled:
	case r.unequipped(err):
		r.add("capability-wanted", i.at("", err))
	case r.explained(ctx, i.at("", nil), err):
	default:
		r.add(rule, i.at("", r.plain(err)))
	}
	return false
}

// getPrompts gets each prompt with its required arguments.
func (r *run) getPrompts(ctx context.Context) outcome {
	if len(r.prompts) == 0 {
		return skip("the server lists none")
	}
	n := 0
	for _, i := range r.prompts[:min(len(r.prompts), most)] {
		if i.name == "" || ctx.Err() != nil || r.dead() {
			continue
		}
		args := r.promptArguments(ctx, i)
		if r.dead() {
			break // completion has ended it, and it does not come back
		}
		ex, err := r.conn.Call(ctx, "prompts/get", map[string]any{"name": i.name, "arguments": args}, wire.CallOptions{Timeout: r.o.CallTimeout, HandUp: true})
		r.asked(i, ex, err)
		var rpc *wire.RPCError
		if errors.As(err, &rpc) && len(args) > 0 && !r.unequipped(err) {
			r.add("prompt-is-error", i.at("", fmt.Sprintf("arguments %s: %v", shown(args), err)))
			continue
		}
		if !r.gave(ctx, "prompt-failed", i, err) {
			if !r.survived(ctx, i) {
				break
			}
			continue
		}
		n++
		if ex.ResultType == "" || ex.ResultType == "complete" {
			r.messages(i, ex)
		}
	}
	return outcome{detail: fmt.Sprintf("%d of %d prompts got", n, len(r.prompts))}
}

// promptArguments are values for the required arguments of a prompt: the first that
// completion offers for each, as a person would take it.
func (r *run) promptArguments(ctx context.Context, i item) map[string]any {
	args := map[string]any{}
	list, _ := i.fields["arguments"].([]any)
	for _, a := range list {
		m, _ := a.(map[string]any)
		if name, _ := m["name"].(string); name != "" && m["required"] == true {
			args[name] = r.completed(ctx, i, name)
		}
	}
	return args
}

// completed asks for the values of an argument.
func (r *run) completed(ctx context.Context, i item, name string) string {
	const madeUp = "example"
	if len(r.conn.Capability("completions")) == 0 || r.deadly {
		return madeUp
	}
	ex, err := r.conn.Call(ctx, "completion/complete", map[string]any{
		"ref": map[string]any{"type": "ref/prompt", "name": i.name}, "argument": map[string]any{"name": name, "value": ""},
	}, wire.CallOptions{Timeout: r.o.CallTimeout})
	if !r.gave(ctx, "completion-failed", i, err) {
		r.deadly = r.dead() // asked again for the next prompt it would end again
		r.survived(ctx, i)
		return madeUp
	}
	var said struct {
		Completion struct {
			Values []string `json:"values"`
		} `json:"completion"`
	}
	if err := json.Unmarshal(ex.Result, &said); err != nil || said.Completion.Values == nil {
		r.add("completion-failed", i.at("", "completion.values is no array of strings in "+string(ex.Result)))
	}
	for _, v := range said.Completion.Values {
		if v != "" {
			return v
		}
	}
	return madeUp
}

func (r *run) messages(i item, ex *wire.Exchange) {
	v, _ := decode(ex.Result) // the wire reports what is no JSON
	m, _ := v.(map[string]any)
	list, ok := m["messages"].([]any)
	if !ok {
		r.add("prompt-content", i.at("", "messages is "+shown(m["messages"])))
	}
	for k, v := range list {
		msg, _ := v.(map[string]any)
		why := blockFault(msg["content"])
		if msg["role"] != "user" && msg["role"] != "assistant" {
			why = "role is " + shown(msg["role"])
		}
		if why != "" {
			r.add("prompt-content", spot{"messages of " + i.subject(), fmt.Sprintf("/messages/%d", k), why + " in " + shown(v)})
		}
	}
}
