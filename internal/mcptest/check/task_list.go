package check

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/legwork-mcp/legwork/internal/mcptest/wire"
)

// tasksList is the request for the list of tasks. Only the legacy era has it.
const tasksList = "tasks/list"

// mostCompared is how many tasks of a list are asked for.
const mostCompared = 5

// noCursor is a cursor that no server has given.
const noCursor = "bm90IGEgY3Vyc29y"

// listed judges the list of all tasks, after one was made (MCP 2025-11-25, Tasks, Listing
// Tasks). It reports whether there is such a list.
func (t *tasking) listed(ctx context.Context, made task) bool {
	if t.modern {
		t.gone(ctx)
		return false
	}
	if !has(t.conn.Capability("tasks"), "list") {
		return false
	}
	all, ok := t.list(ctx)
	if !ok {
		return false
	}
	t.contains(ctx, all, made.id)
	for _, one := range all[:min(len(all), mostCompared)] {
		t.compare(ctx, one)
	}
	if t.r.o.NoProbes {
		return true
	}
	ex, err := t.conn.Call(ctx, tasksList, map[string]any{"cursor": noCursor}, t.listOptions())
	if err == nil {
		t.r.add("bad-cursor", spot{tasksList, "", t.r.sent(ex, err)})
	}
	t.foreign(ctx, made)
	return true
}

func (t *tasking) listOptions() wire.CallOptions {
	return wire.CallOptions{Timeout: t.r.o.CallTimeout}
}

// list reads all pages, and judges their shape. It reports false when they cannot be read.
func (t *tasking) list(ctx context.Context) ([]task, bool) {
	l, err := t.conn.List(ctx, tasksList, nil, t.listOptions())
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, false
	case timedOut(err):
		t.r.add("list-timeout", spot{tasksList, "", err})
	case err != nil:
		t.r.add("list-failed", spot{tasksList, "", err})
	case l.Shape != "":
		t.r.add("list-shape", spot{tasksList, "/tasks", l.Shape})
	case l.Stopped != "":
		t.r.add("list-endless", spot{tasksList, "/nextCursor", l.Stopped + ": " + l.Cursor})
	}
	var all []task
	for _, page := range l.Pages {
		v, _ := decode(page.Result) // the wire reports what is no JSON
		result, _ := v.(map[string]any)
		items, _ := result["tasks"].([]any)
		all = append(all, t.page(items, len(all))...)
	}
	return all, err == nil && l.Shape == ""
}

// page judges the tasks of a page, the first of which is the nth of the list.
func (t *tasking) page(items []any, nth int) []task {
	var out []task
	for n, v := range items {
		at := spot{tasksList, fmt.Sprintf("/tasks/%d", nth+n), shown(v)}
		members, ok := v.(map[string]any)
		if !ok {
			t.r.add("item-malformed", at)
		}
		one := task{members: members, evidence: shown(v)}.filled()
		if slices.ContainsFunc(out, func(other task) bool { return other.id == one.id && one.id != "" }) {
			t.r.add("name-duplicate", at)
		}
		faults := one.faults(false)
		if one.id == "" {
			faults = append(faults, "taskId is "+shown(members["taskId"]))
		}
		if ok && len(faults) > 0 {
			at.evidence = fmt.Sprintf("%v: %s", faults, one.evidence)
			t.r.add("task-shape", at)
		}
		out = append(out, one)
	}
	return out
}

// contains looks for a task in the list. What can be asked for afterwards must have been
// in it.
func (t *tasking) contains(ctx context.Context, all []task, id string) {
	if !slices.ContainsFunc(all, func(one task) bool { return one.id == id }) && t.look(ctx, id).id == id {
		t.r.add("task-list", spot{tasksList, "/tasks", fmt.Sprintf("the task %s is not among the %d of the list", shown(id), len(all))})
	}
}

// compare asks for a task of the list. One that is not known may have ended meanwhile; one
// that is still listed then has not. One that was over stays as it was.
func (t *tasking) compare(ctx context.Context, one task) {
	if one.id == "" || ctx.Err() != nil {
		return
	}
	now := t.look(ctx, one.id)
	switch {
	case now.id == one.id && one.over() && now.status != one.status:
		t.contradicts(one, now)
	case now.refused != 0:
		again, err := t.conn.List(ctx, tasksList, nil, t.listOptions())
		for _, raw := range again.Items {
			v, _ := decode(raw) // what is no JSON is no task
			if members, _ := v.(map[string]any); err == nil && members["taskId"] == one.id {
				t.contradicts(one, now)
				return
			}
		}
	}
}

// listedAs looks how a task that is over stands in the list now.
func (t *tasking) listedAs(ctx context.Context, last task) {
	all, ok := t.list(ctx)
	if !ok {
		return
	}
	t.contains(ctx, all, last.id)
	for _, one := range all {
		if one.id == last.id && one.status != last.status {
			t.contradicts(one, last)
		}
	}
}

func (t *tasking) contradicts(listed, asked task) {
	t.r.add("task-list-contradicts", spot{tasksList, "/tasks", fmt.Sprintf("listed: %s; asked for it: %s", listed.evidence, asked.evidence)})
}

// foreign reads the list as somebody else would, who has no credentials either: whose
// tasks those are a server cannot know then, and should have no list (MCP 2025-11-25,
// Tasks, Task Isolation and Access Control).
func (t *tasking) foreign(ctx context.Context, made task) {
	if t.r.target.URL == "" || len(t.r.target.Headers) > 0 || t.r.o.Wire.Authorize != nil {
		return
	}
	o := t.r.o.Wire
	o.Era, o.NoStream = wire.EraLegacy, true
	other, err := wire.Connect(ctx, t.r.target, o)
	if err != nil {
		return // the tester has said what there is to say of connecting
	}
	defer other.Close()
	l, err := other.List(ctx, tasksList, nil, t.listOptions())
	for _, raw := range l.Items {
		v, _ := decode(raw) // what is no JSON is no task
		if members, _ := v.(map[string]any); err == nil && members["taskId"] == made.id {
			t.r.add("task-list-foreign", spot{tasksList, "/tasks", "on a second connection, without credentials: " + shown(v)})
			return
		}
	}
}

// gone asks a modern server for the list that its era does not have: nobody could say
// whose tasks it holds (SEP-2663, Motivation).
func (t *tasking) gone(ctx context.Context) {
	if t.r.o.NoProbes {
		return
	}
	ex, err := t.conn.Call(ctx, tasksList, nil, t.listOptions())
	v, _ := decode(ex.Result) // the wire reports what is no JSON
	result, _ := v.(map[string]any)
	if _, ok := result["tasks"]; err == nil && ok {
		t.r.add("task-list-gone", spot{tasksList, "/tasks", t.r.sent(ex, err)})
	}
	var failed *wire.Error
	if errors.As(err, &failed) && failed.Status() >= http.StatusInternalServerError {
		t.r.add("server-error", spot{tasksList, "", t.r.sent(ex, err)})
	}
}
