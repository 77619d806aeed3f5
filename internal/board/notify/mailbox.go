package notify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"
)

// Mailbox is a Sender that keeps letters in the database, for a board that is tried
// out on one machine. Nothing leaves the machine, and whoever sees the mailbox sees
// every code.
type Mailbox struct{ db *store.DB }

// NewMailbox returns the mailbox of a database.
func NewMailbox(db *store.DB) *Mailbox { return &Mailbox{db} }

// Send implements Sender.
func (m *Mailbox) Send(ctx context.Context, l Letter) error {
	err := m.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO mailbox (id, address, subject, body, created_ms) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
			l.ID, l.To, l.Subject, l.Body, l.At.UnixMilli())
		return err
	})
	if err != nil {
		return fmt.Errorf("put a letter into the mailbox: %w", err)
	}
	return nil
}

// Letters are the newest ones, at most limit.
func (m *Mailbox) Letters(ctx context.Context, limit int) (list []Letter, err error) {
	err = m.db.Read(ctx, func(ctx context.Context, tx store.Tx) (err error) {
		list = nil
		rows, err := tx.Query(ctx, `SELECT id, address, subject, body, created_ms FROM mailbox ORDER BY created_ms DESC, id DESC LIMIT $1`, limit)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		for rows.Next() {
			var l Letter
			var at int64
			if err := rows.Scan(&l.ID, &l.To, &l.Subject, &l.Body, &at); err != nil {
				return err
			}
			l.At = time.UnixMilli(at).UTC()
			list = append(list, l)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, fmt.Errorf("open the mailbox: %w", err)
	}
	return list, nil
}
