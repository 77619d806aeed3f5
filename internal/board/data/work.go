package data

import (
	"context"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// The lengths of a delivery and of reasons, in characters.
const (
	maxDelivery = 20_000
	maxItemText = 4000
	maxReason   = 4000 // as the pages and the API say
	maxItems    = 40
	maxUploadID = 200
)

// Submit delivers. After the deadline there is a grace in which it still counts.
func (b *Board) Submit(ctx context.Context, by task.Actor, d Delivery) (Submission, error) {
	if err := d.check(); err != nil {
		return Submission{}, err
	}
	return actFor(ctx, b, act{taskID: d.TaskID, by: by, command: task.Submit}, func(ctx context.Context, c *change) (Submission, error) {
		if err := c.assigned(); err != nil {
			return Submission{}, err
		}
		if c.now().After(c.task.DeadlineAt.Add(c.terms.Grace)) {
			return Submission{}, task.Refuse(task.Timeout)
		}
		if err := d.fits(c.task); err != nil {
			return Submission{}, err
		}
		c.task.SubmittedAt = kept(c.tx)
		c.task.ReviewDeadlineAt = moment(millis(c.now().Add(c.terms.ReviewWindow)))
		return c.insertSubmission(ctx, d)
	})
}

// check cleans a delivery.
func (d *Delivery) check() error {
	var wrong task.Fields
	d.Text = task.CheckOptional(&wrong, "text", d.Text, maxDelivery)
	if len(d.Items) > maxItems {
		wrong.Add("items", task.TooLong)
		return wrong.Err()
	}
	items := make([]Item, len(d.Items))
	for i, item := range d.Items {
		at := fmt.Sprintf("items[%d]", i)
		item.Label = task.CheckOptional(&wrong, at+".label", task.CleanLine(item.Label), task.MaxTitle)
		item.Text = task.CheckOptional(&wrong, at+".text", item.Text, maxItemText)
		if item.Kind != task.Photo && item.Kind != task.Video && item.Kind != task.Text {
			wrong.Add(at+".kind", task.InvalidEnum)
		}
		if len(item.Upload) > maxUploadID || item.Bytes < 0 {
			wrong.Add(at+".upload", task.InvalidFormat)
		}
		items[i] = item
	}
	d.Items = items
	return wrong.Err()
}

// fits refuses a delivery that lacks what the task asks for.
func (d Delivery) fits(t task.Task) error {
	if d.Type != t.Deliverable {
		return task.Refuse(task.WrongDeliverable)
	}
	files := map[task.Deliverable]int{}
	for _, item := range d.Items {
		if item.Kind == task.Text && item.Text != "" || item.Kind != task.Text && item.Upload != "" {
			files[item.Kind]++
		}
	}
	if d.Type == task.Text && d.Text == "" && files[task.Text] == 0 {
		return task.Refuse(task.MissingText)
	}
	if d.Type != task.Text && files[d.Type] == 0 {
		return task.Refuse(task.MissingFile)
	}
	need := map[task.Deliverable]int{}
	for _, e := range t.Evidence {
		if e.Required {
			need[e.Kind] += e.Count
		}
	}
	for kind, n := range need {
		have := files[kind]
		if kind == task.Text && d.Text != "" {
			have++
		}
		if have >= n {
			continue
		}
		reason := task.MissingFile
		if kind == task.Text {
			reason = task.MissingText
		}
		return task.Because(reason, fmt.Sprintf("The task asks for %d %s; the delivery has %d.", n, kind, have))
	}
	return nil
}

// Decline gives an assigned task back. The money goes back to the requester, and the
// task looks for another person.
func (b *Board) Decline(ctx context.Context, by task.Actor, taskID, reason string) (task.Task, error) {
	var wrong task.Fields
	reason = task.CheckOptional(&wrong, "reason", reason, maxReason)
	if err := wrong.Err(); err != nil {
		return task.Task{}, err
	}
	return b.act(ctx, act{taskID: taskID, by: by, command: task.Decline}, func(ctx context.Context, c *change) error {
		if err := c.assigned(); err != nil {
			return err
		}
		if err := c.endEscrow(ctx, 0); err != nil {
			return err
		}
		_, err := c.tx.Exec(ctx, "UPDATE applications SET status = 'withdrawn', answered_ms = $3 WHERE task_id = $1 AND human_id = $2 AND status = 'accepted'",
			taskID, by.ID, millis(c.now()))
		if err != nil {
			return fmt.Errorf("withdraw the application of task %s: %w", taskID, err)
		}
		if err := c.closeTaskThread(ctx); err != nil {
			return err
		}
		c.data["human_id"] = by.ID
		c.task.ReviewText = reason
		c.task.HumanID, c.task.AcceptedAt, c.task.Revisions, c.task.Budget.Minor = "", time.Time{}, 0, c.task.Posted
		return nil
	})
}

// closeTaskThread ends the conversation about a task with who no longer works on it.
func (c *change) closeTaskThread(ctx context.Context) error {
	_, err := c.tx.Exec(ctx, "UPDATE conversations SET status = 'closed', updated_ms = $2 WHERE task_id = $1 AND status = 'open'", c.task.ID, millis(c.now()))
	if err != nil {
		return fmt.Errorf("close the thread of task %s: %w", c.task.ID, err)
	}
	return nil
}

// Cancel takes a task back. Once a person has had it for a while, they are
// compensated with a part of the budget.
func (b *Board) Cancel(ctx context.Context, by task.Actor, n Cancellation) (task.Task, error) {
	var wrong task.Fields
	n.Reason = task.CheckOptional(&wrong, "reason", n.Reason, maxReason)
	if err := wrong.Err(); err != nil {
		return task.Task{}, err
	}
	return b.act(ctx, act{taskID: n.TaskID, by: by, command: task.Cancel, version: n.Version}, func(ctx context.Context, c *change) error {
		c.task.ReviewText = n.Reason
		return c.endEscrow(ctx, c.compensation())
	})
}

// ExtendDeadline gives more time; less is refused.
func (b *Board) ExtendDeadline(ctx context.Context, by task.Actor, e Extension) (task.Task, error) {
	return b.act(ctx, act{taskID: e.TaskID, by: by, command: task.Extend, version: e.Version}, func(_ context.Context, c *change) error {
		if !task.DeadlineFits(e.DeadlineAt, c.now()) || !e.DeadlineAt.After(c.task.DeadlineAt) {
			var wrong task.Fields
			wrong.Add("deadline_at", task.InvalidNumber)
			return wrong.Err()
		}
		c.task.DeadlineAt = moment(millis(e.DeadlineAt))
		return nil
	})
}

// ExpireTask ends a task whose deadline is over. A delivery before it, or a deadline
// that was extended, makes it a refusal.
func (b *Board) ExpireTask(ctx context.Context, taskID string) (task.Task, error) {
	return b.act(ctx, act{taskID: taskID, by: task.Jobs, command: task.Expire}, func(ctx context.Context, c *change) error {
		if !c.now().After(c.task.DeadlineAt.Add(c.grace())) {
			return task.Refuse(task.InvalidTaskStatus)
		}
		return c.endEscrow(ctx, 0)
	})
}
