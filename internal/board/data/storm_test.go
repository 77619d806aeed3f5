package data_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// storm is everybody doing anything to a few tasks at once.
type storm struct {
	*world
	people []task.Actor
	tasks  []string
}

// step does one thing that chance chooses; most are refused.
func (s *storm) step(b *data.Board, r *rand.Rand) error {
	ctx := s.t.Context()
	id, by := s.tasks[r.IntN(len(s.tasks))], s.people[r.IntN(len(s.people))]
	if got, err := b.Task(ctx, id); err == nil && got.HumanID != "" && r.IntN(4) > 0 {
		by.ID = got.HumanID // or nearly everything is refused
	}
	steps := []func() error{
		func() error {
			_, err := b.Apply(ctx, by, data.NewApplication{TaskID: id, CoverLetter: "me", Availability: "now"})
			return err
		},
		func() error {
			_, err := b.AcceptApplication(ctx, s.agent, data.Acceptance{TaskID: id, HumanID: by.ID})
			return err
		},
		func() error { _, err := b.OfferTask(ctx, id, time.Minute); return err },
		func() error {
			offers, err := b.OffersTo(ctx, by.ID)
			if err != nil || len(offers) == 0 {
				return err
			}
			if r.IntN(3) == 0 {
				_, err = b.DeclineOffer(ctx, by, offers[0].ID)
			} else {
				_, err = b.AcceptOffer(ctx, by, offers[0].ID)
			}
			return err
		},
		func() error {
			_, err := b.Submit(ctx, by, data.Delivery{TaskID: id, Type: task.Text, Text: "done"})
			return err
		},
		func() error { _, err := b.Decline(ctx, by, id, "no time"); return err },
		func() error { _, err := b.Approve(ctx, s.agent, data.Approval{TaskID: id}); return err },
		func() error {
			_, err := b.RequestRevision(ctx, s.agent, data.Revision{TaskID: id, Text: because})
			return err
		},
		func() error {
			_, err := b.Reject(ctx, s.agent, data.Rejection{TaskID: id, Code: task.Unreadable, Text: because})
			return err
		},
		func() error { _, err := b.OpenDispute(ctx, by, data.NewDispute{TaskID: id, Text: because}); return err },
		func() error {
			_, err := b.Resolve(ctx, operator, data.Resolution{TaskID: id, Completed: r.IntN(2) == 0, Worker: r.Int64N(1001), Note: because})
			return err
		},
		func() error {
			if r.IntN(8) > 0 {
				return nil
			}
			_, err := b.Cancel(ctx, s.agent, data.Cancellation{TaskID: id})
			return err
		},
		func() error { s.clock.forward(time.Duration(r.Int64N(int64(20 * time.Minute)))); return nil },
		func() error { return s.chore(b, r) },
	}
	return steps[r.IntN(len(steps))]()
}

// chore is a job that comes now, whether it is due or not.
func (s *storm) chore(b *data.Board, r *rand.Rand) error {
	due, err := b.Due(s.t.Context())
	if err != nil {
		return err
	}
	for _, kind := range []task.Job{task.JobPayout, task.JobRefund, task.JobOffer} {
		due = append(due, s.outbox.of(kind)...)
	}
	if len(due) > 0 {
		s.run(due[r.IntN(len(due))])
	}
	return nil
}

// Whatever happens in whatever order: no money is made or lost, nobody is paid twice,
// and in the end everything has ended and been settled.
func TestAStormLeavesASoundBoard(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := &storm{world: w}
		w.Board, _ = w.another(data.Terms{RejectFree: 1000})
		other, _ := w.another(data.Terms{RejectFree: 1000})
		for n := range 5 {
			s.people = append(s.people, w.worker(fmt.Sprint("w", n), instant(func(p *data.Person) { p.Instant.Cap = 3 })))
		}
		for n := range 5 {
			s.tasks = append(s.tasks, w.post(nil).ID, w.post(nil).ID, w.accepted(s.people[n]).ID, w.delivered(s.people[n]).ID)
		}
		begun := w.count("SELECT COUNT(*) FROM events")
		var wg sync.WaitGroup
		for n := range 8 {
			b := []*data.Board{w.Board, other}[n%2]
			r := rand.New(rand.NewPCG(7, uint64(n)))
			wg.Go(func() {
				for range 250 {
					if err := s.step(b, r); err != nil && task.ReasonOf(err) == task.Unknown {
						t.Errorf("%v", err)
					}
				}
			})
		}
		wg.Wait()
		w.sound()
		if n := w.count("SELECT COUNT(*) FROM events") - begun; n < 20 {
			t.Errorf("%d events: the storm was a calm", n)
		}
		s.end(operator)
		w.sound()
		ended := w.count("SELECT COUNT(*) FROM tasks WHERE status IN ('completed', 'failed')")
		if fees := w.balance(money.Fees); ended != 20 || w.held() != fees || -w.balance(money.External) != fees {
			t.Errorf("%d tasks ended; fees %d, the provider holds %d, the ledger says %d", ended, fees, w.held(), -w.balance(money.External))
		}
	})
}

// end lets time pass until every task has ended and everything is settled.
func (s *storm) end(operator task.Actor) {
	for _, id := range s.tasks {
		if got := try(s.Task(s.t.Context(), id))(s.t); got.SubState == task.Disputed {
			try(s.Resolve(s.t.Context(), operator, data.Resolution{TaskID: id, Completed: true, Worker: 500, Note: because}))(s.t)
		}
	}
	for range 3 { // an offer, a deadline, a review
		s.clock.forward(31 * 24 * time.Hour)
		for _, j := range try(s.Due(s.t.Context()))(s.t) {
			s.run(j)
		}
	}
	s.settle()
	try(s.VoidStale(s.t.Context(), s.clock.now()))(s.t)
	s.settle()
}
