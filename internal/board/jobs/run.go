package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/webhook"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/queue"
)

// Work is what Run needs beside the queue.
type Work struct {
	Board   Board
	Uploads Uploads // nil for none
	// Workers, Poll, Timeout and Drain are those of queue.Options.
	Workers              int
	Poll, Timeout, Drain time.Duration
}

// The kinds of the jobs that come again and again.
const (
	kindRepair    = "repair"
	kindSweep     = "sweep"
	kindDigest    = "digest"
	kindReconcile = "reconcile"
)

// How often they come.
const (
	everyRepair    = 5 * time.Minute
	everySweep     = time.Hour
	everyDigest    = 10 * time.Minute
	everyReconcile = 6 * time.Hour
)

// The lanes of what waits for servers of others: addresses that agents and people chose
// may hang, and neither money nor sign-in codes wait for them.
const (
	laneCode    = "code"    // mails with codes
	laneMail    = "mail"    // all other mails and messages
	laneWebhook = "webhook" // deliveries
)

// lanes are how many jobs of each this process does at a time.
var lanes = map[string]int{laneCode: 2, laneMail: 4, laneWebhook: 8}

// Run works jobs until ctx ends and those that run have finished. Several processes
// may run at once.
func (j *Jobs) Run(ctx context.Context, w Work) error {
	if w.Board == nil {
		return errors.New("work the jobs: a board is needed")
	}
	return j.queue.Run(ctx, queue.Options{Handlers: j.handlers(w), Workers: w.Workers, Lanes: lanes, Poll: w.Poll, Timeout: w.Timeout, Drain: w.Drain})
}

func (j *Jobs) handlers(w Work) []queue.Handler {
	b := w.Board
	timer := func(kind task.Job, f func(ctx context.Context, id string) error) queue.Handler {
		return queue.Handler{Kind: string(kind), Attempts: 20, Do: func(ctx context.Context, a queue.Attempt) error { return unlessOver(f(ctx, a.Args[idArg])) }}
	}
	onTask := func(f func(context.Context, string) (task.Task, error)) func(context.Context, string) error {
		return func(ctx context.Context, id string) error { _, err := f(ctx, id); return err }
	}
	return []queue.Handler{
		timer(task.JobDeadline, onTask(b.ExpireTask)),
		timer(task.JobReview, onTask(b.AutoApprove)),
		timer(task.JobAppeal, onTask(b.EndAppeal)),
		timer(task.JobOffer, b.ExpireOffer),
		timer(task.JobPayout, b.Settle),
		timer(task.JobRefund, b.Settle),
		timer(task.JobEvent, func(ctx context.Context, id string) error { return j.tell(ctx, b, id) }),
		{Kind: string(task.JobMail), Attempts: notify.Attempts, Wait: notify.Wait, Do: j.mail},
		{Kind: string(task.JobWebhook), Attempts: webhook.Attempts, Wait: webhook.Wait, Do: j.webhook},
		{Kind: kindRepair, Every: everyRepair, Attempts: 3, Do: func(ctx context.Context, _ queue.Attempt) error { return j.repair(ctx, b) }},
		{Kind: kindDigest, Every: everyDigest, Attempts: 3, Do: func(ctx context.Context, _ queue.Attempt) error { _, err := j.Post.Digest(ctx); return err }},
		{Kind: kindSweep, Every: everySweep, Attempts: 3, Do: func(ctx context.Context, _ queue.Attempt) error { return j.sweep(ctx, w) }},
		{Kind: kindReconcile, Every: everyReconcile, Attempts: 3, Do: func(ctx context.Context, _ queue.Attempt) error {
			_, err := j.Reconcile(ctx, b)
			return err
		}},
	}
}

// unlessOver takes a refusal of the board as the answer: the task went on, the offer
// was answered, the thing is gone. Everything else is worth another attempt.
func unlessOver(err error) error {
	if err == nil {
		return nil
	}
	switch fault.From(err).Kind {
	case fault.Conflict, fault.NotFound, fault.Denied, fault.Expired:
		return nil
	}
	return err
}

func (j *Jobs) mail(ctx context.Context, a queue.Attempt) error {
	err := j.Post.Send(ctx, a.Args[idArg], notify.Try{Number: a.Number, Last: a.Last})
	if err != nil && fault.From(err).Kind == fault.Invalid {
		return queue.Drop(err)
	}
	return err
}

func (j *Jobs) webhook(ctx context.Context, a queue.Attempt) error {
	err := j.Hooks.Deliver(ctx, a.Args[idArg], a.Last)
	if errors.Is(err, webhook.ErrBusy) {
		return queue.Later(webhook.BusyWait)
	}
	if errors.Is(err, webhook.ErrUndelivered) {
		return queue.Again(err) // the delivery log tells the agent
	}
	return err
}

// repair gives a new job to everything whose time is over, in case that its job was
// lost, and gives back what was funded for nothing.
func (j *Jobs) repair(ctx context.Context, b Board) error {
	const patience = 10 * time.Minute // an acceptance needs seconds
	due, err := b.Due(ctx)
	if err != nil {
		return fmt.Errorf("find what is due: %w", err)
	}
	for _, d := range due {
		job := queue.Job{Kind: string(d.Kind), Key: "repair/" + d.ID, Args: map[string]string{idArg: d.ID}}
		if err := j.db.Tx(ctx, func(ctx context.Context, tx store.Tx) error { return j.queue.Insert(ctx, tx, job) }); err != nil {
			return err
		}
	}
	now, err := j.now(ctx)
	if err != nil {
		return err
	}
	if _, err := b.VoidStale(ctx, now.Add(-patience)); err != nil {
		return fmt.Errorf("give back what was funded for nothing: %w", err)
	}
	return nil
}

// sweep forgets what is over.
func (j *Jobs) sweep(ctx context.Context, w Work) error {
	_, keys := w.Board.ForgetKeys(ctx)
	_, hooks := j.Hooks.Sweep(ctx)
	_, mails := j.Post.Sweep(ctx)
	var uploads error
	if w.Uploads != nil {
		_, uploads = w.Uploads.Expire(ctx)
	}
	return errors.Join(keys, hooks, mails, uploads)
}

// now is the time of the database.
func (j *Jobs) now(ctx context.Context) (now time.Time, err error) {
	err = j.db.Read(ctx, func(_ context.Context, tx store.Tx) error {
		now = tx.Now()
		return nil
	})
	return now, err
}
