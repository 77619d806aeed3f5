package bounty

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var openDispute = tool.New(tool.Spec{
	Name: "open_dispute", Title: "Ask an arbiter",
	Description: "Ask a person of the board to decide about a task on which you and the worker disagree. The reward waits until then.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopePost, Rate: rateDecide, Timeout: limit, Budget: 8 << 10, Reword: asSpecified,
	Outline:  []string{"status", "task_id", "dispute_id", "sub_state"},
	Examples: []tool.Example{{Name: "another place", Args: DisputeIn{TaskID: exampleID, Statement: "The photo was taken at another shop; the sign shows its name."}}},
}, (*Server).openDispute)

// DisputeIn is what an arbiter reads.
type DisputeIn struct {
	TaskID     string `json:"task_id"`
	Statement  string `json:"statement"`
	ReasonCode string `json:"reason_code,omitempty"`
	AccountIn
	KeyIn
}

func (s *Server) openDispute(ctx context.Context, in DisputeIn) (DoneOut, error) {
	statement, err := needed("statement", in.Statement)
	if err != nil {
		return DoneOut{}, err
	}
	k, err := s.write(ctx, in.AccountIn, writing{"open_dispute", in.Key, in})
	if err != nil {
		return DoneOut{}, err
	}
	d, err := k.client.OpenDispute(ctx, k.who, k.command(in.TaskID), rest.Dispute{ReasonCode: in.ReasonCode, Statement: statement})
	if err != nil {
		return DoneOut{}, explain(err, k.key)
	}
	return k.done(d, in.TaskID, "disputed"), nil
}
