package api

import (
	"context"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// repost posts a rejected task once more, with as much time as it had. A task is
// posted again once, whatever the key of the request: a retry gets the same one.
func (s *Server) repost(ctx context.Context, t task.Task) (task.Task, error) {
	n := copyOf(t)
	hold, _, err := screen(n)
	if err != nil {
		return task.Task{}, err
	}
	who := caller(ctx)
	key := data.RequestKey{Principal: "agent:" + who.AgentID, Operation: "repost", Key: t.ID, Hash: t.ID}
	again, _, err := data.Once(ctx, s.o.Board, key, func(ctx context.Context) (task.Task, error) {
		return s.o.Board.CreateTask(ctx, who.actor(), data.NewTask{Draft: n.draft(), Hold: hold})
	})
	return again, err
}

// copyOf is the body that would post the task again. The caller's own name of it stays
// with the first one.
func copyOf(t task.Task) NewTask {
	minutes := float64(max(int64(t.DeadlineAt.Sub(t.CreatedAt)/time.Minute), task.MinDeadline))
	n := NewTask{
		Task: t.Text, Title: t.Title, OriginCountry: t.OriginCountry, WorkCountry: t.WorkCountry, Label: string(t.Label),
		AcceptanceCriteria: t.AcceptanceCriteria, NotAllowed: t.NotAllowed, AmountMinor: &t.Budget.Minor, Currency: string(t.Budget.Currency),
		Location: t.Place.Text, Prefecture: t.Place.Prefecture, City: t.Place.City, ExactLocation: t.Place.Exact,
		Deliverable: string(t.Deliverable), DeadlineMinutes: &minutes, Lang: t.Lang, EstimatedMinutes: t.EstimatedMinutes,
	}
	for _, e := range t.Evidence {
		n.Evidence = append(n.Evidence, Evidence{Kind: string(e.Kind), Label: e.Label, Count: e.Count, Required: e.Required})
	}
	return n
}
