package bounty

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var acceptApplication = tool.New(tool.Spec{
	Name: "accept_application", Title: "Choose a person",
	Description: "Assign a task to the person of one application. The reward is set aside, and the others are told that it is taken.",
	Effect:      tool.Destroy, OpenWorld: true, Scope: scopePost, Rate: rateDecide, Timeout: limit, Budget: 8 << 10, Reword: asSpecified,
	Outline:  []string{"status", "task_id", "application_id"},
	Examples: []tool.Example{{Name: "one", Args: AcceptIn{TaskID: exampleID, ApplicationID: "0197a1b2-9d10-7aaa-8bbb-0123456789ab"}}},
}, (*Server).acceptApplication)

// AcceptIn names an application.
type AcceptIn struct {
	TaskID          string `json:"task_id"`
	ApplicationID   string `json:"application_id"`
	ExpectedVersion int64  `json:"expected_version,omitempty" jsonschema:"refuse when the task has changed since this version"`
	AtCounter       bool   `json:"at_counter,omitempty" jsonschema:"pay what the application asks for"`
	AccountIn
	KeyIn
}

func (s *Server) acceptApplication(ctx context.Context, in AcceptIn) (DoneOut, error) {
	id, err := needed("application_id", in.ApplicationID)
	if err != nil {
		return DoneOut{}, err
	}
	k, err := s.write(ctx, in.AccountIn, writing{"accept_application", in.Key, in})
	if err != nil {
		return DoneOut{}, err
	}
	d, err := k.client.AcceptApplication(ctx, k.who, k.command(in.TaskID), rest.Choice{ApplicationID: id, ExpectedVersion: in.ExpectedVersion, AtCounter: in.AtCounter})
	if err != nil {
		return DoneOut{}, explain(err, k.key)
	}
	out := k.done(d, in.TaskID, stateAccepted)
	out.ApplicationID = firstOf(out.ApplicationID, clean(id, 200))
	out.Next = "wait_for_bounty until submission."
	return out, nil
}
