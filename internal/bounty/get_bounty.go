package bounty

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/tool"
)

var getBounty = tool.New(tool.Spec{
	Name: "get_bounty", Title: "Look at a task",
	Description: "Get task status and submission. A task that ran out of time is failed with failure_reason timeout, which is not a refusal by anybody.",
	Effect:      tool.Read, Idempotent: true, OpenWorld: true, Scope: scopeRead, Rate: rateRead, Timeout: limit, Budget: 160 << 10, Reword: asSpecified,
	Outline:  []string{"task"},
	Examples: []tool.Example{{Name: "one", Args: GetIn{TaskID: exampleID}}},
}, (*Server).getBounty)

// exampleID is a task in examples.
const exampleID = "0197a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b"

// GetIn names a task.
type GetIn struct {
	TaskID string `json:"task_id"`
	Lang   string `json:"lang,omitempty" enum:"en,ja"`
	AccountIn
}

// GetOut is a task.
type GetOut struct {
	Task Task `json:"task"`
}

// Text is what a model reads.
func (o GetOut) Text() string { return o.Task.text() }

func (s *Server) getBounty(ctx context.Context, in GetIn) (GetOut, error) {
	k, err := s.read(ctx, in.AccountIn)
	if err != nil {
		return GetOut{}, err
	}
	t, err := k.client.GetTask(ctx, k.who, in.TaskID, in.Lang)
	if err != nil {
		return GetOut{}, explain(err, "")
	}
	return GetOut{view(t, in.Lang, k.who)}, nil
}

// Look looks at a task for another part of this program, under the rules of get_bounty.
func (s *Server) Look(ctx context.Context, in GetIn) (GetOut, error) { return s.getBounty(ctx, in) }
