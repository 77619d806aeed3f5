package data

import (
	"context"
	"fmt"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/money"
)

const purseColumns = "purse, parent_purse, cap_jpy, cap_usd"

// purse is what a key may spend in a day, together with its successors. What comes out
// of it comes out of its parent too, the purse of the key that made it: ten keys that
// one key makes spend no more than that one may.
type purse struct {
	id, parent string
	caps       Caps
}

func scanPurse(r row) (purse, error) {
	var p purse
	var jpy, usd *int64
	if err := r.Scan(&p.id, &p.parent, &jpy, &usd); err != nil {
		return purse{}, fmt.Errorf("read a purse: %w", err)
	}
	p.caps = capsOf(jpy, usd)
	return p, nil
}

// above is the parent of a purse, whose caps are those of the newest of its keys.
func (p purse) above(ctx context.Context, tx store.Tx, agentID string) (purse, error) {
	up, err := found(scanPurse(tx.QueryRow(ctx, "SELECT "+purseColumns+" FROM api_keys WHERE purse = $1 AND agent_id = $2 ORDER BY created_ms DESC, id DESC LIMIT 1", p.parent, agentID)))
	if err != nil {
		return purse{}, fmt.Errorf("read the purse of the key that made a key: %w", err)
	}
	return up, nil
}

// spend takes an amount out of a purse and of all above it.
func (p purse) spend(ctx context.Context, tx store.Tx, agentID string, a money.Amount) error {
	for {
		if most, capped := p.caps[a.Currency]; capped {
			if err := count(ctx, tx, spending{"key:" + p.id, a, most}); err != nil {
				return err
			}
		}
		if p.parent == "" {
			return nil
		}
		var err error
		if p, err = p.above(ctx, tx, agentID); err != nil {
			return err
		}
	}
}

// under reports whether what comes out of a purse comes out of another one too.
func (p purse) under(ctx context.Context, tx store.Tx, agentID string, other purse) (bool, error) {
	for p.id != other.id {
		if p.parent == "" {
			return false, nil
		}
		var err error
		if p, err = p.above(ctx, tx, agentID); err != nil {
			return false, err
		}
	}
	return true, nil
}

// made is the purse of a new key of an agent, which is under that of the key that makes
// it when that one has caps or is under one that has.
func made(ctx context.Context, tx store.Tx, k Key) (parent string, err error) {
	if k.MadeBy == "" {
		return "", nil
	}
	maker, err := purseOf(ctx, tx, k.AgentID, k.MadeBy)
	if err != nil {
		return "", fmt.Errorf("read the purse of the key that makes a key: %w", err)
	}
	if len(maker.caps) == 0 {
		return maker.parent, err
	}
	return maker.id, nil
}

func purseOf(ctx context.Context, tx store.Tx, agentID, keyID string) (purse, error) {
	return found(scanPurse(tx.QueryRow(ctx, "SELECT "+purseColumns+" FROM api_keys WHERE id = $1 AND agent_id = $2", keyID, agentID)))
}
