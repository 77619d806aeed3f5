package data_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// clock is a time that tests set.
type clock struct{ at atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.at.Store(time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC).UnixNano()) // noon in Japan
	return c
}

func (c *clock) now() time.Time          { return time.Unix(0, c.at.Load()).UTC() }
func (c *clock) forward(d time.Duration) { c.at.Add(int64(d)) }

// outbox records the jobs of transactions; those that were rolled back too, since a
// job in memory does not know.
type outbox struct {
	mu   sync.Mutex
	jobs []data.Job
}

// Enqueue implements data.Outbox.
func (o *outbox) Enqueue(_ context.Context, _ store.Tx, j data.Job) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.jobs = append(o.jobs, j)
	return nil
}

func (o *outbox) of(kind task.Job) []data.Job {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(o.jobs), func(j data.Job) bool { return j.Kind != kind })
}

// code is the last code that was mailed.
func (o *outbox) code(t *testing.T) string {
	t.Helper()
	mails := o.of(task.JobMail)
	if len(mails) == 0 {
		t.Fatal("no mail was sent")
	}
	return mails[len(mails)-1].Mail.Values["code"]
}

// world is a board with a clock, an outbox and a provider that tests look into.
type world struct {
	*data.Board
	t        *testing.T
	url      store.URL
	db       *store.DB
	clock    *clock
	outbox   *outbox
	provider *money.Fake
	agent    task.Actor
}

var pepper = []byte("a pepper of the tests, 32 bytes and more")

func newWorld(t *testing.T, u store.URL) *world {
	t.Helper()
	w := &world{t: t, url: u, clock: newClock(), outbox: &outbox{}, provider: money.NewFake()}
	w.Board, w.db = w.another(data.Terms{})
	c, err := w.Connect(t.Context(), "Ada's agent", "ada@agents.example")
	if err != nil {
		t.Fatal(err)
	}
	w.agent = task.Actor{Kind: task.Agent, ID: c.Agent.ID, KeyID: c.Key.ID}
	return w
}

// another opens a second board on the same database, as another process would.
func (w *world) another(terms data.Terms) (*data.Board, *store.DB) {
	w.t.Helper()
	db := storetest.Open(w.t, w.url).WithClock(w.clock.now)
	b, err := data.Open(db, data.Options{Pepper: pepper, Provider: w.provider, Outbox: w.outbox, Terms: terms})
	if err != nil {
		w.t.Fatal(err)
	}
	return b, db
}

// person signs somebody in.
func (w *world) person(name string) task.Actor {
	w.t.Helper()
	id := try(w.StartSignIn(w.t.Context(), name+"@people.example", "ja"))(w.t)
	p, _, err := w.ConfirmSignIn(w.t.Context(), id, w.outbox.code(w.t))
	if err != nil {
		w.t.Fatal(err)
	}
	return task.Actor{Kind: task.Human, ID: p.ID}
}

// worker signs somebody in who takes many tasks at once.
func (w *world) worker(name string, change func(*data.Person)) task.Actor {
	w.t.Helper()
	by := w.person(name)
	p := try(w.Person(w.t.Context(), by.ID))(w.t)
	p.Handle, p.Instant.Cap, p.PayoutReady = name, 100, true
	if change != nil {
		change(&p)
	}
	try(w.SavePerson(w.t.Context(), p))(w.t)
	return by
}

var operator = task.Actor{Kind: task.Operator, ID: "operator"}

func draft() task.Draft {
	usd := 10.0
	return task.Draft{
		Text: "Look whether the shop is open", Label: "real_world_verification", OriginCountry: "US", AcceptanceCriteria: "One photo of the door",
		NotAllowed: "Do not enter", BudgetUSD: &usd, Deliverable: "text",
	}
}

func (w *world) post(change func(*task.Draft)) task.Task {
	w.t.Helper()
	d := draft()
	if change != nil {
		change(&d)
	}
	return try(w.CreateTask(w.t.Context(), w.agent, data.NewTask{Draft: d}))(w.t)
}

func (w *world) apply(by task.Actor, id string) data.Application {
	w.t.Helper()
	return try(w.Apply(w.t.Context(), by, data.NewApplication{TaskID: id, CoverLetter: "I live near", Availability: "today"}))(w.t)
}

// accepted is a task that somebody works on.
func (w *world) accepted(by task.Actor) task.Task {
	w.t.Helper()
	posted := w.post(nil)
	a := w.apply(by, posted.ID)
	return try(w.AcceptApplication(w.t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: a.ID}))(w.t).Task
}

// delivered is a task that waits for a review.
func (w *world) delivered(by task.Actor) task.Task {
	w.t.Helper()
	t := w.accepted(by)
	try(w.Submit(w.t.Context(), by, data.Delivery{TaskID: t.ID, Type: task.Text, Text: "It is open until 21:00"}))(w.t)
	return try(w.Task(w.t.Context(), t.ID))(w.t)
}

// settle runs the payouts and refunds that are due.
func (w *world) settle() {
	w.t.Helper()
	for _, kind := range []task.Job{task.JobPayout, task.JobRefund} {
		for _, j := range w.outbox.of(kind) {
			if err := w.Settle(w.t.Context(), j.ID); err != nil && task.ReasonOf(err) != task.NotFound {
				w.t.Errorf("settle %s: %v", j.ID, err)
			}
		}
	}
}

// sound fails the test when the ledger or the tasks contradict themselves.
func (w *world) sound() {
	w.t.Helper()
	for _, wrong := range try(w.Audit(w.t.Context()))(w.t) {
		w.t.Error(wrong)
	}
}

func (w *world) balance(a money.Account) int64 {
	w.t.Helper()
	return try(w.Balance(w.t.Context(), a))(w.t)[money.USD]
}

// refused fails the test unless err is a refusal with the reason.
func (w *world) refused(err error, want task.Reason) {
	w.t.Helper()
	if task.ReasonOf(err) != want {
		w.t.Errorf("the refusal is %q (%v), want %q", task.ReasonOf(err), err, want)
	}
}

// count is one number of the database.
func (w *world) count(query string) (n int64) {
	w.t.Helper()
	err := w.db.Read(w.t.Context(), func(ctx context.Context, tx store.Tx) error { return tx.QueryRow(ctx, query).Scan(&n) })
	if err != nil {
		w.t.Fatal(fmt.Errorf("%s: %w", query, err))
	}
	return n
}

// try returns the value of a call that must work.
func try[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// each runs f on a world in every database.
func each(t *testing.T, f func(*testing.T, *world)) {
	t.Helper()
	databases.Each(t, func(t *testing.T, u store.URL) { f(t, newWorld(t, u)) })
}

// stopAfterFunding accepts an application and gives up as soon as the provider has
// taken the money, before the board can note it, as a process that dies.
func (w *world) stopAfterFunding(taskID, applicationID string) error {
	w.t.Helper()
	b, err := data.Open(w.db, data.Options{Pepper: pepper, Provider: dying{w.provider}, Outbox: w.outbox})
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = b.AcceptApplication(w.t.Context(), w.agent, data.Acceptance{TaskID: taskID, ApplicationID: applicationID})
	return err
}

// dying is a provider whose process ends after it took the money.
type dying struct{ *money.Fake }

var errDead = errors.New("the process is dead")

// Fund takes the money and does not return.
func (d dying) Fund(ctx context.Context, t money.Transfer) (money.Receipt, error) {
	if _, err := d.Fake.Fund(ctx, t); err != nil {
		return money.Receipt{}, err
	}
	return money.Receipt{}, errDead
}
