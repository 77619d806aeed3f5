package data

import (
	"context"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// CountApplicationsOf is CountApplications for a page of tasks at once; a task without
// any is missing.
func (b *Board) CountApplicationsOf(ctx context.Context, tasks []task.Task) (map[string]int64, error) {
	if len(tasks) == 0 {
		return nil, nil
	}
	ids := make([]any, len(tasks))
	for i, t := range tasks {
		ids[i] = t.ID
	}
	type count struct {
		id string
		n  int64
	}
	all, err := list(ctx, b, func(r row) (c count, err error) { return c, r.Scan(&c.id, &c.n) },
		q("SELECT task_id, COUNT(*) FROM applications WHERE status <> 'withdrawn' AND task_id IN ("+placeholders(len(ids))+") GROUP BY task_id", ids...))
	if err != nil {
		return nil, err
	}
	out := make(map[string]int64, len(all))
	for _, c := range all {
		out[c.id] = c.n
	}
	return out, nil
}
