package bounty

import (
	"fmt"
	"strings"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
)

// DoneOut is what became of a command on a task.
type DoneOut struct {
	Status           string `json:"status"`
	TaskID           string `json:"task_id"`
	TaskStatus       string `json:"task_status,omitempty"`
	SubState         string `json:"sub_state,omitempty"`
	ApplicationID    string `json:"application_id,omitempty"`
	DeadlineAt       string `json:"deadline_at,omitempty"`
	ReviewDeadlineAt string `json:"review_deadline_at,omitempty"`
	AppealUntil      string `json:"appeal_until,omitempty"`
	DisputeID        string `json:"dispute_id,omitempty"`
	RepostedTaskID   string `json:"reposted_task_id,omitempty"`
	RepostRefused    string `json:"repost_refused,omitempty"`
	IdempotencyKey   string `json:"idempotency_key,omitempty"`
	Next             string `json:"next,omitempty"`
}

// Text is what a model reads.
func (o DoneOut) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: task %s.", o.Status, o.TaskID)
	for _, x := range [][2]string{
		{"task_status", o.TaskStatus}, {"sub_state", o.SubState}, {"application_id", o.ApplicationID}, {"deadline_at", o.DeadlineAt},
		{"review_deadline_at", o.ReviewDeadlineAt}, {"appeal_until", o.AppealUntil}, {"dispute_id", o.DisputeID},
		{"reposted_task_id", o.RepostedTaskID}, {"repost_refused", o.RepostRefused},
		{"idempotency_key", o.IdempotencyKey},
	} {
		if x[1] != "" {
			fmt.Fprintf(&b, "\n%s: %s", x[0], x[1])
		}
	}
	if o.Next != "" {
		b.WriteString("\nNext: " + o.Next)
	}
	return b.String()
}

// done is the answer to a command. status is the word for boards that give none.
func (k *call) done(d rest.Done, taskID, status string) DoneOut {
	return DoneOut{
		Status: clean(firstOf(d.Status, status), 40), TaskID: clean(firstOf(d.TaskID, taskID), 200), TaskStatus: clean(d.TaskStatus, 40),
		SubState: clean(d.SubState, 40), ApplicationID: clean(d.ApplicationID, 200), DeadlineAt: clean(d.DeadlineAt, 40),
		ReviewDeadlineAt: clean(d.ReviewDeadlineAt, 40), AppealUntil: clean(d.AppealUntil, 40), DisputeID: clean(d.DisputeID, 200),
		RepostedTaskID: clean(d.RepostedTaskID, 200), RepostRefused: clean(d.RepostRefused, 100),
		IdempotencyKey: k.key,
	}
}
