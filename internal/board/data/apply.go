package data

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// The lengths of an application, in characters.
const (
	maxCoverLetter  = 4000
	maxAvailability = 500
)

// Apply applies for a task, once.
func (b *Board) Apply(ctx context.Context, by task.Actor, n NewApplication) (Application, error) {
	var wrong task.Fields
	n.CoverLetter = task.CheckText(&wrong, "cover_letter", n.CoverLetter, maxCoverLetter)
	n.Availability = task.CheckText(&wrong, "availability", n.Availability, maxAvailability)
	if n.Counter != nil && (*n.Counter < 1 || *n.Counter > money.Max) {
		wrong.Add("counter_amount_minor", task.InvalidNumber)
	}
	if err := wrong.Err(); err != nil {
		return Application{}, err
	}
	return actFor(ctx, b, act{taskID: n.TaskID, by: by, command: task.Apply}, func(ctx context.Context, c *change) (Application, error) {
		return c.apply(ctx, n)
	})
}

func (c *change) apply(ctx context.Context, n NewApplication) (Application, error) {
	if _, err := lockPerson(ctx, c.tx, c.act.by.ID); err != nil {
		return Application{}, err
	}
	if err := c.fitRequester(ctx); err != nil {
		return Application{}, err
	}
	if n.Counter != nil && *n.Counter < c.terms.Floors[c.task.Budget.Currency] {
		var wrong task.Fields
		wrong.Add("counter_amount_minor", task.BelowMin)
		return Application{}, wrong.Err()
	}
	var pending int64
	if err := c.tx.QueryRow(ctx, "SELECT COUNT(*) FROM applications WHERE task_id = $1 AND status = 'pending'", c.task.ID).Scan(&pending); err != nil {
		return Application{}, fmt.Errorf("count the applications of task %s: %w", c.task.ID, err)
	}
	if pending >= c.terms.MaxApplications {
		return Application{}, task.Refuse(task.ApplicationsClosed)
	}
	a := Application{
		ID: newID(c.now()), TaskID: c.task.ID, HumanID: c.act.by.ID, Status: ApplicationPending,
		CoverLetter: n.CoverLetter, Availability: n.Availability, Counter: money.Of(0, c.task.Budget.Currency), CreatedAt: kept(c.tx),
	}
	if n.Counter != nil {
		a.Counter.Minor = *n.Counter
	}
	changed, err := c.tx.Exec(ctx, `INSERT INTO applications (id, task_id, human_id, status, cover_letter, availability, counter_minor, created_ms, answered_ms)
VALUES (`+placeholders(9)+`) ON CONFLICT (task_id, human_id) DO NOTHING`, a.ID, a.TaskID, a.HumanID, a.Status, a.CoverLetter, a.Availability, a.Counter.Minor, millis(a.CreatedAt), 0)
	if err != nil {
		return Application{}, fmt.Errorf("write an application: %w", err)
	}
	if changed == 0 {
		return Application{}, task.Refuse(task.AlreadyApplied)
	}
	c.data["application_id"] = a.ID
	return a, nil
}

// fitRequester refuses the person who owns the agent: a rating and a payment by oneself
// say nothing. It refuses everybody while the agent is stopped, which can choose nobody.
func (c *change) fitRequester(ctx context.Context) error {
	var owner *string
	var disabled bool
	if err := c.tx.QueryRow(ctx, "SELECT owner_human_id, disabled FROM agents WHERE id = $1", c.task.AgentID).Scan(&owner, &disabled); err != nil {
		return fmt.Errorf("read the owner of agent %s: %w", c.task.AgentID, err)
	}
	if disabled {
		return task.Because(task.NotOpen, "Whoever posted the task was stopped and can choose nobody.")
	}
	if orEmpty(owner) == c.act.by.ID {
		return task.Because(task.Forbidden, "The task is one of your own agent.")
	}
	return nil
}

// WithdrawApplication takes an application back.
func (b *Board) WithdrawApplication(ctx context.Context, by task.Actor, applicationID string) (Application, error) {
	a, err := b.Application(ctx, applicationID)
	if err == nil && a.HumanID != by.ID {
		err = task.Refuse(task.NotFound)
	}
	if err != nil {
		return Application{}, err
	}
	return b.answerOne(ctx, act{taskID: a.TaskID, by: by, command: task.Withdraw}, a, ApplicationWithdrawn)
}

// RejectApplication declines one applicant.
func (b *Board) RejectApplication(ctx context.Context, by task.Actor, applicationID string) (Application, error) {
	a, err := b.Application(ctx, applicationID)
	if err != nil {
		return Application{}, err
	}
	return b.answerOne(ctx, act{taskID: a.TaskID, by: by, command: task.RejectApplication}, a, ApplicationDeclined)
}

func (b *Board) answerOne(ctx context.Context, a act, which Application, to ApplicationStatus) (Application, error) {
	return actFor(ctx, b, a, func(ctx context.Context, c *change) (Application, error) {
		c.data["application_id"] = which.ID
		return c.answer(ctx, which.ID, to)
	})
}
