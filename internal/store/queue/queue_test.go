package queue_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/queue"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

const quick = 100 * time.Millisecond // between looks at the table

func TestJobsAreAsDurableAsTheirTransaction(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		db := storetest.Open(t, u)
		q, _ := open(t, db)
		errUndo := errors.New("undo")
		for n := range 20 {
			err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
				if err := q.Insert(ctx, tx, keyed("count_me", n)); err != nil {
					return err
				}
				if n%2 == 1 {
					return errUndo
				}
				return nil
			})
			if err != nil && !errors.Is(err, errUndo) {
				t.Fatal(err)
			}
		}
		h, got := telling("count_me")
		stop := run(t, q, queue.Options{Handlers: []queue.Handler{h}, Poll: quick})
		seen := map[string]int{}
		for range 10 {
			seen[next(t, got).Key]++
		}
		stop()
		if len(got) > 0 {
			t.Errorf("also %+v", <-got)
		}
		for n := range 20 {
			if want := 1 - n%2; seen[fmt.Sprint("k", n)] != want {
				t.Errorf("job %d ran %d times, want %d", n, seen[fmt.Sprint("k", n)], want)
			}
		}
	})
}

func TestAJobArrivesAsItWasInserted(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		db := storetest.Open(t, u)
		q, _ := open(t, db)
		h, got := telling("carry")
		jobs := []queue.Job{
			{Kind: "carry"},
			{Kind: "carry", Key: `"'; DROP TABLE river_job; -- 帳簿 $1 ?`, Args: map[string]string{"a": "<&>\u2028", "": "\\"}},
			{Kind: "carry", Key: "past", At: at(-time.Hour)},
		}
		insert(t, db, q, jobs...)
		run(t, q, queue.Options{Handlers: []queue.Handler{h}, Poll: quick, Workers: 1})
		want := map[string]queue.Job{}
		for _, j := range jobs {
			want[j.Key] = j
		}
		ids := map[int64]bool{}
		for range jobs {
			a := next(t, got)
			ids[a.ID] = true
			if diff := cmp.Diff(want[a.Key], a.Job); diff != "" || a.Number != 1 || a.Last {
				t.Errorf("attempt %d (-inserted +worked):\n%s", a.Number, diff)
			}
		}
		if len(ids) != len(jobs) {
			t.Errorf("%d ids for %d jobs", len(ids), len(jobs))
		}
	})
}

func TestAJobWithAKeyIsNotDoubledWhileItWaits(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		db := storetest.Open(t, u)
		q, _ := open(t, db)
		soon, later := at(time.Hour), at(2*time.Hour)
		insert(t, db, q,
			queue.Job{Kind: "deadline", Key: "a", At: soon}, queue.Job{Kind: "deadline", Key: "a", At: soon},
			queue.Job{Kind: "deadline", Key: "a", At: soon, Args: map[string]string{"why": "repair"}},
			queue.Job{Kind: "deadline", Key: "a", At: later}, queue.Job{Kind: "deadline", Key: "b", At: soon},
			queue.Job{Kind: "reminder", Key: "a", At: soon},
			queue.Job{Kind: "mail", At: soon}, queue.Job{Kind: "mail", At: soon})
		if n := count(t, db, "kind = 'deadline'"); n != 3 {
			t.Errorf("%d deadlines, want 3", n)
		}
		if n := count(t, db, "kind = 'reminder'"); n != 1 {
			t.Errorf("%d reminders, want 1", n)
		}
		if n := count(t, db, "kind = 'mail'"); n != 2 {
			t.Errorf("%d jobs without key, want 2", n)
		}
		// once it is done, the key is free
		h, got := telling("once")
		run(t, q, queue.Options{Handlers: []queue.Handler{h}, Poll: quick})
		insert(t, db, q, queue.Job{Kind: "once", Key: "x"})
		first := next(t, got).ID
		for count(t, db, "kind = 'once' AND state = 'completed'") == 0 {
			if t.Context().Err() != nil {
				t.Fatal("it is never completed")
			}
		}
		insert(t, db, q, queue.Job{Kind: "once", Key: "x"})
		if second := next(t, got).ID; second == first {
			t.Error("the same job ran twice")
		}
	})
}

// Two transactions that insert the same key at the same time leave one job.
func TestTheSameKeyAtTheSameTime(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		var wg sync.WaitGroup
		first := storetest.Open(t, u)
		q, _ := open(t, first)
		for range 4 {
			db := storetest.Open(t, u)
			for range 3 {
				wg.Go(func() {
					for n := range 5 {
						err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error { return q.Insert(ctx, tx, keyed("same", n)) })
						if err != nil {
							t.Error(err)
						}
					}
				})
			}
		}
		wg.Wait()
		if n := count(t, first, "kind = 'same'"); n != 5 {
			t.Errorf("%d jobs, want 5", n)
		}
	})
}

func TestScheduledJobsWait(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		db := storetest.Open(t, u)
		q, _ := open(t, db)
		h, got := telling("wait")
		when := at(time.Second)
		insert(t, db, q, queue.Job{Kind: "wait", Key: "far", At: at(time.Hour)}, queue.Job{Kind: "wait", Key: "near", At: when})
		run(t, q, queue.Options{Handlers: []queue.Handler{h}, Poll: quick})
		a := next(t, got)
		if a.Key != "near" || time.Now().Before(when) || !a.At.Equal(when) {
			t.Errorf("%+v ran at %v, want near at %v", a, time.Now(), when)
		}
		if n := count(t, db, "kind = 'wait' AND state = 'scheduled'"); n != 1 {
			t.Errorf("%d jobs wait, want 1", n)
		}
	})
}

func TestTablesAreMadeOnce(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		var wg sync.WaitGroup
		for range 3 {
			db := storetest.Open(t, u)
			wg.Go(func() {
				for range 2 {
					if err := queue.Migrate(t.Context(), db); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestMistakesOfCallers(t *testing.T) {
	db := storetest.Open(t, databases.SQLite(t))
	q, _ := open(t, db)
	for _, kind := range []string{"", "A", "a b", "a,b", "ä_b", strings.Repeat("a", 200)} {
		err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error { return q.Insert(ctx, tx, queue.Job{Kind: kind}) })
		if err == nil {
			t.Errorf("the kind %q is taken", kind)
		}
	}
	h, _ := telling("twice")
	for name, handlers := range map[string][]queue.Handler{
		"two handlers of one kind": {h, h}, "no function": {{Kind: "none"}}, "no kind": {{Do: h.Do}}, "too many attempts": {{Kind: "many", Do: h.Do, Attempts: 26}},
	} {
		if err := q.Run(t.Context(), queue.Options{Handlers: handlers}); err == nil {
			t.Errorf("%s: it runs", name)
		}
	}
}
