package web

import (
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/words"
)

// statusKey is the word of a task's state in the catalogue; applicants read
// "choosing" while the requester looks at what came in.
func statusKey(t task.Task) string {
	switch t.SubState {
	case task.Held:
		return "held"
	case task.RevisionRequested:
		return "revision"
	case task.Rejected:
		return "appeal"
	case task.Disputed:
		return "disputed"
	}
	return string(t.Status)
}

// applicationKey is the word of an application's state.
func applicationKey(s data.ApplicationStatus) string {
	switch s {
	case data.ApplicationPending:
		return "selecting"
	case data.ApplicationAccepted:
		return "accepted"
	case data.ApplicationWithdrawn:
		return "withdrawn"
	default:
		return "not_chosen"
	}
}

// view is a task without what only its two sides may know.
func view(t task.Task, now time.Time) taskView {
	q := t.Quote()
	v := taskView{
		ID: t.ID, Title: titleOf(t), Text: t.Text, Label: string(t.Label), Deliverable: string(t.Deliverable),
		Criteria: t.AcceptanceCriteria, NotAllowed: t.NotAllowed,
		Place:  placeView{Prefecture: t.Place.Prefecture, City: t.Place.City, Free: t.Place.Text},
		Quote:  quoteView{TakeHome: q.Takehome, Fee: q.Fee, Total: q.Total, Currency: string(q.Currency)},
		Status: statusKey(t), Failure: string(t.FailureReason),
		Deadline: dueView{At: t.DeadlineAt, Now: now}, Due: dueView{At: t.DeadlineAt, Now: now}, DueKey: "due.deadline", CreatedAt: t.CreatedAt,
	}
	switch {
	case t.Status.Terminal():
		v.Due.At = time.Time{}
	case t.SubState == task.Rejected:
		v.Due.At, v.DueKey = t.AppealDeadlineAt, "due.appeal"
	case t.SubState == task.Disputed:
		v.Due.At = time.Time{}
	case t.Status == task.ReviewPending:
		v.Due.At, v.DueKey = t.ReviewDeadlineAt, "due.review"
	}
	return v
}

// maxTitle is how long a title made of a text is, in characters.
const maxTitle = 60

// titleOf is the task's title, or else the beginning of its text.
func titleOf(t task.Task) string {
	if t.Title != "" {
		return t.Title
	}
	return words.Title(t.Text, maxTitle)
}

// tone is the look of the notice on a task's state.
func tone(status string) string {
	switch status {
	case "completed":
		return "good"
	case "failed", "appeal":
		return "bad"
	case "revision", "review_pending", "disputed", "held":
		return "warn"
	}
	return ""
}
