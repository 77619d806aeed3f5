package queue

import (
	"context"
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"
)

// Count is how many jobs of a kind are in a state. The states are River's:
// available, running, scheduled, retryable, completed (forgotten after a day),
// cancelled (given up; forgotten after a day) and discarded.
type Count struct {
	Kind, State string
	N           int
}

// Counts are the jobs by kind and state, for operators.
func (q *Queue) Counts(ctx context.Context) (list []Count, err error) {
	err = q.db.Read(ctx, func(ctx context.Context, tx store.Tx) (err error) {
		list = nil
		rows, err := tx.Query(ctx, `SELECT kind, CAST(state AS TEXT), COUNT(*) FROM river_job GROUP BY kind, state ORDER BY kind, 2`)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			var c Count
			if err := rows.Scan(&c.Kind, &c.State, &c.N); err != nil {
				return err
			}
			list = append(list, c)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	return list, nil
}
