package data

import (
	"context"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// ratingSQL is the mean and number of the published ratings about somebody ($2).
const ratingSQL = "SELECT COALESCE(AVG(r.stars * 1.0), 0), COUNT(*) FROM reviews r JOIN tasks t ON t.id = r.task_id WHERE " + published + " AND r.about_id = $2"

// AgentStats is how a requester treats people. A task under dispute counts as
// nothing yet.
func (b *Board) AgentStats(ctx context.Context, agentID string) (AgentStats, error) {
	return read(ctx, b, func(ctx context.Context, tx store.Tx) (AgentStats, error) {
		var s AgentStats
		err := tx.QueryRow(ctx, `SELECT COUNT(*), COUNT(CASE WHEN status = 'completed' THEN 1 END),
COUNT(CASE WHEN failure_reason = $2 THEN 1 END), COUNT(CASE WHEN failure_reason = $3 AND human_id IS NOT NULL THEN 1 END)
FROM tasks WHERE agent_id = $1`, agentID, task.RequesterRejected, task.CancelledByRequester).Scan(&s.Posted, &s.Completed, &s.Rejected, &s.Cancelled)
		if err != nil {
			return AgentStats{}, fmt.Errorf("count the tasks of agent %s: %w", agentID, err)
		}
		if s.MedianReview, err = medianReview(ctx, tx, agentID, s.Completed); err != nil {
			return AgentStats{}, err
		}
		if err := tx.QueryRow(ctx, ratingSQL, millis(tx.Now()), agentID).Scan(&s.Rating, &s.Ratings); err != nil {
			return AgentStats{}, fmt.Errorf("read the rating of agent %s: %w", agentID, err)
		}
		return s, nil
	})
}

// medianReview is the time from delivery to the end in the middle of the completed
// tasks; the lower one of an even number.
func medianReview(ctx context.Context, tx store.Tx, agentID string, completed int64) (time.Duration, error) {
	if completed == 0 {
		return 0, nil
	}
	var ms int64
	err := tx.QueryRow(ctx, `SELECT ended_ms - submitted_ms FROM tasks WHERE agent_id = $1 AND status = 'completed'
ORDER BY ended_ms - submitted_ms LIMIT 1 OFFSET $2`, agentID, (completed-1)/2).Scan(&ms)
	if err != nil {
		return 0, fmt.Errorf("find the median review of agent %s: %w", agentID, err)
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// PersonStats is how a person works.
func (b *Board) PersonStats(ctx context.Context, humanID string) (PersonStats, error) {
	return read(ctx, b, func(ctx context.Context, tx store.Tx) (PersonStats, error) { return personStats(ctx, tx, humanID) })
}

func personStats(ctx context.Context, tx store.Tx, humanID string) (PersonStats, error) {
	var s PersonStats
	err := tx.QueryRow(ctx, `SELECT COUNT(CASE WHEN status = 'completed' THEN 1 END), COUNT(CASE WHEN failure_reason = $2 THEN 1 END),
(SELECT COUNT(*) FROM events WHERE actor_kind = 'human' AND actor_id = $1 AND type = $3)
FROM tasks WHERE human_id = $1`, humanID, task.TimedOut, task.TaskReopened).Scan(&s.Completed, &s.TimedOut, &s.Declined)
	if err != nil {
		return PersonStats{}, fmt.Errorf("count the tasks of person %s: %w", humanID, err)
	}
	if err := tx.QueryRow(ctx, ratingSQL, millis(tx.Now()), humanID).Scan(&s.Rating, &s.Ratings); err != nil {
		return PersonStats{}, fmt.Errorf("read the rating of person %s: %w", humanID, err)
	}
	return s, nil
}
