package bounty

import (
	"context"
	"strings"

	"github.com/legwork-mcp/legwork/internal/bounty/rest"
	"github.com/legwork-mcp/legwork/internal/tool"
)

var rateHuman = tool.New(tool.Spec{
	Name: "rate_human", Title: "Rate the worker",
	Description: "Say how a completed task went. It is shown when both sides have rated, or when the time for it is over.",
	Effect:      tool.Write, OpenWorld: true, Scope: scopePost, Rate: rateDecide, Timeout: limit, Budget: 8 << 10, Reword: asSpecified,
	Outline:  []string{"status", "task_id"},
	Examples: []tool.Example{{Name: "very good", Args: RateIn{TaskID: exampleID, Rating: 5, Comment: "Quick, and the photo is sharp."}}},
}, (*Server).rateHuman)

// RateIn is a rating.
type RateIn struct {
	TaskID  string `json:"task_id"`
	Rating  int    `json:"rating" minimum:"1" maximum:"5"`
	Comment string `json:"comment,omitempty"`
	AccountIn
	KeyIn
}

func (s *Server) rateHuman(ctx context.Context, in RateIn) (DoneOut, error) {
	k, err := s.write(ctx, in.AccountIn, writing{"rate_human", in.Key, in})
	if err != nil {
		return DoneOut{}, err
	}
	d, err := k.client.Rate(ctx, k.who, k.command(in.TaskID), rest.Rating{Overall: in.Rating, Comment: strings.TrimSpace(in.Comment)})
	if err != nil {
		return DoneOut{}, explain(err, k.key)
	}
	return k.done(d, in.TaskID, "rated"), nil
}
