package data_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/legwork-mcp/legwork/internal/board/data"
	"github.com/legwork-mcp/legwork/internal/board/money"
	"github.com/legwork-mcp/legwork/internal/board/task"
)

// callers is how many call at once; half of them through another board on the same
// database, as a second process would.
const callers = 100

// race calls f for every caller at once and returns the errors by caller.
func (w *world) race(f func(b *data.Board, n int) error) []error {
	w.t.Helper()
	other, _ := w.another(data.Terms{})
	all := make([]error, callers)
	start := make(chan struct{})
	var ready, wg sync.WaitGroup
	ready.Add(callers)
	for n := range callers {
		b := w.Board
		if n%2 == 1 {
			b = other
		}
		wg.Go(func() {
			_, _ = b.Task(w.t.Context(), "none") // opens the connections, so that all start at once
			ready.Done()
			<-start
			all[n] = f(b, n)
		})
	}
	ready.Wait()
	close(start)
	wg.Wait()
	return all
}

// winners fails the test unless exactly want callers won and the others were refused
// for one of the reasons.
func (w *world) winners(all []error, want int, reasons ...task.Reason) {
	w.t.Helper()
	won := 0
	for n, err := range all {
		if err == nil {
			won++
		} else if !slices.Contains(reasons, task.ReasonOf(err)) {
			w.t.Errorf("caller %d: %v (%v)", n, err, errors.Unwrap(err))
		}
	}
	if won != want {
		w.t.Errorf("%d of %d callers won, want %d", won, len(all), want)
	}
}

func TestManyAcceptApplicantsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		posted := w.post(nil)
		var ids []string
		for n := range 10 {
			ids = append(ids, w.apply(w.worker(fmt.Sprint("w", n), nil), posted.ID).ID)
		}
		all := w.race(func(b *data.Board, n int) error {
			_, err := b.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: ids[n%len(ids)]})
			return err
		})
		w.winners(all, 1, task.AlreadyAssigned, task.ApplicationNotPending)
		w.settle()
		if n := w.balance(money.Escrow(posted.ID)); n != 1000 {
			t.Errorf("the escrow holds %d", n)
		}
		if n := w.held(); n != 1000 {
			t.Errorf("the provider holds %d of the requester's money", n)
		}
		if n := w.count("SELECT COUNT(*) FROM ledger_transactions"); n != 1 {
			t.Errorf("%d postings, want 1", n)
		}
		if n := w.count("SELECT COUNT(*) FROM applications WHERE status = 'declined'"); n != 9 {
			t.Errorf("%d applicants were declined, want 9", n)
		}
		w.sound()
	})
}

// held is what the provider took and did not give back or pay out.
func (w *world) held() (sum int64) {
	w.t.Helper()
	for _, t := range try(w.provider.Transfers(w.t.Context()))(w.t) {
		if t.Kind == money.KindFund {
			sum += t.Amount.Minor
		} else {
			sum -= t.Amount.Minor
		}
	}
	return sum
}

func TestManyInstantOffersDoNotPileUpOnOnePerson(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for n := range 3 {
			w.worker(fmt.Sprint("w", n), func(p *data.Person) { p.Instant.On, p.Instant.Cap = true, 1 })
		}
		ids := make([]string, callers)
		for n := range ids {
			ids[n] = w.post(func(d *task.Draft) { usd := 5.0; d.BudgetUSD = &usd }).ID
		}
		all := w.race(func(b *data.Board, n int) error {
			_, err := b.OfferTask(t.Context(), ids[n], time.Minute)
			return err
		})
		w.winners(all, 3, task.NoSupply)
		if n := w.count("SELECT COUNT(DISTINCT human_id) FROM offers WHERE status = 'pending'"); n != 3 {
			t.Errorf("%d people are asked, want 3", n)
		}
		w.sound()
	})
}

func TestADeliveryIsNeverLostToTheSweeper(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		var ids []string
		for range callers / 4 {
			ids = append(ids, w.accepted(ann).ID)
		}
		deadline := try(w.Task(t.Context(), ids[0]))(t).DeadlineAt.Add(w.Terms().Grace)
		w.clock.forward(deadline.Sub(w.clock.now()) - time.Second)
		delivered := make([]bool, len(ids))
		w.race(func(b *data.Board, n int) error {
			id := ids[n%len(ids)]
			switch n / len(ids) {
			case 0:
				_, err := b.Submit(t.Context(), ann, data.Delivery{TaskID: id, Type: task.Text, Text: "done"})
				delivered[n%len(ids)] = err == nil
			case 1:
				w.clock.forward(100 * time.Millisecond)
			default:
				_, err := b.ExpireTask(t.Context(), id)
				return err
			}
			return nil
		})
		for n, id := range ids {
			got := try(w.Task(t.Context(), id))(t)
			want := task.ReviewPending
			if !delivered[n] {
				want = got.Status
				if got.Status != task.Accepted && got.Status != task.Failed {
					t.Errorf("a task that was not delivered is %v", got.Status)
				}
			}
			if got.Status != want {
				t.Errorf("a delivered task is %v", got.State())
			}
			if n := len(try(w.Submissions(t.Context(), id))(t)); (n == 1) != delivered[slices.Index(ids, id)] {
				t.Errorf("%d submissions", n)
			}
		}
		w.settle()
		w.sound()
	})
}

func TestManyApproveAtOnceAndOnePaymentIsMade(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		id := w.delivered(ann).ID
		w.clock.forward(w.Terms().ReviewWindow)
		all := w.race(func(b *data.Board, n int) error {
			if n%4 == 3 {
				_, err := b.AutoApprove(t.Context(), id)
				return err
			}
			_, err := b.Approve(t.Context(), w.agent, data.Approval{TaskID: id})
			return err
		})
		for n, err := range all {
			if err != nil && (n%4 != 3 || task.ReasonOf(err) != task.NotReviewPending) {
				t.Errorf("caller %d: %v", n, err)
			}
		}
		if n := w.count("SELECT COUNT(*) FROM events WHERE type = 'task.completed'"); n != 1 {
			t.Errorf("%d completions", n)
		}
		key := w.outbox.of(task.JobPayout)[0].ID
		all = w.race(func(b *data.Board, _ int) error { return b.Settle(t.Context(), key) })
		w.winners(all, callers)
		if paid, held := w.count("SELECT COUNT(*) FROM ledger_transactions WHERE kind = 'pay_out'"), w.held(); paid != 1 || held != 200 {
			t.Errorf("%d payouts, %d still held", paid, held)
		}
		if n := w.count("SELECT COUNT(*) FROM events WHERE type = 'payout.settled'"); n != 1 {
			t.Errorf("the payout is told %d times", n)
		}
		w.sound()
	})
}

func TestManyApplyAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann := w.worker("ann", nil)
		posted := w.post(nil)
		all := w.race(func(b *data.Board, _ int) error {
			_, err := b.Apply(t.Context(), ann, data.NewApplication{TaskID: posted.ID, CoverLetter: "me", Availability: "now"})
			return err
		})
		w.winners(all, 1, task.AlreadyApplied)
		w.sound()
	})
}

func TestManyConnectWithOneAddress(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		secrets := make([]string, callers)
		all := w.race(func(b *data.Board, n int) error {
			c, err := b.Connect(t.Context(), "Bob's agent", "Bob@Agents.example ")
			secrets[n] = c.Secret
			return err
		})
		w.winners(all, callers)
		secrets = slices.DeleteFunc(secrets, func(s string) bool { return s == "" })
		if agents, keys := w.count("SELECT COUNT(*) FROM agents WHERE email = 'bob@agents.example'"), len(secrets); agents != 1 || keys != 1 {
			t.Errorf("%d accounts, %d keys", agents, keys)
		}
	})
}

func TestManySendTheSameRequest(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key := data.RequestKey{Principal: "agent:" + w.agent.ID, Operation: "POST /api/tasks", Key: "k1", Hash: "h"}
		ids := make([]string, callers)
		all := w.race(func(b *data.Board, n int) error {
			got, _, err := createOnce(t, b, w.agent, key)
			ids[n] = got.ID
			return err
		})
		w.winners(all, callers)
		if ids = slices.Compact(ids); len(ids) != 1 || w.count("SELECT COUNT(*) FROM tasks") != 1 {
			t.Errorf("%d answers, %d tasks", len(ids), w.count("SELECT COUNT(*) FROM tasks"))
		}
		if spent := w.count("SELECT SUM(minor) FROM spending"); spent != 1000 {
			t.Errorf("%d were counted against the cap", spent)
		}
		w.sound()
	})
}

func TestManySweepersEndATaskOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.accepted(w.worker("ann", nil)).ID
		w.clock.forward(w.Terms().DefaultDeadline + time.Hour)
		all := w.race(func(b *data.Board, _ int) error {
			_, err := b.ExpireTask(t.Context(), id)
			return err
		})
		w.winners(all, 1, task.Timeout)
		w.settle()
		if n, held := w.count("SELECT COUNT(*) FROM events WHERE type = 'task.failed'"), w.held(); n != 1 || held != 0 {
			t.Errorf("%d failures, %d still held", n, held)
		}
		w.sound()
	})
}

func TestAPaymentThatFailsDoesNotBlockTheTask(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		posted := w.post(nil)
		ann, ben := w.worker("ann", nil), w.worker("ben", nil)
		first, second := w.apply(ann, posted.ID), w.apply(ben, posted.ID)
		w.provider.FailWith(func(money.Transfer) error { return money.ErrDeclined })
		all := w.race(func(b *data.Board, _ int) error {
			_, err := b.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: first.ID})
			return err
		})
		w.winners(all, 0, task.PaymentFailed)
		if got := try(w.Task(t.Context(), posted.ID))(t); got.State() != posted.State() {
			t.Errorf("after failed payments the task is %v", got.State())
		}
		w.provider.FailWith(nil)
		all = w.race(func(b *data.Board, n int) error {
			_, err := b.AcceptApplication(t.Context(), w.agent, data.Acceptance{TaskID: posted.ID, ApplicationID: []string{first.ID, second.ID}[n/2%2]})
			return err
		})
		w.winners(all, 1, task.AlreadyAssigned, task.ApplicationNotPending)
		w.settle()
		if try(w.VoidStale(t.Context(), w.clock.now().Add(time.Hour)))(t); w.held() != 1000 {
			w.settle()
			if w.held() != 1000 {
				t.Errorf("the provider holds %d", w.held())
			}
		}
		w.sound()
	})
}

func TestManyRotateAKey(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		secrets := make([]string, callers)
		all := w.race(func(b *data.Board, n int) (err error) {
			_, secrets[n], err = b.RotateKey(t.Context(), w.agent, w.agent.KeyID, time.Minute)
			return err
		})
		w.winners(all, 1, task.NotFound)
		secrets = slices.DeleteFunc(secrets, func(s string) bool { return s == "" })
		w.clock.forward(2 * time.Minute)
		if k := try(w.Authenticate(t.Context(), secrets[0]))(t); k.AgentID != w.agent.ID || !k.Allows(data.ScopePost) {
			t.Errorf("the successor is %+v", k)
		}
		if n := w.count("SELECT COUNT(*) FROM api_keys"); n != 2 {
			t.Errorf("%d keys, want 2", n)
		}
	})
}
