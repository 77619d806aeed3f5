package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// SQL is the transaction itself, for the one package that hands it to a library
// that brings statements of its own. It must neither be committed nor rolled back.
func SQL(tx Tx) *sql.Tx { return tx.tx }

// Writer is the pool of connections that write, for the same package. On SQLite it
// is one connection: whoever asks it for a second one inside a transaction waits
// for ever.
func Writer(db *DB) *sql.DB { return db.write }

// WhileMigrating runs f while no other process migrates the same database, for
// tables that a library makes.
func WhileMigrating(ctx context.Context, db *DB, f func(context.Context) error) (err error) {
	unlock, err := db.lockMigrations(ctx)
	if err != nil {
		return db.url.unavailable(ctx, err)
	}
	defer func() {
		if failed := unlock(context.WithoutCancel(ctx)); failed != nil {
			err = errors.Join(err, db.url.unavailable(ctx, failed))
		}
	}()
	return f(ctx)
}

// lockMigrations takes the lock of Migrate and returns how to give it back.
func (db *DB) lockMigrations(ctx context.Context) (func(context.Context) error, error) {
	if db.engine == SQLite {
		path, err := db.url.file()
		if err != nil {
			return nil, err
		}
		lock := &fileLock{path: path + "-migrate"}
		unlock := func(ctx context.Context) error { return lock.Unlock(ctx, nil) }
		return unlock, lock.Lock(ctx, nil)
	}
	conn, err := db.write.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect for the migration lock: %w", err)
	}
	if err := (advisoryLock{}).SessionLock(ctx, conn); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return func(ctx context.Context) error {
		return errors.Join(advisoryLock{}.SessionUnlock(ctx, conn), conn.Close())
	}, nil
}
