package check

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// most are how many tools, resources and prompts are tried.
const most = 200

// mayCall reports whether a tool may be called: it says that it changes nothing, or
// somebody allowed it.
func (r *run) mayCall(i item) bool {
	a, _ := i.fields["annotations"].(map[string]any)
	return a["readOnlyHint"] == true && a["destructiveHint"] != true || r.o.AllowAll || slices.Contains(r.o.AllowTools, i.name)
}

// callTools calls each tool that may be called, once, with arguments that conform.
func (r *run) callTools(ctx context.Context) outcome {
	left := 0
	for _, i := range r.tools {
		if i.name == "" || ctx.Err() != nil || r.dead() || r.taskOnly(i) {
			continue
		}
		if !r.mayCall(i) {
			left++
			r.notCalled(i)
			continue
		}
		if len(r.report.Called) >= most {
			break
		}
		args, err := generate(i.fields["inputSchema"])
		if err != nil { // the lint has what is wrong with the schema
			left++
			r.notCalled(i)
			continue
		}
		r.report.Called = append(r.report.Called, r.safe(i.name, 100))
		if !r.callTool(ctx, i, args) && !r.survived(ctx, i) {
			break
		}
	}
	out := outcome{detail: fmt.Sprintf("%d called, %d not, because they are not marked as read-only or their schema cannot be met", len(r.report.Called), left)}
	if r.gone != "" {
		out.detail += "; those after " + r.gone + " could not be tried"
	}
	if left > 0 {
		out.next = "Allow more with --allow-tool NAME."
	}
	for _, name := range r.o.AllowTools {
		if !slices.ContainsFunc(r.tools, func(i item) bool { return i.name == name }) {
			out.next = fmt.Sprintf("The server lists no tool %s, which was allowed: see tools/list.", visible(name, 100))
		}
	}
	if len(r.report.Called) == 0 {
		out.skipped = true
	}
	return out
}

// notCalled notes a tool that is not called. A report, which is kept, has some of them.
func (r *run) notCalled(i item) {
	if len(r.report.NotCalled) < mostNotCalled {
		r.report.NotCalled = append(r.report.NotCalled, r.safe(i.name, 100))
	}
}

// mostNotCalled is how many tools a report names that were not called.
const mostNotCalled = 1000

// callTool calls a tool and checks its result. It reports whether there was one, also
// when the call was made once more.
func (r *run) callTool(ctx context.Context, i item, args any) (sound bool) {
	ex, err := r.conn.Call(ctx, "tools/call", map[string]any{"name": i.name, "arguments": args}, r.callOptions())
	r.asked(i, ex, err)
	if took := ex.Duration(); took >= longEnough && (r.slow.took == 0 || took < r.slow.took) {
		r.slow = timed{i, args, took}
	}
	sound = err == nil && r.repeat(ctx, i, args)
	if err == nil && ex.ResultType == "task" {
		r.add("task-unasked", i.at("", r.sent(ex, err)))
	}
	if !r.answered(ctx, i, err, args) || ex.ResultType != "" && ex.ResultType != "complete" {
		return sound
	}
	v, err := decode(ex.Result)
	result, ok := v.(map[string]any)
	if err != nil || !ok {
		return sound // the wire has it
	}
	at := "result of " + i.subject()
	if flag, given := result["isError"]; given {
		if _, ok := flag.(bool); !ok {
			r.add("is-error-type", spot{at, "/isError", "isError is " + shown(flag)})
		}
	}
	if r.answer == nil && result["isError"] != true {
		r.quick, r.answer = timed{i, args, ex.Duration()}, v
	}
	texts := r.content(at, "/content", result["content"])
	if result["isError"] == true {
		r.add("call-is-error", spot{at, "/content", fmt.Sprintf("arguments %s: %s", shown(args), strings.Join(texts, " "))})
		return sound
	}
	r.output(i, result, texts)
	return sound
}

// manyTimeouts is how many times the limit of a call it may take while there is progress.
const manyTimeouts = 4

// callOptions are those of a call that conforms.
func (r *run) callOptions() wire.CallOptions {
	return wire.CallOptions{Timeout: r.o.CallTimeout, HandUp: true, ExtendOnProgress: true, MaxTimeout: manyTimeouts * r.o.CallTimeout}
}

// answered reports whether a call has a result, and says what came instead.
func (r *run) answered(ctx context.Context, i item, err error, args any) bool {
	var rpc *wire.RPCError
	var failed *wire.Error
	said := fmt.Sprintf("arguments %s: %v", shown(args), err)
	switch {
	case err == nil:
		return true
	case r.unequipped(err):
		r.add("capability-wanted", i.at("", said))
	case errors.As(err, &rpc):
		r.add("call-rpc-error", i.at("", said))
	case errors.As(err, &failed) && failed.Kind == wire.Timeout:
		r.add("call-timeout", i.at("", said))
	case errors.As(err, &failed) && failed.Kind == wire.Cancelled:
	case r.explained(ctx, i.at("", nil), err):
	case errors.As(err, &failed):
		r.add("call-failed", i.at("", said+r.detail(failed)))
	}
	return false
}

// unequipped reports whether a server rightly says that it would need a client with other
// capabilities than a check has.
func (r *run) unequipped(err error) bool {
	wants := int64(wire.CodeURLElicitation)
	if r.conn.Era() == wire.EraModern {
		wants = wire.CodeMissingCapability
	}
	var rpc *wire.RPCError
	return errors.As(err, &rpc) && rpc.Code == wants
}

// output checks structured content against its schema and against the text.
func (r *run) output(i item, result map[string]any, texts []string) {
	at := "result of " + i.subject()
	structured, given := result["structuredContent"]
	if schema, has := i.fields["outputSchema"]; has {
		if !given {
			r.add("output-missing", spot{at, "/structuredContent", "absent"})
			return
		}
		if s, _, err := Compile(schema); err == nil {
			if err := Conforms(s, schema, structured); err != nil && !errors.Is(err, ErrComplex) {
				r.add("output-mismatch", spot{at, "/structuredContent", fmt.Sprintf("%s, in %s", plainError(err), shown(structured))})
			}
		}
	}
	if given && !says(texts, structured) {
		r.add("output-text", spot{at, "/content", fmt.Sprintf("structuredContent is %s, text is %s", shown(structured), shown(texts))})
	}
}

// plainError is a validation error on one line without the name of the document.
func plainError(err error) string {
	var wrong *jsonschema.ValidationError
	if !errors.As(err, &wrong) {
		return err.Error()
	}
	_, text, _ := strings.Cut(err.Error(), "\n")
	return strings.Join(strings.Fields(text), " ")
}

// says reports whether one of the texts has the structured content as JSON; a text for
// people that is no JSON at all does not contradict it.
func says(texts []string, structured any) bool {
	contradicts := len(texts) == 0
	want := normal(structured)
	for _, t := range texts {
		v, err := decode([]byte(t))
		if err != nil {
			continue
		}
		if reflect.DeepEqual(normal(v), want) {
			return true
		}
		switch v.(type) {
		case map[string]any, []any:
			contradicts = true
		}
	}
	return !contradicts
}

func equal(a, b any) bool {
	return reflect.DeepEqual(normal(a), normal(b))
}

// normal makes numbers of the same value equal.
func normal(v any) any {
	switch v := v.(type) {
	case json.Number:
		if r := rational(v); r != nil {
			return r.RatString()
		}
		return v.String()
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = normal(v[i])
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k := range v {
			out[k] = normal(v[k])
		}
		return out
	}
	return v
}

// content checks content blocks (MCP 2025-11-25, Schema, ContentBlock). It gives the
// texts.
func (r *run) content(subject, pointer string, v any) []string {
	list, ok := v.([]any)
	if !ok {
		r.add("content-invalid", spot{subject, pointer, "content is " + shown(v) + ", not an array"})
		return nil
	}
	var texts []string
	for n, b := range list {
		if why := blockFault(b); why != "" {
			r.add("content-invalid", spot{subject, fmt.Sprintf("%s/%d", pointer, n), why + " in " + shown(b)})
			continue
		}
		if m, _ := b.(map[string]any); m["type"] == "text" {
			t, _ := m["text"].(string)
			texts = append(texts, t)
		}
	}
	return texts
}

// blockFault says what is wrong with a content block; empty is nothing.
func blockFault(v any) string {
	m, ok := v.(map[string]any)
	if !ok {
		return "a block is no object"
	}
	is := func(k string) bool { _, ok := m[k].(string); return ok }
	switch m["type"] {
	case "text":
		if !is("text") {
			return "text is no string"
		}
	case "image", "audio":
		if !is("data") || !is("mimeType") {
			return "data or mimeType is no string"
		}
		if _, err := base64.StdEncoding.DecodeString(m["data"].(string)); err != nil {
			return "data is no base64"
		}
	case "resource_link":
		if !is("uri") || !is("name") {
			return "uri or name is no string"
		}
	case "resource":
		return contentsFault(m["resource"])
	default:
		return "type is " + shown(m["type"]) + ", which is none"
	}
	return ""
}

// contentsFault says what is wrong with the contents of a resource.
func contentsFault(v any) string {
	m, ok := v.(map[string]any)
	if !ok {
		return "the contents are no object"
	}
	if _, ok := m["uri"].(string); !ok {
		return "uri is no string"
	}
	_, text := m["text"].(string)
	blob, binary := m["blob"].(string)
	if !text && !binary {
		return "neither text nor blob is a string"
	}
	if binary {
		if _, err := base64.StdEncoding.DecodeString(blob); err != nil {
			return "blob is no base64"
		}
	}
	return ""
}
