package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/legwork-mcp/legwork/internal/store"
)

// The statements. The first decides and counts in one: the row is locked, the
// condition is checked on what is in it then, and no row comes back for a refusal.
const (
	takeSQL = `INSERT INTO rate_limits (limit_key, tat_ns) VALUES ($1, CAST($2 AS BIGINT) + CAST($3 AS BIGINT))
ON CONFLICT (limit_key) DO UPDATE
SET tat_ns = CASE WHEN rate_limits.tat_ns > $2 THEN rate_limits.tat_ns ELSE $2 END + $3
WHERE CASE WHEN rate_limits.tat_ns > $2 THEN rate_limits.tat_ns ELSE $2 END + $3 - $2 <= $4
RETURNING tat_ns`
	readSQL  = `SELECT tat_ns FROM rate_limits WHERE limit_key = $1`
	sweepSQL = `DELETE FROM rate_limits WHERE limit_key IN
(SELECT limit_key FROM rate_limits WHERE tat_ns < $1 ORDER BY tat_ns LIMIT $2)`
)

// One take in sweepEvery also removes up to sweepMost rows that have long meant
// nothing: more than were added since, so that the table shrinks.
const (
	sweepEvery = 256
	sweepMost  = 2 * sweepEvery
)

// SQL is a Source that several processes share through a database, which must
// have been migrated. Its time is the database's, or that of the clock that the
// store was given.
type SQL struct {
	db    *store.DB
	takes atomic.Uint64
}

// NewSQL returns a source that counts in db.
func NewSQL(db *store.DB) *SQL { return &SQL{db: db} }

// Take implements Source. It fails for calls that are mistakes, and when the
// database does.
func (s *SQL) Take(ctx context.Context, key string, l Limit, cost int) (Decision, error) {
	if err := checkTake(key, l, cost); err != nil {
		return Decision{}, err
	}
	sweep := s.takes.Add(1)%sweepEvery == 0
	var d Decision
	err := s.db.TxReadCommitted(ctx, func(ctx context.Context, tx store.Tx) error {
		var err error
		if d, err = take(ctx, tx, key, l.at(tx.Now().UnixNano(), cost)); err != nil || !sweep {
			return err
		}
		sweep = false // a second attempt does not meet the same rows again
		_, err = tx.Exec(ctx, sweepSQL, tx.Now().Add(-keep).UnixNano(), sweepMost)
		return err
	})
	if err != nil {
		return Decision{}, fmt.Errorf("take from the rate limit: %w", err)
	}
	return d, nil
}

// request is a call at a time.
type request struct {
	limit Limit
	now   int64
	cost  int
}

func (l Limit) at(now int64, cost int) request { return request{l, now, cost} }

// take lets the database decide, and has decide say the same of what it answers.
func take(ctx context.Context, tx store.Tx, key string, r request) (Decision, error) {
	used := int64(r.cost) * r.limit.interval()
	var tat int64
	err := tx.QueryRow(ctx, takeSQL, key, r.now, used, r.limit.tolerance()).Scan(&tat)
	if err == nil {
		_, d := r.limit.decide(tat-used, r.now, r.cost)
		return d, nil
	}
	if !errors.Is(err, store.ErrNoRows) {
		return Decision{}, fmt.Errorf("count: %w", err)
	}
	if err := tx.QueryRow(ctx, readSQL, key).Scan(&tat); err != nil {
		return Decision{}, fmt.Errorf("read the count: %w", err)
	}
	_, d := r.limit.decide(tat, r.now, r.cost)
	if d.Allowed {
		return Decision{}, errors.New("the database and this program disagree about a limit")
	}
	return d, nil
}
