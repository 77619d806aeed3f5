package bounty

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var extendDeadline = tool.New(tool.Spec{
	Name: "extend_deadline", Title: "Give more time",
	Description: "Move the deadline of an open or running task to a later time. It cannot be made earlier.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopePost, Rate: rateDecide, Timeout: limit, Budget: 8 << 10, Reword: asSpecified,
	Outline:  []string{"status", "task_id", "deadline_at"},
	Examples: []tool.Example{{Name: "two hours from now", Args: ExtendIn{TaskID: exampleID, Minutes: 120}}},
}, (*Server).extendDeadline)

// ExtendIn is more time for a task.
type ExtendIn struct {
	TaskID     string `json:"task_id"`
	Minutes    int    `json:"minutes,omitempty" minimum:"5" maximum:"43200" jsonschema:"the new deadline, from now; or deadline_at"`
	DeadlineAt string `json:"deadline_at,omitempty" format:"date-time"`
	AccountIn
	KeyIn
}

func (s *Server) extendDeadline(ctx context.Context, in ExtendIn) (DoneOut, error) {
	if (in.Minutes == 0) == (in.DeadlineAt == "") {
		return DoneOut{}, refuse("invalid_request", "Give minutes or deadline_at, one of them.", rest.FieldError{Field: "minutes", Code: "required"})
	}
	k, err := s.write(ctx, in.AccountIn, writing{"extend_deadline", in.Key, in})
	if err != nil {
		return DoneOut{}, err
	}
	d, err := k.client.ExtendDeadline(ctx, k.who, k.command(in.TaskID), rest.Extension{Minutes: in.Minutes, DeadlineAt: in.DeadlineAt})
	if err != nil {
		return DoneOut{}, explain(err, k.key)
	}
	return k.done(d, in.TaskID, "extended"), nil
}
