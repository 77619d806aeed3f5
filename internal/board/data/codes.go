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
	codeAttempts   = 5  // wrong ones, then the code is dead
	codesPerSource = 6  // in an hour to one mailbox, that one network address asks for
	codesOfOthers  = 12 // in an hour to one mailbox, that all strange network addresses ask for
	keepSource     = 180 * 24 * time.Hour
)

type sourceKey struct{}

// WithSource says from which network address somebody asks for codes and enters them.
// It is kept as a keyed hash. Whoever does not know where a request came from says
// nothing: all of those count as one address.
func WithSource(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, sourceKey{}, address)
}

// source is the network address of a request as it is kept.
func (b *Board) source(ctx context.Context) string {
	address, _ := ctx.Value(sourceKey{}).(string)
	return b.secrets.mac(useSource, address)
}

// The purposes of codes.
const (
	purposeSignIn = "sign_in"
	purposeAgent  = "agent"
)

// code is a code that was sent to an address.
type code struct {
	id, purpose, email, agentID, lang string
}

// sendCode makes a code and leaves its mail to the outbox. Older codes that the same
// network address asked for end. Beyond a number in an hour it makes an id that no code
// fits, so that a mailbox is not flooded and the caller learns nothing.
func (b *Board) sendCode(ctx context.Context, tx store.Tx, c code, m Mail) (string, error) {
	now := millis(tx.Now())
	c.id = newID(tx.Now())
	source := b.source(ctx)
	if may, err := maySend(ctx, tx, c, source); err != nil || !may {
		return c.id, err
	}
	if _, err := tx.Exec(ctx, "UPDATE codes SET used_ms = $4 WHERE purpose = $1 AND email = $2 AND source = $3 AND used_ms = 0", c.purpose, c.email, source, now); err != nil {
		return "", fmt.Errorf("end older codes: %w", err)
	}
	digits, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", fmt.Errorf("make a code: %w", err)
	}
	secret := fmt.Sprintf("%06d", digits)
	_, err = tx.Exec(ctx, "INSERT INTO codes (id, purpose, email, agent_id, lang, mac, attempts, created_ms, expires_ms, used_ms, source) VALUES ("+placeholders(11)+")",
		c.id, c.purpose, c.email, orNull(c.agentID), c.lang, b.secrets.mac(useCode, c.id, secret), 0, now, now+CodeLife.Milliseconds(), 0, source)
	if err != nil {
		return "", fmt.Errorf("keep a code: %w", err)
	}
	m.To, m.Lang = c.email, c.lang
	m.Values["code"] = secret
	return c.id, b.outbox.Enqueue(ctx, tx, Job{Kind: task.JobMail, Key: c.id, ID: c.id, Mail: &m})
}

// maySend reports whether one more code may go to the mailbox. Strangers use up their
// own number and the one of all strangers together, and neither is that of a network
// address from which somebody with the mailbox entered a code before.
func maySend(ctx context.Context, tx store.Tx, c code, source string) (bool, error) {
	var own, others, known int64
	err := tx.QueryRow(ctx, `SELECT (SELECT COUNT(*) FROM codes WHERE purpose = $1 AND email = $2 AND created_ms > $3 AND source = $4),
(SELECT COUNT(*) FROM codes c WHERE c.purpose = $1 AND c.email = $2 AND c.created_ms > $3
 AND NOT EXISTS (SELECT 1 FROM code_sources k WHERE k.purpose = c.purpose AND k.email = c.email AND k.source = c.source)),
(SELECT COUNT(*) FROM code_sources WHERE purpose = $1 AND email = $2 AND source = $4)`,
		c.purpose, c.email, millis(tx.Now().Add(-time.Hour)), source).Scan(&own, &others, &known)
	if err != nil {
		return false, fmt.Errorf("count codes: %w", err)
	}
	return own < codesPerSource && (known > 0 || others < codesOfOthers), nil
}

// know remembers from where a code of a mailbox was entered.
func (b *Board) know(ctx context.Context, tx store.Tx, c code) error {
	_, err := tx.Exec(ctx, `INSERT INTO code_sources (purpose, email, source, used_ms) VALUES ($1, $2, $3, $4)
ON CONFLICT (purpose, email, source) DO UPDATE SET used_ms = $4`, c.purpose, c.email, b.source(ctx), millis(tx.Now()))
	if err != nil {
		return fmt.Errorf("remember from where a code came: %w", err)
	}
	return nil
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
	return c, b.know(ctx, tx, c)
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
