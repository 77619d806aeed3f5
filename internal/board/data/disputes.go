package data

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

const disputeColumns = "id, task_id, opener_kind, opener_id, body, is_open, created_ms, resolved_ms, resolved_by, note, worker_minor"

func scanDispute(r row) (Dispute, error) {
	var d Dispute
	var created, resolved int64
	err := r.Scan(&d.ID, &d.TaskID, &d.OpenedBy.Kind, &d.OpenedBy.ID, &d.Text, &d.Open, &created, &resolved, &d.ResolvedBy, &d.Note, &d.WorkerMinor)
	if err != nil {
		return Dispute{}, fmt.Errorf("read a dispute: %w", err)
	}
	d.CreatedAt, d.ResolvedAt = moment(created), moment(resolved)
	return d, nil
}

// OpenDispute asks the operator: an appeal by a worker within its window, or a doubt
// of an agent.
func (b *Board) OpenDispute(ctx context.Context, by task.Actor, n NewDispute) (Dispute, error) {
	text, err := reasoned("text", n.Text)
	if err != nil {
		return Dispute{}, err
	}
	return actFor(ctx, b, act{taskID: n.TaskID, by: by, command: task.Dispute}, func(ctx context.Context, c *change) (Dispute, error) {
		if by.Kind == task.Human {
			if err := c.assigned(); err != nil {
				return Dispute{}, err
			}
			if c.from.Sub == task.Rejected && !c.now().Before(c.task.AppealDeadlineAt) {
				return Dispute{}, task.Refuse(task.AppealClosed)
			}
		}
		d := Dispute{ID: newID(c.now()), TaskID: c.task.ID, OpenedBy: task.Actor{Kind: by.Kind, ID: by.ID}, Text: text, Open: true, CreatedAt: kept(c.tx)}
		_, err := c.tx.Exec(ctx, "INSERT INTO disputes ("+disputeColumns+") VALUES ("+placeholders(11)+")",
			d.ID, d.TaskID, by.Kind, by.ID, d.Text, true, millis(d.CreatedAt), 0, "", "", 0)
		if err != nil {
			return Dispute{}, fmt.Errorf("write a dispute: %w", err)
		}
		c.data["dispute_id"] = d.ID
		return d, nil
	})
}

// Resolve decides a dispute: who gets how much of the escrow, and whether the task
// counts as completed.
func (b *Board) Resolve(ctx context.Context, by task.Actor, r Resolution) (task.Task, error) {
	note, err := reasoned("note", r.Note)
	if err != nil {
		return task.Task{}, err
	}
	command := task.ResolveAgainst
	if r.Completed {
		command = task.Resolve
	}
	return b.act(ctx, act{taskID: r.TaskID, by: by, command: command}, func(ctx context.Context, c *change) error {
		var id string
		err := c.tx.QueryRow(ctx, `UPDATE disputes SET is_open = FALSE, resolved_ms = $2, resolved_by = $3, note = $4, worker_minor = $5
WHERE task_id = $1 AND is_open RETURNING id`, c.task.ID, millis(c.now()), by.ID, note, r.Worker).Scan(&id)
		if err != nil {
			return fmt.Errorf("close the dispute of task %s: %w", c.task.ID, err)
		}
		c.data["dispute_id"] = id
		c.task.ReviewText = note
		return c.endEscrow(ctx, r.Worker)
	})
}

// Disputes are those of a task, the newest first.
func (b *Board) Disputes(ctx context.Context, taskID string) ([]Dispute, error) {
	return list(ctx, b, scanDispute, q("SELECT "+disputeColumns+" FROM disputes WHERE task_id = $1 ORDER BY created_ms DESC, id DESC", taskID))
}

// OpenDisputes are those that wait for the operator, the oldest first.
func (b *Board) OpenDisputes(ctx context.Context, p Page) ([]Dispute, string, error) {
	s := selectFrom(disputeColumns, "disputes")
	s.where("is_open")
	return page(ctx, b, s, keyset[Dispute]{column: "created_ms", oldest: true, scan: scanDispute, page: p, at: func(d Dispute) place { return place{millis(d.CreatedAt), d.ID} }})
}
