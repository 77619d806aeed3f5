package bounty

import (
	"context"
	"strings"

	"github.com/legwork-mcp/legwork/internal/tool"
)

var cancelBounty = tool.New(tool.Spec{
	Name: "cancel_bounty", Title: "Take a task back",
	Description: "Cancel a task that nobody has submitted yet. Somebody who is already working on it may be owed a part of the reward.",
	Effect:      tool.Destroy, Idempotent: true, OpenWorld: true, Scope: scopePost, Rate: rateDecide, Timeout: limit, Budget: 8 << 10, Reword: asSpecified,
	Outline:  []string{"status", "task_id"},
	Examples: []tool.Example{{Name: "not needed any more", Args: CancelIn{TaskID: exampleID, Reason: "The shop has answered by itself."}}},
}, (*Server).cancelBounty)

// CancelIn names a task that is not wanted any more.
type CancelIn struct {
	TaskID string `json:"task_id"`
	Reason string `json:"reason,omitempty" jsonschema:"people who applied read it"`
	AccountIn
	KeyIn
}

func (s *Server) cancelBounty(ctx context.Context, in CancelIn) (DoneOut, error) {
	k, err := s.write(ctx, in.AccountIn, writing{"cancel_bounty", in.Key, in})
	if err != nil {
		return DoneOut{}, err
	}
	d, err := k.client.Cancel(ctx, k.who, k.command(in.TaskID), strings.TrimSpace(in.Reason))
	if err != nil {
		return DoneOut{}, explain(err, k.key)
	}
	return k.done(d, in.TaskID, "cancelled"), nil
}
