package check

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// taskTTL is how long a legacy server is asked to keep a task.
const taskTTL = time.Minute

// taskPatience bounds how long is waited for a task to end; one may take longer.
const taskPatience = 3 * time.Second

// mostTried is how many tools are called until a modern server makes a task: only it
// knows of which.
const mostTried = 20

// noTask is an id that no server has given.
const noTask = "legwork-check-no-such-task"

// tasking is the probe of how a server keeps tasks (MCP 2025-11-25, Tasks; the extension
// io.modelcontextprotocol/tasks of 2026-07-28).
type tasking struct {
	r      *run
	conn   *wire.Conn
	modern bool
	tool   item
	args   any
	ends   time.Time // of the task: what is older may be forgotten; zero is never
}

// tasks judges what becomes of calls that the server makes tasks of.
func (r *run) tasks(ctx context.Context) outcome {
	t := &tasking{r: r, conn: r.conn, modern: r.conn.Era() == wire.EraModern}
	if !t.announced() {
		return skip("the server does not announce tasks")
	}
	if t.modern { // which makes tasks for those who say that they know them
		o := r.o.Wire
		o.Era, o.Tasks = wire.EraModern, true
		conn, err := wire.Connect(ctx, r.target, o)
		if err != nil {
			return skip("no second connection, that announces tasks, came about")
		}
		defer conn.Close()
		t.conn = conn
	}
	first, ok := t.begin(ctx)
	if !ok {
		return skip("no tool that may be called makes a task")
	}
	if !r.o.NoProbes {
		t.stranger(ctx)
		t.forbidden(ctx)
		t.required(ctx)
	}
	listed := t.listed(ctx, first)
	last, ok := t.follow(ctx, first)
	if !ok {
		if t.cancels() {
			_, _ = t.ask(ctx, "tasks/cancel", first.id) // nobody waits for it; that it is kept badly was said
		}
		return outcome{detail: t.tool.subject() + ": its task could not be followed"}
	}
	if last.over() {
		t.result(ctx, last)
		t.settled(ctx, last)
		if listed {
			t.listedAs(ctx, last)
		}
		last = t.start(ctx)
	}
	t.cancelled(ctx, last)
	return outcome{detail: t.tool.subject() + " was made a task, followed and cancelled"}
}

// announced reports whether the server has tasks for tools.
func (t *tasking) announced() bool {
	name, path := "tasks", []string{"requests", "tools", "call"}
	if t.modern {
		name, path = "extensions", []string{wire.TasksExtension}
	}
	return has(t.conn.Capability(name), path...)
}

// has reports whether an object has an object at a path.
func has(raw json.RawMessage, path ...string) bool {
	v, err := decode(raw)
	for _, name := range path {
		inner, _ := v.(map[string]any)
		v = inner[name]
	}
	_, ok := v.(map[string]any)
	return err == nil && ok
}

// taskSupport is what a tool of the legacy era says of tasks, forbidden when nothing.
func taskSupport(i item) string {
	execution, _ := i.fields["execution"].(map[string]any)
	if said, ok := execution["taskSupport"].(string); ok {
		return said
	}
	return "forbidden"
}

// taskOnly reports whether a tool may be called as a task only.
func (r *run) taskOnly(i item) bool {
	return r.conn.Era() != wire.EraModern && taskSupport(i) == "required" && has(r.conn.Capability("tasks"), "requests", "tools", "call")
}

// begin finds a tool that makes a task, and calls it.
func (t *tasking) begin(ctx context.Context) (task, bool) {
	tried := 0
	for _, i := range t.r.tools {
		args, err := generate(i.fields["inputSchema"])
		if err != nil || i.name == "" || !t.r.mayCall(i) || !t.modern && taskSupport(i) == "forbidden" || ctx.Err() != nil {
			continue
		}
		if tried++; tried > mostTried {
			break
		}
		t.tool, t.args = i, args
		made := t.start(ctx)
		if made.id != "" {
			return made, true
		}
		if !t.modern && !made.unsuited && ctx.Err() == nil {
			t.add("task-missing", made.evidence)
		}
	}
	return task{}, false
}

// start calls the tool as a task. One without an id is none.
func (t *tasking) start(ctx context.Context) task {
	params := map[string]any{"name": t.tool.name, "arguments": t.args}
	if !t.modern {
		params["task"] = map[string]any{"ttl": taskTTL.Milliseconds()}
	}
	ex, err := t.conn.Call(ctx, "tools/call", params, t.r.callOptions())
	made := t.read(ex, err, !t.modern)
	if made.id == "" {
		return made
	}
	t.ends = time.Time{}
	if _, kept := made.ttl(t.modern); kept >= 0 {
		t.ends = ex.Started.Add(kept)
	}
	if faults := made.faults(t.modern); len(faults) > 0 {
		t.add("task-shape", strings.Join(faults, "; ")+": "+made.evidence)
	}
	if made.status != string(wire.TaskWorking) && !t.modern {
		t.add("task-lifecycle", "a task begins with the status "+shown(made.status)+": "+made.evidence)
	}
	return made
}

// ask makes a request about a task.
func (t *tasking) ask(ctx context.Context, method, id string) (*wire.Exchange, error) {
	return t.conn.Call(ctx, method, map[string]any{"taskId": id}, wire.CallOptions{Timeout: t.r.o.CallTimeout, HandUp: true})
}

// look asks where a task stands.
func (t *tasking) look(ctx context.Context, id string) task {
	ex, err := t.ask(ctx, "tasks/get", id)
	return t.read(ex, err, false)
}

// forgotten reports whether the time is over for which a task is kept.
func (t *tasking) forgotten() bool {
	return !t.ends.IsZero() && t.r.o.Wire.Now().After(t.ends)
}

// get asks where a task stands. It reports false when that is not said, and why when it
// should be.
func (t *tasking) get(ctx context.Context, id string) (task, bool) {
	now := t.look(ctx, id)
	if ctx.Err() != nil || now.refused != 0 && t.forgotten() {
		return now, false
	}
	if faults := now.faults(t.modern); now.id != id || len(faults) > 0 {
		t.add("task-get", strings.Join(append(faults, now.evidence), "; "))
		return now, false
	}
	return now, true
}

// follow asks until the task is over, or it has taken long enough.
func (t *tasking) follow(ctx context.Context, first task) (task, bool) {
	within, cancel := context.WithTimeout(ctx, taskPatience)
	defer cancel()
	now := first
	for !now.over() && within.Err() == nil {
		pause(within, moment)
		next, ok := t.get(ctx, first.id)
		if !ok {
			return next, false
		}
		now = next
	}
	return now, true
}

// result takes what a task that is over has come to.
func (t *tasking) result(ctx context.Context, last task) {
	if t.modern {
		result, _ := last.members["result"].(map[string]any)
		failed, _ := last.members["error"].(map[string]any)
		_, ok := result["content"].([]any)
		if last.status == string(wire.TaskCompleted) && !ok || last.status == string(wire.TaskFailed) && failed == nil {
			t.add("task-result", last.evidence)
		}
		return
	}
	ex, err := t.ask(ctx, "tasks/result", last.id)
	var rpc *wire.RPCError
	if errors.As(err, &rpc) && last.status != string(wire.TaskCompleted) {
		return // it failed with this error
	}
	v, _ := decode(ex.Result)
	result, _ := v.(map[string]any)
	if _, ok := result["content"].([]any); err != nil || !ok {
		t.add("task-result", t.r.sent(ex, err))
		return
	}
	meta, _ := result["_meta"].(map[string]any)
	related, _ := meta["io.modelcontextprotocol/related-task"].(map[string]any)
	if related["taskId"] != last.id {
		t.add("task-unrelated", t.r.sent(ex, err))
	}
}

// settled looks whether a task that is over stays so, also when it is cancelled.
func (t *tasking) settled(ctx context.Context, last task) {
	if !t.modern && !t.r.o.NoProbes && t.cancels() {
		ex, err := t.ask(ctx, "tasks/cancel", last.id)
		if err == nil {
			t.add("task-cancel-late", t.r.sent(ex, err))
		}
	}
	if now, ok := t.get(ctx, last.id); ok && now.status != last.status {
		t.add("task-lifecycle", "a task that was "+last.status+" is "+now.status+": "+now.evidence)
	}
}

// cancels reports whether the server announces that tasks can be cancelled.
func (t *tasking) cancels() bool { return t.modern || has(t.conn.Capability("tasks"), "cancel") }

// cancelled ends a task on its way. A legacy server has made it cancelled when it answers,
// and may forget it then (MCP 2025-11-25, Tasks, Task Cancellation). A modern one has to
// acknowledge it only: the work may go on (SEP-2663, Task Cancellation).
func (t *tasking) cancelled(ctx context.Context, running task) {
	if running.id == "" || running.over() || !t.cancels() {
		return
	}
	ex, err := t.ask(ctx, "tasks/cancel", running.id)
	said := t.read(ex, err, false)
	within, stop := context.WithTimeout(ctx, time.Second)
	defer stop()
	now := t.look(ctx, running.id)
	for t.modern && now.id != "" && !now.over() && within.Err() == nil {
		pause(within, moment)
		now = t.look(ctx, running.id)
	}
	seen := said.evidence + ", then " + now.evidence
	switch {
	case ctx.Err() != nil, t.forgotten():
	case err != nil && !now.over(), // one that was over by then is refused
		!t.modern && err == nil && said.status != string(wire.TaskCancelled),
		!t.modern && err == nil && now.id != "" && now.status != string(wire.TaskCancelled):
		t.add("task-cancel", seen)
	case now.id != "" && !now.over():
		t.add("task-uncancelled", seen)
	}
}

// stranger asks for a task that does not exist.
func (t *tasking) stranger(ctx context.Context) {
	ex, err := t.ask(ctx, "tasks/get", noTask)
	var rpc *wire.RPCError
	if err == nil || errors.As(err, &rpc) && rpc.Code != wire.CodeInvalidParams {
		t.add("task-unknown", t.r.sent(ex, err))
	}
}

// toolThat is a tool that may be called and says something of tasks, with arguments.
func (t *tasking) toolThat(support string) (tasking, bool) {
	for _, i := range t.r.tools {
		if i.name == "" || taskSupport(i) != support || !t.r.mayCall(i) {
			continue
		}
		if args, err := generate(i.fields["inputSchema"]); err == nil {
			return tasking{r: t.r, conn: t.conn, tool: i, args: args}, true
		}
	}
	return tasking{}, false
}

// forbidden calls a tool as a task that does not say that it can be. In the modern era the
// server alone decides.
func (t *tasking) forbidden(ctx context.Context) {
	other, ok := t.toolThat("forbidden")
	if t.modern || !ok {
		return
	}
	params := map[string]any{"name": other.tool.name, "arguments": other.args, "task": map[string]any{"ttl": taskTTL.Milliseconds()}}
	ex, err := t.conn.Call(ctx, "tools/call", params, t.r.callOptions())
	if made := other.read(ex, err, true); made.id != "" {
		other.add("task-forbidden", made.evidence)
	}
}

// required calls a tool without a task that says that it is one always.
func (t *tasking) required(ctx context.Context) {
	other, ok := t.toolThat("required")
	if t.modern || !ok {
		return
	}
	ex, err := t.conn.Call(ctx, "tools/call", map[string]any{"name": other.tool.name, "arguments": other.args}, t.r.callOptions())
	if err == nil && !rejected(ex) {
		other.add("task-required", t.r.sent(ex, err))
	}
}

func (t *tasking) add(rule, evidence string) { t.r.add(rule, t.tool.at("", evidence)) }
