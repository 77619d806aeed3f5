package store

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// Another process holds the file for longer than the driver waits.
func TestABusyFileIsTriedAgainAndThenReported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "busy.db")
	open := func() *sql.DB {
		pool, err := sql.Open("sqlite", dsn(path, url.Values{"_txlock": {"immediate"}, "_busy_timeout": {"0"}}))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = pool.Close() })
		return pool
	}
	holder, err := open().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	db := &DB{engine: SQLite, url: URL(path), write: open(), group: &group{}}
	nothing := func(context.Context, Tx) error { return nil }
	if f := fault.From(db.Tx(t.Context(), nothing)); f == nil || f.Type != "database_busy" {
		t.Errorf("while it is held: %v", f)
	}
	if err := holder.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := db.Tx(t.Context(), nothing); err != nil {
		t.Errorf("once it is free: %v", err)
	}
}
