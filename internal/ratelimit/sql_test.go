package ratelimit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/ratelimit"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

func TestMain(m *testing.M) { os.Exit(databases.Run(m)) }

// Memory and SQL answer the same calls at the same times alike, also when the
// clock goes back a little.
func TestBothSourcesDecideAlike(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		clock := newManual()
		memory := ratelimit.NewMemory(0, clock.read)
		shared := ratelimit.NewSQL(storetest.Open(t, u).WithClock(clock.read))
		random := rand.New(rand.NewPCG(3, 4))
		limits := []ratelimit.Limit{
			{Calls: 3, Per: time.Second}, {Calls: 20, Per: time.Hour}, {Calls: 7, Per: time.Minute, Burst: 2}, {Calls: 1, Per: 10 * time.Second, Burst: 5},
		}
		refused := 0
		for i := range 600 {
			l := limits[random.IntN(len(limits))]
			key, cost := fmt.Sprint(random.IntN(3), " ", l), 1+random.IntN(2)
			if burst(l) == 1 {
				cost = 1
			}
			move := time.Duration(random.Int64N(int64(interval(l))))
			if random.IntN(10) == 0 {
				move = -move
			}
			clock.now = clock.now.Add(move / 4)
			want, err := memory.Take(t.Context(), key, l, cost)
			if err != nil {
				t.Fatal(err)
			}
			got, err := shared.Take(t.Context(), key, l, cost)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("call %d, %s for %d (-memory +SQL):\n%s", i, key, cost, diff)
			}
			if !got.Allowed {
				refused++
			}
		}
		if refused < 50 || refused > 550 {
			t.Errorf("%d of 600 calls are refused: the sequence shows nothing", refused)
		}
	})
}

func TestReplicasShareACount(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		l := ratelimit.Limit{Calls: 30, Per: 24 * time.Hour}
		var allowed atomic.Int64
		var wg sync.WaitGroup
		for range 3 {
			replica := ratelimit.NewSQL(storetest.Open(t, u)) // with the clock of the database
			for range 3 {
				wg.Go(func() {
					for range 10 {
						d, err := replica.Take(t.Context(), "k", l, 1)
						if err != nil {
							t.Error(err)
						}
						if d.Allowed {
							allowed.Add(1)
						}
					}
				})
			}
		}
		wg.Wait()
		if allowed.Load() != 30 {
			t.Errorf("%d calls of 90, want 30", allowed.Load())
		}
	})
}

func TestOldRowsAreSwept(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		clock := newManual()
		db := storetest.Open(t, u)
		s := ratelimit.NewSQL(db.WithClock(clock.read))
		for k := range 200 {
			take(t, s, fmt.Sprint("k", k), hourly)
		}
		exhaust(t, s, "exhausted", hourly)
		clock.now = clock.now.Add(65 * time.Minute) // over for those with one call, not so for this one
		for range 56 {
			take(t, s, "now", ratelimit.Limit{Calls: 100, Per: time.Hour})
		}
		var rows int
		err := db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return tx.QueryRow(ctx, "SELECT COUNT(*) FROM rate_limits").Scan(&rows)
		})
		if err != nil || rows != 2 {
			t.Errorf("%d rows, want 2: %v", rows, err)
		}
	})
}

func TestMistakesReachNoDatabase(t *testing.T) {
	db := storetest.Open(t, databases.SQLite(t))
	s := ratelimit.NewSQL(db)
	if _, err := s.Take(t.Context(), "k", hourly, 21); err == nil {
		t.Error("a cost above the burst is taken")
	}
	if _, err := s.Take(t.Context(), "k\x00", hourly, 1); err == nil {
		t.Error("a key with a NUL is taken")
	}
}

// Whoever guards something must notice, and refuse.
func TestASourceThatFailsSaysSo(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		db, err := store.Open(t.Context(), u)
		if err != nil {
			t.Fatal(err)
		}
		s := ratelimit.NewSQL(db)
		if d, err := s.Take(t.Context(), "k", hourly, 1); err == nil || d.Allowed {
			t.Errorf("without tables: %+v, %v", d, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if d, err := s.Take(t.Context(), "k", hourly, 1); err == nil || d.Allowed {
			t.Errorf("without a connection: %+v, %v", d, err)
		}
	})
}

// Keys come from clients' names.
func TestKeysAreData(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		s := ratelimit.NewSQL(storetest.Open(t, u))
		once := ratelimit.Limit{Calls: 1, Per: 24 * time.Hour}
		for _, key := range []string{"'; DROP TABLE rate_limits; --", "$1", "%", "帳簿 \U0001F4D2", "\\"} {
			if !take(t, s, key, once).Allowed || take(t, s, key, once).Allowed {
				t.Errorf("the key %q is not counted by itself", key)
			}
		}
	})
}
