package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// TasksExtension is the id of the extension by which modern servers make tasks of calls
// (MCP 2026-07-28, Extensions, Tasks). Options.Tasks announces it.
const TasksExtension = "io.modelcontextprotocol/tasks"

// TaskStatus is where a task stands.
type TaskStatus string

// The states of both eras (MCP 2025-11-25, Tasks, Task Status Lifecycle).
const (
	TaskWorking   TaskStatus = "working"
	TaskAsks      TaskStatus = "input_required"
	TaskCompleted TaskStatus = "completed"
	TaskFailed    TaskStatus = "failed"
	TaskCancelled TaskStatus = "cancelled"
)

func (s TaskStatus) over() bool { return s == TaskCompleted || s == TaskFailed || s == TaskCancelled }

func (s TaskStatus) known() bool { return s.over() || s == TaskWorking || s == TaskAsks }

// Task is what became of a call that its server made a task.
type Task struct {
	ID      string
	Status  TaskStatus // as it was seen last
	Message string     // statusMessage, as it was seen last
	Polls   int        // how often tasks/get was asked
	// Asked is how often the server was given input.
	Asked int
	// GivenUp tells that tasks/cancel was sent.
	GivenUp bool

	poll time.Duration
}

// How often a task is asked about: as its server wishes, within bounds (MCP 2025-11-25,
// Tasks, Task Polling).
const (
	pollUsually = 500 * time.Millisecond
	pollAtLeast = 20 * time.Millisecond
	pollAtMost  = 10 * time.Second
)

// createdTask reads a result that creates a task: flat in the modern era, in a member of
// its own in the legacy one. Nil is none.
func (c *Conn) createdTask(ex *Exchange) *Task {
	if ex.Err != nil {
		return nil
	}
	raw := ex.Result
	if c.Era() != EraModern {
		if raw = field(ex.Result, "task"); !isObject(raw) || field(field(ex.Request, "params"), "task") == nil {
			return nil
		}
	} else if ex.ResultType != "task" {
		return nil
	}
	t := &Task{}
	c.lookAt(t, ex, raw)
	if c.Era() == EraModern {
		for _, name := range []string{"task", "result", "error", "inputRequests"} {
			if field(raw, name) != nil {
				c.wrongTask(ex, "The result that creates a task has the member "+name+", which is not its place.")
			}
		}
	}
	return t
}

// lookAt reads the state of a task, and observes what is wrong with it.
func (c *Conn) lookAt(t *Task, ex *Exchange, raw json.RawMessage) {
	id, status := textField(raw, "taskId"), TaskStatus(textField(raw, "status"))
	interval := "pollInterval"
	if c.Era() == EraModern {
		interval = "pollIntervalMs"
	}
	switch {
	case id == "":
		c.wrongTask(ex, "A task has no taskId.")
	case t.ID != "" && t.ID != id:
		c.wrongTask(ex, "The server answers with the state of another task.")
	default:
		t.ID = id
	}
	if !status.known() {
		c.wrongTask(ex, "A task has a status that does not exist.")
		status = TaskWorking
	}
	t.Status, t.Message, t.poll = status, textField(raw, "statusMessage"), pollUsually
	if given := field(raw, interval); given != nil {
		ms, err := strconv.ParseFloat(string(given), 64)
		if err != nil || ms <= 0 || ms != math.Trunc(ms) {
			c.wrongTask(ex, interval+" is no positive integer.")
		} else {
			t.poll = time.Duration(min(ms, float64(pollAtMost.Milliseconds()))) * time.Millisecond
		}
	}
	t.poll = max(t.poll, pollAtLeast)
}

// wrongTask observes a fault in how a task is kept.
func (c *Conn) wrongTask(ex *Exchange, detail string) {
	o := Observation{Code: BadTask, Detail: detail, Bytes: ex.Response}
	c.observe(o, nil)
	o.Call = ex.ID
	ex.Observations = append(ex.Observations, o) // the exchange is over, and belongs to its caller
}

// followTask waits for what a task comes to. The exchange that it gives is the call's
// own: with its beginning, its result, and all that was asked meanwhile as its Rounds.
// A task that does not end in time is cancelled.
func (c *Conn) followTask(ctx context.Context, created *Exchange, o CallOptions) *Exchange {
	t := c.createdTask(created)
	if t == nil {
		return created
	}
	f := &following{c: c, t: t, o: o, whole: *created}
	f.whole.Task, f.whole.Rounds, f.whole.Observations = t, append(created.Rounds, created), nil
	limit := o.Timeout
	if limit <= 0 {
		limit = c.opt.CallTimeout
	}
	f.limit, f.timer = limit, time.NewTimer(limit)
	defer f.timer.Stop()
	err := f.run(ctx)
	if late := errors.Is(err, errTaskLate); (late || ctx.Err() != nil) && !t.Status.over() {
		err = giveUp(ctx, created.Method, "The task was given up.")
		if late {
			err = &Error{Kind: Timeout, Method: created.Method, Detail: fmt.Sprintf("The task did not end within %s; its status is %s.", limit, t.Status)}
		}
	}
	if err != nil && !t.Status.over() && t.ID != "" {
		f.giveUp(context.WithoutCancel(ctx))
	}
	f.whole.Err, f.whole.Ended = err, c.now()
	return &f.whole
}

// errTaskLate is a task that did not end in time.
var errTaskLate = errors.New("the task is late")

// following is one task that is waited for.
type following struct {
	c     *Conn
	t     *Task
	o     CallOptions
	whole Exchange
	// timer ends the following after limit; a question that is on its way is still
	// answered. It stands still while somebody is asked.
	timer *time.Timer
	limit time.Duration
}

// keptRounds bounds what is kept of the questions about one task.
const keptRounds = 100

// ask makes one request about the task.
func (f *following) ask(ctx context.Context, method string, more ...member) (*Exchange, error) {
	limit := f.o.Timeout // of tasks/result, which waits for the task
	if method != "tasks/result" {
		limit = min(max(limit, f.c.opt.ProbeTimeout), f.c.opt.CallTimeout)
	}
	params := join(append([]member{{"taskId", quote(f.t.ID)}}, more...))
	ex := f.c.renewing(ctx, method, params, CallOptions{Timeout: limit, OnMessage: f.o.OnMessage})
	if len(f.whole.Rounds) < keptRounds {
		f.whole.Rounds = append(f.whole.Rounds, ex)
	}
	f.whole.Notifications = append(f.whole.Notifications, ex.Notifications...)
	var rpc *RPCError
	if method == "tasks/result" || !errors.As(ex.Err, &rpc) {
		return ex, ex.Err
	}
	if method == "tasks/get" && !f.t.GivenUp {
		f.c.wrongTask(ex, "The server does not know the task that it has made.")
	}
	// it is no answer to the call itself
	return ex, &Error{Kind: Protocol, Stage: StageMessage, Method: method, Detail: fmt.Sprintf("The server answered error %d when it was asked about its task.", rpc.Code)}
}

// run asks until the task is over, and takes its result.
func (f *following) run(ctx context.Context) error {
	if f.t.ID == "" {
		return &Error{Kind: Protocol, Stage: StageMessage, Method: f.whole.Method, Detail: "The task has no id by which it could be asked about."}
	}
	state := json.RawMessage(nil)
	for !f.t.Status.over() {
		if f.t.Status == TaskAsks {
			if done, err := f.answer(ctx, state); done || err != nil {
				return err
			}
		}
		timer := time.NewTimer(f.t.poll)
		select {
		case <-timer.C:
		case <-f.timer.C:
			timer.Stop()
			return errTaskLate
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-f.c.dead:
			timer.Stop()
			return f.c.deadError("tasks/get")
		}
		ex, err := f.ask(ctx, "tasks/get")
		if err != nil {
			return err
		}
		f.t.Polls++
		state = ex.Result
		f.c.lookAt(f.t, ex, state)
	}
	return f.outcome(ctx, state)
}

// answer gives a task the input that it asks for. A legacy server asks while tasks/result
// waits, which is then the end of it (MCP 2025-11-25, Tasks, Input Required Status).
func (f *following) answer(ctx context.Context, state json.RawMessage) (done bool, err error) {
	if f.c.Era() != EraModern {
		f.timer.Stop() // the request has its own time, which stands still while it asks
		return true, f.outcome(ctx, nil)
	}
	asks := (&Exchange{Method: f.whole.Method, ID: f.whole.ID, Result: state}).InputRequests()
	if len(asks) == 0 {
		return false, nil // it says so at the beginning, and what it asks with tasks/get
	}
	if f.t.Asked++; f.t.Asked > f.c.opt.Limits.Rounds {
		return false, &Error{Kind: Protocol, Stage: StageMessage, Method: f.whole.Method, Detail: "The task asks for input again and again."}
	}
	if f.c.opt.Answer == nil {
		return false, &Error{Kind: Cancelled, Method: f.whole.Method, Detail: "The task asks for input, and nobody answers here."}
	}
	f.timer.Stop()
	responses, err := f.c.inputs(ctx, &Exchange{Method: f.whole.Method, ID: f.whole.ID, Result: state})
	f.timer.Reset(f.limit)
	if err != nil {
		return false, err
	}
	raw, err := marshal(responses)
	if err != nil {
		return false, fmt.Errorf("write the input of a task: %w", err)
	}
	_, err = f.ask(ctx, "tasks/update", member{"inputResponses", raw})
	return false, err
}

// outcome takes the result of a task: with its state in the modern era, by a request of
// its own in the legacy one.
func (f *following) outcome(ctx context.Context, state json.RawMessage) error {
	if f.c.Era() != EraModern {
		ex, err := f.ask(ctx, "tasks/result")
		f.whole.Response, f.whole.Result, f.whole.RPC, f.whole.ResultType = ex.Response, ex.Result, ex.RPC, "complete"
		f.whole.HTTP = ex.HTTP
		if err == nil && !f.t.Status.over() {
			f.t.Status = TaskCompleted // tasks/result answers when the task is over
		}
		return err
	}
	last := f.whole.Rounds[len(f.whole.Rounds)-1]
	result, failed := field(state, "result"), field(state, "error")
	switch {
	case f.t.Status == TaskCompleted && isObject(result):
		f.whole.Response, f.whole.Result, f.whole.ResultType, f.whole.HTTP = last.Response, result, "complete", last.HTTP
		return nil
	case f.t.Status == TaskFailed && isObject(failed):
		rpc, _ := readError(failed)
		f.whole.Response, f.whole.Result, f.whole.RPC = last.Response, nil, rpc
		return rpc
	case f.t.Status == TaskCancelled:
		return &Error{Kind: Cancelled, Method: f.whole.Method, Detail: "The server cancelled the task."}
	}
	f.c.wrongTask(last, "A task that is over has neither its result nor its error.")
	return &Error{Kind: Protocol, Stage: StageMessage, Method: f.whole.Method, Detail: "The task is " + string(f.t.Status) + ", and what it came to is missing."}
}

// giveUp cancels a task, and looks whether the server has understood. A modern server
// has to acknowledge that only; whether it stops is its own affair (SEP-2663, Task
// Cancellation). A legacy one says in its capabilities whether it can, and a task that
// was cancelled stays so (MCP 2025-11-25, Tasks, Task Cancellation).
func (f *following) giveUp(ctx context.Context) {
	limited, cancel := context.WithTimeout(ctx, f.c.opt.CloseTimeout)
	defer cancel()
	f.t.GivenUp = true
	modern, before := f.c.Era() == EraModern, f.t.Status
	ex, refused := f.ask(limited, "tasks/cancel")
	state, err := f.ask(limited, "tasks/get")
	if err != nil {
		return // it may forget a task that was cancelled, or is over
	}
	f.c.lookAt(f.t, state, state.Result)
	switch able := modern || field(f.c.Capability("tasks"), "cancel") != nil; {
	case f.t.Status.over(): // by itself or not
	case refused != nil && able:
		f.c.wrongTask(ex, "The server does not cancel a task.")
	case refused == nil && !modern:
		f.c.wrongTask(state, "A task goes on although it was cancelled; it was "+string(before)+" before.")
	}
}
