package data

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"

	"github.com/legwork-mcp/legwork/internal/board/task"
)

// CodeLife is how long a code that was sent is good.
const CodeLife = 15 * time.Minute

const (
	codeAttempts = 5 // wrong ones, then the code is dead
	codesPerHour = 6 // to one address
)

// The purposes of codes.
const (
	purposeSignIn = "sign_in"
	purposeAgent  = "agent"
)

// code is a code that was sent to an address.
type code struct {
	id, purpose, email, agentID, lang string
}

// sendCode makes a code and leaves its mail to the outbox. Older codes of the
// address end. Beyond a number in an hour it makes an id that no code fits, so that
// an address is not flooded and the caller learns nothing.
func (b *Board) sendCode(ctx context.Context, tx store.Tx, c code, m Mail) (string, error) {
	now := millis(tx.Now())
	var lately int64
	err := tx.QueryRow(ctx, "SELECT COUNT(*) FROM codes WHERE purpose = $1 AND email = $2 AND created_ms > $3", c.purpose, c.email, now-time.Hour.Milliseconds()).Scan(&lately)
	if err != nil {
		return "", fmt.Errorf("count codes: %w", err)
	}
	c.id = newID(tx.Now())
	if lately >= codesPerHour {
		return c.id, nil
	}
	if _, err := tx.Exec(ctx, "UPDATE codes SET used_ms = $3 WHERE purpose = $1 AND email = $2 AND used_ms = 0", c.purpose, c.email, now); err != nil {
		return "", fmt.Errorf("end older codes: %w", err)
	}
	digits, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", fmt.Errorf("make a code: %w", err)
	}
	secret := fmt.Sprintf("%06d", digits)
	_, err = tx.Exec(ctx, "INSERT INTO codes (id, purpose, email, agent_id, lang, mac, attempts, created_ms, expires_ms, used_ms) VALUES ("+placeholders(10)+")",
		c.id, c.purpose, c.email, orNull(c.agentID), c.lang, b.secrets.mac(useCode, c.id, secret), 0, now, now+CodeLife.Milliseconds(), 0)
	if err != nil {
		return "", fmt.Errorf("keep a code: %w", err)
	}
	m.To, m.Lang = c.email, c.lang
	m.Values["code"] = secret
	return c.id, b.outbox.Enqueue(ctx, tx, Job{Kind: task.JobMail, Key: c.id, ID: c.id, Mail: &m})
}

// takeCode uses a code up. A wrong one counts, in a transaction of its own so that
// the refusal of the command does not undo the count; a right one then works only
// in the transaction of the command.
func (b *Board) takeCode(ctx context.Context, tx store.Tx, purpose, id string) (code, error) {
	c := code{id: id, purpose: purpose}
	var agentID *string
	err := tx.QueryRow(ctx, "UPDATE codes SET used_ms = $3 WHERE id = $1 AND purpose = $2 AND used_ms = 0 RETURNING email, agent_id, lang", id, purpose, millis(tx.Now())).
		Scan(&c.email, &agentID, &c.lang)
	if errors.Is(err, store.ErrNoRows) {
		return code{}, task.Refuse(task.InvalidCode)
	}
	if err != nil {
		return code{}, fmt.Errorf("use a code: %w", err)
	}
	c.agentID = orEmpty(agentID)
	return c, nil
}

// tryCode counts an attempt and reports whether it was right.
func (b *Board) tryCode(ctx context.Context, purpose, id, secret string) error {
	right := false
	err := b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		var mac string
		err := tx.QueryRow(ctx, `UPDATE codes SET attempts = attempts + 1
WHERE id = $1 AND purpose = $2 AND used_ms = 0 AND expires_ms > $3 AND attempts < $4 RETURNING mac`, id, purpose, millis(tx.Now()), codeAttempts).Scan(&mac)
		if errors.Is(err, store.ErrNoRows) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("try a code: %w", err)
		}
		right = same(mac, b.secrets.mac(useCode, id, task.CleanLine(secret)))
		return nil
	})
	if err == nil && !right {
		return task.Refuse(task.InvalidCode)
	}
	return err
}
