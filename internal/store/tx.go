package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// errNested would wait for ever on SQLite, and on Postgres see another state.
var errNested = errors.New("a transaction inside a transaction: hand the Tx on instead")

// Tx is a transaction. It must not be used after its function returned.
type Tx struct {
	tx  *sql.Tx
	now time.Time
}

// Now is the one time of the transaction, in UTC: of the database's clock on
// Postgres, so that several machines agree, of this machine's on SQLite.
func (tx Tx) Now() time.Time { return tx.now }

// Exec runs a statement and returns how many rows it changed.
func (tx Tx) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	r, err := tx.tx.ExecContext(ctx, query, storable(args)...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// Query runs a statement that returns rows; the caller closes them and checks
// their Err.
func (tx Tx) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return tx.tx.QueryContext(ctx, query, storable(args)...)
}

// QueryRow runs a statement that returns at most one row; without one, Scan
// returns ErrNoRows.
func (tx Tx) QueryRow(ctx context.Context, query string, args ...any) *sql.Row {
	return tx.tx.QueryRowContext(ctx, query, storable(args)...)
}

// storable puts U+FFFD where a text has a NUL or bytes that are no UTF-8. Postgres refuses
// a whole statement for one, and whoever calls can put one into every id and filter of an
// address; what is looked up then is not there, on either engine.
func storable(args []any) []any {
	copied := false
	for i, a := range args {
		v := reflect.ValueOf(a)
		if v.Kind() != reflect.String || plain(v.String()) {
			continue
		}
		if !copied { // the slice is the caller's, who may run the statement again
			args, copied = slices.Clone(args), true
		}
		args[i] = strings.ReplaceAll(strings.ToValidUTF8(v.String(), "\ufffd"), "\x00", "\ufffd")
	}
	return args
}

// plain reports whether both engines keep a text as it is.
func plain(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// insideKey marks the context of a transaction of one database.
type insideKey struct{ pool *sql.DB }

// Tx runs f in a serializable transaction: it behaves as if all transactions ran
// one after the other. It commits when f returns nil. When the database could not
// keep that promise it rolls back and calls f again, a few times; so f must
// change nothing but through its Tx. The context of f must be used inside.
func (db *DB) Tx(ctx context.Context, f func(context.Context, Tx) error) error {
	return db.retry(ctx, func() error {
		return db.once(ctx, db.write, sql.TxOptions{Isolation: sql.LevelSerializable}, f)
	})
}

// TxReadCommitted is Tx for work that is correct although other transactions
// commit between its statements, such as one conditional UPDATE or upsert of one
// row. On Postgres it spares busy rows the retries; on SQLite it is Tx.
func (db *DB) TxReadCommitted(ctx context.Context, f func(context.Context, Tx) error) error {
	return db.retry(ctx, func() error {
		return db.once(ctx, db.write, sql.TxOptions{Isolation: sql.LevelReadCommitted}, f)
	})
}

// Read runs f on one consistent state of the database, which it cannot change,
// and does not wait for transactions that write.
func (db *DB) Read(ctx context.Context, f func(context.Context, Tx) error) error {
	return db.retry(ctx, func() error {
		return db.once(ctx, db.read, sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, f)
	})
}

// once is one attempt.
func (db *DB) once(ctx context.Context, pool *sql.DB, o sql.TxOptions, f func(context.Context, Tx) error) error {
	switch {
	case ctx.Value(insideKey{db.write}) != nil:
		return errNested
	case db.engine != SQLite:
		return db.alone(ctx, pool, o, f)
	case pool == db.write:
		return db.group.run(ctx, db, f)
	}
	return db.alone(ctx, pool, sql.TxOptions{}, f) // the pools are what they are: serializable, and read only
}

// alone runs f in a transaction of its own. The deferred rollback covers errors and
// panics, and does nothing after a commit.
func (db *DB) alone(ctx context.Context, pool *sql.DB, o sql.TxOptions, f func(context.Context, Tx) error) error {
	tx, err := pool.BeginTx(ctx, &o)
	if err != nil {
		return db.url.unavailable(ctx, fmt.Errorf("begin a transaction: %w", err))
	}
	defer func() { _ = tx.Rollback() }() // the error that matters is what ended f
	now, err := db.now(ctx, tx)
	if err != nil {
		return db.url.unavailable(ctx, fmt.Errorf("read the clock: %w", err))
	}
	if err := f(context.WithValue(ctx, insideKey{db.write}, true), Tx{tx, now}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return db.url.unavailable(ctx, fmt.Errorf("commit: %w", err))
	}
	return nil
}

// now is the time of a transaction that just began.
func (db *DB) now(ctx context.Context, tx *sql.Tx) (time.Time, error) {
	if db.clock != nil {
		return db.clock().UTC(), nil
	}
	if db.engine == SQLite {
		return time.Now().UTC(), nil // a file is on one machine
	}
	var micros int64
	err := tx.QueryRowContext(ctx, "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)").Scan(&micros)
	return time.UnixMicro(micros).UTC(), err
}
