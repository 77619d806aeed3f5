package store_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

// A copy of Postgres has everything that was committed, fills an empty database with it
// whatever the texts are and whatever refers to what, and counts on.
func TestPostgresIsRestored(t *testing.T) {
	from, to := databases.Postgres(t), databases.Postgres(t)
	opened := func(u store.URL) *store.DB {
		db := storetest.Open(t, u)
		exec(t, db, `CREATE TABLE zz_parent (id BIGSERIAL PRIMARY KEY, text TEXT, raw BYTEA, tags TEXT[])`)
		exec(t, db, `CREATE TABLE aa_child (id TEXT PRIMARY KEY, "order" BIGINT NOT NULL REFERENCES zz_parent (id), double BIGINT GENERATED ALWAYS AS ("order" * 2) STORED)`)
		return db
	}
	db := opened(from)
	hostile := []any{"a\tb\\N\n\\.\n'\"; DROP TABLE zz_parent; --", nil, "", "日本語 \u202e", "\\x"}
	for _, text := range hostile {
		exec(t, db, "INSERT INTO zz_parent (text, raw, tags) VALUES ($1, '\\x000a5c'::BYTEA, ARRAY['a,b', NULL])", text)
	}
	exec(t, db, `INSERT INTO aa_child (id, "order") SELECT 'c' || id, id FROM zz_parent`)
	dir := t.TempDir()
	file := filepath.Join(dir, "copy")
	if err := store.Backup(t.Context(), from, file); err != nil {
		t.Fatal(err, fault.From(err).Cause)
	}
	exec(t, db, "DELETE FROM aa_child") // after the copy
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	restored := opened(to)
	if err := store.Restore(t.Context(), to, file); err != nil {
		t.Fatal(err, fault.From(err).Cause)
	}
	for n, text := range hostile {
		var got *string
		err := restored.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return tx.QueryRow(ctx, "SELECT text FROM zz_parent WHERE id = $1", n+1).Scan(&got)
		})
		if err != nil || (got == nil) != (text == nil) || got != nil && *got != text {
			t.Errorf("%q became %v, %v", text, got, err)
		}
	}
	if n := count(t, restored, `SELECT COUNT(*) FROM aa_child c JOIN zz_parent p ON p.id = c."order" WHERE double = 2 * p.id AND raw = '\x000a5c' AND tags[1] = 'a,b'`); n != len(hostile) {
		t.Errorf("%d rows are whole", n)
	}
	exec(t, restored, "INSERT INTO zz_parent (text) VALUES ('next')")
	if n := count(t, restored, "SELECT MAX(id) FROM zz_parent"); n != len(hostile)+1 {
		t.Errorf("the next id is %d", n)
	}

	broken := filepath.Join(dir, "broken")
	if err := os.WriteFile(broken, []byte("PK"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := databases.Postgres(t)
	storetest.Open(t, other)
	for _, c := range []struct {
		name string
		u    store.URL
		file string
		typ  string
	}{
		{"a second time", to, file, "database_not_empty"}, {"into other tables", other, file, "backup_of_another_version"},
		{"a broken file", other, broken, "backup_unreadable"}, {"no file", other, broken + "x", "backup_unreadable"},
		{"into a database without tables", databases.Postgres(t), file, "database_unavailable"}, {"into SQLite", databases.SQLite(t), file, "restore_by_copy"},
	} {
		if err := store.Restore(t.Context(), c.u, c.file); err == nil || fault.From(err).Type != c.typ {
			t.Errorf("%s: %v, want %s", c.name, err, c.typ)
		}
	}
}
