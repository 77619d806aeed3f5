package data

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// leaving are the statements that take a person off the board, in order; $1 is the
// person. What stays is what the other side of a contract and the books need: tasks,
// deliveries, terms, messages, ratings and postings, which know the person by an id that
// no longer leads to anybody.
var leaving = []string{
	"DELETE FROM codes WHERE email = (SELECT email FROM humans WHERE id = $1)",
	"DELETE FROM code_sources WHERE purpose = 'sign_in' AND email = (SELECT email FROM humans WHERE id = $1)",
	"DELETE FROM human_tags WHERE human_id = $1",
	"DELETE FROM push_devices WHERE human_id = $1",
	"DELETE FROM human_hours WHERE human_id = $1",
	"DELETE FROM human_identities WHERE human_id = $1",
	"DELETE FROM sessions WHERE human_id = $1",
	"UPDATE agents SET owner_human_id = NULL WHERE owner_human_id = $1",
	"UPDATE applications SET status = 'withdrawn' WHERE human_id = $1 AND status = 'pending'",
	"UPDATE applications SET cover_letter = '', availability = '' WHERE human_id = $1 AND status <> 'accepted'",
	`UPDATE humans SET email = NULL, handle = '', country = '', prefecture = '', city = '', headline = '', bio = '', notify = '{}', instant_on = FALSE,
floor_jpy = NULL, floor_usd = NULL, quiet_from = 0, quiet_to = 0, task_cap = 1, payout_ready = FALSE, operator = FALSE WHERE id = $1`,
}

// leavingAt are those that note the time, $2.
var leavingAt = []string{
	"UPDATE api_keys SET revoked_ms = $2 WHERE human_id = $1 AND (revoked_ms = 0 OR revoked_ms > $2)",
	"UPDATE conversations SET status = 'closed', updated_ms = $2 WHERE human_id = $1 AND status = 'open'",
	"UPDATE humans SET deleted_ms = $2, updated_ms = $2 WHERE id = $1",
}

// DeletePerson takes a person off the board: everything goes that says who it was. It is
// refused while the person works on a task, waits for a decision or is owed money.
func (b *Board) DeletePerson(ctx context.Context, humanID string) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		if _, err := lockPerson(ctx, tx, humanID); err != nil {
			return err
		}
		var working, owed int64
		err := tx.QueryRow(ctx, `SELECT (SELECT COUNT(*) FROM tasks WHERE human_id = $1 AND status IN ('accepted', 'review_pending')),
(SELECT COUNT(*) FROM transfers WHERE party = $1 AND status = 'started')`, humanID).Scan(&working, &owed)
		if err != nil {
			return fmt.Errorf("see what a person leaves: %w", err)
		}
		if owed+working > 0 {
			return task.Because(task.InvalidTaskStatus, "You still work on a task, or are still to be paid for one: finish it, or give it back, first.")
		}
		for _, statement := range leaving {
			if _, err := tx.Exec(ctx, statement, humanID); err != nil {
				return fmt.Errorf("delete a person: %w", err)
			}
		}
		for _, statement := range leavingAt {
			if _, err := tx.Exec(ctx, statement, humanID, millis(tx.Now())); err != nil {
				return fmt.Errorf("delete a person: %w", err)
			}
		}
		return nil
	})
}

// PersonSeen is somebody as the other side of a task sees them: a person who left the
// board has an id and nothing else.
func (b *Board) PersonSeen(ctx context.Context, humanID string) (Person, error) {
	return one(ctx, b, scanPerson, q("SELECT "+personColumns+" FROM humans WHERE id = $1", humanID))
}
