package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"

	"github.com/legwork-mcp/legwork/internal/fault"
)

const (
	attempts  = 6                    // of one transaction
	firstWait = 5 * time.Millisecond // before the second attempt, doubled for each further one
)

// Codes of errors after which a transaction is known to have done nothing and may
// work when it is run again.
const (
	sqliteBusy           = 5       // SQLITE_BUSY, and its extended codes in the higher bytes
	serializationFailure = "40001" // PostgreSQL, appendix A, class 40
	deadlockDetected     = "40P01"
)

// conflicted reports whether err says that the transaction lost against another.
func conflicted(err error) bool {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return lite.Code()&0xff == sqliteBusy
	}
	var hidden *scrubbed
	if errors.As(err, &hidden) {
		return hidden.conflict
	}
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == serializationFailure || pg.Code == deadlockDetected)
}

// retry runs attempt until it does not lose against another transaction. The wait
// grows and is random, so that the same two do not meet again.
func (db *DB) retry(ctx context.Context, attempt func() error) error {
	wait := firstWait
	for n := 1; ; n++ {
		err := attempt()
		if err == nil || !conflicted(err) {
			return err
		}
		if n == attempts {
			return fault.New(fault.Unavailable, "database_busy", "The database is too busy to do this now.",
				"Try again in a moment.").WithCause(fmt.Errorf("%d attempts: %w", n, err))
		}
		timer := time.NewTimer(wait/2 + rand.N(wait))
		select {
		case <-ctx.Done():
			timer.Stop()
			return fmt.Errorf("wait for the database: %w", ctx.Err())
		case <-timer.C:
		}
		wait *= 2
	}
}
