package bounty

import (
	"context"
	"errors"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var approveCompletion = tool.New(tool.Spec{
	Name: "approve_bounty_completion", Title: "Approve and pay",
	Description: "Finalize a submitted task after requester review: it is completed and its worker is paid. Calling it again pays nothing more.",
	Effect:      tool.Destroy, Idempotent: true, OpenWorld: true, Scope: scopePost, Rate: rateDecide, Timeout: limit, Budget: 8 << 10, Reword: asSpecified,
	Outline:  []string{"status", "task_id"},
	Examples: []tool.Example{{Name: "one", Args: ApproveIn{TaskID: exampleID}}},
}, (*Server).approveCompletion)

// ApproveIn names a task whose submission is good.
type ApproveIn struct {
	TaskID string    `json:"task_id"`
	Checks *ChecksIn `json:"checks,omitempty" jsonschema:"what you looked at; some boards insist"`
	AccountIn
	KeyIn
}

// ChecksIn is what the requester looked at.
type ChecksIn struct {
	Acceptance bool   `json:"acceptance_checked,omitempty"`
	Attachment bool   `json:"attachment_checked,omitempty"`
	Final      bool   `json:"final_confirmed,omitempty"`
	Note       string `json:"review_note,omitempty"`
}

// unreviewed are the refusals of boards that want a review to be recorded first.
var unreviewed = map[string]bool{
	"review_guard_missing": true, "attachment_not_checked": true, "acceptance_not_checked": true, "final_confirmation_missing": true,
}

func (s *Server) approveCompletion(ctx context.Context, in ApproveIn) (DoneOut, error) {
	k, err := s.write(ctx, in.AccountIn, writing{"approve_bounty_completion", in.Key, in})
	if err != nil {
		return DoneOut{}, err
	}
	cmd := k.command(in.TaskID)
	var checks *rest.Checks
	if in.Checks != nil {
		checks = &rest.Checks{Acceptance: in.Checks.Acceptance, Attachment: in.Checks.Attachment, Final: in.Checks.Final, Note: in.Checks.Note}
	}
	d, err := k.client.Approve(ctx, k.who, cmd, checks)
	var e *rest.Error
	if errors.As(err, &e) && unreviewed[e.Reason] && checks != nil {
		if err := k.client.ConfirmReview(ctx, k.who, cmd, *checks); err != nil {
			return DoneOut{}, explain(err, k.key)
		}
		d, err = k.client.Approve(ctx, k.who, cmd, checks)
	}
	if err != nil {
		return DoneOut{}, explain(err, k.key)
	}
	out := k.done(d, in.TaskID, stateCompleted)
	out.Next = "rate_human, if you want to say how it went."
	return out, nil
}
