package data

import (
	"context"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"
)

// EndSignIn ends the sign-in of a requester, which is a signed text that would hold until
// the time. Its signature is kept as a keyed hash.
func (b *Board) EndSignIn(ctx context.Context, signature string, until time.Time) error {
	return b.write(ctx, func(ctx context.Context, tx store.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO ended_sign_ins (mac, expires_ms) VALUES ($1, $2) ON CONFLICT (mac) DO NOTHING", b.secrets.mac(useSignIn, signature), millis(until))
		if err != nil {
			return fmt.Errorf("end a sign-in: %w", err)
		}
		return nil
	})
}

// SignInEnded reports whether EndSignIn was called for the sign-in.
func (b *Board) SignInEnded(ctx context.Context, signature string) (bool, error) {
	return read(ctx, b, func(ctx context.Context, tx store.Tx) (bool, error) {
		var n int
		if err := tx.QueryRow(ctx, "SELECT COUNT(*) FROM ended_sign_ins WHERE mac = $1", b.secrets.mac(useSignIn, signature)).Scan(&n); err != nil {
			return false, fmt.Errorf("look a sign-in up: %w", err)
		}
		return n > 0, nil
	})
}
