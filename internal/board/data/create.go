package data

import (
	"context"
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// CreateTask checks the draft and posts the task.
func (b *Board) CreateTask(ctx context.Context, by task.Actor, n NewTask) (task.Task, error) {
	rule, err := task.Find(task.State{}, task.Create, by.Kind)
	if err != nil {
		return task.Task{}, err
	}
	var t task.Task
	err = b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		if t, err = b.newTask(tx, by, n); err != nil {
			return err
		}
		if err := b.mayPost(ctx, tx, t); err != nil {
			return err
		}
		if err := b.spend(ctx, tx, by, t.Budget); err != nil {
			return err
		}
		if err := insertTask(ctx, tx, t); err != nil {
			return err
		}
		c := &change{Board: b, tx: tx, act: act{by: by}, rule: rule, task: t}
		e, err := c.record(ctx, rule.Event)
		if err != nil {
			return err
		}
		if err := c.enqueue(ctx, e); err != nil {
			return err
		}
		return remember(ctx, tx, t)
	})
	if err != nil {
		return task.Task{}, err
	}
	return t, nil
}

// newTask makes the row of a draft.
func (b *Board) newTask(tx store.Tx, by task.Actor, n NewTask) (task.Task, error) {
	t, err := n.Draft.Check(b.terms.Floors, tx.Now())
	if err != nil {
		return task.Task{}, err
	}
	t.ID, t.AgentID, t.KeyID, t.Version, t.Status, t.Posted = newID(tx.Now()), by.ID, by.KeyID, 1, task.Open, t.Budget.Minor
	t.CreatedAt, t.UpdatedAt, t.FeeBPS = kept(tx), kept(tx), b.terms.FeeBPS
	if t.DeadlineAt.IsZero() {
		t.DeadlineAt = tx.Now().Add(b.terms.DefaultDeadline)
	}
	t.DeadlineAt = moment(millis(t.DeadlineAt))
	if n.Hold != nil {
		t.SubState, t.HoldClass, t.HoldExcerpt = task.Held, n.Hold.Class, n.Hold.Excerpt
	}
	return t, nil
}

// mayPost refuses accounts that are disabled and a client_ref that is there.
func (b *Board) mayPost(ctx context.Context, tx store.Tx, t task.Task) error {
	var disabled bool
	err := tx.QueryRow(ctx, "SELECT disabled FROM agents WHERE id = $1", t.AgentID).Scan(&disabled)
	if errors.Is(err, store.ErrNoRows) {
		return task.Refuse(task.InvalidCredentials)
	}
	if err != nil {
		return fmt.Errorf("read the agent: %w", err)
	}
	if disabled {
		return task.Refuse(task.APIAccessDisabled)
	}
	if t.ClientRef == "" {
		return nil
	}
	var id string
	err = tx.QueryRow(ctx, "SELECT id FROM tasks WHERE agent_id = $1 AND client_ref = $2", t.AgentID, t.ClientRef).Scan(&id)
	if errors.Is(err, store.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look the client_ref up: %w", err)
	}
	return task.Refuse(task.ClientRefConflict).WithData("task_id", id)
}

// ReleaseHold lets people see a held task.
func (b *Board) ReleaseHold(ctx context.Context, by task.Actor, taskID string) (task.Task, error) {
	return b.act(ctx, act{taskID: taskID, by: by, command: task.Release}, func(context.Context, *change) error { return nil })
}
