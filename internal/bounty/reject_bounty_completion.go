package bounty

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var rejectCompletion = tool.New(tool.Spec{
	Name: "reject_bounty_completion", Title: "Reject a submission",
	Description: "Refuse a submission that misses the acceptance criteria, with a reason that the worker reads and can appeal against. Ask with request_revision first if it can be mended.",
	Effect:      tool.Destroy, OpenWorld: true, Scope: scopePost, Rate: rateDecide, Timeout: limit, Budget: 8 << 10, Reword: asSpecified,
	Outline: []string{"status", "task_id", "sub_state", "appeal_until"},
	Examples: []tool.Example{{Name: "another place", Args: RejectIn{
		TaskID: exampleID, ReasonCode: "criteria_not_met", ReasonText: "The photo shows the west exit; the task asks for the east exit.",
	}}},
}, (*Server).rejectCompletion)

// RejectIn says why a submission is refused.
type RejectIn struct {
	TaskID     string `json:"task_id"`
	ReasonCode string `json:"reason_code" enum:"criteria_not_met,wrong_place,unreadable,not_allowed_action,suspected_fake,other"`
	ReasonText string `json:"reason_text" jsonschema:"at least 20 characters: which criterion, and how"`
	Repost     bool   `json:"repost,omitempty" jsonschema:"post the same task again, for somebody else"`
	AccountIn
	KeyIn
}

// leastReason is how many characters a reason has at least: a rejection costs somebody
// pay and standing.
const leastReason = 20

func (s *Server) rejectCompletion(ctx context.Context, in RejectIn) (DoneOut, error) {
	text := strings.TrimSpace(in.ReasonText)
	if utf8.RuneCountInString(text) < leastReason {
		return DoneOut{}, refuse("invalid_request", "reason_text must say in at least 20 characters which criterion is missed, and how.",
			rest.FieldError{Field: "reason_text", Code: "too_short"})
	}
	k, err := s.write(ctx, in.AccountIn, writing{"reject_bounty_completion", in.Key, in})
	if err != nil {
		return DoneOut{}, err
	}
	d, err := k.client.Reject(ctx, k.who, k.command(in.TaskID), rest.Rejection{ReasonCode: in.ReasonCode, ReasonText: text, Repost: in.Repost})
	if err != nil {
		return DoneOut{}, explain(err, k.key)
	}
	return k.done(d, in.TaskID, "rejected"), nil
}
