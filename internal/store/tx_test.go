package store_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

const schema = `CREATE TABLE parent (id TEXT PRIMARY KEY);
CREATE TABLE child (id TEXT PRIMARY KEY, parent_id TEXT NOT NULL REFERENCES parent (id), amount BIGINT NOT NULL, done BOOLEAN NOT NULL DEFAULT FALSE)`

// tables opens a database with two tables.
func tables(t *testing.T, u store.URL) *store.DB {
	t.Helper()
	db := storetest.Open(t, u)
	for statement := range strings.SplitSeq(schema, ";") {
		exec(t, db, statement)
	}
	exec(t, db, "INSERT INTO parent (id) VALUES ($1)", "p")
	return db
}

func exec(t *testing.T, db *store.DB, query string, args ...any) {
	t.Helper()
	err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := tx.Exec(ctx, query, args...)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func count(t *testing.T, db *store.DB, query string) (n int) {
	t.Helper()
	err := db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error { return tx.QueryRow(ctx, query).Scan(&n) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestATransactionIsAllOrNothing(t *testing.T) {
	stop := errors.New("stop")
	databases.Each(t, func(t *testing.T, u store.URL) {
		db := tables(t, u)
		add := func(ctx context.Context, tx store.Tx, id string) error {
			n, err := tx.Exec(ctx, "INSERT INTO child (id, parent_id, amount) VALUES ($1, $2, $3)", id, "p", 1)
			if err == nil && n != 1 {
				t.Errorf("%d rows changed", n)
			}
			return err
		}
		err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error { return errors.Join(add(ctx, tx, "a"), stop) })
		if !errors.Is(err, stop) || count(t, db, "SELECT COUNT(*) FROM child") != 0 {
			t.Errorf("after an error (%v) the row is there", err)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic is lost")
				}
			}()
			_ = db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
				if err := add(ctx, tx, "b"); err != nil {
					t.Error(err)
				}
				panic("x")
			})
		}()
		if n := count(t, db, "SELECT COUNT(*) FROM child"); n != 0 {
			t.Errorf("after a panic %d rows are there", n)
		}
		if err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error { return add(ctx, tx, "c") }); err != nil {
			t.Error(err)
		}
		if n := count(t, db, "SELECT COUNT(*) FROM child WHERE NOT done"); n != 1 {
			t.Errorf("after a commit %d rows are there", n)
		}
	})
}

func TestRulesOfTheTablesHold(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		db := tables(t, u)
		for name, query := range map[string]string{
			"foreign key":                        "INSERT INTO child (id, parent_id, amount) VALUES ('a', 'nobody', 1)",
			"unique":                             "INSERT INTO parent (id) VALUES ('p')",
			"a word in double quotes is no text": `INSERT INTO parent (id) VALUES ("word")`,
		} {
			calls := 0
			err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
				calls++
				_, err := tx.Exec(ctx, query)
				return err
			})
			if err == nil || calls != 1 {
				t.Errorf("%s: %v after %d calls", name, err, calls)
			}
		}
	})
}

// Two transactions read what the other one writes. One after the other, the sum
// could never pass the limit.
func TestTransactionsBehaveAsIfOneAfterTheOther(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		db := tables(t, u)
		other := storetest.Open(t, u)
		var calls atomic.Int64
		var wg sync.WaitGroup
		for i, db := range []*store.DB{db, other, db, other} {
			id := string(rune('a' + i))
			wg.Go(func() {
				err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
					calls.Add(1)
					var sum int
					if err := tx.QueryRow(ctx, "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM child").Scan(&sum); err != nil {
						return err
					}
					if sum >= 2 {
						return nil
					}
					_, err := tx.Exec(ctx, "INSERT INTO child (id, parent_id, amount) VALUES ($1, 'p', 1)", id)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := count(t, db, "SELECT COUNT(*) FROM child"); n != 2 {
			t.Errorf("%d rows, want 2", n)
		}
		// A writer on SQLite waits before it begins, and so never has to begin again.
		if db.Engine() == store.SQLite && calls.Load() != 4 {
			t.Errorf("%d attempts of 4 transactions", calls.Load())
		}
	})
}

// A transaction that lost is run again from its beginning. The other one is made
// to come in between, so that Postgres must refuse the first attempt.
func TestALostTransactionRunsAgain(t *testing.T) {
	db := tables(t, databases.Postgres(t))
	exec(t, db, "INSERT INTO child (id, parent_id, amount) VALUES ('a', 'p', 1)")
	attempts := 0
	err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
		attempts++
		var amount int
		if err := tx.QueryRow(ctx, "SELECT amount FROM child WHERE id = 'a'").Scan(&amount); err != nil {
			return err
		}
		if attempts == 1 {
			exec(t, db, "UPDATE child SET amount = amount + 10 WHERE id = 'a'")
		}
		_, err := tx.Exec(ctx, "UPDATE child SET amount = $1 WHERE id = 'a'", amount+100)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := count(t, db, "SELECT amount FROM child"); n != 111 || attempts != 2 {
		t.Errorf("amount %d after %d attempts, want 111 after 2", n, attempts)
	}
}

func TestALosingTransactionGivesUp(t *testing.T) {
	db := tables(t, databases.Postgres(t))
	exec(t, db, "INSERT INTO child (id, parent_id, amount) VALUES ('a', 'p', 1)")
	attempts := 0
	err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
		attempts++
		if err := tx.QueryRow(ctx, "SELECT 1 FROM child").Scan(new(int)); err != nil {
			return err
		}
		exec(t, db, "UPDATE child SET amount = amount + 1")
		_, err := tx.Exec(ctx, "UPDATE child SET amount = 0")
		return err
	})
	if f := fault.From(err); f == nil || f.Type != "database_busy" || attempts != 6 {
		t.Errorf("%v after %d attempts", err, attempts)
	}
}

func TestATransactionHasOneNow(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		db := storetest.Open(t, u)
		before := time.Now().Add(-time.Minute)
		err := db.Tx(t.Context(), func(_ context.Context, tx store.Tx) error {
			now := tx.Now()
			if now.Before(before) || now.After(time.Now().Add(time.Minute)) || now.Location() != time.UTC {
				t.Errorf("it is %v", now)
			}
			if !tx.Now().Equal(now) {
				t.Error("the time moves")
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		fixed := time.Date(2001, 2, 3, 4, 5, 6, 7, time.UTC)
		err = db.WithClock(func() time.Time { return fixed }).Tx(t.Context(), func(_ context.Context, tx store.Tx) error {
			if !tx.Now().Equal(fixed) {
				t.Errorf("it is %v, not the time of the clock", tx.Now())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestReadingChangesNothing(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		db := tables(t, u)
		err := db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
			_, err := tx.Exec(ctx, "INSERT INTO parent (id) VALUES ('q')")
			return err
		})
		if n := count(t, db, "SELECT COUNT(*) FROM parent"); err == nil || n != 1 {
			t.Errorf("%v, %d rows", err, n)
		}
	})
}

// On SQLite the inner one would wait for the outer one for ever.
// A NUL, or what is no UTF-8, comes with any id that somebody types into an address.
func TestATextThatNoDatabaseKeepsIsNotFound(t *testing.T) {
	type name string
	databases.Each(t, func(t *testing.T, u store.URL) {
		db := tables(t, u)
		for _, id := range []any{"\x00", "p\x00", "\xff", "p\xc3", name("p\x00")} {
			var found string
			err := db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
				return tx.QueryRow(ctx, "SELECT id FROM parent WHERE id = $1", id).Scan(&found)
			})
			if !errors.Is(err, store.ErrNoRows) {
				t.Errorf("looking %q up: %q, %v", id, found, err)
			}
		}
		args := []any{"a\x00b\xff日"}
		exec(t, db, "INSERT INTO parent (id) VALUES ($1)", args...)
		if args[0] != "a\x00b\xff日" {
			t.Errorf("the caller's own text became %q", args[0])
		}
		if n := count(t, db, "SELECT COUNT(*) FROM parent WHERE id = 'a\ufffdb\ufffd日'"); n != 1 {
			t.Errorf("%d rows have the text with the replacement", n)
		}
	})
}

func TestTransactionsDoNotNest(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		db, second := storetest.Open(t, u), storetest.Open(t, databases.SQLite(t))
		nothing := func(context.Context, store.Tx) error { return nil }
		err := db.Tx(t.Context(), func(ctx context.Context, _ store.Tx) error {
			for name, inner := range map[string]func(context.Context, func(context.Context, store.Tx) error) error{
				"Tx": db.Tx, "TxReadCommitted": db.TxReadCommitted, "Read": db.Read,
			} {
				if err := inner(ctx, nothing); err == nil {
					t.Errorf("%s inside a transaction works", name)
				}
			}
			return second.Tx(ctx, nothing)
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestAGivenUpContextEndsATransaction(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		db := tables(t, u)
		ctx, cancel := context.WithCancel(t.Context())
		err := db.Tx(ctx, func(ctx context.Context, tx store.Tx) error {
			if _, err := tx.Exec(ctx, "INSERT INTO parent (id) VALUES ('q')"); err != nil {
				return err
			}
			cancel()
			return nil
		})
		if fault.From(err) == nil || fault.From(err).Kind != fault.Cancelled {
			t.Errorf("it ends with %v", err)
		}
		if err := db.Tx(ctx, func(context.Context, store.Tx) error { t.Error("it runs"); return nil }); fault.From(err).Kind != fault.Cancelled {
			t.Errorf("it begins with %v", err)
		}
		if n := count(t, db, "SELECT COUNT(*) FROM parent"); n != 1 {
			t.Errorf("%d rows, want 1", n)
		}
	})
}
