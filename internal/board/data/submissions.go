package data

import (
	"context"
	"fmt"
	"slices"

	"github.com/legwork-mcp/legwork/internal/store"
)

const (
	submissionColumns = "id, task_id, human_id, round, type, body, late, created_ms"
	itemColumns       = "kind, label, body, upload, sha256, mime, bytes, captured_ms, duplicate"
)

func scanSubmission(r row) (Submission, error) {
	var s Submission
	var created int64
	if err := r.Scan(&s.ID, &s.TaskID, &s.HumanID, &s.Round, &s.Type, &s.Text, &s.Late, &created); err != nil {
		return Submission{}, fmt.Errorf("read a submission: %w", err)
	}
	s.CreatedAt = moment(created)
	return s, nil
}

func scanItem(r row) (Item, error) {
	var i Item
	var captured int64
	if err := r.Scan(&i.Kind, &i.Label, &i.Text, &i.Upload, &i.SHA256, &i.MIME, &i.Bytes, &captured, &i.Duplicate); err != nil {
		return Item{}, fmt.Errorf("read an item of a submission: %w", err)
	}
	i.CapturedAt = moment(captured)
	return i, nil
}

// insertSubmission writes the delivery of the next round. A file that was delivered
// for another task, or looks like one that was, is marked.
func (c *change) insertSubmission(ctx context.Context, d Delivery) (Submission, error) {
	s := Submission{
		ID: newID(c.now()), TaskID: c.task.ID, HumanID: c.task.HumanID, Type: d.Type, Text: d.Text, Items: slices.Clone(d.Items), // changed below, and anew when the transaction is tried again
		Late: c.now().After(c.task.DeadlineAt), CreatedAt: kept(c.tx),
	}
	if err := c.tx.QueryRow(ctx, "SELECT COUNT(*) + 1 FROM submissions WHERE task_id = $1", s.TaskID).Scan(&s.Round); err != nil {
		return Submission{}, fmt.Errorf("count the submissions of task %s: %w", s.TaskID, err)
	}
	_, err := c.tx.Exec(ctx, "INSERT INTO submissions ("+submissionColumns+") VALUES ("+placeholders(8)+")",
		s.ID, s.TaskID, s.HumanID, s.Round, s.Type, s.Text, s.Late, millis(s.CreatedAt))
	if err != nil {
		return Submission{}, fmt.Errorf("write a submission: %w", err)
	}
	for n := range s.Items {
		i := &s.Items[n]
		if i.Duplicate, err = c.deliveredBefore(ctx, *i); err != nil {
			return Submission{}, err
		}
		i.Like = nil
		i.CapturedAt = moment(millis(i.CapturedAt))
		_, err := c.tx.Exec(ctx, "INSERT INTO submission_items (submission_id, position, "+itemColumns+") VALUES ("+placeholders(11)+")",
			s.ID, n, i.Kind, i.Label, i.Text, i.Upload, i.SHA256, i.MIME, i.Bytes, millis(i.CapturedAt), i.Duplicate)
		if err != nil {
			return Submission{}, fmt.Errorf("write an item of a submission: %w", err)
		}
	}
	c.data["submission_id"] = s.ID
	return s, nil
}

// deliveredBefore reports whether a file, or one like it, was delivered for another
// task. One that was only uploaded does not count: people try again, and photograph a
// thing twice.
func (c *change) deliveredBefore(ctx context.Context, i Item) (bool, error) {
	// <> '' is the condition of the indexes.
	const others = "SELECT COUNT(*) FROM submission_items i JOIN submissions s ON s.id = i.submission_id WHERE s.task_id <> $1 AND "
	var queries []query
	if i.SHA256 != "" {
		queries = append(queries, q(others+"i.sha256 <> '' AND i.sha256 = $2", c.task.ID, i.SHA256))
	}
	for _, id := range i.Like {
		queries = append(queries, q(others+"i.upload <> '' AND i.upload = $2", c.task.ID, id))
	}
	for _, one := range queries {
		var before int64
		if err := c.tx.QueryRow(ctx, one.sql, one.args...).Scan(&before); err != nil {
			return false, fmt.Errorf("look for a file that was delivered before: %w", err)
		}
		if before > 0 {
			return true, nil
		}
	}
	return false, nil
}

// Submissions are the deliveries of a task, the newest first.
func (b *Board) Submissions(ctx context.Context, taskID string) ([]Submission, error) {
	return read(ctx, b, func(ctx context.Context, tx store.Tx) ([]Submission, error) {
		all, err := rows(ctx, tx, scanSubmission, q("SELECT "+submissionColumns+" FROM submissions WHERE task_id = $1 ORDER BY round DESC", taskID))
		if err != nil {
			return nil, err
		}
		for n := range all {
			all[n].Items, err = rows(ctx, tx, scanItem, q("SELECT "+itemColumns+" FROM submission_items WHERE submission_id = $1 ORDER BY position", all[n].ID))
			if err != nil {
				return nil, err
			}
		}
		return all, nil
	})
}
