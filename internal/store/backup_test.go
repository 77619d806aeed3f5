package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

// A copy under load has everything that was committed before, and of each
// transaction all or nothing.
func TestBackupUnderLoad(t *testing.T) {
	u := databases.SQLite(t)
	db := storetest.Open(t, u)
	exec(t, db, "CREATE TABLE pairs (n BIGINT NOT NULL, side TEXT NOT NULL, filler TEXT NOT NULL)")
	add := func(n int) {
		err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
			for _, side := range []string{"left", "right"} {
				if _, err := tx.Exec(ctx, "INSERT INTO pairs VALUES ($1, $2, $3)", n, side, fmt.Sprintf("%01000d", n)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	for n := range 200 {
		add(n)
	}
	var wg sync.WaitGroup
	stop := make(chan bool)
	wg.Go(func() {
		for n := 200; ; n++ {
			select {
			case <-stop:
				return
			default:
				add(n)
			}
		}
	})
	dir := t.TempDir()
	for k := range 3 {
		path := filepath.Join(dir, fmt.Sprint("copy", k, " ?'.db"))
		if err := store.Backup(t.Context(), u, path); err != nil {
			t.Fatal(err, fault.From(err).Cause)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		restored := storetest.Open(t, store.URL(path))
		if n := count(t, restored, "SELECT COUNT(*) FROM pairs WHERE n < 200"); n != 400 {
			t.Errorf("%d rows of what was there before, want 400", n)
		}
		if n := count(t, restored, "SELECT COUNT(*) FROM (SELECT n FROM pairs GROUP BY n HAVING COUNT(*) <> 2) AS torn"); n != 0 {
			t.Errorf("%d transactions are torn", n)
		}
	}
	close(stop)
	wg.Wait()
	if left, err := filepath.Glob(filepath.Join(dir, ".backup-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestBackupsThatCannotBe(t *testing.T) {
	u := databases.SQLite(t)
	storetest.Open(t, u)
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.WriteFile(taken, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Join(dir, "nowhere"), link); err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		u    store.URL
		path string
		typ  string
	}{
		{"a file that is there", t.Context(), u, taken, "backup_exists"},
		{"a link to nowhere", t.Context(), u, link, "backup_exists"},
		{"no folder", t.Context(), u, filepath.Join(dir, "none", "copy"), "backup_failed"},
		{"nobody waits", cancelled, u, filepath.Join(dir, "late"), "cancelled"},
		{"no database", t.Context(), store.URL("sqlite:" + filepath.Join(dir, "missing.db")), filepath.Join(dir, "copy"), "database_not_found"},
		{"an empty Postgres", t.Context(), databases.Postgres(t), filepath.Join(dir, "pg"), "database_unavailable"},
	} {
		if err := store.Backup(c.ctx, c.u, c.path); err == nil || fault.From(err).Type != c.typ {
			t.Errorf("%s: %v, want %s", c.name, err, c.typ)
		}
	}
	left, err := os.ReadDir(dir)
	if text, readErr := os.ReadFile(taken); err != nil || readErr != nil || len(left) != 2 || string(text) != "precious" {
		t.Errorf("left %v, %q, %v, %v", left, text, err, readErr)
	}
}
