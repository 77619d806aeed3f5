package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"modernc.org/sqlite"
)

// counted is the driver, counting what is compiled and what is freed.
type counted struct {
	driver.Connector
	prepared, closed atomic.Int64
}

func (c *counted) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &countedConn{conn.(liteConn), c}, nil
}

type countedConn struct {
	liteConn
	to *counted
}

func (c *countedConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	s, err := c.liteConn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	c.to.prepared.Add(1)
	return &countedStatement{s.(liteStatement), c.to, false}, nil
}

type countedStatement struct {
	liteStatement
	to   *counted
	busy bool // a use has not ended
}

func (s *countedStatement) Close() error {
	s.to.closed.Add(1)
	return s.liteStatement.Close()
}

func (s *countedStatement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	if s.busy {
		return nil, errors.New("one statement is used twice at once")
	}
	r, err := s.liteStatement.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	s.busy = true
	return &countedRows{r.(liteRows), s}, nil
}

type countedRows struct {
	liteRows
	of *countedStatement
}

func (r *countedRows) Close() error {
	r.of.busy = false
	return r.liteRows.Close()
}

// keepingPool is a pool on a new file whose statements are counted.
func keepingPool(t *testing.T, connections int) (*sql.DB, *counted) {
	t.Helper()
	dsn := dsn(filepath.Join(t.TempDir(), "k.db"), url.Values{"_journal_mode": {"WAL"}})
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		t.Fatal(err)
	}
	counts := &counted{Connector: c}
	db := sql.OpenDB(keeping{counts})
	db.SetMaxOpenConns(connections)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if p, c := counts.prepared.Load(), counts.closed.Load(); p != c || p == 0 {
			t.Errorf("%d statements were compiled, %d freed", p, c)
		}
	})
	run(t, db, "CREATE TABLE n (id INTEGER PRIMARY KEY, text TEXT UNIQUE)")
	return db, counts
}

func run(t *testing.T, db *sql.DB, text string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func TestATextIsCompiledOnce(t *testing.T) {
	db, counts := keepingPool(t, 1)
	for id := range 50 {
		run(t, db, "INSERT INTO n (id, text) VALUES ($1, $2)", id, fmt.Sprint("t", id))
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(t.Context(), "UPDATE n SET text = text || $2 WHERE id = $1", id, "x"); err != nil {
			t.Fatal(err)
		}
		var text string
		if err := tx.QueryRowContext(t.Context(), "-- name: One :one\nselect text FROM n WHERE id = $1", id).Scan(&text); err != nil || text != fmt.Sprintf("t%dx", id) {
			t.Fatalf("%q, %v", text, err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	if n := counts.prepared.Load(); n != 3 {
		t.Errorf("3 texts were compiled %d times", n)
	}
}

func TestWhatActsWhileItIsCompiledIsNotKept(t *testing.T) {
	for text, want := range map[string]bool{
		"SELECT 1": true, "insert INTO t": true, "\n\t-- a\n -- b\nUPDATE t": true, "DELETE FROM t": true, "WITH x AS (SELECT 1) SELECT 1": true, "with\nx": true,
		"PRAGMA foreign_keys = 1": false, "CREATE TABLE t (a)": false, "VACUUM INTO $1": false, "BEGIN": false, "": false, "-- SELECT": false, "EXPLAIN SELECT 1": false,
		"SELECT '" + string(make([]byte, maxStatement)) + "'": false,
	} {
		if got := keepable(text); got != want {
			t.Errorf("%.40q is kept: %t", text, got)
		}
	}
}

func TestTwoUsesOfATextAtOnceDoNotShareAStatement(t *testing.T) {
	db, counts := keepingPool(t, 1)
	for id := range 5 {
		run(t, db, "INSERT INTO n (id, text) VALUES ($1, $2)", id, fmt.Sprint(id))
	}
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	const text = "SELECT id FROM n WHERE id >= $1 ORDER BY id"
	pairs := 0
	outer, err := tx.QueryContext(t.Context(), text, 0)
	if err != nil {
		t.Fatal(err)
	}
	for outer.Next() {
		var a int
		if err := outer.Scan(&a); err != nil {
			t.Fatal(err)
		}
		inner, err := tx.QueryContext(t.Context(), text, a)
		if err != nil {
			t.Fatal(err)
		}
		for want := a; inner.Next(); want++ {
			var b int
			if err := inner.Scan(&b); err != nil || b != want {
				t.Errorf("%d, %v, want %d", b, err, want)
			}
			pairs++
		}
		if err := errors.Join(inner.Err(), inner.Close()); err != nil {
			t.Error(err)
		}
	}
	if err := errors.Join(outer.Err(), outer.Close()); err != nil || pairs != 15 {
		t.Errorf("%d pairs, %v", pairs, err)
	}
	if n := counts.prepared.Load(); n != 3 { // the insert, and the text for the outer and the inner loop
		t.Errorf("%d statements were compiled", n)
	}
}

func TestTablesChangeUnderKeptStatements(t *testing.T) {
	db, _ := keepingPool(t, 1)
	other, err := openLite(dsn(databaseFile(t, db), url.Values{}))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	columns := func(want string) {
		t.Helper()
		rows, err := db.QueryContext(t.Context(), "SELECT * FROM n")
		if err != nil {
			t.Fatal(err)
		}
		names, err := rows.Columns()
		if err := errors.Join(err, rows.Close()); err != nil || fmt.Sprint(names) != want {
			t.Errorf("columns %v, %v, want %s", names, err, want)
		}
	}
	run(t, db, "INSERT INTO n (id, text) VALUES (1, 'a')")
	columns("[id text]")
	run(t, db, "ALTER TABLE n ADD COLUMN more BIGINT NOT NULL DEFAULT 7")
	columns("[id text more]")
	run(t, other, "ALTER TABLE n ADD COLUMN most TEXT") // by another connection
	columns("[id text more most]")
	run(t, db, "DROP TABLE n")
	if _, err := db.QueryContext(t.Context(), "SELECT * FROM n"); err == nil {
		t.Error("a table that is gone is read")
	}
	run(t, other, "CREATE TABLE n (b TEXT, id INTEGER)")
	columns("[b id]")
}

func databaseFile(t *testing.T, db *sql.DB) (path string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), "SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(&path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAStatementThatFailedIsFreed(t *testing.T) {
	db, counts := keepingPool(t, 1)
	const text = "INSERT INTO n (id, text) VALUES ($1, $2)"
	run(t, db, text, 1, "a")
	if _, err := db.ExecContext(t.Context(), text, 2, "a"); err == nil {
		t.Fatal("a second a is taken")
	}
	if _, err := db.ExecContext(t.Context(), text, 2); err == nil {
		t.Fatal("a value is missing, and taken")
	}
	run(t, db, text, 2, "b")
	if p, c := counts.prepared.Load(), counts.closed.Load(); p != 3 || c != 2 {
		t.Errorf("%d compiled, %d freed", p, c)
	}
}

func TestFewStatementsStay(t *testing.T) {
	db, counts := keepingPool(t, 1)
	used := func() (bytes int) {
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		err = conn.Raw(func(c any) (err error) {
			bytes, _, err = c.(*keepingConn).liteConn.(*countedConn).liteConn.(sqlite.DBStatus).Status(sqlite.DBStatusStmtUsed, false)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	const many = 10 * maxStatements
	before := 0
	for i := range many {
		var n int
		if err := db.QueryRowContext(t.Context(), fmt.Sprintf("SELECT COUNT(*) + %d FROM n", i)).Scan(&n); err != nil || n != i {
			t.Fatalf("%d, %v", n, err)
		}
		if i == maxStatements {
			before = used()
		}
	}
	if kept := counts.prepared.Load() - counts.closed.Load(); kept != maxStatements {
		t.Errorf("%d statements are kept", kept)
	}
	if after := used(); before == 0 || after > before+before/4 {
		t.Errorf("%d texts hold %d bytes, %d held %d", many, after, maxStatements, before)
	}
	var n int // the last one is there
	prepared := counts.prepared.Load()
	if err := db.QueryRowContext(t.Context(), fmt.Sprintf("SELECT COUNT(*) + %d FROM n", many-1)).Scan(&n); err != nil || counts.prepared.Load() != prepared {
		t.Errorf("the text that was used last is compiled again: %v", err)
	}
}

// The race detector watches this one: connections come and go, contexts end in the
// middle of rows, and tables change.
func TestManyUseKeptStatementsAtOnce(t *testing.T) {
	db, _ := keepingPool(t, 4)
	db.SetMaxIdleConns(2)
	for id := range 300 {
		run(t, db, "INSERT INTO n (id, text) VALUES ($1, $2)", id, fmt.Sprint(id))
	}
	var wg sync.WaitGroup
	var wrong atomic.Int64
	for g := range 8 {
		wg.Go(func() {
			for i := range 60 {
				if i == 30 && g == 0 {
					_, _ = db.ExecContext(t.Context(), "ALTER TABLE n ADD COLUMN late TEXT") // may meet a lock
				}
				if !readSome(t.Context(), db, i) {
					wrong.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if n := wrong.Load(); n != 0 {
		t.Errorf("%d reads were wrong", n)
	}
	var n int
	if err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM n WHERE id >= $1", 0).Scan(&n); err != nil || n != 300 {
		t.Errorf("%d rows, %v", n, err)
	}
}

// readSome reads rows in order and gives up on every third use in the middle.
func readSome(ctx context.Context, db *sql.DB, i int) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	rows, err := db.QueryContext(ctx, "SELECT id, text FROM n WHERE id >= $1 ORDER BY id", i)
	if err != nil {
		return false
	}
	defer func() { _ = rows.Close() }() // whoever gave up has an error
	for want := i; rows.Next(); want++ {
		var id int
		var text string
		if err := rows.Scan(&id, &text); err != nil || id != want || text != fmt.Sprint(want) {
			return i%3 == 0 && err != nil
		}
		if i%3 == 0 && want == i+3 {
			cancel()
		}
	}
	return i%3 == 0 || rows.Err() == nil
}
