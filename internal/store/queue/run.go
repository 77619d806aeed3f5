package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// The usual limits of a job.
const (
	defaultAttempts = 10
	mostAttempts    = river.MaxAttemptsDefault // kept with a job when it is inserted, where its handler is not known
	defaultTimeout  = time.Minute
	defaultWorkers  = 4
	defaultPoll     = time.Second
	defaultDrain    = 20 * time.Second
)

// Attempt is a job in hand.
type Attempt struct {
	Job
	// ID is the same for all attempts of one job.
	ID int64
	// Number is 1 for the first attempt.
	Number int
	// Last tells that there is no further attempt if this one fails.
	Last bool
}

// Handler works the jobs of one kind.
type Handler struct {
	// Kind is the kind of the jobs.
	Kind string
	// Do works one. An error means that it is tried again, unless Drop wraps it. The
	// text of errors is logged and kept: it must quote nobody's values.
	Do func(context.Context, Attempt) error
	// Attempts is how often a job is tried before it is given up, 10 unless set, 25 at
	// most.
	Attempts int
	// Wait is how long after attempt n the next one comes: without it 1 s, 16 s, 81 s
	// and so on, the fourth power of n.
	Wait func(n int) time.Duration
	// Every makes a job of this kind again and again, one for all processes together,
	// and one when the first process starts.
	Every time.Duration
}

// Options are about working.
type Options struct {
	Handlers []Handler
	// Workers is how many jobs without a lane this process works at a time, 4 unless set.
	Workers int
	// Lanes are the workers of the lanes: jobs that wait for somebody else's servers do
	// not keep the others waiting.
	Lanes map[string]int
	// Poll is how long a job may wait for an idle worker to look, 1 s unless set.
	Poll time.Duration
	// Timeout is how long one attempt may take, a minute unless set. Jobs of a process
	// that died are given to another one after twice this time.
	Timeout time.Duration
	// Drain is how long jobs that run when Run is to end may go on, 20 s unless set.
	// After that their context ends, and they are tried again later.
	Drain time.Duration
}

// Run works jobs until ctx ends, then lets those that run finish and returns nil.
// Several processes may run at once; each job is worked by one of them.
func (q *Queue) Run(ctx context.Context, o Options) error {
	config, err := q.config(o)
	if err != nil {
		return err
	}
	client, err := river.NewClient(driver(q.db), config)
	if err != nil {
		return fmt.Errorf("work the queue: %w", err)
	}
	if err := client.Start(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("start the workers: %w", err)
	}
	<-client.Stopped() // as ctx ends, and what runs has ended
	return nil
}

func (q *Queue) config(o Options) (*river.Config, error) {
	timeout := cmp.Or(o.Timeout, defaultTimeout)
	workers, periodic, known := river.NewWorkers(), []*river.PeriodicJob(nil), map[string]bool{}
	for _, h := range o.Handlers {
		if known[h.Kind] || !kinds.MatchString(h.Kind) || h.Do == nil || h.Attempts > mostAttempts {
			return nil, fmt.Errorf("work the queue: the handler of %q is no handler, or the second one", h.Kind)
		}
		known[h.Kind] = true
		river.AddWorkerArgs(workers, payload{kind: h.Kind}, &worker{handler: h, log: q.log})
		if h.Every > 0 {
			periodic = append(periodic, repeat(h))
		}
	}
	poll := cmp.Or(o.Poll, defaultPoll)
	lanes := map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: cmp.Or(o.Workers, defaultWorkers)}}
	for name, n := range o.Lanes {
		lanes[name] = river.QueueConfig{MaxWorkers: n}
	}
	return &river.Config{
		Workers: workers, PeriodicJobs: periodic,
		Queues:            lanes,
		FetchPollInterval: poll, FetchCooldown: min(poll, river.FetchCooldownDefault),
		JobTimeout: timeout, RescueStuckJobsAfter: 2 * timeout,
		SoftStopTimeout: cmp.Or(o.Drain, defaultDrain),
		Logger:          quiet(q.log), PollOnly: true,
	}, nil
}

// repeat makes the jobs of a handler that has no occasion but the time. The key
// keeps a second one from being made while the first is not finished.
func repeat(h Handler) *river.PeriodicJob {
	args, opts := Job{Kind: h.Kind, Key: "every"}.encode()
	return river.NewPeriodicJob(river.PeriodicInterval(h.Every), func() (river.JobArgs, *river.InsertOpts) {
		return args, opts
	}, &river.PeriodicJobOpts{ID: h.Kind, RunOnStart: true})
}

// worker is a handler in River's terms.
type worker struct {
	river.WorkerDefaults[payload]
	handler Handler
	log     *slog.Logger
}

// Work implements river.Worker.
func (w *worker) Work(ctx context.Context, job *river.Job[payload]) error {
	last := job.Attempt >= min(cmp.Or(w.handler.Attempts, defaultAttempts), job.MaxAttempts)
	a := Attempt{Job: job.Args.job(job.Kind), ID: job.ID, Number: job.Attempt, Last: last}
	err := w.attempt(ctx, a)
	if err == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return err // the process ends, which is not the job's fault
	}
	if snooze := (*rivertype.JobSnoozeError)(nil); errors.As(err, &snooze) {
		return err
	}
	if last {
		err = Drop(err)
	}
	w.tell(ctx, a, err)
	return err
}

// NextRetry implements river.Worker.
func (w *worker) NextRetry(job *river.Job[payload]) time.Time {
	if w.handler.Wait == nil {
		return time.Time{} // the usual
	}
	return job.AttemptedAt.Add(w.handler.Wait(job.Attempt))
}
