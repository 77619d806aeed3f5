package data

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// post writes a transaction of the ledger. A key that was posted before is an
// error of the database: nothing is posted twice.
func post(ctx context.Context, tx store.Tx, t money.Transaction) error {
	if err := t.Check(); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "INSERT INTO ledger_transactions (tx_key, kind, task_id, created_ms) VALUES ($1, $2, $3, $4)", t.Key, t.Kind, t.TaskID, millis(tx.Now()))
	if err != nil {
		return fmt.Errorf("post %s: %w", t.Key, err)
	}
	for i, p := range t.Postings {
		_, err := tx.Exec(ctx, "INSERT INTO ledger_entries (tx_key, line, account, currency, minor, created_ms) VALUES ($1, $2, $3, $4, $5, $6)",
			t.Key, i, p.Account, p.Amount.Currency, p.Amount.Minor, millis(tx.Now()))
		if err != nil {
			return fmt.Errorf("post line %d of %s: %w", i, t.Key, err)
		}
	}
	return nil
}

// endEscrow divides what a task holds: gross minor units to the worker's side, the
// fee out of them, the rest back to the requester; and starts the transfers that
// follow. It does nothing for a task that holds nothing.
func (c *change) endEscrow(ctx context.Context, gross int64) error {
	if c.task.FundKey == "" {
		return nil
	}
	split, err := money.SplitAt(c.task.Budget.Minor, gross, c.task.FeeBPS)
	if err != nil {
		return task.Because(task.InvalidRequest, "The share of the worker must be between nothing and the budget.").WithCause(err)
	}
	in := func(n int64) money.Amount { return money.Of(n, c.task.Budget.Currency) }
	t := money.Transaction{Key: "end:" + c.task.FundKey, Kind: "release", TaskID: c.task.ID}
	t.Move(money.Escrow(c.task.ID), money.Worker(c.task.HumanID), in(split.Worker))
	t.Move(money.Escrow(c.task.ID), money.Fees, in(split.Fee))
	t.Move(money.Escrow(c.task.ID), money.AgentFunding(c.task.AgentID), in(split.Refund))
	if err := post(ctx, c.tx, t); err != nil {
		return err
	}
	fund := c.task.FundKey
	c.task.FundKey = ""
	if err := c.startTransfer(ctx, money.Transfer{Key: "refund:" + fund, Of: fund, Kind: money.KindRefund, Party: c.task.AgentID, Amount: in(split.Refund)}); err != nil {
		return err
	}
	return c.startTransfer(ctx, money.Transfer{Key: "pay_out:" + fund, Kind: money.KindPayOut, Party: c.task.HumanID, Amount: in(split.Worker)})
}

// startTransfer notes a transfer and leaves it to a job; one of nothing is none.
func (c *change) startTransfer(ctx context.Context, t money.Transfer) error {
	if t.Amount.Minor == 0 {
		return nil
	}
	if _, err := insertTransfer(ctx, c.tx, Transfer{Transfer: t, TaskID: c.task.ID, Status: TransferStarted}); err != nil {
		return err
	}
	kind := task.JobRefund
	if t.Kind == money.KindPayOut {
		kind = task.JobPayout
	}
	c.jobs = append(c.jobs, Job{Kind: kind, Key: t.Key, ID: t.Key})
	return nil
}

// Balance is what is on an account.
func (b *Board) Balance(ctx context.Context, a money.Account) (map[money.Currency]int64, error) {
	type sum struct {
		c money.Currency
		n int64
	}
	sums, err := list(ctx, b, func(r row) (s sum, err error) { return s, r.Scan(&s.c, &s.n) },
		q("SELECT currency, CAST(SUM(minor) AS BIGINT) FROM ledger_entries WHERE account = $1 GROUP BY currency", a))
	if err != nil {
		return nil, err
	}
	balance := map[money.Currency]int64{}
	for _, s := range sums {
		balance[s.c] = s.n
	}
	return balance, nil
}
