package data

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

const transferColumns = "transfer_key, of_key, kind, task_id, party, minor, currency, status, created_ms"

// voidPrefix begins the key of the return of a funding.
const voidPrefix = "void:"

// insertTransfer notes a transfer; false when its key is there already.
func insertTransfer(ctx context.Context, tx store.Tx, t Transfer) (bool, error) {
	n, err := tx.Exec(ctx, "INSERT INTO transfers ("+transferColumns+", updated_ms) VALUES ("+placeholders(10)+") ON CONFLICT DO NOTHING",
		t.Key, t.Of, t.Kind, t.TaskID, t.Party, t.Amount.Minor, t.Amount.Currency, t.Status, millis(tx.Now()), millis(tx.Now()))
	if err != nil {
		return false, fmt.Errorf("note the transfer %s: %w", t.Key, err)
	}
	return n == 1, nil
}

// moveTransfer changes the state of a transfer that was started; false when another
// did it before.
func moveTransfer(ctx context.Context, tx store.Tx, key string, to TransferStatus) (bool, error) {
	n, err := tx.Exec(ctx, "UPDATE transfers SET status = $2, updated_ms = $3 WHERE transfer_key = $1 AND status = 'started'", key, to, millis(tx.Now()))
	if err != nil {
		return false, fmt.Errorf("change the transfer %s: %w", key, err)
	}
	return n == 1, nil
}

func scanTransfer(r row) (Transfer, error) {
	var t Transfer
	var at int64
	if err := r.Scan(&t.Key, &t.Of, &t.Kind, &t.TaskID, &t.Party, &t.Amount.Minor, &t.Amount.Currency, &t.Status, &at); err != nil {
		return Transfer{}, fmt.Errorf("read a transfer: %w", err)
	}
	t.At = moment(at)
	return t, nil
}

// Transfers are those of a status that started before a time, the oldest first.
func (b *Board) Transfers(ctx context.Context, status TransferStatus, before time.Time) ([]Transfer, error) {
	return list(ctx, b, scanTransfer, q("SELECT "+transferColumns+" FROM transfers WHERE status = $1 AND created_ms < $2 ORDER BY created_ms, transfer_key", status, millis(before)))
}

// fund has the provider take a price for an acceptance. Callers that want the same
// acceptance at the same price share one transfer; one that failed can be tried again.
func (b *Board) fund(ctx context.Context, t task.Task, candidate string, price money.Amount) (string, error) {
	var key string
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		var status task.Status
		if err := tx.QueryRow(ctx, "SELECT status FROM tasks WHERE id = $1", t.ID).Scan(&status); err != nil {
			return fmt.Errorf("read task %s: %w", t.ID, err)
		}
		if status != task.Open { // assigned or ended since it was read: no money moves
			return task.Refuse(task.AlreadyAssigned)
		}
		var voided int64
		err := tx.QueryRow(ctx, "SELECT COUNT(*) FROM transfers WHERE task_id = $1 AND kind = 'fund' AND status <> 'started'", t.ID).Scan(&voided)
		if err != nil {
			return fmt.Errorf("count the transfers of task %s: %w", t.ID, err)
		}
		key = fmt.Sprintf("fund:%s:%s:%d:%d", t.ID, candidate, price.Minor, voided)
		_, err = insertTransfer(ctx, tx, Transfer{
			Transfer: money.Transfer{Key: key, Kind: money.KindFund, Party: t.AgentID, Amount: price}, TaskID: t.ID, Status: TransferStarted,
		})
		return err
	})
	if err != nil {
		return "", err
	}
	if _, err := b.provider.Fund(ctx, money.Transfer{Key: key, Kind: money.KindFund, Party: t.AgentID, Amount: price}); err != nil {
		if errors.Is(err, money.ErrDeclined) {
			return "", task.Refuse(task.PaymentFailed).WithCause(err)
		}
		return "", fmt.Errorf("fund task %s: %w", t.ID, err)
	}
	return key, nil
}

// hold puts what was funded into the escrow of the task that the change accepts. It
// is false when the money was given back meanwhile.
func (c *change) hold(ctx context.Context, key string, price money.Amount) (bool, error) {
	if ours, err := moveTransfer(ctx, c.tx, key, TransferDone); err != nil || !ours {
		return false, err
	}
	t := money.Transaction{Key: key, Kind: money.KindFund, TaskID: c.task.ID}
	t.Move(money.External, money.AgentFunding(c.task.AgentID), price)
	t.Move(money.AgentFunding(c.task.AgentID), money.Escrow(c.task.ID), price)
	c.task.FundKey, c.task.Budget = key, price
	return true, post(ctx, c.tx, t)
}

// void leaves to a job to give back what was funded for an acceptance that did not
// happen, unless another caller used it.
func (b *Board) void(ctx context.Context, key string) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		if mine, err := moveTransfer(ctx, tx, key, TransferVoid); err != nil || !mine {
			return err
		}
		return b.outbox.Enqueue(ctx, tx, Job{Kind: task.JobRefund, Key: key, ID: key})
	})
}

// giveBack asks the provider to undo a funding. One that never reached it is undone.
func (b *Board) giveBack(ctx context.Context, t money.Transfer) error {
	_, err := b.provider.Refund(ctx, money.Transfer{Key: voidPrefix + t.Key, Of: t.Key, Party: t.Party, Amount: t.Amount})
	if err != nil && !errors.Is(err, money.ErrExceeded) {
		return fmt.Errorf("give back %s: %w", t.Key, err)
	}
	return nil
}

// returned gives a funding back and notes that it is: until then Due asks for it again.
func (b *Board) returned(ctx context.Context, t Transfer) error {
	if err := b.giveBack(ctx, t.Transfer); err != nil {
		return err
	}
	back := money.Transfer{Key: voidPrefix + t.Key, Of: t.Key, Kind: money.KindRefund, Party: t.Party, Amount: t.Amount}
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		_, err := insertTransfer(ctx, tx, Transfer{Transfer: back, TaskID: t.TaskID, Status: TransferVoid})
		return err
	})
}

// VoidStale gives back what was funded before a time for acceptances that did not
// happen, because the process died in between.
func (b *Board) VoidStale(ctx context.Context, before time.Time) (int, error) {
	stale, err := list(ctx, b, scanTransfer, q("SELECT "+transferColumns+" FROM transfers WHERE kind = 'fund' AND status = 'started' AND created_ms < $1", millis(before)))
	if err != nil {
		return 0, err
	}
	for i, t := range stale {
		if err := b.void(ctx, t.Key); err != nil {
			return i, err
		}
	}
	return len(stale), nil
}

// Settle carries a payout, a refund or the return of a funding out: the provider moves the money, then the
// ledger says so. It may be called again, and at once by several.
func (b *Board) Settle(ctx context.Context, transferKey string) error {
	t, err := one(ctx, b, scanTransfer, q("SELECT "+transferColumns+" FROM transfers WHERE transfer_key = $1", transferKey))
	if err != nil {
		return err
	}
	if t.Kind == money.KindFund && t.Status == TransferVoid {
		return b.returned(ctx, t)
	}
	if t.Status != TransferStarted {
		return nil
	}
	from := money.AgentFunding(t.Party)
	switch t.Kind {
	case money.KindRefund:
		_, err = b.provider.Refund(ctx, t.Transfer)
	case money.KindPayOut:
		from = money.Worker(t.Party)
		_, err = b.provider.PayOut(ctx, t.Transfer)
	default:
		return nil // a funding is settled by its acceptance, or by VoidStale
	}
	if err != nil {
		return fmt.Errorf("settle %s: %w", t.Key, err)
	}
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		if mine, err := moveTransfer(ctx, tx, t.Key, TransferDone); err != nil || !mine {
			return err
		}
		done := money.Transaction{Key: t.Key, Kind: t.Kind, TaskID: t.TaskID}
		done.Move(from, money.External, t.Amount)
		if err := post(ctx, tx, done); err != nil || t.Kind != money.KindPayOut {
			return err
		}
		return b.settled(ctx, tx, t)
	})
}

// settled tells that a person was paid.
func (b *Board) settled(ctx context.Context, tx store.Tx, t Transfer) error {
	paid, err := scanTask(tx.QueryRow(ctx, "SELECT "+taskColumns+" FROM tasks WHERE id = $1", t.TaskID))
	if err != nil {
		return err
	}
	e, err := recordEvent(ctx, tx, Event{
		Type: task.PayoutSettled, AgentID: paid.AgentID, TaskID: paid.ID, TaskVersion: paid.Version, Status: paid.Status, Actor: task.Jobs,
		Data: map[string]string{"human_id": t.Party},
	})
	if err != nil {
		return err
	}
	return b.outbox.Enqueue(ctx, tx, Job{Kind: task.JobEvent, Key: e.ID, ID: e.ID})
}
