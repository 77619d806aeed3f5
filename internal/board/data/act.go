package data

import (
	"context"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// act says what an actor does to which task.
type act struct {
	taskID  string
	by      task.Actor
	command task.Command
	version int64 // that the actor saw; 0 for any
}

// change is one command under way: a locked task, and what the state table says.
type change struct {
	*Board
	tx   store.Tx
	act  act
	rule task.Rule
	from task.State
	task task.Task         // becomes the new row
	data map[string]string // of the event
	jobs []Job             // beside those of the rule
}

// now is the time of the transaction.
func (c *change) now() time.Time { return c.tx.Now() }

// act carries a command out: it locks the task, asks the state table, lets do check
// the guard and change the rest, and writes task, event and jobs.
func (b *Board) act(ctx context.Context, a act, do func(context.Context, *change) error) (task.Task, error) {
	return actFor(ctx, b, a, func(ctx context.Context, c *change) (task.Task, error) {
		if err := do(ctx, c); err != nil {
			return task.Task{}, err
		}
		return task.Task{}, nil
	})
}

// actFor is act for a command whose result is not the task, or not only; the task in
// a result is the one that was written.
func actFor[T any](ctx context.Context, b *Board, a act, do func(context.Context, *change) (T, error)) (T, error) {
	var out T
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		c, err := b.begin(ctx, tx, a)
		if err != nil {
			return err
		}
		if out, err = do(ctx, c); err != nil {
			return err
		}
		if err := c.finish(ctx); err != nil {
			return err
		}
		switch v := any(&out).(type) {
		case *task.Task:
			*v = c.task
		case *Assigned:
			v.Task = c.task
		}
		return remember(ctx, tx, out)
	})
	if err != nil {
		var none T
		return none, err
	}
	return out, nil
}

// begin locks the task and finds the rule. Who has nothing to do with a task does
// not learn that it is there.
func (b *Board) begin(ctx context.Context, tx store.Tx, a act) (*change, error) {
	t, err := lockTask(ctx, tx, a.taskID)
	if err != nil {
		return nil, err
	}
	if a.by.Kind == task.Agent && t.AgentID != a.by.ID {
		return nil, task.Refuse(task.NotFound)
	}
	rule, err := t.Rule(a.command, a.by.Kind)
	if err != nil {
		return nil, err
	}
	if a.version != 0 && a.version != t.Version-1 {
		return nil, task.Refuse(task.VersionConflict).WithData("version", t.Version-1)
	}
	return &change{Board: b, tx: tx, act: a, rule: rule, from: t.State(), task: t, data: map[string]string{}}, nil
}

// assigned refuses everybody but the person who works on the task.
func (c *change) assigned() error {
	if c.task.HumanID == "" || c.task.HumanID != c.act.by.ID {
		return task.Refuse(task.NotAssigned)
	}
	return nil
}

// finish moves the task along its rule and writes everything that follows.
func (c *change) finish(ctx context.Context) error {
	after := c.rule.After(c.from)
	c.task.Status, c.task.SubState = after.Status, after.Sub
	if c.task.Status.Terminal() && !c.from.Status.Terminal() {
		c.task.FailureReason, c.task.EndedAt = c.rule.Failure, c.now()
		if c.task.Status == task.Completed {
			c.task.RateUntil = c.now().Add(c.terms.RateWindow)
		}
		if err := c.closeOpenEnds(ctx); err != nil {
			return err
		}
	}
	if err := saveTask(ctx, c.tx, c.task, c.from.Status); err != nil {
		return err
	}
	e, err := c.record(ctx, c.rule.Event)
	if err != nil {
		return err
	}
	return c.enqueue(ctx, e)
}

// record writes the event of a rule.
func (c *change) record(ctx context.Context, typ task.Event) (Event, error) {
	return recordEvent(ctx, c.tx, Event{
		Type: typ, AgentID: c.task.AgentID, TaskID: c.task.ID, TaskVersion: c.task.Version, Status: c.task.Status, Actor: c.act.by, Data: c.data,
	})
}

// enqueue leaves the jobs of the rule and of the command to the outbox. Payouts and
// refunds are about a transfer and come with the command.
func (c *change) enqueue(ctx context.Context, e Event) error {
	jobs := c.jobs
	for _, kind := range c.rule.Jobs {
		switch kind {
		case task.JobEvent:
			jobs = append(jobs, Job{Kind: kind, Key: e.ID, ID: e.ID})
		case task.JobDeadline:
			jobs = append(jobs, taskJob(kind, c.task.ID, c.task.DeadlineAt.Add(c.grace())))
		case task.JobReview:
			jobs = append(jobs, taskJob(kind, c.task.ID, c.task.ReviewDeadlineAt))
		case task.JobAppeal:
			jobs = append(jobs, taskJob(kind, c.task.ID, c.task.AppealDeadlineAt))
		}
	}
	for _, j := range jobs {
		if err := c.outbox.Enqueue(ctx, c.tx, j); err != nil {
			return fmt.Errorf("enqueue the job %s of task %s: %w", j.Kind, c.task.ID, err)
		}
	}
	return nil
}

// grace is how long after the deadline nothing happens yet.
func (c *change) grace() time.Duration {
	if c.task.Status == task.Accepted {
		return c.terms.Grace
	}
	return 0
}

// taskJob is a timer of a task. A later time is another job; the early one does
// nothing when it comes.
func taskJob(kind task.Job, taskID string, at time.Time) Job {
	return Job{Kind: kind, Key: fmt.Sprintf("%s:%d", taskID, at.UnixMilli()), At: at, ID: taskID}
}

// closeOpenEnds answers what waits on a task that ended: applications and offers.
func (c *change) closeOpenEnds(ctx context.Context) error {
	if _, err := c.tx.Exec(ctx, "UPDATE offers SET status = 'withdrawn' WHERE task_id = $1 AND status = 'pending'", c.task.ID); err != nil {
		return fmt.Errorf("withdraw the offers of task %s: %w", c.task.ID, err)
	}
	_, err := c.tx.Exec(ctx, "UPDATE applications SET status = 'declined', answered_ms = $2 WHERE task_id = $1 AND status = 'pending'", c.task.ID, millis(c.now()))
	if err != nil {
		return fmt.Errorf("decline the applications of task %s: %w", c.task.ID, err)
	}
	return nil
}
