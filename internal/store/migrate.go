package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"

	"github.com/pressly/goose/v3"

	"github.com/legwork-mcp/legwork/internal/fault"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the key of the advisory lock under which Postgres is migrated.
const migrationLock = 0x6c656777 // "legw"

// Migrate brings the tables up to date and returns how many migrations it
// applied. Processes that start at the same time wait for each other. It refuses
// a database that a newer program has migrated.
func (db *DB) Migrate(ctx context.Context) (int, error) {
	provider, err := db.provider()
	if err != nil {
		return 0, fmt.Errorf("prepare the migrations: %w", err)
	}
	done, err := provider.Up(ctx)
	if err != nil {
		return 0, db.url.unavailable(ctx, fmt.Errorf("migrate: %w", err))
	}
	at, err := provider.GetDBVersion(ctx)
	if err != nil {
		return 0, db.url.unavailable(ctx, fmt.Errorf("read the version of the tables: %w", err))
	}
	if known := latest(provider); at > known {
		return 0, fault.New(fault.Unsupported, "database_too_new",
			fmt.Sprintf("The database has version %d of the tables, this program knows versions up to %d.", at, known),
			"Run the newer program, or give this one a database of its own.")
	}
	return len(done), nil
}

// MigrateTo brings the tables of an empty database to an older version, for tests of
// what later migrations do to a database that is in use.
func MigrateTo(ctx context.Context, db *DB, version int64) error {
	provider, err := db.provider()
	if err != nil {
		return fmt.Errorf("prepare the migrations: %w", err)
	}
	if _, err := provider.UpTo(ctx, version); err != nil {
		return db.url.unavailable(ctx, fmt.Errorf("migrate to version %d: %w", version, err))
	}
	return nil
}

// provider is goose for this database, with nothing global in it.
func (db *DB) provider() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, fmt.Errorf("open the embedded files: %w", err)
	}
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger())}
	if db.engine == Postgres {
		return goose.NewProvider(goose.DialectPostgres, db.write, files, append(options, goose.WithSessionLocker(advisoryLock{}))...)
	}
	path, err := db.url.file()
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, db.write, files, append(options, goose.WithLocker(&fileLock{path: path + "-migrate"}))...)
}

func latest(p *goose.Provider) int64 {
	sources := p.ListSources()
	if len(sources) == 0 {
		return 0
	}
	return sources[len(sources)-1].Version
}

// advisoryLock is a lock of Postgres that ends with the connection at the latest.
type advisoryLock struct{}

// SessionLock waits for the lock.
func (advisoryLock) SessionLock(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", migrationLock); err != nil {
		return fmt.Errorf("wait for the migration lock: %w", err)
	}
	return nil
}

// SessionUnlock gives the lock back.
func (advisoryLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", migrationLock); err != nil {
		return fmt.Errorf("give the migration lock back: %w", err)
	}
	return nil
}

// fileLock is a lock between processes that use the same SQLite file: an
// exclusive transaction on an empty database beside it, which the operating
// system ends with the process. The file stays; removing it would let two
// processes lock two files of one name.
type fileLock struct {
	path string
	db   *sql.DB
	tx   *sql.Tx
}

// Lock waits for the lock.
func (l *fileLock) Lock(ctx context.Context, _ *sql.DB) error {
	if err := touch(l.path); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(l.path, url.Values{"_txlock": {"exclusive"}}))
	if err != nil {
		return fmt.Errorf("open the migration lock: %w", err)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return errors.Join(fmt.Errorf("wait for the migration lock: %w", err), db.Close())
	}
	l.db, l.tx = db, tx
	return nil
}

// Unlock gives the lock back.
func (l *fileLock) Unlock(context.Context, *sql.DB) error {
	return errors.Join(l.tx.Rollback(), l.db.Close())
}
