package jobs_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/jobs"
	"github.com/legwork-mcp/legwork/internal/board/task"
	"github.com/legwork-mcp/legwork/internal/fault"
	"github.com/legwork-mcp/legwork/internal/store"
)

func TestEveryJobReachesItsCommand(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		b, s := newBench(t, u), town()
		s.called = make(chan string, 100)
		s.event = data.Event{ID: "e1", Type: task.DeadlineExtended, AgentID: "agent1", TaskID: "task1"}
		b.enqueue(t,
			data.Job{Kind: task.JobDeadline, Key: "t1:5", At: noon, ID: "t1"}, data.Job{Kind: task.JobDeadline, Key: "t1:5", At: noon, ID: "t1"},
			data.Job{Kind: task.JobReview, Key: "t2:5", At: noon, ID: "t2"}, data.Job{Kind: task.JobAppeal, Key: "t3:5", At: noon, ID: "t3"},
			data.Job{Kind: task.JobOffer, Key: "o1", At: noon, ID: "o1"}, data.Job{Kind: task.JobPayout, Key: "p1", ID: "p1"},
			data.Job{Kind: task.JobRefund, Key: "r1", ID: "r1"}, data.Job{Kind: task.JobEvent, Key: "e1", ID: "e1"},
			data.Job{Kind: task.JobMail, Key: "m1", Mail: &data.Mail{Template: data.MailSignIn, To: "taro@example.org", Lang: "en", Values: map[string]string{"code": "123456"}}},
			data.Job{Kind: task.JobDeadline, Key: "t9:9", At: time.Now().Add(time.Hour), ID: "t9"},
		)
		stop := b.run(t, jobs.Work{Board: s})
		want := []string{"AutoApprove t2", "EndAppeal t3", "ExpireOffer o1", "ExpireTask t1", "Settle p1", "Settle r1", "ForgetKeys ", "VoidStale "}
		var got []string
		for range want {
			select {
			case c := <-s.called:
				got = append(got, c)
			case <-time.After(patience):
				t.Fatalf("only %q", got)
			}
		}
		for b.count(t, "kind IN ('mail', 'event') AND state = 'completed'") < 2 {
			if t.Context().Err() != nil {
				t.Fatal("the mail is never sent")
			}
		}
		stop()
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
		letters, err := b.box.Letters(t.Context(), 10)
		if err != nil || len(letters) != 1 || letters[0].Subject != "Your sign-in code: 123456" {
			t.Errorf("%v, %v", letters, err)
		}
		if text := b.log.String(); strings.Contains(text, "123456") || strings.Contains(text, "example.org") {
			t.Errorf("the log tells:\n%s", text)
		}
		counts, err := b.Counts(t.Context())
		if err != nil || !slices.ContainsFunc(counts, func(c queueCount) bool { return c.Kind == "deadline" && c.State == "scheduled" && c.N == 1 }) {
			t.Errorf("counts %v, %v", counts, err)
		}
	})
}

// A job that is late or doubled is refused by the board, and that is its end; a
// provider that does not answer is asked again.
func TestARefusalIsAnAnswer(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		t.Parallel()
		b, s := newBench(t, u), town()
		s.refuse = map[string]error{
			"ExpireTask": task.Refuse(task.AlreadyEnded), "ExpireOffer": task.Refuse(task.NotFound), "EndAppeal": task.Refuse(task.Forbidden),
			"Settle": errors.New("no answer"), "AutoApprove": fault.New(fault.Unavailable, "database_busy", "m", "a"),
		}
		s.called = make(chan string, 100)
		for _, kind := range []task.Job{task.JobDeadline, task.JobOffer, task.JobAppeal, task.JobPayout, task.JobReview} {
			b.enqueue(t, data.Job{Kind: kind, Key: "x", ID: "x"})
		}
		b.run(t, jobs.Work{Board: s})
		for times := map[string]int{}; times["Settle x"] < 2 || times["AutoApprove x"] < 2; {
			select {
			case c := <-s.called:
				times[c]++
			case <-time.After(patience):
				t.Fatalf("%v", times)
			}
		}
		if n := b.count(t, "kind IN ('deadline', 'offer_expiry', 'appeal_end') AND state = 'completed'"); n != 3 {
			t.Errorf("%d of three refused jobs have ended", n)
		}
	})
}

func TestJobsGoWithTheirCommand(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b := newBench(t, u)
		errUndo := errors.New("undo")
		err := b.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
			mail := data.Job{Kind: task.JobMail, Key: "m", Mail: &data.Mail{Template: data.MailSignIn, To: "taro@example.org"}}
			return errors.Join(b.Enqueue(ctx, tx, data.Job{Kind: task.JobEvent, ID: "e"}), b.Enqueue(ctx, tx, mail), errUndo)
		})
		if !errors.Is(err, errUndo) || b.count(t, "1 = 1") != 0 || len(b.deliver(t)) != 0 {
			t.Errorf("%v, %d jobs", err, b.count(t, "1 = 1"))
		}
		err = b.db.Tx(t.Context(), func(ctx context.Context, tx store.Tx) error {
			return b.Enqueue(ctx, tx, data.Job{Kind: task.JobMail, Key: "m"})
		})
		if err == nil {
			t.Error("a mail that says nothing is taken")
		}
	})
}

// What is due gets a job when its own was lost, once.
func TestRepair(t *testing.T) {
	databases.Each(t, func(t *testing.T, u store.URL) {
		b, s := newBench(t, u), town()
		s.due = []data.Job{{Kind: task.JobDeadline, ID: "t1"}, {Kind: task.JobReview, ID: "t2"}, {Kind: task.JobOffer, ID: "o1"}, {Kind: task.JobPayout, ID: "pay_out:1"}}
		for range 2 {
			if err := b.Repair(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		counts, err := b.Counts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := []queueCount{
			{Kind: "auto_approve", State: "available", N: 1}, {Kind: "deadline", State: "available", N: 1}, {Kind: "offer_expiry", State: "available", N: 1},
			{Kind: "payout", State: "available", N: 1},
		}
		if diff := cmp.Diff(want, counts); diff != "" {
			t.Errorf("jobs (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{"VoidStale ", "VoidStale "}, s.calls); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	})
}

type uploads struct{ err error }

func (u *uploads) Expire(context.Context) (int, error) { return 0, u.err }

// One broom that breaks does not stop the others, and is told of.
func TestSweep(t *testing.T) {
	b, s := newBench(t, databases.SQLite(t)), town()
	errDisk, errKeys := errors.New("disk"), errors.New("keys")
	s.refuse = map[string]error{"ForgetKeys": errKeys}
	if err := b.Sweep(t.Context(), jobs.Work{Board: s, Uploads: &uploads{errDisk}}); !errors.Is(err, errDisk) || !errors.Is(err, errKeys) {
		t.Errorf("%v", err)
	}
	if err := b.Sweep(t.Context(), jobs.Work{Board: town()}); err != nil {
		t.Error(err)
	}
}

func TestOpenNeedsItsParts(t *testing.T) {
	b := newBench(t, databases.SQLite(t))
	if _, err := jobs.Open(t.Context(), b.db, jobs.Options{Key: []byte("short"), Sender: b.box}); err == nil {
		t.Error("a short key is taken")
	}
	if err := b.Run(t.Context(), jobs.Work{}); err == nil {
		t.Error("it runs without a board")
	}
}
