package data

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// maxComment is how many characters a rating has.
const maxComment = 500

// published is the condition under which a review r of task t is seen by others:
// both sides wrote one, or the time to write is over ($1).
const published = `((SELECT COUNT(*) FROM reviews o WHERE o.task_id = r.task_id) = 2 OR t.rate_until_ms <= $1)`

// Rate rates the other side of a completed task. Until both reviews are published
// the author may change it.
func (b *Board) Rate(ctx context.Context, by task.Actor, n Rating) (Review, error) {
	var wrong task.Fields
	n.Comment = task.CheckOptional(&wrong, "comment", n.Comment, maxComment)
	if n.Stars < 1 || n.Stars > 5 {
		wrong.Add("rating_overall", task.InvalidNumber)
	}
	if err := wrong.Err(); err != nil {
		return Review{}, err
	}
	return actFor(ctx, b, act{taskID: n.TaskID, by: by, command: task.Rate}, func(ctx context.Context, c *change) (Review, error) {
		about := c.task.HumanID
		if by.Kind == task.Human {
			if err := c.assigned(); err != nil {
				return Review{}, err
			}
			about = c.task.AgentID
		}
		if !c.now().Before(c.task.RateUntil) {
			return Review{}, task.Refuse(task.ReviewWindowClosed)
		}
		return c.writeReview(ctx, about, n)
	})
}

func (c *change) writeReview(ctx context.Context, about string, n Rating) (Review, error) {
	var written int64
	if err := c.tx.QueryRow(ctx, "SELECT COUNT(*) FROM reviews WHERE task_id = $1", c.task.ID).Scan(&written); err != nil {
		return Review{}, fmt.Errorf("count the reviews of task %s: %w", c.task.ID, err)
	}
	if written == 2 {
		return Review{}, task.Refuse(task.ReviewPublished)
	}
	changed, err := c.tx.Exec(ctx, `INSERT INTO reviews (task_id, by_kind, about_id, stars, comment, created_ms) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (task_id, by_kind) DO UPDATE SET stars = $4, comment = $5, created_ms = $6`, c.task.ID, c.act.by.Kind, about, n.Stars, n.Comment, millis(c.now()))
	if err != nil || changed != 1 {
		return Review{}, fmt.Errorf("write a review of task %s: %w", c.task.ID, err)
	}
	if err := c.tx.QueryRow(ctx, "SELECT COUNT(*) FROM reviews WHERE task_id = $1", c.task.ID).Scan(&written); err != nil {
		return Review{}, fmt.Errorf("count the reviews of task %s: %w", c.task.ID, err)
	}
	return Review{TaskID: c.task.ID, By: c.act.by.Kind, Stars: n.Stars, Comment: n.Comment, CreatedAt: kept(c.tx), Published: written == 2}, nil
}

// scanReview reads a review; whether it is published comes last.
func scanReview(r row) (Review, error) {
	var v Review
	var created int64
	if err := r.Scan(&v.TaskID, &v.By, &v.Stars, &v.Comment, &created, &v.Published); err != nil {
		return Review{}, fmt.Errorf("read a review: %w", err)
	}
	v.CreatedAt = moment(created)
	return v, nil
}

// Reviews are both reviews of a task; unpublished ones are for their authors only.
func (b *Board) Reviews(ctx context.Context, taskID string) ([]Review, error) {
	return read(ctx, b, func(ctx context.Context, tx store.Tx) ([]Review, error) {
		return rows(ctx, tx, scanReview, q("SELECT r.task_id, r.by_kind, r.stars, r.comment, r.created_ms, "+published+
			" FROM reviews r JOIN tasks t ON t.id = r.task_id WHERE r.task_id = $2 ORDER BY r.by_kind", millis(tx.Now()), taskID))
	})
}

// ReviewsAbout are the published reviews of an agent or a human, the newest first.
func (b *Board) ReviewsAbout(ctx context.Context, id string, p Page) ([]Review, string, error) {
	now, err := read(ctx, b, func(_ context.Context, tx store.Tx) (int64, error) { return millis(tx.Now()), nil })
	if err != nil {
		return nil, "", err
	}
	s := selectFrom("task_id, by_kind, stars, comment, created_ms, TRUE", `(SELECT r.task_id AS id, r.task_id, r.by_kind, r.stars, r.comment, r.created_ms
FROM reviews r JOIN tasks t ON t.id = r.task_id WHERE `+published+" AND r.about_id = $2) AS listed")
	s.args = append(s.args, now, id)
	return page(ctx, b, s, keyset[Review]{column: "created_ms", scan: scanReview, page: p, at: func(r Review) place { return place{millis(r.CreatedAt), r.TaskID} }})
}
