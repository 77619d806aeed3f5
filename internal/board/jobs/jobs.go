package jobs

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/webhook"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/queue"
)

// Options are what Open needs.
type Options struct {
	// Key is the secret from which those of the webhooks are derived, 32 bytes or more.
	Key []byte
	// Sender sends mails.
	Sender notify.Sender
	// LINE is the issuer whose subjects are the users that Sender reaches at LINE; empty
	// when it reaches none.
	LINE string
	// Base is the address of the board's pages, without a slash at the end.
	Base string
	// Webhooks are how endpoints are reached. Key, Types, Later and NewID of it are set
	// here.
	Webhooks webhook.Options
	Logger   *slog.Logger
	// Clock makes the times of ids, time.Now unless set.
	Clock func() time.Time
}

// minKey is the least length of the key, that of its HMAC (RFC 2104, section 3).
const minKey = 32

// Jobs is the queue of a board and what uses it. It is a data.Outbox.
type Jobs struct {
	// Hooks are the webhooks of the board.
	Hooks *webhook.Hooks
	// Post are its mails.
	Post *notify.Post

	db    *store.DB
	queue *queue.Queue
	log   *slog.Logger
	base  string
	line  string
	newID func() string
}

// Open makes the tables of the queue, on a database that is migrated otherwise, and
// returns what leaves jobs in it.
func Open(ctx context.Context, db *store.DB, o Options) (*Jobs, error) {
	if len(o.Key) < minKey || o.Sender == nil || o.Logger == nil {
		return nil, fmt.Errorf("open the jobs: a key of %d bytes, a sender and a logger are needed", minKey)
	}
	if err := queue.Migrate(ctx, db); err != nil {
		return nil, err
	}
	q, err := queue.Open(db, o.Logger)
	if err != nil {
		return nil, err
	}
	clock := o.Clock
	if clock == nil {
		clock = time.Now
	}
	j := &Jobs{db: db, queue: q, log: o.Logger, base: o.Base, line: o.LINE, newID: func() string { return data.NewID(clock()) }}
	hooks := o.Webhooks
	hooks.Key, hooks.NewID, hooks.Later, hooks.Types = o.Key, j.newID, j.laterWebhook, nil
	for _, e := range task.Events() {
		hooks.Types = append(hooks.Types, string(e))
	}
	j.Hooks = webhook.New(db, hooks)
	j.Post = notify.New(db, notify.Options{Sender: o.Sender, Later: j.laterMail, NewID: j.newID, Base: o.Base})
	return j, nil
}

// idArg is the argument that says what a job is about.
const idArg = "id"

// Enqueue implements data.Outbox.
func (j *Jobs) Enqueue(ctx context.Context, tx store.Tx, job data.Job) error {
	if job.Kind == task.JobMail {
		if job.Mail == nil {
			return fmt.Errorf("enqueue the mail %s: it says nothing", job.Key)
		}
		return j.Post.Keep(ctx, tx, notify.Mail{
			Reference: "command/" + cmp.Or(job.Key, job.ID), Template: job.Mail.Template, To: job.Mail.To, Lang: job.Mail.Lang, Slots: job.Mail.Values,
		})
	}
	return j.queue.Insert(ctx, tx, queue.Job{
		Kind: string(job.Kind), Key: cmp.Or(job.Key, job.ID), At: job.At, Args: map[string]string{idArg: job.ID},
	})
}

func (j *Jobs) laterWebhook(ctx context.Context, tx store.Tx, delivery string) error {
	return j.queue.Insert(ctx, tx, queue.Job{Kind: string(task.JobWebhook), Lane: laneWebhook, Key: delivery, Args: map[string]string{idArg: delivery}})
}

func (j *Jobs) laterMail(ctx context.Context, tx store.Tx, m notify.Job) error {
	lane := laneMail
	if m.Code {
		lane = laneCode
	}
	return j.queue.Insert(ctx, tx, queue.Job{Kind: string(task.JobMail), Lane: lane, Key: m.MailID, At: m.At, Args: map[string]string{idArg: m.MailID}})
}

// Counts are the jobs by kind and state, for operators.
func (j *Jobs) Counts(ctx context.Context) ([]queue.Count, error) { return j.queue.Counts(ctx) }
