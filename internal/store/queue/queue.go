package queue

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"github.com/legwork-mcp/legwork/internal/lazyregexp"
	"github.com/legwork-mcp/legwork/internal/store"
)

// Job is one piece of work for later.
type Job struct {
	// Kind names the handler, such as task_deadline.
	Kind string
	// Key says what the work is about, such as the id of a task. While a job of the
	// same kind, key and time is not finished, a second one is not inserted. Without
	// a key every insert is a job of its own.
	Key string
	// Args are further short values that the handler needs: ids and numbers, never
	// what people typed, since they stay in the table for days.
	Args map[string]string
	// At is the time before which the job does not run; the zero time means now.
	At time.Time
	// Lane is whose workers do the job: those of Options.Lanes, which have nothing else to
	// do, or without a lane Options.Workers. A process without the lane leaves it alone.
	Lane string
}

// kinds is what River takes for the name of a kind.
var kinds = lazyregexp.New(`^[a-z][a-z0-9_]{1,60}$`)

// unfinished are the states in which a job holds its key.
var unfinished = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
	rivertype.JobStateRetryable, rivertype.JobStateScheduled,
}

// payload is how a job is kept. Its JSON names are read by later versions of the
// program.
type payload struct {
	kind string
	Key  string            `json:"key,omitempty" river:"unique"`
	At   int64             `json:"at,omitempty" river:"unique"` // milliseconds since 1970
	Args map[string]string `json:"args,omitempty"`
}

// Kind implements river.JobArgs.
func (p payload) Kind() string { return p.kind }

// Queue inserts jobs and works them. It is safe for concurrent use.
type Queue struct {
	db     *store.DB
	log    *slog.Logger
	insert *river.Client[*sql.Tx]
}

// Open returns the queue of a database on which Migrate ran.
func Open(db *store.DB, log *slog.Logger) (*Queue, error) {
	client, err := river.NewClient(driver(db), &river.Config{Logger: quiet(log)})
	if err != nil {
		return nil, fmt.Errorf("open the queue: %w", err)
	}
	return &Queue{db: db, log: log, insert: client}, nil
}

func driver(db *store.DB) riverdriver.Driver[*sql.Tx] {
	if db.Engine() == store.Postgres {
		return riverdatabasesql.New(store.Writer(db))
	}
	return riversqlite.New(store.Writer(db))
}

// Migrate makes the tables of the queue, or brings them up to date. Processes that
// start at the same time wait for each other.
func Migrate(ctx context.Context, db *store.DB) error {
	migrator, err := rivermigrate.New(driver(db), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("prepare the tables of the queue: %w", err)
	}
	return store.WhileMigrating(ctx, db, func(ctx context.Context) error {
		if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("make the tables of the queue: %w", err)
		}
		return nil
	})
}

// Insert leaves a job behind that exists if and only if the transaction commits.
func (q *Queue) Insert(ctx context.Context, tx store.Tx, job Job) error {
	if !kinds.MatchString(job.Kind) {
		return fmt.Errorf("insert a job: %q is no kind", job.Kind)
	}
	args, opts := job.encode()
	if _, err := q.insert.InsertTx(ctx, store.SQL(tx), args, opts); err != nil {
		return fmt.Errorf("insert a job of kind %s: %w", job.Kind, err)
	}
	return nil
}

func (j Job) encode() (payload, *river.InsertOpts) {
	p, opts := payload{kind: j.Kind, Key: j.Key, Args: j.Args}, &river.InsertOpts{Queue: j.Lane}
	if !j.At.IsZero() {
		p.At, opts.ScheduledAt = j.At.UnixMilli(), j.At.UTC()
	}
	if j.Key != "" {
		opts.UniqueOpts = river.UniqueOpts{ByArgs: true, ByState: unfinished}
	}
	return p, opts
}

// job is the reverse of encode.
func (p payload) job(kind string) Job {
	j := Job{Kind: kind, Key: p.Key, Args: p.Args}
	if p.At != 0 {
		j.At = time.UnixMilli(p.At).UTC()
	}
	return j
}
