package data

import (
	"context"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// staleTransfer is how long a payout or refund may take before it is asked for again.
const staleTransfer = 10 * time.Minute

// Due are jobs whose time is over and that may have been lost: timers of tasks and
// offers, and transfers. Running one that ran already does nothing.
func (b *Board) Due(ctx context.Context) ([]Job, error) {
	return read(ctx, b, func(ctx context.Context, tx store.Tx) ([]Job, error) {
		now := millis(tx.Now())
		grace := b.terms.Grace.Milliseconds()
		var all []Job
		for _, due := range []struct {
			kind task.Job
			q    query
		}{
			{task.JobDeadline, q("SELECT id FROM tasks WHERE status = 'open' AND deadline_ms < $1", now)},
			{task.JobDeadline, q("SELECT id FROM tasks WHERE status = 'accepted' AND sub_state <> 'disputed' AND deadline_ms < $1", now-grace)},
			{task.JobReview, q("SELECT id FROM tasks WHERE status = 'review_pending' AND sub_state = '' AND review_deadline_ms <= $1", now)},
			{task.JobAppeal, q("SELECT id FROM tasks WHERE status = 'review_pending' AND sub_state = 'appeal' AND appeal_deadline_ms <= $1", now)},
			{task.JobOffer, q("SELECT id FROM offers WHERE status = 'pending' AND expires_ms <= $1", now)},
			{task.JobPayout, q("SELECT transfer_key FROM transfers WHERE kind = 'pay_out' AND status = 'started' AND created_ms < $1", now-staleTransfer.Milliseconds())},
			{task.JobRefund, q("SELECT transfer_key FROM transfers WHERE kind = 'refund' AND status = 'started' AND created_ms < $1", now-staleTransfer.Milliseconds())},
			{task.JobRefund, q(`SELECT f.transfer_key FROM transfers f WHERE f.kind = 'fund' AND f.status = 'void' AND f.updated_ms < $1
AND NOT EXISTS (SELECT 1 FROM transfers v WHERE v.transfer_key = $2 || f.transfer_key)`, now-staleTransfer.Milliseconds(), voidPrefix)},
		} {
			ids, err := rows(ctx, tx, func(r row) (s string, err error) { return s, r.Scan(&s) }, due.q)
			if err != nil {
				return nil, fmt.Errorf("look for jobs %s: %w", due.kind, err)
			}
			for _, id := range ids {
				all = append(all, Job{Kind: due.kind, Key: id, ID: id})
			}
		}
		return all, nil
	})
}

// ForgetKeys removes retry keys, codes and sessions whose time is over, and what was
// spent on days that are past. It says how many rows.
func (b *Board) ForgetKeys(ctx context.Context) (int64, error) {
	var gone int64
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		gone = 0
		for _, s := range []query{
			q("DELETE FROM request_keys WHERE created_ms < $1", millis(tx.Now().Add(-keepRequests))),
			q("DELETE FROM codes WHERE expires_ms < $1", millis(tx.Now().Add(-time.Hour))),
			q("DELETE FROM code_sources WHERE used_ms < $1", millis(tx.Now().Add(-keepSource))),
			q("DELETE FROM sessions WHERE expires_ms < $1", millis(tx.Now())),
			q("DELETE FROM ended_sign_ins WHERE expires_ms < $1", millis(tx.Now())),
			q("DELETE FROM spending WHERE day < $1", tx.Now().Unix()/86_400-1),
		} {
			n, err := tx.Exec(ctx, s.sql, s.args...)
			if err != nil {
				return fmt.Errorf("forget what is over: %w", err)
			}
			gone += n
		}
		return nil
	})
	return gone, err
}
