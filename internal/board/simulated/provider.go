package simulated

import (
	"context"
	"errors"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/store"
)

// Provider implements money.Provider. It is safe for concurrent use, by several
// processes too.
type Provider struct{ db *store.DB }

// New returns the provider of a database that is migrated.
func New(db *store.DB) *Provider { return &Provider{db} }

const columns = "transfer_key, kind, of_key, party, minor, currency"

// Fund implements money.Provider, as the methods below do.
func (p *Provider) Fund(ctx context.Context, t money.Transfer) (money.Receipt, error) {
	return p.record(ctx, money.KindFund, t)
}

// Refund gives back at most what was funded.
func (p *Provider) Refund(ctx context.Context, t money.Transfer) (money.Receipt, error) {
	return p.record(ctx, money.KindRefund, t)
}

// PayOut pays.
func (p *Provider) PayOut(ctx context.Context, t money.Transfer) (money.Receipt, error) {
	return p.record(ctx, money.KindPayOut, t)
}

// Transfers are all that succeeded, in order.
func (p *Provider) Transfers(ctx context.Context) (list []money.Transfer, err error) {
	err = p.db.Read(ctx, func(ctx context.Context, tx store.Tx) (err error) {
		list = nil
		rows, err := tx.Query(ctx, "SELECT "+columns+" FROM simulated_transfers ORDER BY number")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			t, err := scan(rows)
			if err != nil {
				return err
			}
			list = append(list, t)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("list the transfers: %w", err)
	}
	return list, nil
}

// record remembers a transfer, unless it did before.
func (p *Provider) record(ctx context.Context, kind string, t money.Transfer) (money.Receipt, error) {
	t.Kind = kind
	err := p.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		first, err := scan(tx.QueryRow(ctx, "SELECT "+columns+" FROM simulated_transfers WHERE transfer_key = $1", t.Key))
		if err == nil && first != t {
			return money.ErrKeyReuse
		}
		if !errors.Is(err, store.ErrNoRows) {
			return err
		}
		if t.Key == "" || t.Amount.Minor <= 0 || !t.Amount.Currency.Valid() {
			return money.ErrAmount
		}
		if kind == money.KindRefund {
			if err := refundable(ctx, tx, t); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, "INSERT INTO simulated_transfers ("+columns+`, number)
SELECT $1, $2, $3, $4, CAST($5 AS BIGINT), $6, COALESCE(MAX(number), 0) + 1 FROM simulated_transfers`,
			t.Key, t.Kind, t.Of, t.Party, t.Amount.Minor, string(t.Amount.Currency))
		return err
	})
	if err != nil {
		return money.Receipt{}, fmt.Errorf("%s %s: %w", kind, t.Key, err)
	}
	return money.Receipt{ID: "simulated_" + t.Key}, nil
}

// refundable refuses to give back more than is left of a funding.
func refundable(ctx context.Context, tx store.Tx, t money.Transfer) error {
	var funded, given int64
	err := tx.QueryRow(ctx, "SELECT minor FROM simulated_transfers WHERE transfer_key = $1 AND kind = 'fund' AND currency = $2",
		t.Of, string(t.Amount.Currency)).Scan(&funded)
	if errors.Is(err, store.ErrNoRows) {
		return money.ErrExceeded
	}
	if err != nil {
		return err
	}
	err = tx.QueryRow(ctx, "SELECT CAST(COALESCE(SUM(minor), 0) AS BIGINT) FROM simulated_transfers WHERE of_key = $1 AND kind = 'refund'", t.Of).Scan(&given)
	if err == nil && funded-given < t.Amount.Minor {
		return money.ErrExceeded
	}
	return err
}

// row is a row or the only one.
type row interface{ Scan(into ...any) error }

func scan(r row) (t money.Transfer, err error) {
	err = r.Scan(&t.Key, &t.Kind, &t.Of, &t.Party, &t.Amount.Minor, &t.Amount.Currency)
	return t, err
}
