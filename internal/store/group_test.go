package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// queued opens a database and has n callers wait to write behind one that writes, and
// returns when all of them are served. Meanwhile is done before that one ends.
func queued(t *testing.T, n int, call func(db *DB, i int), meanwhile ...func(*DB)) *DB {
	t.Helper()
	db, err := Open(t.Context(), URL(filepath.Join(t.TempDir(), "g.db")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	write(t, db, "CREATE TABLE n (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)")
	first, free := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = db.Tx(t.Context(), func(context.Context, Tx) error { close(first); <-free; return nil })
	})
	<-first
	for i := range n {
		wg.Go(func() { call(db, i) })
	}
	waitFor(db, n)
	for _, do := range meanwhile {
		do(db)
	}
	close(free)
	wg.Wait()
	if db.group.led || len(db.group.waiting) != 0 {
		t.Errorf("after all of them %d wait, led %t", len(db.group.waiting), db.group.led)
	}
	return db
}

// waitFor returns when n callers wait.
func waitFor(db *DB, n int) {
	for {
		db.group.mu.Lock()
		waiting := len(db.group.waiting)
		db.group.mu.Unlock()
		if waiting == n {
			return
		}
		runtime.Gosched()
	}
}

func write(t *testing.T, db *DB, text string) {
	t.Helper()
	err := db.Tx(t.Context(), func(ctx context.Context, tx Tx) error {
		_, err := tx.Exec(ctx, text)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func ids(t *testing.T, db *DB) (all []int) {
	t.Helper()
	err := db.Read(t.Context(), func(ctx context.Context, tx Tx) error {
		rows, err := tx.Query(ctx, "SELECT id FROM n ORDER BY id")
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var id int
			if err := rows.Scan(&id); err != nil {
				return err
			}
			all = append(all, id)
		}
		return rows.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func insert(ctx context.Context, tx Tx, id int) error {
	_, err := tx.Exec(ctx, "INSERT INTO n (id, text) VALUES ($1, $2)", id, fmt.Sprint("t", id))
	return err
}

func TestCallersThatWaitShareACommit(t *testing.T) {
	const n = maxMembers // the one that leads and those that follow
	transactions := sync.Map{}
	db := queued(t, n, func(db *DB, i int) {
		err := db.TxReadCommitted(t.Context(), func(ctx context.Context, tx Tx) error {
			transactions.Store(SQL(tx), true)
			return insert(ctx, tx, i)
		})
		if err != nil {
			t.Error(err)
		}
	})
	used := 0
	transactions.Range(func(any, any) bool { used++; return true })
	if all := ids(t, db); len(all) != n || used != 1 {
		t.Errorf("%d rows were written in %d transactions", len(all), used)
	}
}

// Whatever ends badly leaves nothing, and takes nothing from the others.
func TestWhatFailsInASharedTransactionIsAlone(t *testing.T) {
	stop := errors.New("stop")
	cancelled, cancel := context.WithCancel(t.Context())
	var want []int
	for i := range 60 {
		if i%6 == 0 {
			want = append(want, i)
		}
	}
	db := queued(t, 60, func(db *DB, i int) {
		ended := false
		defer func() {
			if r := recover(); r != nil && r != "x" || i%6 == 2 && r == nil {
				t.Errorf("%d: %v", i, r)
			}
			if !ended && i%6 != 2 && i%6 != 3 {
				t.Errorf("%d did not return", i)
			}
		}()
		ctx := t.Context()
		if i%6 == 4 {
			ctx = cancelled
		}
		err := db.Tx(ctx, func(ctx context.Context, tx Tx) error {
			if err := insert(ctx, tx, i); err != nil {
				return err
			}
			switch i % 6 {
			case 1:
				return stop
			case 2:
				panic("x")
			case 3:
				runtime.Goexit()
			case 4:
				cancel()
			case 5:
				return insert(ctx, tx, i) // twice
			}
			return nil
		})
		ended = true
		switch i % 6 {
		case 0:
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
		case 1:
			if !errors.Is(err, stop) {
				t.Errorf("%d: %v", i, err)
			}
		case 4:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%d: %v", i, err)
			}
		default:
			if err == nil {
				t.Errorf("%d: no error", i)
			}
		}
	})
	if all := ids(t, db); !slices.Equal(all, want) {
		t.Errorf("%v are there, want %v", all, want)
	}
}

// A statement that undoes everything, as SQLite does when the disk is full, costs the
// others a second try and nothing else.
func TestASharedTransactionThatIsUndoneIsDoneAgain(t *testing.T) {
	var bad atomic.Int64
	db := queued(t, 20, func(db *DB, i int) {
		err := db.Tx(t.Context(), func(ctx context.Context, tx Tx) error {
			if i == 7 {
				_, err := tx.Exec(ctx, "INSERT OR ROLLBACK INTO n (id, text) VALUES (1000, 'a'), (1001, 'a')")
				bad.Add(1)
				return err
			}
			return insert(ctx, tx, i)
		})
		if (err != nil) != (i == 7) {
			t.Errorf("%d: %v", i, err)
		}
	})
	if all := ids(t, db); len(all) != 19 || slices.Contains(all, 7) || bad.Load() == 0 {
		t.Errorf("%v are there", all)
	}
}

// Who is refused for what another one wrote finds it written.
func TestARefusalIsForWhatIsThere(t *testing.T) {
	taken := errors.New("taken")
	queued(t, 20, func(db *DB, i int) {
		err := db.Tx(t.Context(), func(ctx context.Context, tx Tx) error {
			n, err := tx.Exec(ctx, "INSERT INTO n (id, text) VALUES (1, 'a') ON CONFLICT DO NOTHING")
			if err == nil && n == 0 {
				return taken
			}
			return err
		})
		if err != nil && !errors.Is(err, taken) {
			t.Error(err)
		}
		if len(ids(t, db)) != 1 {
			t.Errorf("%d was told %v, and nothing is there", i, err)
		}
	})
}

func TestWhoGivesUpWhileWaitingIsNotServed(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	var served atomic.Int64
	db := queued(t, 12, func(db *DB, i int) {
		ctx := t.Context()
		if i%2 == 0 {
			ctx = gone
		}
		err := db.Tx(ctx, func(ctx context.Context, tx Tx) error {
			served.Add(1)
			return insert(ctx, tx, i)
		})
		if (i%2 == 0) != errors.Is(err, context.Canceled) {
			t.Errorf("%d: %v", i, err)
		}
	}, func(db *DB) {
		cancel()
		waitFor(db, 6)
	})
	if n := len(ids(t, db)); n != 6 || served.Load() != 6 {
		t.Errorf("%d rows, %d served", n, served.Load())
	}
}
