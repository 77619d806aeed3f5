package data

import (
	"context"
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"
)

// CountsOfApplications counts the applications for each of the tasks, at once for
// a whole page of a list. Those that were taken back do not count.
func (b *Board) CountsOfApplications(ctx context.Context, taskIDs []string) (map[string]int64, error) {
	counts := map[string]int64{}
	if len(taskIDs) == 0 {
		return counts, nil
	}
	args := make([]any, len(taskIDs))
	for i, id := range taskIDs {
		args[i] = id
	}
	query := "SELECT task_id, COUNT(*) FROM applications WHERE status <> 'withdrawn' AND task_id IN (" + placeholders(len(args)) + ") GROUP BY task_id"
	err := b.db.Read(ctx, func(ctx context.Context, tx store.Tx) (err error) {
		clear(counts)
		rows, err := tx.Query(ctx, query, args...)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			var id string
			var n int64
			if err := rows.Scan(&id, &n); err != nil {
				return err
			}
			counts[id] = n
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("count applications: %w", err)
	}
	return counts, nil
}
