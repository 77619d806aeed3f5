package web

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// loadDecisions is what the requester said of the last delivery. Once a dispute is
// decided the operator's note takes its place.
func (v *visit) loadDecisions(t task.Task, s *sides) error {
	switch {
	case t.ReviewText == "" || s.dispute != nil && s.dispute.Outcome != "":
	case t.SubState == task.RevisionRequested:
		s.request = t.ReviewText
	case t.ReviewCode != "":
		s.rejection = &rejectionView{Code: string(t.ReviewCode), Text: t.ReviewText}
	}
	return nil
}

// earned is what a worker got, the newest first.
func (s *Site) earned(ctx context.Context, humanID string) ([]data.Entry, error) {
	all, _, err := s.board.Entries(ctx, money.Worker(humanID), data.Page{Limit: 100})
	if err != nil {
		return nil, err
	}
	var list []data.Entry
	for _, e := range all {
		if e.Amount.Minor > 0 {
			list = append(list, e)
		}
	}
	return list, nil
}
