package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// task is what a call says that is to be a task (MCP 2025-11-25, Tasks, Creating a Task).
// How long its result is kept is the longest that a suite runs.
func (s Step) task() any {
	if !s.Task {
		return nil
	}
	return map[string]any{"ttl": (10 * time.Minute).Milliseconds()}
}

// params are those of completion/complete.
func (c *Completion) params() any {
	ref := map[string]string{"type": "ref/prompt", "name": c.Prompt}
	if c.Template != "" {
		ref = map[string]string{"type": "ref/resource", "uri": c.Template}
	}
	out := map[string]any{"ref": ref, "argument": map[string]string{"name": c.Argument, "value": c.Value}}
	if len(c.Context) > 0 {
		out["context"] = map[string]any{"arguments": c.Context}
	}
	return out
}

// completionOf reads the params of completion/complete; nil when they make no step.
func completionOf(params map[string]json.RawMessage) *Completion {
	var ref struct{ Type, Name, URI string }
	var argument struct{ Name, Value string }
	var known struct{ Arguments map[string]string }
	for name, into := range map[string]any{"ref": &ref, "argument": &argument, "context": &known} {
		if raw := params[name]; len(raw) > 0 && json.Unmarshal(raw, into) != nil {
			return nil
		}
	}
	c := &Completion{Prompt: ref.Name, Template: ref.URI, Argument: argument.Name, Value: argument.Value, Context: known.Arguments}
	if (Step{Complete: c}).check() != nil {
		return nil
	}
	return c
}

// await waits for an event, and gives its params.
func (r *runner) await(ctx context.Context, s Step) (json.RawMessage, error) {
	limit := r.o.CallTimeout
	if within, err := time.ParseDuration(s.Within); err == nil {
		limit = min(limit, within)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	e, err := r.conn.Await(limited, r.after, func(e wire.Event) bool { return e.Method == s.Await })
	if err != nil {
		var failed *wire.Error
		if errors.As(err, &failed) && failed.Kind == wire.Timeout {
			return nil, fmt.Errorf("no %s came within %s", s.Await, limit)
		}
		return nil, err
	}
	r.after = e.Seq
	if len(e.Params) == 0 {
		return json.RawMessage(`{}`), nil
	}
	return e.Params, nil
}
