package data

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
)

// checks are queries that find nothing in a sound database, with what it means when
// they do. Each returns one text.
var checks = []struct{ wrong, sql string }{
	{"a transaction does not sum to zero", `SELECT tx_key FROM ledger_entries GROUP BY tx_key, currency HAVING SUM(minor) <> 0`},
	{"a transaction has no entries", `SELECT t.tx_key FROM ledger_transactions t WHERE NOT EXISTS (SELECT 1 FROM ledger_entries e WHERE e.tx_key = t.tx_key)`},
	{"the escrow of a task that is worked on does not hold its budget", `SELECT t.id FROM tasks t WHERE t.fund_key <> '' AND t.budget_minor <>
(SELECT COALESCE(SUM(e.minor), 0) FROM ledger_entries e WHERE e.account = 'escrow:' || t.id AND e.currency = t.currency)`},
	{"the escrow of a task that nobody works on holds money", `SELECT t.id FROM tasks t WHERE t.fund_key = '' AND
EXISTS (SELECT 1 FROM ledger_transactions l WHERE l.task_id = t.id) AND
0 <> (SELECT COALESCE(SUM(e.minor), 0) FROM ledger_entries e WHERE e.account = 'escrow:' || t.id)`},
	{"a worker or an agent owes money", `SELECT account FROM ledger_entries WHERE account LIKE 'worker:%' OR account LIKE 'agent_funding:%' OR account LIKE 'escrow:%'
GROUP BY account, currency HAVING SUM(minor) < 0`},
	{"a transfer that is done was not posted", `SELECT transfer_key FROM transfers t WHERE status = 'done' AND NOT EXISTS (SELECT 1 FROM ledger_transactions l WHERE l.tx_key = t.transfer_key)`},
	{"a transfer that is not done was posted", `SELECT transfer_key FROM transfers t WHERE status <> 'done' AND EXISTS (SELECT 1 FROM ledger_transactions l WHERE l.tx_key = t.transfer_key)`},
	{"a task was paid twice", `SELECT task_id FROM ledger_transactions WHERE kind = 'pay_out' GROUP BY task_id HAVING COUNT(*) > 1`},
	{"a task has two accepted applications", `SELECT task_id FROM applications WHERE status = 'accepted' GROUP BY task_id HAVING COUNT(*) > 1`},
	{"an application waits on a task that is not open", `SELECT a.id FROM applications a JOIN tasks t ON t.id = a.task_id WHERE a.status = 'pending' AND t.status <> 'open'`},
	{"an offer waits on a task that is not open", `SELECT o.id FROM offers o JOIN tasks t ON t.id = o.task_id WHERE o.status = 'pending' AND t.status <> 'open'`},
	{"a completed task has no submission", `SELECT t.id FROM tasks t WHERE t.status = 'completed' AND NOT EXISTS (SELECT 1 FROM submissions s WHERE s.task_id = t.id)`},
	{"a task failed by timeout after it was delivered in time", `SELECT t.id FROM tasks t WHERE t.status = 'failed' AND t.failure_reason = 'timeout' AND t.submitted_ms > t.accepted_ms AND t.revisions = 0`},
	{"the events of an agent have gaps", `SELECT a.id FROM agents a WHERE a.event_seq <> (SELECT COUNT(*) FROM events e WHERE e.agent_id = a.id)`},
}

// Audit checks the ledger against itself, the tasks and the provider, and says what
// is wrong; nothing is the answer of a sound board. Transfers that are under way
// are not wrong.
func (b *Board) Audit(ctx context.Context) ([]string, error) {
	var wrong []string
	err := b.db.Read(ctx, func(ctx context.Context, tx store.Tx) error {
		wrong = nil
		for _, c := range checks {
			found, err := rows(ctx, tx, func(r row) (s string, err error) { return s, r.Scan(&s) }, q(c.sql))
			if err != nil {
				return fmt.Errorf("check whether %s: %w", c.wrong, err)
			}
			for _, id := range found {
				wrong = append(wrong, c.wrong+": "+id)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	atProvider, err := b.reconcile(ctx)
	return append(wrong, atProvider...), err
}

// reconcile compares what the board believes to be moved with what was moved.
func (b *Board) reconcile(ctx context.Context) ([]string, error) {
	ours, err := list(ctx, b, scanTransfer, q("SELECT "+transferColumns+" FROM transfers ORDER BY transfer_key"))
	if err != nil {
		return nil, err
	}
	theirs, err := b.provider.Transfers(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the transfers of the provider: %w", err)
	}
	moved := map[string]money.Transfer{}
	for _, t := range theirs {
		moved[t.Key] = t
	}
	var wrong []string
	known := map[string]bool{}
	for _, t := range ours {
		known[t.Key], known[voidPrefix+t.Key] = true, true
		if t.Status == TransferDone && moved[t.Key] != t.Transfer {
			wrong = append(wrong, "a transfer is done and the provider did not do it: "+t.Key)
		}
	}
	for _, t := range theirs {
		if !known[t.Key] {
			wrong = append(wrong, "the provider did a transfer that nobody asked for: "+t.Key)
		}
	}
	return wrong, nil
}

// Entries are the postings of an account, the newest first.
func (b *Board) Entries(ctx context.Context, a money.Account, p Page) ([]Entry, string, error) {
	s := selectFrom("*", `(SELECT e.tx_key || '/' || CAST(e.line AS TEXT) AS id, e.tx_key, t.kind, t.task_id, e.account, e.minor, e.currency, e.created_ms
FROM ledger_entries e JOIN ledger_transactions t ON t.tx_key = e.tx_key WHERE e.account = $1) AS listed`)
	s.args = append(s.args, a)
	type line struct {
		id string
		Entry
	}
	all, next, err := page(ctx, b, s, keyset[line]{column: "created_ms", page: p, at: func(l line) place { return place{millis(l.At), l.id} }, scan: func(r row) (l line, err error) {
		var at int64
		err = r.Scan(&l.id, &l.Key, &l.Kind, &l.TaskID, &l.Account, &l.Amount.Minor, &l.Amount.Currency, &at)
		l.At = moment(at)
		return l, err
	}})
	entries := make([]Entry, len(all))
	for i, l := range all {
		entries[i] = l.Entry
	}
	return entries, next, err
}
