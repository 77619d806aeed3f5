package check

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// task is what a server says of one.
type task struct {
	id, status string
	members    map[string]any
	evidence   string
	refused    int64 // the code of the error that came instead; 0 is none
	unsuited   bool  // the arguments that were made up did not suit the tool
}

func (t task) over() bool {
	return slices.Contains([]string{string(wire.TaskCompleted), string(wire.TaskFailed), string(wire.TaskCancelled)}, t.status)
}

// read reads the state of a task from an answer; within tells that it is a member.
func (t *tasking) read(ex *wire.Exchange, err error, within bool) task {
	out := task{evidence: t.r.sent(ex, err)}
	var rpc *wire.RPCError
	if errors.As(err, &rpc) {
		out.refused, out.unsuited = rpc.Code, rpc.Code == wire.CodeInvalidParams
	}
	if err != nil || ex == nil {
		return out
	}
	v, _ := decode(ex.Result) // what is no JSON is no task
	out.members, _ = v.(map[string]any)
	if within {
		out.unsuited = rejected(ex)
		out.members, _ = out.members["task"].(map[string]any)
	}
	return out.filled()
}

// filled takes id and status from the members.
func (t task) filled() task {
	t.id, _ = t.members["taskId"].(string)
	t.status, _ = t.members["status"].(string)
	return t
}

// ttl is how long a task is kept from its creation, and the name of the member that says
// so; negative is for ever, or not known.
func (t task) ttl(modern bool) (name string, d time.Duration) {
	name = "ttl"
	if modern {
		name = "ttlMs"
	}
	n, _ := t.members[name].(json.Number)
	ms, whole := wholeMillis(n)
	if !whole {
		return name, -1
	}
	return name, time.Duration(min(ms, mostTTL)) * time.Millisecond
}

// mostTTL is longer than any check, in milliseconds.
const mostTTL = 1e9

// faults are what is wrong with the state of a task (MCP 2025-11-25, Tasks, Task).
func (t task) faults(modern bool) []string {
	var out []string
	if !slices.Contains([]string{"working", "input_required", "completed", "failed", "cancelled"}, t.status) {
		out = append(out, "status is "+shown(t.members["status"]))
	}
	for _, name := range []string{"createdAt", "lastUpdatedAt"} {
		text, _ := t.members[name].(string)
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			out = append(out, name+" is "+shown(t.members[name])+", no date and time")
		}
	}
	ttl, _ := t.ttl(modern)
	switch v, given := t.members[ttl]; n := v.(type) {
	case json.Number:
		if ms, whole := wholeMillis(n); !whole || ms < 0 {
			out = append(out, ttl+" is "+n.String())
		}
	case nil:
		if !given {
			out = append(out, ttl+" is missing")
		}
	default:
		out = append(out, ttl+" is "+shown(v))
	}
	return out
}

// wholeMillis reads a number of milliseconds, which JSON may write as 60000.0 too. It
// reports whether it is a whole one.
func wholeMillis(n json.Number) (float64, bool) {
	ms, err := n.Float64()
	return ms, err == nil && ms == math.Trunc(ms)
}
