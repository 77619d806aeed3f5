package jobs_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/store"
)

// A copy that is taken while people work and money moves is a board that fits
// together, has every delivery that was confirmed before, and goes on from there.
func TestABackupIsABoard(t *testing.T) { databases.Each(t, backsUp) }

func backsUp(t *testing.T, u store.URL) {
	t.Parallel() // it mostly waits for jobs of a process that is gone
	l := newLive(t, u)
	l.run(t)
	const people = 3
	var workers []task.Actor
	for n := range people {
		workers = append(workers, l.signIn(t, fmt.Sprint("worker", n)))
	}
	var mu sync.Mutex
	var delivered []string // tasks whose delivery was confirmed
	stop := make(chan bool)
	var wg sync.WaitGroup
	for _, by := range workers {
		wg.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				id := l.accepted(t, by).ID
				l.submit(t, by, id)
				mu.Lock()
				delivered = append(delivered, id)
				mu.Unlock()
				if n%2 == 0 {
					must(l.Approve(t.Context(), l.agent, data.Approval{TaskID: id}))(t)
				}
			}
		})
	}
	confirmed := func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), delivered...)
	}
	dir := t.TempDir()
	before := map[string][]string{}
	for n := range 3 {
		await(t, "there is more to copy", func() bool { return len(confirmed()) > 4*n })
		path := filepath.Join(dir, fmt.Sprint("board", n, ".db"))
		before[path] = confirmed()
		if err := store.Backup(t.Context(), u, path); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
	for path, ids := range before {
		restored := l.restored(t, path)
		for _, id := range ids {
			if got := must(restored.Submissions(t.Context(), id))(t); len(got) != 1 {
				t.Errorf("%s has %d deliveries of task %s", filepath.Base(path), len(got), id)
			}
		}
	}
	last := filepath.Join(dir, "board2.db")
	restored := l.restored(t, last)
	restored.run(t)
	restored.forward(8 * 24 * time.Hour)
	if err := restored.jobs.Repair(t.Context(), restored.Board); err != nil {
		t.Fatal(err)
	}
	restored.idle(t, "mail") // jobs that ran when the copy was made are given to another process, a mail after minutes
	for _, id := range before[last] {
		if got := restored.status(t, id); got != "completed/" {
			t.Errorf("task %s is %s in the end", id, got)
		}
	}
	restored.sound(t)
}

// restored opens a copy as the operator does, which must fit together as it is: on SQLite
// the file itself, on Postgres an empty database that is filled from it.
func (l *live) restored(t *testing.T, path string) *live {
	t.Helper()
	r := &live{log: &journal{}, agent: l.agent}
	r.clock.Store(l.clock.Load())
	if l.db.Engine() == store.SQLite {
		r.open(t, store.URL(path))
	} else {
		empty := databases.Postgres(t)
		r.open(t, empty) // makes the tables
		if err := store.Restore(t.Context(), empty, path); err != nil {
			t.Fatal(err)
		}
		r.open(t, empty)
	}
	r.sound(t)
	return r
}
