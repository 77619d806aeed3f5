package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// KeepChecks keeps what a requester says to have looked at, for the approval of the
// delivery that waits now: a later delivery has to be looked at again.
func (b *Board) KeepChecks(ctx context.Context, by task.Actor, a Approval) error {
	var wrong task.Fields
	a.Note = task.CheckOptional(&wrong, "review_note", a.Note, maxReason)
	if err := wrong.Err(); err != nil {
		return err
	}
	checks, err := json.Marshal(a.Checks)
	if err != nil {
		return fmt.Errorf("write a checklist: %w", err)
	}
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		t, err := found(scanTask(tx.QueryRow(ctx, "SELECT "+taskColumns+" FROM tasks WHERE id = $1", a.TaskID)))
		if err != nil {
			return err
		}
		if by.Kind == task.Agent && t.AgentID != by.ID {
			return task.Refuse(task.NotFound)
		}
		if _, err := t.Rule(task.Approve, by.Kind); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO review_checks (task_id, deliveries, checks, note, at_ms)
SELECT CAST($1 AS TEXT), COUNT(*), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT) FROM submissions WHERE task_id = $1
ON CONFLICT (task_id) DO UPDATE SET deliveries = excluded.deliveries, checks = excluded.checks, note = excluded.note, at_ms = excluded.at_ms`, t.ID, string(checks), a.Note, millis(tx.Now()))
		if err != nil {
			return fmt.Errorf("keep a checklist: %w", err)
		}
		return nil
	})
}

// withKept adds what was kept of the delivery to an approval that does not say it.
func (c *change) withKept(ctx context.Context, a Approval) (Approval, error) {
	var text, note string
	err := c.tx.QueryRow(ctx, "SELECT checks, note FROM review_checks WHERE task_id = $1 AND deliveries = (SELECT COUNT(*) FROM submissions WHERE task_id = $1)", c.task.ID).Scan(&text, &note)
	if errors.Is(err, store.ErrNoRows) {
		return a, nil
	}
	if err != nil {
		return a, fmt.Errorf("read a checklist: %w", err)
	}
	kept := map[string]bool{}
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return a, fmt.Errorf("read the checklist of task %s: %w", c.task.ID, err)
	}
	for name, on := range a.Checks {
		kept[name] = kept[name] || on
	}
	a.Checks = kept
	if a.Note == "" {
		a.Note = note
	}
	return a, nil
}
