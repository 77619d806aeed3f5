package data

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// TakenDown ends a task that violates the content policy.
type TakenDown struct {
	TaskID string
	Note   string
	// Worker is what the person's side gets of the budget, in minor units before the fee.
	// Without it the person is paid as if the requester had cancelled, and the whole budget
	// for a delivery: the person did not write the task, and did what was published.
	Worker *int64
}

// TakeDown ends a task that violates the content policy, and a dispute about it. What
// the person does not get goes back to the requester.
func (b *Board) TakeDown(ctx context.Context, by task.Actor, n TakenDown) (task.Task, error) {
	return b.act(ctx, act{taskID: n.TaskID, by: by, command: task.TakeDown}, func(ctx context.Context, c *change) error {
		gross, err := c.owedAtTakeDown(ctx)
		if err != nil {
			return err
		}
		if n.Worker != nil {
			gross = *n.Worker
		}
		c.task.ReviewText = task.Clean(n.Note)
		_, err = c.tx.Exec(ctx, "UPDATE disputes SET is_open = FALSE, resolved_ms = $2, resolved_by = $3, note = $4, worker_minor = $5 WHERE task_id = $1 AND is_open",
			n.TaskID, millis(c.now()), by.ID, c.task.ReviewText, gross)
		if err != nil {
			return fmt.Errorf("close the dispute of task %s: %w", n.TaskID, err)
		}
		if c.task.FundKey == "" && gross != 0 {
			return task.Because(task.InvalidRequest, "Nobody works on the task: there is nothing to pay out.")
		}
		return c.endEscrow(ctx, gross)
	})
}

// owedAtTakeDown is the budget after a delivery, and before it what a cancellation of
// the requester costs.
func (c *change) owedAtTakeDown(ctx context.Context) (int64, error) {
	if c.task.FundKey == "" {
		return 0, nil
	}
	var delivered int64
	err := c.tx.QueryRow(ctx, "SELECT COUNT(*) FROM submissions WHERE task_id = $1 AND human_id = $2", c.task.ID, c.task.HumanID).Scan(&delivered)
	if err != nil {
		return 0, fmt.Errorf("count the deliveries of task %s: %w", c.task.ID, err)
	}
	if delivered > 0 {
		return c.task.Budget.Minor, nil
	}
	return c.compensation(), nil
}

// compensation is what the person gets when the requester takes an accepted task back:
// nothing at first, then a part of the budget.
func (c *change) compensation() int64 {
	if c.task.FundKey == "" || c.now().Sub(c.task.AcceptedAt) <= c.terms.CancelFree {
		return 0
	}
	return money.Share(c.task.Budget.Minor, c.terms.CancelBPS)
}
