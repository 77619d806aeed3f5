package rest

import (
	"context"
	"net/http"
)

// Done is the answer to a command on a task.
type Done struct {
	Status           string `json:"status"`
	TaskID           string `json:"task_id"`
	ID               string `json:"id"`
	ApplicationID    string `json:"application_id"`
	TaskStatus       string `json:"task_status"`
	SubState         string `json:"sub_state"`
	FailureReason    string `json:"failure_reason"`
	DeadlineAt       string `json:"deadline_at"`
	ReviewDeadlineAt string `json:"review_deadline_at"`
	AppealUntil      string `json:"appeal_until"`
	DisputeID        string `json:"dispute_id"`
	RepostedTaskID   string `json:"reposted_task_id"`
	RepostRefused    string `json:"repost_refused"`
	Version          int64  `json:"version"`
}

// Command is something that is done to one task.
type Command struct {
	TaskID string
	// Key is the idempotency key.
	Key string
}

// deed is a command with the path below the task that it goes to.
type deed struct {
	Command
	path string
	body any
}

func (c *Client) act(ctx context.Context, who Credentials, d deed) (Done, error) {
	var out Done
	err := c.do(ctx, call{method: http.MethodPost, pattern: "/api/tasks/{}/" + d.path, ids: []string{d.TaskID}, body: d.body, who: who, key: d.Key}, &out)
	return out, err
}

// Checks are what the requester says to have looked at.
type Checks struct {
	Acceptance bool   `json:"acceptance_checked"`
	Attachment bool   `json:"attachment_checked"`
	Final      bool   `json:"final_confirmed"`
	Note       string `json:"review_note,omitempty"`
}

// Approve ends a reviewed task and pays its worker. It can be repeated: a task that is
// completed stays so, and is paid once.
func (c *Client) Approve(ctx context.Context, who Credentials, cmd Command, checks *Checks) (Done, error) {
	var out Done
	err := c.do(ctx, call{
		method: http.MethodPost, pattern: "/api/tasks/{}/approve", ids: []string{cmd.TaskID}, who: who, key: cmd.Key, replays: true,
		body: struct {
			Checks *Checks `json:"checks,omitempty"`
		}{checks},
	}, &out)
	return out, err
}

// ConfirmReview does what some boards want before an approval: it recognises the
// submission, then says what was checked.
func (c *Client) ConfirmReview(ctx context.Context, who Credentials, cmd Command, checks Checks) error {
	if _, err := c.act(ctx, who, deed{cmd, "review/recognize", nil}); err != nil {
		return err
	}
	_, err := c.act(ctx, who, deed{cmd, "review/confirm", checks})
	return err
}

// Rejection says why a submission is not what was asked for.
type Rejection struct {
	ReasonCode string `json:"reason_code"`
	ReasonText string `json:"reason_text"`
	Repost     bool   `json:"repost,omitempty"` // post the same task again
}

// Reject refuses a submission. The worker can appeal.
func (c *Client) Reject(ctx context.Context, who Credentials, cmd Command, r Rejection) (Done, error) {
	return c.act(ctx, who, deed{cmd, "reject", r})
}

// Revision says what has to be done again.
type Revision struct {
	Message string `json:"message"`
}

// RequestRevision sends a submission back, once.
func (c *Client) RequestRevision(ctx context.Context, who Credentials, cmd Command, r Revision) (Done, error) {
	return c.act(ctx, who, deed{cmd, "request-revision", r})
}

// Cancel takes a task back.
func (c *Client) Cancel(ctx context.Context, who Credentials, cmd Command, reason string) (Done, error) {
	return c.act(ctx, who, deed{cmd, "cancel", struct {
		Reason string `json:"reason,omitempty"`
	}{reason}})
}

// Extension is more time for a task, as minutes from now or as a date.
type Extension struct {
	Minutes    int    `json:"minutes,omitempty"`
	DeadlineAt string `json:"deadline_at,omitempty"`
}

// ExtendDeadline gives a task more time.
func (c *Client) ExtendDeadline(ctx context.Context, who Credentials, cmd Command, x Extension) (Done, error) {
	return c.act(ctx, who, deed{cmd, "extend-deadline", x})
}

// Rating is what one side says of the other.
type Rating struct {
	Overall int    `json:"rating_overall"`
	Comment string `json:"comment,omitempty"`
}

// Rate rates the worker of a completed task.
func (c *Client) Rate(ctx context.Context, who Credentials, cmd Command, r Rating) (Done, error) {
	return c.act(ctx, who, deed{cmd, "reviews", r})
}

// Dispute asks an arbiter to decide.
type Dispute struct {
	ReasonCode string `json:"reason_code,omitempty"`
	Statement  string `json:"statement"`
}

// OpenDispute opens a dispute about a task.
func (c *Client) OpenDispute(ctx context.Context, who Credentials, cmd Command, d Dispute) (Done, error) {
	return c.act(ctx, who, deed{cmd, "dispute", d})
}
