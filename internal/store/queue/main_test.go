package queue_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/queue"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

var databases storetest.Databases

// TestMain is also the main of the process that a test kills.
func TestMain(m *testing.M) {
	if url := os.Getenv(childVariable); url != "" {
		os.Exit(child(store.URL(url)))
	}
	os.Exit(databases.Run(m))
}

// patience is far more than anything here takes.
const patience = 90 * time.Second

// open returns the queue of a database, with what it logs.
func open(t *testing.T, db *store.DB) (*queue.Queue, *journal) {
	t.Helper()
	if err := queue.Migrate(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	log := &journal{}
	q, err := queue.Open(db, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return q, log
}

// journal is a log that is written by many.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// run works the queue until the test ends or the returned function is called.
func run(t *testing.T, q *queue.Queue, o queue.Options) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- q.Run(ctx, o) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// insert inserts jobs in one transaction each.
func insert(t *testing.T, db *store.DB, q *queue.Queue, jobs ...queue.Job) {
	t.Helper()
	for _, j := range jobs {
		err := db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error { return q.Insert(ctx, tx, j) })
		if err != nil {
			t.Fatal(err)
		}
	}
}

// next waits for one value.
func next[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatal("it does not happen")
	}
	panic("not reached")
}

// count counts the jobs of a condition.
func count(t *testing.T, db *store.DB, where string) int {
	t.Helper()
	var n int
	err := db.Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return tx.QueryRow(ctx, "SELECT COUNT(*) FROM river_job WHERE "+where).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// telling is a handler that says what it got.
func telling(kind string) (queue.Handler, <-chan queue.Attempt) {
	got := make(chan queue.Attempt, 100)
	return queue.Handler{Kind: kind, Do: func(_ context.Context, a queue.Attempt) error { got <- a; return nil }}, got
}

var errRefused = errors.New("refused")

func at(d time.Duration) time.Time { return time.Now().Add(d).Truncate(time.Millisecond).UTC() }

func keyed(kind string, n int) queue.Job { return queue.Job{Kind: kind, Key: fmt.Sprint("k", n)} }
