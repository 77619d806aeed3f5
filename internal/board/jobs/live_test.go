package jobs_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/jobs"
	"github.com/legwork-mcp/legwork/internal/board/notify"
	"github.com/legwork-mcp/legwork/internal/board/simulated"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/board/webhook"
	"github.com/legwork-mcp/legwork/internal/reach"
	"github.com/legwork-mcp/legwork/internal/store"
	"github.com/legwork-mcp/legwork/internal/store/storetest"
)

// live is a real board with its jobs. Its clock starts far in the past, so that the
// timer of every job is over for the queue and not for the board: what comes too
// early must do nothing, and what is due comes by the repair.
type live struct {
	*data.Board
	jobs  *jobs.Jobs
	db    *store.DB
	box   *notify.Mailbox
	log   *journal
	clock atomic.Int64
	agent task.Actor
}

func (l *live) now() time.Time          { return time.UnixMilli(l.clock.Load()).UTC() }
func (l *live) forward(d time.Duration) { l.clock.Add(d.Milliseconds()) }

func newLive(t *testing.T, u store.URL) *live {
	t.Helper()
	l := &live{log: &journal{}}
	l.clock.Store(time.Date(2026, 1, 5, 3, 0, 0, 0, time.UTC).UnixMilli())
	l.open(t, u)
	c, err := l.Connect(t.Context(), "Ada's agent", "ada@agents.example")
	if err != nil {
		t.Fatal(err)
	}
	l.agent = task.Actor{Kind: task.Agent, ID: c.Agent.ID, KeyID: c.Key.ID}
	return l
}

// open opens the board and its jobs on a database, as a process does that starts.
func (l *live) open(t *testing.T, u store.URL) {
	t.Helper()
	l.db = storetest.Open(t, u).WithClock(l.now)
	l.box = notify.NewMailbox(l.db)
	var err error
	l.jobs, err = jobs.Open(t.Context(), l.db, jobs.Options{
		Key: []byte(strings.Repeat("k", 32)), Sender: l.box, Base: base, Logger: slog.New(slog.NewTextHandler(l.log, nil)), Clock: l.now,
		Webhooks: webhook.Options{AllowPrivate: true, Resolve: reach.Resolver(func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	l.Board, err = data.Open(l.db, data.Options{Pepper: []byte(strings.Repeat("p", 32)), Provider: simulated.New(l.db), Outbox: l.jobs})
	if err != nil {
		t.Fatal(err)
	}
}

func (l *live) run(t *testing.T) {
	(&bench{Jobs: l.jobs}).run(t, jobs.Work{Board: l.Board, Timeout: 5 * time.Second})
}

// await waits until something is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	end := time.After(patience)
	tick := time.NewTicker(quick / 2)
	defer tick.Stop()
	for !so() {
		select {
		case <-end:
			t.Fatalf("it never comes to this: %s", what)
		case <-tick.C:
		}
	}
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// letter waits for one whose subject has the words and returns it.
func (l *live) letter(t *testing.T, to, words string) (found notify.Letter) {
	t.Helper()
	await(t, to+" reads "+words, func() bool {
		for _, letter := range must(l.box.Letters(t.Context(), 100))(t) {
			if letter.To == to && strings.Contains(letter.Subject, words) {
				found = letter
				return true
			}
		}
		return false
	})
	return found
}

var digits = regexp.MustCompile(`\d{6,}`)

// signIn signs somebody in with the code of the mail.
func (l *live) signIn(t *testing.T, name string) task.Actor {
	t.Helper()
	address := name + "@people.example"
	id := must(l.StartSignIn(t.Context(), address, "en"))(t)
	p, _, err := l.ConfirmSignIn(t.Context(), id, digits.FindString(l.letter(t, address, "sign-in code").Subject))
	if err != nil {
		t.Fatal(err)
	}
	p.Handle, p.Instant.Cap, p.PayoutReady = name, 100, true
	must(l.SavePerson(t.Context(), p))(t)
	return task.Actor{Kind: task.Human, ID: p.ID}
}

// accepted is a task that somebody works on.
func (l *live) accepted(t *testing.T, by task.Actor) task.Task {
	t.Helper()
	usd := 10.0
	posted := must(l.CreateTask(t.Context(), l.agent, data.NewTask{Draft: task.Draft{
		Text: "Look whether the shop is open", Label: "real_world_verification", OriginCountry: "US", AcceptanceCriteria: "One photo of the door",
		NotAllowed: "Do not enter", BudgetUSD: &usd, Deliverable: "text",
	}}))(t)
	a := must(l.Apply(t.Context(), by, data.NewApplication{TaskID: posted.ID, CoverLetter: "I live near", Availability: "today"}))(t)
	return must(l.AcceptApplication(t.Context(), l.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: a.ID}))(t).Task
}

func (l *live) submit(t *testing.T, by task.Actor, taskID string) {
	t.Helper()
	must(l.Submit(t.Context(), by, data.Delivery{TaskID: taskID, Type: task.Text, Text: "It is open until 21:00"}))(t)
}

func (l *live) status(t *testing.T, id string) string {
	t.Helper()
	now := must(l.Task(t.Context(), id))(t)
	return string(now.Status) + "/" + string(now.FailureReason)
}

// sound fails the test when ledger, tasks and payments contradict each other.
func (l *live) sound(t *testing.T) {
	t.Helper()
	for _, wrong := range must(l.Audit(t.Context()))(t) {
		t.Error(wrong)
	}
}

// idle waits until no job of a command waits or runs. A webhook whose server is gone is
// tried for days, and jobs of the kinds that are named may be tried again later too.
func (l *live) idle(t *testing.T, later ...string) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("%v\n%s", must(l.jobs.Counts(context.Background()))(t), l.log)
		}
	}()
	await(t, "all jobs have ended", func() bool {
		for _, c := range must(l.jobs.Counts(t.Context()))(t) {
			if c.State == "available" || c.State == "running" || c.State == "retryable" && c.Kind != "webhook" && !slices.Contains(later, c.Kind) {
				return false
			}
		}
		return true
	})
}

// hook is an endpoint on this machine that keeps the types of what it was sent.
func hook(t *testing.T) (address string, types func() map[string]int) {
	t.Helper()
	var mu sync.Mutex
	got := map[string]int{}
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got[r.Header.Get(webhook.EventHeader)]++
	}))
	t.Cleanup(s.Close)
	return s.URL, func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		out := map[string]int{}
		for k, v := range got {
			out[k] = v
		}
		return out
	}
}

func TestTimeDoesWhatTheTableSays(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		l := newLive(t, u)
		address, types := hook(t)
		if _, _, err := l.jobs.Hooks.Create(t.Context(), l.agent.ID, address, nil); err != nil {
			t.Fatal(err)
		}
		l.run(t)
		ann := l.signIn(t, "ann")
		silent, late, rejected := l.accepted(t, ann), l.accepted(t, ann), l.accepted(t, ann)
		l.submit(t, ann, silent.ID)
		l.submit(t, ann, rejected.ID)
		must(l.Reject(t.Context(), l.agent, data.Rejection{TaskID: rejected.ID, Code: task.CriteriaNotMet, Text: "The photo shows another shop than the one named."}))(t)
		l.letter(t, "ann@people.example", "was rejected")
		l.idle(t)
		for id, want := range map[string]string{silent.ID: "review_pending/", late.ID: "accepted/", rejected.ID: "review_pending/"} {
			if got := l.status(t, id); got != want {
				t.Errorf("a timer that came too early makes it %s, want %s", got, want)
			}
		}
		l.forward(8 * 24 * time.Hour) // over the deadline, the review and the appeal
		for range 2 {
			if err := l.jobs.Repair(t.Context(), l.Board); err != nil {
				t.Fatal(err)
			}
		}
		for id, want := range map[string]string{silent.ID: "completed/", late.ID: "failed/timeout", rejected.ID: "failed/requester_rejected"} {
			await(t, want, func() bool { return l.status(t, id) == want })
		}
		l.letter(t, "ann@people.example", "is approved")
		l.letter(t, "ann@people.example", "The time for")
		await(t, "the webhooks got it all", func() bool { return types()["payout.settled"] == 1 && types()["task.failed"] == 2 })
		l.idle(t)
		want := map[string]int{
			"task.created": 3, "application.received": 3, "task.accepted": 3, "submission.received": 2,
			"task.completed": 1, "task.failed": 2, "payout.settled": 1,
		}
		if diff := cmp.Diff(want, types()); diff != "" {
			t.Errorf("webhooks (-want +got):\n%s", diff)
		}
		l.sound(t)
		if r, err := l.jobs.Reconcile(t.Context(), l.Board); err != nil || len(r.Findings) > 0 {
			t.Errorf("%v, %v", r, err)
		}
		if text := l.log.String(); strings.Contains(text, "example") {
			t.Errorf("the log tells:\n%s", text)
		}
	})
}

// What was promised is kept when nobody works for a while and the process that
// works then is another one.
func TestARestartLosesNothing(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		l := newLive(t, u)
		ctx, cancel := context.WithCancel(context.Background())
		first := make(chan error, 1)
		go func() { first <- l.jobs.Run(ctx, jobs.Work{Board: l.Board, Poll: quick}) }()
		ann := l.signIn(t, "ann")
		cancel()
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		var done []string
		for range 5 {
			a := l.accepted(t, ann)
			l.submit(t, ann, a.ID)
			must(l.Approve(t.Context(), l.agent, data.Approval{TaskID: a.ID}))(t)
			done = append(done, a.ID)
		}
		l.open(t, u) // as another process
		l.run(t)
		l.idle(t)
		paid := must(l.Transfers(t.Context(), data.TransferDone, l.now().Add(time.Hour)))(t)
		out := map[string]int{}
		for _, p := range paid {
			if p.Kind == "pay_out" {
				out[p.TaskID]++
			}
		}
		for _, id := range done {
			if out[id] != 1 {
				t.Errorf("task %s is paid %d times", id, out[id])
			}
		}
		l.sound(t)
		if n := len(must(simulated.New(l.db).Transfers(t.Context()))(t)); n != 10 {
			t.Errorf("%d movements of money, want five fundings and five payouts", n)
		}
	})
}
