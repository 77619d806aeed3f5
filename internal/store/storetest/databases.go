package storetest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/legwork-mcp/legwork/internal/store"
)

// Databases makes databases of every engine for the tests of one package. Keep
// one in a variable, and run the tests through it:
//
//	var databases storetest.Databases
//
//	func TestMain(m *testing.M) { os.Exit(databases.Run(m)) }
type Databases struct {
	cluster *cluster
	made    atomic.Int64
}

// Run starts a Postgres cluster, runs the tests and stops the cluster. It returns
// the code to exit with. Without a Postgres on the machine it fails: run
// scripts/need-postgres.sh.
func (d *Databases) Run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "legwork-pg-")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }() // the folder of a test
		d.cluster, err = startCluster(dir)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "storetest: start Postgres: %v\n", err)
		return 1
	}
	code := m.Run()
	if err := d.cluster.stop(); err != nil {
		fmt.Fprintf(os.Stderr, "storetest: stop Postgres: %v\n", err)
		return 1
	}
	return code
}

// Each runs f as a subtest for each engine, with the URL of an empty database.
func (d *Databases) Each(t *testing.T, f func(t *testing.T, u store.URL)) {
	t.Helper()
	t.Run(string(store.SQLite), func(t *testing.T) { f(t, d.SQLite(t)) })
	t.Run(string(store.Postgres), func(t *testing.T) { f(t, d.Postgres(t)) })
}

// SQLite is the URL of a file that is not there yet.
func (d *Databases) SQLite(t testing.TB) store.URL {
	t.Helper()
	return store.URL("sqlite:" + filepath.Join(t.TempDir(), "test.db"))
}

// Postgres is the URL of a new, empty database.
func (d *Databases) Postgres(t testing.TB) store.URL {
	t.Helper()
	if d.cluster == nil {
		t.Fatal("the package's TestMain does not call Databases.Run")
	}
	name := fmt.Sprintf("test%d", d.made.Add(1))
	if err := d.cluster.create(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	return store.URL(d.cluster.url(name))
}

// Open opens the database, migrates it, and closes it when the test ends.
func Open(t testing.TB, u store.URL) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), u)
	if err != nil {
		t.Fatalf("open: %v (%v)", err, causeOf(err))
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatalf("migrate: %v (%v)", err, causeOf(err))
	}
	return db
}

// causeOf is what a fault keeps for the log.
func causeOf(err error) error {
	if w, ok := err.(interface{ Unwrap() error }); ok {
		return w.Unwrap()
	}
	return nil
}

// url names a database of the cluster, which trusts whoever reaches its socket.
func (c *cluster) url(name string) string {
	return "postgres://" + superuser + "@/" + name + "?host=" + url.QueryEscape(c.sockets)
}

func (c *cluster) create(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		return fmt.Errorf("connect to the cluster: %w", err)
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()); err != nil {
		return fmt.Errorf("create the database %s: %w", name, err)
	}
	return conn.Close(ctx)
}
