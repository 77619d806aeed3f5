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

// spendSQL adds to what a payer spent on a day, unless that passes the cap. The
// first row of a day is under the cap as well, since the caller checks it.
const spendSQL = `INSERT INTO spending (payer, day, currency, minor) VALUES ($1, $2, $3, $4)
ON CONFLICT (payer, day, currency) DO UPDATE SET minor = spending.minor + $4 WHERE spending.minor + $4 <= $5
RETURNING minor`

// spend counts a budget against the caps of the agent and of the key that it posts
// with. A day is one of UTC.
func (b *Board) spend(ctx context.Context, tx store.Tx, by task.Actor, a money.Amount) error {
	caps, err := scanCaps(tx.QueryRow(ctx, "SELECT cap_jpy, cap_usd FROM agents WHERE id = $1", by.ID))
	if err != nil {
		return fmt.Errorf("read the caps of an agent: %w", err)
	}
	most, own := caps[a.Currency]
	if !own {
		most, own = b.terms.DailyCap[a.Currency]
	}
	if own {
		if err := count(ctx, tx, spending{"agent:" + by.ID, a, most}); err != nil {
			return err
		}
	}
	if by.KeyID == "" {
		return nil
	}
	p, err := purseOf(ctx, tx, by.ID, by.KeyID)
	if err != nil {
		return fmt.Errorf("read the caps of a key: %w", err)
	}
	return p.spend(ctx, tx, by.ID, a)
}

// spending is an amount of a payer with the most of a day.
type spending struct {
	payer  string
	amount money.Amount
	most   int64
}

// count adds an amount to the day of a payer.
func count(ctx context.Context, tx store.Tx, s spending) error {
	if s.amount.Minor > s.most {
		return s.refuse()
	}
	day := tx.Now().UnixMilli() / (24 * time.Hour).Milliseconds()
	var spent int64
	err := tx.QueryRow(ctx, spendSQL, s.payer, day, s.amount.Currency, s.amount.Minor, s.most).Scan(&spent)
	if errors.Is(err, store.ErrNoRows) {
		return s.refuse()
	}
	if err != nil {
		return fmt.Errorf("count what is spent today: %w", err)
	}
	return nil
}

// refuse says when the day ends at the latest.
func (s spending) refuse() error {
	return task.Refuse(task.SpendCap).WithData("cap_minor", s.most).WithData("currency", s.amount.Currency)
}

func scanCaps(r row) (Caps, error) {
	var jpy, usd *int64
	if err := r.Scan(&jpy, &usd); err != nil {
		return nil, fmt.Errorf("read caps: %w", err)
	}
	return capsOf(jpy, usd), nil
}
