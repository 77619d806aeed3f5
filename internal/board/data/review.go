package data

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

const (
	minReason   = 20 // characters of a reason that somebody has to live with
	quotaWindow = 30 * 24 * time.Hour
)

// Approve accepts the delivery and owes the worker their part, once: for a task
// that is completed already it returns it.
func (b *Board) Approve(ctx context.Context, by task.Actor, a Approval) (task.Task, error) {
	if by.Kind == task.System {
		return task.Task{}, task.Refuse(task.Forbidden) // the timer has AutoApprove
	}
	var wrong task.Fields
	a.Note = task.CheckOptional(&wrong, "review_note", a.Note, maxReason)
	if err := wrong.Err(); err != nil {
		return task.Task{}, err
	}
	t, err := b.act(ctx, act{taskID: a.TaskID, by: by, command: task.Approve, version: a.Version}, func(ctx context.Context, c *change) error {
		said, err := c.withKept(ctx, a)
		if err != nil {
			return err
		}
		if len(said.Checks) > 0 {
			c.data["checks"] = written(said.Checks)
		}
		c.task.ReviewText = said.Note
		return c.approve(ctx)
	})
	if err == nil {
		return t, nil
	}
	done, failed := b.Task(ctx, a.TaskID)
	if failed == nil && done.Status == task.Completed && done.AgentID == by.ID {
		return done, nil
	}
	return task.Task{}, err
}

// written is a checklist in one line, such as attachment=true.
func written(checks map[string]bool) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(checks)) {
		if clean := task.CleanLine(name); len(clean) <= maxTag && len(all) < maxTags {
			all = append(all, fmt.Sprintf("%s=%t", clean, checks[name]))
		}
	}
	return strings.Join(all, " ")
}

// approve pays for the last delivery; there must be one.
func (c *change) approve(ctx context.Context) error {
	var deliveries int64
	if err := c.tx.QueryRow(ctx, "SELECT COUNT(*) FROM submissions WHERE task_id = $1 AND type = $2", c.task.ID, c.task.Deliverable).Scan(&deliveries); err != nil {
		return fmt.Errorf("count the submissions of task %s: %w", c.task.ID, err)
	}
	if deliveries == 0 {
		return task.Refuse(task.MissingSubmission)
	}
	return c.endEscrow(ctx, c.task.Budget.Minor)
}

// AutoApprove approves a delivery that nobody reviewed in time.
func (b *Board) AutoApprove(ctx context.Context, taskID string) (task.Task, error) {
	return b.act(ctx, act{taskID: taskID, by: task.Jobs, command: task.Approve}, func(ctx context.Context, c *change) error {
		if c.now().Before(c.task.ReviewDeadlineAt) {
			return task.Refuse(task.NotReviewPending)
		}
		return c.approve(ctx)
	})
}

// RequestRevision sends the delivery back, once, with at least the time for a
// revision.
func (b *Board) RequestRevision(ctx context.Context, by task.Actor, r Revision) (task.Task, error) {
	text, err := reasoned("text", r.Text)
	if err != nil {
		return task.Task{}, err
	}
	return b.act(ctx, act{taskID: r.TaskID, by: by, command: task.RequestRevision, version: r.Version}, func(_ context.Context, c *change) error {
		if c.task.Revisions > 0 {
			return task.Refuse(task.RevisionLimit)
		}
		c.task.Revisions++
		c.task.ReviewText = text
		if least := c.now().Add(c.terms.RevisionTime); c.task.DeadlineAt.Before(least) {
			c.task.DeadlineAt = moment(millis(least))
		}
		c.task.ReviewDeadlineAt = time.Time{}
		return nil
	})
}

// reasoned is a text that is long enough to say something.
func reasoned(field, text string) (string, error) {
	var wrong task.Fields
	text = task.CheckText(&wrong, field, text, maxReason)
	if len(wrong) == 0 && utf8.RuneCountInString(text) < minReason {
		wrong.Add(field, task.BelowMin)
	}
	return text, wrong.Err()
}

// Reject refuses the delivery; the worker can appeal.
func (b *Board) Reject(ctx context.Context, by task.Actor, r Rejection) (task.Task, error) {
	text, err := reasoned("text", r.Text)
	if err != nil {
		return task.Task{}, err
	}
	if !slices.Contains(task.RejectCodes(), r.Code) {
		var wrong task.Fields
		wrong.Add("reason_code", task.InvalidEnum)
		return task.Task{}, wrong.Err()
	}
	return b.act(ctx, act{taskID: r.TaskID, by: by, command: task.Reject, version: r.Version}, func(ctx context.Context, c *change) error {
		if err := c.quota(ctx); err != nil {
			return err
		}
		c.task.ReviewCode, c.task.ReviewText = r.Code, text
		c.task.AppealDeadlineAt = moment(millis(c.now().Add(c.terms.AppealWindow)))
		return nil
	})
}

// quota refuses a requester who rejects much of what is delivered. It locks the
// agent, so that many rejections at once are counted one after the other.
func (c *change) quota(ctx context.Context) error {
	if _, err := c.tx.Exec(ctx, "UPDATE agents SET event_seq = event_seq WHERE id = $1", c.task.AgentID); err != nil {
		return fmt.Errorf("lock the agent: %w", err)
	}
	var delivered, rejected int64
	err := c.tx.QueryRow(ctx, `SELECT COUNT(CASE WHEN type = $3 THEN 1 END), COUNT(CASE WHEN type = $4 THEN 1 END)
FROM events WHERE agent_id = $1 AND at_ms > $2 AND type IN ($3, $4)`,
		c.task.AgentID, millis(c.now().Add(-quotaWindow)), task.SubmissionReceived, task.TaskRejected).Scan(&delivered, &rejected)
	if err != nil {
		return fmt.Errorf("count rejections: %w", err)
	}
	if rejected >= c.terms.RejectFree && (rejected+1)*10_000 > delivered*c.terms.RejectBPS {
		return task.Refuse(task.RejectQuota)
	}
	return nil
}

// EndAppeal makes a rejection final that nobody appealed.
func (b *Board) EndAppeal(ctx context.Context, taskID string) (task.Task, error) {
	return b.act(ctx, act{taskID: taskID, by: task.Jobs, command: task.EndAppeal}, func(ctx context.Context, c *change) error {
		if c.now().Before(c.task.AppealDeadlineAt) {
			return task.Refuse(task.InvalidTaskStatus)
		}
		return c.endEscrow(ctx, 0)
	})
}
