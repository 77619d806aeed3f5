package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver named sqlite
)

// ErrNoRows is what a Row's Scan returns when there is none.
var ErrNoRows = sql.ErrNoRows

// Engine is the kind of database.
type Engine string

// The engines.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

const (
	readers     = 4                // connections that read a SQLite file
	connections = 16               // of one process to Postgres
	busyTimeout = 10 * time.Second // waiting for another process that writes to the file
	dialTimeout = 5 * time.Second  // unless the URL has a connect_timeout
	idleTime    = 5 * time.Minute
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	engine Engine
	url    URL
	write  *sql.DB
	read   *sql.DB // the same as write on Postgres
	group  *group  // of SQLite
	clock  func() time.Time
}

// Open connects to the database and checks that it answers. A SQLite file, and
// the folder that it is in, are made when they are not there, for their owner
// alone. Errors are faults of kind invalid or unavailable.
func Open(ctx context.Context, u URL) (*DB, error) {
	var db *DB
	var err error
	if u.postgres() {
		db, err = openPostgres(u)
	} else {
		db, err = openSQLite(ctx, u)
	}
	if err != nil {
		return nil, err
	}
	for _, pool := range []*sql.DB{db.write, db.read} {
		if err := pool.PingContext(ctx); err != nil {
			return nil, errors.Join(u.unavailable(ctx, err), db.Close())
		}
	}
	return db, nil
}

// openPostgres reads the URL. What pgx says of a URL that it cannot read may
// quote it, so that is not passed on.
func openPostgres(u URL) (*DB, error) {
	_, readable := u.parse()
	cfg, err := pgx.ParseConfig(string(u))
	if err != nil || !readable {
		return nil, invalidURL("It cannot be read as a Postgres URL; special characters of a password are written as %40 and the like.")
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = dialTimeout
	}
	pool := stdlib.OpenDB(*cfg)
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	pool.SetConnMaxIdleTime(idleTime)
	return &DB{engine: Postgres, url: u, write: pool, read: pool}, nil
}

// openSQLite opens one connection that writes, since SQLite has one writer and
// goroutines that wait for it in Go's queue are served in order, and a few that
// read. A write transaction takes the lock when it begins: one that began as a
// reader could not become a writer after another one wrote. What a savepoint would bring
// back is kept in memory: in a temporary file every page of it is a call of the system.
func openSQLite(ctx context.Context, u URL) (*DB, error) {
	path, err := u.file()
	if err != nil {
		return nil, err
	}
	if err := touch(path); err != nil {
		return nil, u.unavailable(ctx, err)
	}
	write, err := openLite(dsn(path, url.Values{"_txlock": {"immediate"}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"}, "_pragma": {"temp_store(MEMORY)"}}))
	if err != nil {
		return nil, u.unavailable(ctx, err)
	}
	write.SetMaxOpenConns(1)
	read, err := openLite(dsn(path, url.Values{"_query_only": {"1"}}))
	if err != nil {
		return nil, errors.Join(u.unavailable(ctx, err), write.Close())
	}
	read.SetMaxOpenConns(readers)
	return &DB{engine: SQLite, url: u, write: write, read: read, group: &group{}}, nil
}

// touch makes the file, readable for its owner only, and its folder.
func touch(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the database: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	return f.Close()
}

// dsn names a SQLite file for the driver. The path is escaped, so that a ? in it
// cannot begin options.
func dsn(path string, options url.Values) string {
	if !options.Has("_busy_timeout") {
		options.Set("_busy_timeout", fmt.Sprint(busyTimeout.Milliseconds()))
	}
	options.Set("_foreign_keys", "1")
	options.Set("_dqs", "0")
	slashed := filepath.ToSlash(path)
	if slashed[0] != '/' {
		slashed = "/" + slashed // a drive letter
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: options.Encode()}).String()
}

// Engine tells which database it is.
func (db *DB) Engine() Engine { return db.engine }

// WithClock returns a view of the same database whose transactions take their
// time from clock instead of from the database. Close either of the two.
func (db *DB) WithClock(clock func() time.Time) *DB {
	view := *db
	view.clock = clock
	return &view
}

// Ping reports whether the database answers, for /ready.
func (db *DB) Ping(ctx context.Context) error {
	if err := db.read.PingContext(ctx); err != nil {
		return db.url.unavailable(ctx, err)
	}
	return nil
}

// Close closes every connection after the statements that still run.
func (db *DB) Close() error {
	err := db.write.Close()
	if db.read != db.write {
		err = errors.Join(err, db.read.Close())
	}
	if err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}
