package runner

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/legwork-mcp/legwork/internal/fault"
)

// execution is one run that was started: it lives on when the call that started
// it has ended, until its retention is over.
type execution struct {
	id, owner string
	key       string // idempotency key, scoped to the owner
	print     string // of wizard, data and options behind the key
	job       *Job
	started   time.Time
	cancel    context.CancelCauseFunc
	done      chan struct{}

	mu       sync.Mutex
	last     Progress
	ended    time.Time
	outcome  *outcome
	answer   *Answer // the outcome in words, from the first time it was asked for
	watchers map[chan Progress]struct{}

	escalating sync.Mutex
	escalation *escalation // guarded by escalating
}

// runs is the registry of executions.
type runs struct {
	max, each int // runs in flight: all, and those of one owner
	retention time.Duration
	ledger    *Ledger

	mu     sync.Mutex
	byID   map[string]*execution
	byKey  map[string]*execution
	active int
	of     map[string]int // active ones by their owner
	closed bool
	wg     sync.WaitGroup
}

func newRuns(max, each int, retention time.Duration, ledger *Ledger) *runs {
	return &runs{max: max, each: each, of: map[string]int{}, retention: retention, ledger: ledger, byID: map[string]*execution{}, byKey: map[string]*execution{}}
}

// start registers x and works it off in the background. With a known key it
// returns the execution that the key already stands for.
func (rs *runs) start(x *execution, work func(context.Context) *outcome) (*execution, error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.forget()
	if old, ok := rs.byKey[x.key]; ok && x.key != "" {
		if old.print != x.print {
			return nil, fault.New(fault.Conflict, "idempotency_conflict",
				"This idempotency_key was already used for other data, options or another wizard: it stands for "+old.id+" of "+old.job.Entry.Wizard.WizardID+".",
				"Ask for that run with federalrunner_get_run, use a new key for a new execution, or repeat the first call exactly.").
				WithData("run_id", old.id).WithData("wizard_id", old.job.Entry.Wizard.WizardID)
		}
		return old, nil
	}
	if err := rs.ledger.earlier(x.key); err != nil {
		return nil, err
	}
	if rs.closed {
		return nil, fault.New(fault.Unavailable, "shutting_down", "The server is shutting down and starts no new runs.",
			"Try again in a few seconds.").WithRetryAfter(5 * time.Second)
	}
	if rs.of[x.owner] >= rs.each && rs.active < rs.max {
		return nil, fault.New(fault.Limited, "busy", "Too many runs of yours are in flight.",
			"Wait for one to end, or try again in 30 seconds.").WithRetryAfter(30 * time.Second)
	}
	if rs.active >= rs.max {
		return nil, fault.New(fault.Limited, "busy", "Too many runs are in flight.",
			"Wait for one to end, or try again in 30 seconds.").WithRetryAfter(30 * time.Second)
	}
	if err := rs.record(x); err != nil {
		return nil, err
	}
	rs.launch(x, work)
	return x, nil
}

// record notes the run in the ledger, and has it note the moment before the form is
// submitted.
func (rs *runs) record(x *execution) error {
	p := passage{RunID: x.id, Owner: x.owner, Key: keyHash(x.key), Wizard: x.job.Entry.Wizard.WizardID, State: passageStarted}
	looked := false
	x.job.BeforeSubmit = func() error {
		if err := rs.ledger.write(passage{RunID: x.id, State: passageSubmitting}); err != nil || looked {
			return unrecorded(err)
		}
		// Another process may have come here with the same key since this run began. Each
		// has written before it looks, so that of two at most one goes on.
		looked = true
		return rs.ledger.earlier(x.key)
	}
	return unrecorded(rs.ledger.write(p))
}

// unrecorded keeps a form from being submitted that nobody would remember.
func unrecorded(err error) error {
	if err == nil {
		return nil
	}
	return fault.New(fault.Unavailable, "ledger_unusable", "The run cannot be recorded, so nothing is submitted: a restart could submit it twice.",
		"Tell whoever runs the server: the disk of its data folder is full or not writable.").WithCause(err)
}

// settled notes how the run ended. A note that fails leaves the run as cut off,
// which is on the safe side.
func (rs *runs) settled(x *execution, out *outcome) {
	p := passage{RunID: x.id, State: passageEnded, Outcome: outcomeStopped}
	switch {
	case out.pressed && out.problem == nil:
		p.Outcome = StatusSuccess
	case out.pressed:
		p.Outcome = outcomeUnsure
	case out.problem != nil:
		p.Outcome = out.problem.typ
	}
	_ = rs.ledger.write(p)
}

// launch needs the lock.
func (rs *runs) launch(x *execution, work func(context.Context) *outcome) {
	ctx, cancel := context.WithCancelCause(context.Background())
	x.cancel, x.done, x.started = cancel, make(chan struct{}), time.Now()
	x.watchers = map[chan Progress]struct{}{}
	x.job.OnProgress, x.last = x.note, Progress{State: "queued"}
	rs.byID[x.id] = x
	if x.key != "" {
		rs.byKey[x.key] = x
	}
	rs.active++
	rs.of[x.owner]++
	rs.wg.Go(func() {
		out := survive(ctx, work)
		cancel(nil)
		rs.settled(x, out)
		x.mu.Lock()
		x.outcome, x.ended = out, time.Now()
		x.mu.Unlock()
		rs.mu.Lock()
		if out.problem != nil && !out.pressed {
			delete(rs.byKey, x.key) // nothing was submitted: the same key may try again
		}
		rs.active--
		if rs.of[x.owner]--; rs.of[x.owner] == 0 {
			delete(rs.of, x.owner)
		}
		rs.mu.Unlock()
		close(x.done)
	})
}

// survive keeps one run's defect from ending the others: a panic becomes its
// outcome.
func survive(ctx context.Context, work func(context.Context) *outcome) (out *outcome) {
	defer func() {
		if v := recover(); v != nil {
			f := fault.Defect(fmt.Errorf("panic: value of type %T\n%s", v, debug.Stack()))
			out = &outcome{started: time.Now(), pressed: true, problem: failed(TypeInternal, 0, "%s", f.Message).withCause(f)}
			out.problem.action = unsure
		}
	}()
	return work(ctx)
}

// forget drops what is past its retention, and the pictures of older runs when
// all together are too many. It needs the lock.
func (rs *runs) forget() {
	defer rs.thin()
	for id, x := range rs.byID {
		x.mu.Lock()
		old := !x.ended.IsZero() && time.Since(x.ended) > rs.retention
		x.mu.Unlock()
		if old {
			delete(rs.byID, id)
			if rs.byKey[x.key] == x { // a later run may have the key of one that submitted nothing
				delete(rs.byKey, x.key)
			}
		}
	}
}

// pictureRoom is how many bytes of pictures the finished runs keep together.
const pictureRoom = 4 << 20

// thin drops pictures, the oldest run's first. It needs the lock.
func (rs *runs) thin() {
	var finished []*execution
	for _, x := range rs.byID {
		if x.pictureBytes() > 0 {
			finished = append(finished, x)
		}
	}
	slices.SortFunc(finished, func(a, b *execution) int { return b.started.Compare(a.started) })
	total := 0
	for _, x := range finished {
		if total += x.pictureBytes(); total > pictureRoom {
			x.dropPictures()
		}
	}
}

// get finds a run of this owner. Somebody else's looks like none.
func (rs *runs) get(id, owner string) (*execution, error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.forget()
	x, ok := rs.byID[id]
	if !ok || x.owner != owner {
		if err := rs.ledger.recall(id, owner); err != nil && !ok {
			return nil, err
		}
		return nil, fault.New(fault.NotFound, "run_not_found", "No run of yours has the run_id "+quote(id)+".",
			"Use the run_id of a federalrunner_execute_wizard reply. Finished runs are kept for an hour.")
	}
	return x, nil
}

// drain ends the registry: see Server.Drain.
func (rs *runs) drain(ctx context.Context) error {
	rs.mu.Lock()
	rs.closed = true
	rs.mu.Unlock()
	idle := make(chan struct{})
	go func() { rs.wg.Wait(); close(idle) }()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
	}
	rs.mu.Lock()
	for _, x := range rs.byID {
		x.cancel(errShutdown)
	}
	rs.mu.Unlock()
	<-idle // every step of a run watches its context, so this is soon
	return nil
}

// note records progress for polls and tells those who watch.
func (x *execution) note(p Progress) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.last = p
	for w := range x.watchers {
		select {
		case w <- p:
		default: // a slow watcher misses a line, the run does not wait
		}
	}
}

// watch returns a channel of progress and the func that ends it.
func (x *execution) watch() (<-chan Progress, func()) {
	c := make(chan Progress, 64)
	x.mu.Lock()
	x.watchers[c] = struct{}{}
	x.mu.Unlock()
	return c, func() {
		x.mu.Lock()
		delete(x.watchers, c)
		x.mu.Unlock()
	}
}

// state is the outcome so far: nil while the run goes on.
func (x *execution) state() (*outcome, Progress) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.outcome, x.last
}

// reply is the answer of a finished run, made once.
func (x *execution) reply(words func(*outcome) Answer) Answer {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.answer == nil {
		a := words(x.outcome)
		x.answer, x.outcome.pictures = &a, nil
	}
	return *x.answer
}

func (x *execution) pictureBytes() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.answer == nil {
		return 0 // it runs, or nobody has asked yet
	}
	n := 0
	for _, p := range x.answer.images {
		n += len(p.data)
	}
	return n
}

// dropPictures keeps the words of an answer.
func (x *execution) dropPictures() {
	x.mu.Lock()
	defer x.mu.Unlock()
	a := *x.answer
	a.images, a.Screenshots, a.ScreenshotCount = nil, nil, 0
	a.Warnings = append(slices.Clone(a.Warnings), "the pictures of this run are not kept any more")
	x.answer = &a
}

// newRunID cannot be guessed: knowing it is part of being allowed to ask.
func newRunID() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return "run_" + hex.EncodeToString(b[:])
}
